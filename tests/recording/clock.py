"""Tables with a clock: time that is given, a move that comes too late, and a player who is back."""

from __future__ import annotations

from dataclasses import asdict
from uuid import UUID

from sqlalchemy import update

from service.rules.pace import PACES, Pace
from service.runtime import Runtime
from service.store.tables import game as game_table
from tests.builders import now_at
from tests.lapsing import AT_ONCE, stood_in
from tests.recording.scribe import Scribe
from tests.recording.tables import GAME


def the_clocks(house: Runtime, seats: list[Scribe]) -> None:
    """Bob gives Alice time, once; at a faster table her time runs out, her move is too late, and she is back."""
    alice, bob, _ = seats
    game, legal = begun(house, seats, PACES["daily"])
    for _ in range(2):
        bob.post(f"/games/{game}/time", {"seat": 0})
    game, legal = begun(house, seats, AT_ONCE)
    stood_in(house, now_at(house.games, UUID(game)))
    alice.post(f"/games/{game}/actions", legal)
    alice.post(f"/games/{game}/back")


def begun(house: Runtime, seats: list[Scribe], pace: Pace) -> tuple[str, dict[str, object]]:
    """Return the id of a game with this clock, and what Alice could do as it began."""
    alice, *others = seats
    game: str = alice.post("/games", {**GAME, "name": "By the clock"})["id"]
    with house.engine.begin() as db:
        db.execute(update(game_table).where(game_table.c.id == UUID(game)).values(pace=asdict(pace)))
    for each in others:
        each.post(f"/games/{game}/seats")
    alice.post(f"/games/{game}/start")
    legal = alice.get(f"/games/{game}/legal-actions")
    return game, {"decision": legal["decision"], "action": legal["items"][0]["action"]}
