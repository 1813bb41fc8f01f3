"""Laws of the reminders of every wait, whatever happens to the wait and however many decisions it has (T-03, T-08)."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from service.handlers import mail_preferences
from service.mail.pace import MIN_REMINDER_GAP
from service.rules.pace import Pace
from service.rules.shared_events import TimeGiven
from service.store.games import Games
from tests.builders import act
from tests.people import Person, alice, bob, carol
from tests.reminding import (
    ALICE,
    BOB,
    HALF,
    HOUR,
    asked_at,
    happens,
    numbers,
    paced,
    plans,
    reminds,
    rows,
)


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games, None), carol(games, None)]


@pytest.mark.parametrize("seed", range(4))
def test_t08_whatever_happens_to_a_wait_there_are_at_most_two_reminders_three_hours_apart(
    games: Games, people: list[Person], seed: int
) -> None:
    chance = Random(seed)
    position = paced(games, Pace(free=30 * 3600, bank=0, credit=0, cap=0), people=people)
    plans(games, position)
    wait = asked_at(position, ALICE)
    for hour in range(0, 60, 2):
        happened = chance.choice(("", "", "", "given", "planned", "quiet"))
        if happened == "given":
            happens(
                games, position, TimeGiven(seat=ALICE, by=BOB, seconds=chance.randrange(1, 6) * 3600, reason="player")
            )
        elif happened == "planned":
            plans(games, position, wait + hour * HOUR)
        elif happened == "quiet":
            mail_preferences.change(games, people[ALICE].id, {"quiet": {"begin": chance.randrange(24), "end": 7}})
        reminds(games, position, ALICE, wait + hour * HOUR)
    sent = [row.payload["at"] for row in rows(games, position, "reminder")]
    assert 1 <= len(sent) <= 2
    assert len(sent) == 1 or sent[1] - sent[0] >= MIN_REMINDER_GAP / timedelta(milliseconds=1)
    assert numbers(rows(games, position, "reminder")) in ([1], [2], [1, 2])


def test_t03_the_second_decision_of_a_wait_is_reminded_of_when_half_of_the_whole_wait_is_left(
    games: Games, people: list[Person]
) -> None:
    position = paced(games, ruleset="new-corp-order", people=people, **{"first-player": 0})
    plans(games, position)
    begun = asked_at(position, ALICE)
    position = act(games, position, ALICE, position.ruleset.parse("P D")).position
    assert ALICE in position.awaited
    (row,) = reminds(games, position, ALICE, begun + HALF)
    assert row.payload["decision"] == position.decision
