"""Reports of players to the operators, and an account that the operators have blocked."""

from __future__ import annotations

from uuid import UUID

from service.handlers import operators
from service.runtime import Runtime
from service.shared import clock
from service.store.operation import Operator
from tests.recording.scribe import Scribe


def the_reports(house: Runtime, bob: Scribe, game: str) -> None:
    """Bob reports what Alice has said, and reads the answer."""
    wanted = {"game": game, "about": "talk", "number": 1, "text": "This is meant for Carol alone."}
    made = bob.post("/reports", wanted, Idempotency_Key="report-of-bob")
    by = Operator("shell:zoe", "Nothing is wrong with it")
    operators.answer_report(house.games, UUID(made["id"]), "We see nothing wrong with it.", by, clock.now())
    bob.get("/reports")


def the_blocked(house: Runtime, nobody: Scribe) -> None:
    """Hal is blocked."""
    made = nobody.post("/players", {"name": "Hal"})
    by = Operator("shell:zoe", "Advertising at many tables")
    operators.block_account(house.games, UUID(made["id"]), by, clock.now())
    nobody.by(made["token"]).get("/me")
