"""Tables of people, and of one against ODS, who play some moves through the parts of a service."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Final
from uuid import UUID

from tests.chaos.book import Book
from tests.chaos.client import Client
from tests.chaos.players import Register, Table, act, newcomers, open_table

TABLES: Final = 8
MOVES: Final = 12
PATIENCE: Final = 120


def play(port: int, tables: int = TABLES) -> list[tuple[UUID, str, int]]:
    """Play at tables of two and of one in turn, all at once; return game, token and version of each.

    Fails if an answer is none of 200 and 201.
    """
    client = Client(port, Book())
    with ThreadPoolExecutor(tables) as crowd:
        played = list(crowd.map(lambda number: _played(client, number), range(tables)))
    assert (client.book.findings, set(client.book.counted("answer "))) == ([], {"200", "201"})
    return played


def _played(client: Client, number: int) -> tuple[UUID, str, int]:
    register, dice = Register(), Random(number)
    table = open_table(client, register, newcomers(client, 1 + number % 2))
    assert client.book.comes_true(lambda: _has_moved(client, register, table, dice), PATIENCE), "ODS does not move"
    shown = client.by(table.tokens[0]).get(f"/games/{table.game}")
    return table.game, table.tokens[0], int(shown["version"])


def _has_moved(client: Client, register: Register, table: Table, dice: Random) -> bool:
    # It waits for ODS, whose moves come from the relay by a worker.
    while act(client, register, table, dice):
        if len(register.acts) == MOVES:
            return True
    return False
