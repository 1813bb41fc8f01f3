"""Every event that all games can have is told in a sentence, in every language."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules import shared_events as shared
from service.rules.pace import PACES
from service.texts.catalog import languages
from service.views.sentences import shared_sentence

NAMES = ("Alice", "Bob")
THURSDAY = 1_795_714_200_000  # 2026-11-26, 17:30 UTC
TOLD = {
    shared.SeatResigned(seat=1, ends=False): "Bob resigns.",
    shared.SeatResigned(seat=1, ends=True): "Bob resigns, and the game is over.",
    shared.SomethingSaid(seat=0): "Alice says something.",
    shared.ActionTakenBack(seat=0, first=3, last=4): "Alice takes the last move back.",
    shared.ActionTakenBack(seat=0, first=3, last=4, agreed=(1,)): (
        "Alice takes a move back; the others have agreed. Cards that were seen stay seen."
    ),
    shared.GameForked(game="x", seq=7, head=None): "The game goes on from another game, after its event 7.",
    shared.DealSet(day="2026-03-04"): "The deal of Wednesday, 4 March 2026: everybody has the same cards.",
    shared.PaceSet(pace=PACES["daily"]): (
        "The pace of the table: Daily – 1 day for each move, plus a bank of 4 days; each move in time adds 6 hours to"
        " the bank, up to 4 days."
    ),
    shared.TimeLapsed(seat=1, decision=3, deadline=THURSDAY, ends=False): "Bob has run out of time.",
    shared.TimeLapsed(seat=1, decision=3, deadline=THURSDAY, ends=True): (
        "Bob has run out of time, and the game ends without a result."
    ),
    shared.HintTaken(seat=1, decision=3): "Bob takes a hint.",
    shared.BudgetCut(seat=1, decision=3, tables=25): (
        "Bob thinks less about this move, as many computer players have to move."
    ),
    shared.TimeGiven(seat=1, by=0, seconds=86_400, reason="player"): "Alice gives Bob more time: 1 day.",
    shared.TimeGiven(seat=1, by=None, seconds=5400, reason="outage"): (
        "Bob gets more time after a disturbance of the service: 1 hour and 30 minutes."
    ),
    shared.PlayerAway(seat=1, until=THURSDAY): "Bob is away until Thursday 26 November, 18:30 (Berlin time).",
    shared.PlayerBack(seat=1): "Bob is back.",
    shared.PauseProposed(seat=0, until=THURSDAY): (
        "Alice proposes a pause until Thursday 26 November, 18:30 (Berlin time)."
    ),
    shared.PauseAgreed(seat=1): "Bob agrees to the pause.",
    shared.PauseWithdrawn(seat=0): "Alice withdraws the proposal of a pause.",
    shared.GamePaused(seat=0, until=THURSDAY): (
        "All have agreed: the game is paused until Thursday 26 November, 18:30 (Berlin time)."
    ),
    shared.GameResumed(seat=0): "The pause is over, the game goes on.",
    shared.SeatHandedOver(seat=1): "Bob takes over seat 2.",
    shared.ComputerSeated(seat=1, level="normal", version=1): "A computer player plays in seat 2.",
}


@pytest.mark.parametrize(("event", "words"), TOLD.items(), ids=lambda each: type(each).__name__)
def test_an_event_that_every_game_can_have_is_told_in_a_sentence(event: Any, words: str) -> None:
    assert shared_sentence(event, NAMES, "en", "Europe/Berlin") == words
    assert len({shared_sentence(event, NAMES, language, "Europe/Berlin") for language in languages()}) == 3


def test_every_shared_event_has_a_sentence() -> None:
    assert {type(event) for event in TOLD} == set(shared.SHARED_EVENTS)
    # A class with slots is made twice: by its statement, and once more by the dataclass.
    assert {kind.__name__ for kind in shared.SharedEvent.__subclasses__()} == {
        kind.__name__ for kind in shared.SHARED_EVENTS
    }
