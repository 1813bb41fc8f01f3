"""Lines about an absence, in three languages and as people write dates (T-18)."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.inbound.absence_lines import AbsenceLine, Ambiguous, WrittenDay, read_absence, read_day
from service.inbound.grammar import read_reply
from service.rules.registry import find_rulesets
from tests.house import RULESETS

RULES = find_rulesets(RULESETS)["new-corp-order"]
THIRD = WrittenDay(3, 3)
NO_DAY = WrittenDay(31, 2)


@pytest.mark.parametrize(
    "line",
    [
        "away until 3 March",
        "Away until March 3rd",
        "away till the 3rd of March",
        "away until 3.3.",
        "> away until 4 March\naway until 3 March.",
        "abwesend bis 3. März",
        "Abwesend bis zum 3. Maerz!",
        "abwesend bis 3. Mär.",
        "absent jusqu'au 3 mars",
        "Absente jusqu’au 3 mars",
        "absente jusqu'au 3/3",
    ],
)
def test_t18_an_absence_is_announced_by_mail_in_three_languages(line: str) -> None:
    assert read_reply(RULES, line).absences == (AbsenceLine(THIRD),)


@pytest.mark.parametrize(
    "line",
    ["away from 1 March to 3 March", "abwesend vom 1. März bis zum 3. März", "absent du 1er mars au 3 mars"],
)
def test_t18_the_first_day_may_be_named_too(line: str) -> None:
    assert read_reply(RULES, line).absences == (AbsenceLine(THIRD, WrittenDay(1, 3)),)


@pytest.mark.parametrize("line", ["back", "I'm back!", "Wieder da.", "ich bin wieder da", "de retour", "De retour."])
def test_t18_a_player_who_is_back_says_so(line: str) -> None:
    assert read_reply(RULES, line).absences == (AbsenceLine(back=True),)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-03-03", WrittenDay(3, 3, 2026)),
        ("March 3, 2026", WrittenDay(3, 3, 2026)),
        ("25/3", WrittenDay(25, 3)),
        ("3/25/2026", WrittenDay(25, 3, 2026)),
        ("3.4.2026", WrittenDay(3, 4, 2026)),
        ("24 déc.", WrittenDay(24, 12)),
        ("24 decembre", WrittenDay(24, 12)),
        ("1. Januar", WrittenDay(1, 1)),
        ("3/4", Ambiguous("3/4", WrittenDay(3, 4), WrittenDay(4, 3))),
        ("next week", None),
        ("3 Smarch", None),
        ("31 February", NO_DAY),
    ],
)
def test_t18_days_are_read_as_people_write_them(text: str, day: WrittenDay | Ambiguous | None) -> None:
    assert read_day(text) == day


@pytest.mark.parametrize(
    ("day", "today", "meant"),
    [
        (WrittenDay(3, 1), date(2026, 12, 20), date(2027, 1, 3)),
        (WrittenDay(3, 3), date(2026, 3, 2), date(2026, 3, 3)),
        (WrittenDay(1, 3), date(2026, 3, 2), date(2026, 3, 1)),
        (WrittenDay(29, 2), date(2027, 12, 1), date(2028, 2, 29)),
        (WrittenDay(29, 2), date(2026, 2, 1), None),
        (NO_DAY, date(2026, 2, 1), None),
        (WrittenDay(1, 1, 0), date(2026, 2, 1), None),
    ],
)
def test_t18_a_day_without_a_year_is_the_one_around_today(day: WrittenDay, today: date, meant: date | None) -> None:
    assert day.near(today) == meant


def test_an_absence_goes_along_with_a_move_and_a_remark() -> None:
    found = read_reply(RULES, "P 3\naway until 3 March\nsay: see you then")
    assert (found.found, found.absences, found.said) == (("P 3",), (AbsenceLine(THIRD),), "see you then")


def test_what_stands_after_a_remark_is_not_lost_in_silence() -> None:
    assert read_reply(RULES, "say: bye\n\naway until 3 March").late == ("away until 3 March",)


@pytest.mark.parametrize("line", ["I am away until 3 March", "away", "Bob is away until 3 March", "backwards"])
def test_what_an_away_note_or_a_person_writes_by_the_way_is_no_announcement(line: str) -> None:
    assert read_reply(RULES, line).absences == ()


@given(st.text(max_size=60))
def test_no_text_breaks_the_reading_of_days(text: str) -> None:
    found = read_day(text)
    if isinstance(found, WrittenDay):
        found.near(date(2026, 3, 2))
    read_absence(f"away until {text}")
