"""What mails say of time: deadlines by the reader's clock, and what keeps others from playing."""

from __future__ import annotations

from typing import Any

import pytest

from service.mail.message import Addressee, address_game_mail
from service.mail.play import TurnPrompt
from service.mail.sentences import NO_TIMES, times_of
from service.rules.pace import Pace
from tests.clocked_games import at, clocked, paused, unreached
from tests.mail_goldens import read
from tests.mail_tree import Html, body, plain_words
from tests.sample_games import GAME, NOW, STAMP, Sample, later

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
