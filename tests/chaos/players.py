"""People who play whole games over REST, every action under a key of its own."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import UUID, uuid4

from tests.chaos.book import Book
from tests.chaos.client import Answer, Client, Unresolved

THINKING = (0.2, 0.7)
"""Seconds between two actions of a table, at least and at most."""
SENT_TWICE = 0.1
"""The share of actions that are sent twice at the same time."""
OTHERS_SECONDS = 0.3
RULESET = "new-corp-order"
NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")


@dataclass(slots=True)
class Act:
    """An action that was sent under a key; `answer` is the definite one, None as long as there is none."""

    game: UUID
    seat: int
    token: str
    key: str
    body: dict[str, Any]
    answer: Answer | None = None

    @property
    def acked(self) -> bool:
        """Whether it was accepted."""
        return self.answer is not None and self.answer.status == 201


@dataclass(slots=True)
class Table:
    """A game, and what belongs to each of its seats: the player's id and token."""

    game: UUID
    players: list[UUID]
    tokens: list[str]
    emails: list[str | None] = field(default_factory=list)
    finished: bool = False


class Register:
    """All tables of a run, and all actions that were sent."""

    def __init__(self) -> None:
        self.tables: list[Table] = []
        self.acts: list[Act] = []


def open_table(client: Client, register: Register, people: list[tuple[UUID, str]]) -> Table:
    """Open a public game, have everybody sit down, and start it; Unresolved."""
    (_, host), *guests = people
    wanted = {"ruleset": RULESET, "seats": len(people), **({"access": "public"} if guests else {})}
    game = client.by(host).post("/games", wanted, uuid4().hex).json["id"]
    for _, guest in guests:
        client.by(guest).post(f"/games/{game}/seats", {}, uuid4().hex)
    client.by(host).post(f"/games/{game}/start")
    seats = {UUID(player): token for player, token in [(str(each), token) for each, token in people]}
    shown = client.by(host).get(f"/games/{game}")
    if shown["status"] != "running":
        raise ValueError(f"game {game} did not start: {shown['status']}")
    table = Table(UUID(game), list(seats), list(seats.values()))
    register.tables.append(table)
    return table


def newcomers(client: Client, number: int) -> list[tuple[UUID, str]]:
    """Register people; return their ids and tokens."""
    made = [client.post("/players", {"name": name}).json for name in NAMES[:number]]
    return [(UUID(each["id"]), each["token"]) for each in made]


def act(client: Client, register: Register, table: Table, dice: Random) -> Act | None:
    """Have somebody who is to act take one legal action; None if nobody is to act now. Unresolved."""
    shown = client.by(table.tokens[0]).get(f"/games/{table.game}")
    if shown["status"] != "running":
        table.finished = True
        return None
    # The automaton has the seat after the last one of people.
    awaited = [seat for seat in shown["to_act"] if seat < len(table.tokens)]
    if not awaited:
        return None
    seat = dice.choice(awaited)
    mine = client.by(table.tokens[seat])
    legal = mine.get(f"/games/{table.game}/legal-actions")
    if not legal["items"]:
        return None
    body = {"decision": legal["decision"], "action": dice.choice(legal["items"])["action"]}
    sent = Act(table.game, seat, table.tokens[seat], uuid4().hex, body)
    register.acts.append(sent)
    _send(mine, sent, dice.random() < SENT_TWICE)
    return sent


def _send(mine: Client, sent: Act, twice: bool) -> None:
    others: list[Answer] = []

    def once_more() -> None:
        answer = mine.once("POST", f"/api/v1/games/{sent.game}/actions", sent.body, sent.key)
        if answer is not None and answer.status == 201:
            others.append(answer)

    rival = threading.Thread(target=once_more, daemon=True)
    if twice:
        rival.start()
    sent.answer = mine.post(f"/games/{sent.game}/actions", sent.body, sent.key)
    if twice:
        rival.join()
        for other in others:
            same = sent.acked and told(other) == told(sent.answer)
            mine.book.expect(same, f"key {sent.key}, sent twice at once, got two answers: {other} and {sent.answer}")


def told(answer: Answer) -> Any:
    """Return of the answer to an action what is the same whenever it is given."""
    return {name: answer.json[name] for name in ("version", "decision", "events")}


class Player:
    """Plays one game after the other until the run closes; `seats` is how many play in each."""

    def __init__(self, client: Client, book: Book, register: Register, dice: Random, seats: int) -> None:
        self._client = client
        self._book = book
        self._register = register
        self._dice = dice
        self._seats = seats

    def run(self) -> None:
        """Play."""
        try:
            while not self._book.closing.is_set():
                table = open_table(self._client, self._register, newcomers(self._client, self._seats))
                self._play(table)
        except Unresolved:
            # What was sent stands in the register, and the judge looks there.
            return

    def _play(self, table: Table) -> None:
        while not (self._book.closing.is_set() or table.finished):
            played = act(self._client, self._register, table, self._dice)
            pause = OTHERS_SECONDS if played is None else self._dice.uniform(*THINKING)
            self._book.closing.wait(pause)
