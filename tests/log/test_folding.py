"""Fold a log: take-backs, resignations, seats handed over, and events of the service that no ruleset knows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from service.log.codec import stored_name
from service.log.folding import Folded, fold_clocked, fold_log, folds
from service.log.recorded import Recorded, milliseconds
from service.rules.chance import Chance
from service.rules.kernel import begin, fold
from service.rules.pace import PACES
from service.rules.shared_events import (
    ActionTakenBack,
    PaceSet,
    SeatHandedOver,
    SeatResigned,
    SharedEvent,
    TimeLapsed,
)
from tests.games.sealed_bids import RULESET
from tests.games.sealed_bids.actions import Bid

ALICE, BOB, CAROL = range(3)
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
CHANCE = Chance(bytes(32))
SETUP = begin(RULESET, 3, {"double": False}, CHANCE, "", ())
"""The events that open a game of sealed bids of three."""


def with_bids(log: Sequence[Any], *seats: int) -> list[Any]:
    """Return the log with a bid of each of the seats: the last of three ends a lot."""
    made = list(log)
    for seat in seats:
        state = fold_log(RULESET, made).state
        made += RULESET.decide(state, seat, Bid(card=min(state.hands[seat])), CHANCE)
    return made


def taken_back(log: Sequence[Any], first: int, seat: int) -> list[Any]:
    """Return the log with everything taken back from event `first` to its end."""
    return [*log, ActionTakenBack(seat=seat, first=first, last=len(log))]


def decision(folded: Folded) -> int:
    """Return the number of the decision that the players face."""
    return folded.passed + RULESET.decision(folded.state)


def test_what_was_taken_back_leaves_the_state_of_before() -> None:
    before = with_bids(SETUP, ALICE)
    after = taken_back(with_bids(before, BOB), len(before) + 1, BOB)
    assert fold_log(RULESET, after).state == fold(RULESET, before)


def test_after_an_answer_that_led_on_was_taken_back_the_question_has_a_number_that_no_other_had() -> None:
    before = with_bids(SETUP, ALICE, BOB)
    log = taken_back(with_bids(before, CAROL), len(before) + 1, CAROL)
    again = taken_back(with_bids(log, CAROL), len(log) + 1, CAROL)
    faced = [decision(fold_log(RULESET, each)) for each in (before, with_bids(before, CAROL), log, again)]
    # What the answer had led to, the fourth question, keeps its number for itself, too.
    assert faced == [1, 2, 3, 5]


def test_after_an_answer_that_others_still_had_to_give_was_taken_back_the_question_keeps_its_number() -> None:
    before = with_bids(SETUP, ALICE)
    log = taken_back(with_bids(before, BOB), len(before) + 1, BOB)
    assert decision(fold_log(RULESET, log)) == decision(fold_log(RULESET, before)) == 1


def test_who_has_resigned_has_resigned_whatever_is_taken_back() -> None:
    before = with_bids(SETUP, ALICE)
    acted = [*with_bids(before, BOB), SeatResigned(seat=CAROL, ends=False)]
    log = taken_back(acted, len(before) + 1, BOB)
    assert fold_log(RULESET, log).resigned == (CAROL,)
    assert fold_log(RULESET, log).silent == {CAROL}


def test_a_seat_that_was_handed_over_is_no_longer_resigned() -> None:
    resigned = [*SETUP, SeatResigned(seat=BOB, ends=False), SeatResigned(seat=CAROL, ends=False)]
    handed_over = [*resigned, SeatHandedOver(seat=BOB)]
    assert fold_log(RULESET, resigned).resigned == (BOB, CAROL)
    assert fold_log(RULESET, handed_over).resigned == (CAROL,)
    assert fold_log(RULESET, handed_over).silent == {CAROL}


def test_folding_at_once_and_event_by_event_come_to_the_same() -> None:
    log = [*with_bids(SETUP, ALICE, BOB), SeatResigned(seat=CAROL, ends=False), SeatHandedOver(seat=CAROL)]
    log = taken_back(with_bids(log, CAROL), len(log) + 1, CAROL)
    *_, last = folds(RULESET, log)
    assert fold_log(RULESET, log) == last


def recorded(appends: Sequence[tuple[float, int | None, Sequence[Any]]]) -> list[Recorded]:
    """Return a log of appends: the hours after New Year, the seat, the events."""
    log: list[Recorded] = []
    for hours, seat, events in appends:
        for number, event in enumerate(events):
            sent = {} if seat is not None and not number and not isinstance(event, SharedEvent) else None
            at = NEW_YEAR + timedelta(hours=hours)
            log.append(Recorded(len(log) + 1, event, seat, "api", 1, sent, at, stored_name(type(event))))
    return log


def test_a_lapse_that_came_after_an_action_is_forgotten_when_the_action_is_taken_back() -> None:
    begun = [*SETUP, PaceSet(pace=PACES["daily"])]
    first = with_bids(begun, ALICE)[len(begun) :]
    deadline = milliseconds(NEW_YEAR + timedelta(hours=120))
    lapse = TimeLapsed(seat=BOB, decision=1, deadline=deadline, ends=False)
    back = ActionTakenBack(seat=ALICE, first=len(begun) + 1, last=len(begun) + len(first) + 1, agreed=(BOB, CAROL))
    appends = [(0.0, None, begun), (1.0, ALICE, first), (120.0, BOB, [lapse])]
    lapsed = fold_clocked(RULESET, recorded(appends)).clocks
    rewound = fold_clocked(RULESET, recorded([*appends, (121.0, ALICE, [back])])).clocks
    assert lapsed is not None and rewound is not None
    assert (lapsed.lapses[BOB], lapsed.lapsed, lapsed.banks[BOB]) == (1, {BOB}, 0)
    assert (rewound.lapses[BOB], rewound.lapsed, rewound.banks[BOB]) == (0, frozenset(), PACES["daily"].bank * 1000)
    assert BOB in rewound.waits
