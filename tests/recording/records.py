"""Proofs of games: their records, the seals over them, and the days' roots."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from service.audit.inspect import whole_record
from service.commands.selfplay import play_out
from service.handlers.import_record import import_record
from service.record.reading import read
from service.runtime import Runtime
from service.shared import clock
from service.store.proof import SEAL_GRACE
from tests.recording.scribe import Scribe
from workers.proof import close_days, sign


def while_it_runs(alice: Scribe, game: str) -> None:
    """Alice takes along what she knows so far."""
    alice.get(f"/games/{game}/record")


def when_it_is_over(house: Runtime, nobody: Scribe, alice: Scribe, game: str) -> None:
    """The game is sealed, and the day ends; then everybody can look at the proof."""
    signer, yesterday = house.signer, clock.now() - timedelta(days=1)
    assert signer is not None
    with house.engine.begin() as db:
        sign(db, signer, UUID(game), whole_record(db, house.games, UUID(game)).head, lambda: yesterday)
    close_days(house.engine, yesterday + timedelta(days=1) + SEAL_GRACE)
    alice.get(f"/games/{game}/proof")
    alice.get("/me/records")
    nobody.get("/seal-keys")
    nobody.get("/seal-days")


def without_a_chain(house: Runtime, alice: Scribe) -> None:
    """A game that was brought here under a name of its own has no record here."""
    record = play_out(house.games.rulesets["new-corp-order"], 1, {}, "elsewhere").record
    assert record is not None
    game, _ = import_record(house.games, read(record.text()))
    alice.get(f"/games/{game}/record")
