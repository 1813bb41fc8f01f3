"""What proves games: their records, the seals over them, and the days' roots."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from sqlalchemy import text

from service import clock
from service.audit.inspect import whole_record
from service.runtime import Runtime
from service.store.seals import GRACE
from tests.recording.scribe import Scribe
from workers.seal import close_days, sign

_UNCHAINED = text("update game set head = null where id = :game")


def while_it_runs(alice: Scribe, game: str) -> None:
    """Alice takes along what she knows so far."""
    alice.get(f"/games/{game}/record")


def when_it_is_over(house: Runtime, nobody: Scribe, alice: Scribe, game: str) -> None:
    """The game is sealed, and the day ends; then everybody can look at the proof."""
    signer, yesterday = house.signer, clock.now() - timedelta(days=1)
    assert signer is not None
    with house.engine.begin() as db:
        sign(db, signer, UUID(game), whole_record(db, house.games, UUID(game)).head, lambda: yesterday)
    close_days(house.engine, yesterday + timedelta(days=1) + GRACE)
    alice.get(f"/games/{game}/proof")
    alice.get("/me/records")
    nobody.get("/seal-keys")
    nobody.get("/seal-days")


def without_a_chain(house: Runtime, alice: Scribe, game: str) -> None:
    """A game from before there were records has none."""
    with house.engine.begin() as db:
        db.execute(_UNCHAINED, {"game": game})
    alice.get(f"/games/{game}/record")
