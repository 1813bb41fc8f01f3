"""The log of a finished game leaves the database for the archive, is read there, and comes back, as the page says."""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from pathlib import Path
from random import Random
from subprocess import CompletedProcess
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from service.local.postgres import SUPERUSER, reachable_binaries, server_account
from service.local.supervisor import wait_until
from tests.chaos.book import Book
from tests.chaos.client import Client
from tests.chaos.players import Register, Table, act, newcomers, open_table
from tests.chaos.processes import WEB_PROCESS
from tests.chaos.running import Running
from tests.deploy.drills.shell import carried_out, documented

pytestmark = pytest.mark.slow

LOOK, AUDIT, UNARCHIVE = documented("Finished games in the archive")
PATIENCE = 120
ARCHIVED = "select count(*) from archived"
EVENTS = "select count(*) from event where game_id = %s"
SHOWN = ("", "/replay", "/record", "/standings", "/listing")


class Drill:
    """A service whose finished games are archived at once, and its operator."""

    def __init__(self, folder: Path) -> None:
        self.archive = folder / "archive"
        self.book = Book()
        self._folder = folder
        self.running = self._service("true")

    def _service(self, alone: str) -> Running:
        told = {"ARCHIVE": str(self.archive), "ARCHIVE_DAYS": "0", "ARCHIVE_ONLY": alone}
        return Running(self._folder, self.book, {**told, "MAILBOX": str(self._folder / "mailbox")})

    @property
    def client(self) -> Client:
        return Client(self.running.port, self.book)

    def stop(self) -> None:
        self.running.stop()

    def restart(self, alone: str) -> None:
        """Stop the service, and start it with ARCHIVE_ONLY as it is said."""
        self.stop()
        self.running = self._service(alone)
        self.running.start()

    def kill(self, part: str) -> None:
        """Kill the processes of a part, which are started again, and have seen no game then."""
        before = self._living(part)
        assert before
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        assert wait_until(lambda: bool(self._living(part)) and not before & self._living(part), PATIENCE)
        assert wait_until(self.running.is_ready, PATIENCE)

    def _living(self, part: str) -> set[int]:
        return {each.pid for name, found in self.running.living().items() if name.startswith(part) for each in found}

    def ask(self, sql: str, *values: object) -> Any:
        with self.running.database() as db:
            row = db.execute(sql, values).fetchone()
        assert row is not None
        return row[0]

    def told(self, commands: str) -> CompletedProcess[str]:
        """Carry out commands as an operator of the service on its machine."""
        noted = self.running.noted()
        server = dict(parse_qsl(urlsplit(noted["DATABASE_URL"]).query))
        known = {"PGHOST": server["host"], "PGUSER": SUPERUSER, **noted}
        return carried_out(commands, known, programs=reachable_binaries(self._folder, server_account()))


@pytest.fixture
def drill(folder: Path, stack: ExitStack) -> Drill:
    made = Drill(folder)
    made.running.start()
    stack.callback(made.stop)
    return made


def over(drill: Drill) -> Table:
    """A game of two of which some moves were made, and that a resignation has ended."""
    table = open_table(drill.client, Register(), newcomers(drill.client, 2))
    for number in range(8):
        act(drill.client, Register(), table, Random(number))
    ended = drill.client.by(table.tokens[0]).post(f"/games/{table.game}/resignation", {"confirm": True})
    assert ended.status == 201
    return table


def answers(drill: Drill, table: Table) -> dict[str, str]:
    """Return a player's answers about the game, by path."""
    mine = drill.client.by(table.tokens[0])
    return {each: mine.until_definite("GET", f"/api/v1/games/{table.game}{each}").text for each in SHOWN}


def test_a_finished_game_is_read_from_the_archive_and_comes_back(drill: Drill) -> None:
    # given a finished game that is sealed
    table = over(drill)
    mine = drill.client.by(table.tokens[0])
    assert wait_until(lambda: '"kind":"seal"' in answers(drill, table)["/record"], PATIENCE)
    before, events = answers(drill, table), drill.ask(EVENTS, table.game)
    # when relays take its log out of the database, and web servers have not seen it
    drill.kill("workers.parts relay")
    assert wait_until(lambda: drill.ask(ARCHIVED) == 1, PATIENCE)
    drill.kill(WEB_PROCESS)
    # then players see what they have seen, and it goes on in another game
    assert drill.ask(EVENTS, table.game) == 0
    assert answers(drill, table) == before
    assert mine.post(f"/games/{table.game}/fork", {"seq": 3}).status == 201
    assert str(table.game) in str(mine.get("/games?status=finished"))
    # and the operator sees that its record holds
    looked = drill.told(LOOK)
    assert (looked.returncode, str(table.game) in looked.stdout) == (0, True), looked.stdout + looked.stderr
    audited = drill.told(AUDIT)
    assert audited.returncode == 0, audited.stdout + audited.stderr
    # when it comes back, then nothing is needed of the archive
    drill.restart("false")
    back = drill.told(UNARCHIVE)
    assert (back.returncode, drill.ask(ARCHIVED), drill.ask(EVENTS, table.game)) == (0, 0, events), back.stderr
    drill.archive.rename(drill.archive.with_name("away"))
    drill.kill(WEB_PROCESS)
    assert answers(drill, table) == before
    assert drill.told(AUDIT).returncode == 0
    assert drill.book.findings == []
