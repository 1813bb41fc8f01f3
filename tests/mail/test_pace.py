"""Times of reminders, and deadlines and absences in mails."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.log.clocks import Clocks, awaiting, noted, started
from service.log.recorded import instant
from service.mail.compose import Addressee, address_game_mail
from service.mail.pace import BEFORE_QUIET_HOURS, QuietHours, half_is_left, reminder_time
from service.mail.play import TurnPrompt
from service.mail.preferences import quiet_hours
from service.mail.sentences import NO_TIMES, times_of
from service.rules.pace import PACES, Pace
from service.rules.shared_events import GamePaused, GameResumed, PlayerAway, PlayerBack, TimeGiven
from tests.clocked_games import at, clocked, paused, unreached
from tests.mail_goldens import read
from tests.mail_tree import Html, body, plain_words
from tests.sample_games import GAME, NOW, STAMP, Sample, later

ALICE = 0
BERLIN = ZoneInfo("Europe/Berlin")
DAILY = PACES["daily"]
MOST_HOURS = 100
MINUTE = timedelta(minutes=1)


def asked(pace: Pace = DAILY) -> Clocks:
    return awaiting(started(pace, 2), frozenset({ALICE}), None, at(0))


def lasting(hours: float) -> Clocks:
    """A wait of so many hours."""
    return asked(Pace(free=round(hours * 3600), bank=0, credit=0, cap=0))


def due(clocks: Clocks, number: int, quiet: QuietHours | None = None, now: float = 0) -> float | None:
    found = reminder_time(clocks, ALICE, number, quiet, instant(at(now)))
    return None if found is None else (found - instant(at(0))) / timedelta(hours=1)


def in_berlin(hours: float) -> datetime:
    return instant(at(hours)).astimezone(BERLIN)


def test_t08_a_reminder_is_due_when_a_half_and_when_a_tenth_of_the_time_is_left() -> None:
    assert (due(asked(), 1), due(asked(), 2)) == (60, 108)


def test_t08_time_that_is_given_moves_both() -> None:
    given = noted(asked(), TimeGiven(seat=ALICE, by=1, seconds=24 * 3600, reason="player"), at(10))
    assert (due(given, 1), due(given, 2)) == (72, 129.6)


def test_t08_the_weekend_moves_both_where_time_runs_on_weekdays_only() -> None:
    # Friday the 20th, 18:45 in Berlin; half of 24 hours is over on Monday.
    weekdays = asked(Pace(free=24 * 3600, bank=0, credit=0, cap=0, weekdays="Europe/Berlin"))
    assert due(weekdays, 1) == 48 + 12 and due(weekdays, 2) == pytest.approx(48 + 21.6)


@pytest.mark.parametrize(
    ("stops", "goes_on"),
    [
        (PlayerAway(seat=ALICE, until=at(50)), PlayerBack(seat=ALICE)),
        (GamePaused(seat=1, until=at(50)), GameResumed(seat=1)),
    ],
)
def test_t08_none_is_due_while_no_time_runs_and_then_it_is_later_by_that(stops: object, goes_on: object) -> None:
    stopped = noted(asked(), stops, at(10))
    assert due(stopped, 1) is None
    assert due(noted(stopped, goes_on, at(50)), 1) == 60 + 40


def test_t08_in_quiet_hours_none_is_due_before_they_end() -> None:
    # Alice was asked at 18:45 in Berlin, and half of 10 hours is over at 23:45.
    quiet = QuietHours(BERLIN, 22, 2)
    assert in_berlin(due(lasting(10), 1, quiet) or 0).hour == 2


def test_t08_if_the_deadline_falls_into_the_quiet_hours_it_is_due_before_they_begin() -> None:
    quiet = QuietHours(BERLIN, 22, 7)
    for number in (1, 2):
        assert in_berlin(due(lasting(10), number, quiet) or 0).strftime("%a %H:%M") == "Fri 21:30"


def test_t08_what_would_have_been_due_before_quiet_hours_that_have_begun_is_not_due_any_more() -> None:
    assert due(lasting(10), 2, QuietHours(BERLIN, 22, 7), now=5) is None


def test_t08_after_the_deadline_none_is_due() -> None:
    assert due(lasting(10), 2, None, now=10) is None


@given(
    hours=st.floats(0.1, MOST_HOURS),
    number=st.sampled_from([1, 2]),
    begin=st.integers(0, 23),
    end=st.integers(0, 23),
    now=st.floats(0, MOST_HOURS),
)
def test_t08_a_reminder_is_before_the_deadline_and_never_in_quiet_hours(
    hours: float, number: int, begin: int, end: int, now: float
) -> None:
    quiet, clocks, moment = QuietHours(BERLIN, begin, end), lasting(hours), instant(at(now))
    found = reminder_time(clocks, ALICE, number, quiet, moment)
    deadline = clocks.deadline(ALICE)
    assert deadline is not None
    if found is not None:
        # One that is due at once, since its moment is past, goes out now.
        goes_out = max(found, moment)
        assert goes_out < instant(deadline)
        around = quiet_hours(goes_out, BERLIN, begin, end)
        assert around is None or around[0] == moment == goes_out


def test_t08_before_quiet_hours_there_is_half_an_hour_to_play() -> None:
    assert timedelta(minutes=30) == BEFORE_QUIET_HOURS


def test_t09_half_of_the_time_is_left_up_to_the_first_reminder_and_not_after_it() -> None:
    clocks = asked(replace(DAILY, free=DAILY.free + 1))
    first = reminder_time(clocks, ALICE, 1, None, instant(at(0)))
    assert first is not None
    assert half_is_left(clocks, ALICE, first) and not half_is_left(clocks, ALICE, first + MINUTE)


TABLES = [("new-corp-order", 2, 21), ("sealed-bids", 3, 4)]
UNTIL = {
    "en": "You have time until Tuesday 24 November, 12:45 (Berlin time), 3 days and 18 hours left.",
    "de": "Zeit bis Dienstag, 24. November, 12:45 (Ortszeit Berlin), noch 3 Tage und 18 Stunden.",
    "fr": "Délai jusqu’au mardi 24 novembre, 12:45 (fuseau horaire Berlin), il reste 3 jours et 18 heu",
}


def table(steps: int = 21, language: str = "en", **clocks: Any) -> Sample:
    return clocked(later("new-corp-order", 2, steps, language), **clocks)


def own(found: Sample) -> str:
    return " ".join(times_of(found.position, found.seat, NOW).own)


def others(found: Sample) -> str:
    return " ".join(times_of(found.position, found.seat, NOW).others)


@pytest.mark.parametrize("language", UNTIL)
@pytest.mark.parametrize(("name", "seats", "steps"), TABLES)
@pytest.mark.parametrize("reminds", [False, True])
def test_t07_both_parts_of_a_mail_say_the_deadline_by_the_readers_clock_and_how_long_is_left(
    name: str, seats: int, steps: int, language: str, reminds: bool
) -> None:
    found = clocked(later(name, seats, steps, language))
    turn = TurnPrompt(reminds=reminds, times=times_of(found.position, found.seat, NOW))
    whom = Addressee(GAME, found.position.seats[found.seat])
    message = read(address_game_mail(found.turn(turn=turn), "turn", whom, STAMP).as_bytes())
    for words in (plain_words(body(message, "plain")), " ".join(Html(body(message, "html")).words)):
        assert UNTIL[language] in words.replace("\N{NO-BREAK SPACE}", " ")


def test_t07_a_game_without_a_clock_says_nothing_of_time() -> None:
    found = later("new-corp-order", 2, 21)
    assert times_of(found.position, found.seat, NOW) == NO_TIMES


@pytest.mark.parametrize(
    ("hours", "words"),
    [
        (2, "Your bank covers up to 4 days of that."),
        (30, "All of that is taken from your bank."),
        (120, "Your bank is used up."),
    ],
)
def test_t07_the_bank_is_said_too(hours: float, words: str) -> None:
    assert own(table(hours=hours)).endswith(words)


def test_t07_where_the_pace_has_no_bank_none_is_said() -> None:
    found = table(hours=1, pace=Pace(free=7200, bank=0, credit=0, cap=0))
    assert own(found).endswith("1 hour left.")


def test_t19_who_is_away_is_told_that_the_time_does_not_run() -> None:
    seat = table().seat
    assert own(table(away={seat: at(50)})) == (
        "You are away until Sunday 22 November, 20:45 (Berlin time), and your clock stands still."
    )


def test_t20_the_others_are_told_who_is_away_until_when_and_nothing_of_why() -> None:
    seat = 1 - table().seat
    name = ("Alice", "Bob")[seat]
    assert others(table(away={seat: at(50)})) == f"{name} is away until Sunday 22 November, 20:45 (Berlin time)."


def test_t14_the_others_are_told_who_is_absent() -> None:
    seat = 1 - table().seat
    assert others(table(absent=frozenset({seat}))).endswith(" is absent: the computer plays in the meantime.")


def test_t17_the_others_are_told_of_a_dead_address_and_that_the_clock_runs() -> None:
    found = table()
    seat = 1 - found.seat
    assert others(unreached(found, seat)).endswith("; the clock runs all the same.")
    assert others(unreached(found, found.seat)) == ""
    without = unreached(later("new-corp-order", 2, 21), seat)
    assert others(without).startswith("Mails do not reach ") and "clock" not in others(without)


def test_t21_in_a_pause_nobodys_time_runs_and_the_mail_says_until_when() -> None:
    told = "The game is paused until Sunday 22 November, 20:45 (Berlin time); all clocks stand still."
    assert own(table(paused=paused(50))) == told
