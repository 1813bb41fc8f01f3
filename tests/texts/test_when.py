"""Moments, deadlines, durations, numbers and plurals as readers of a language write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from service.rules.pace import PACES, Pace
from service.texts.catalog import count, languages
from service.texts.games import PACE_NAMES, pace_text
from service.texts.locales import listed, number
from service.texts.when import clock_time, deadline_text, duration_text, left_text, moment, until_text, zone_text

NOW = datetime(2026, 11, 25, 13, 30, 20, tzinfo=UTC)
DEADLINE = datetime(2026, 11, 27, 17, 30, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "zone", "words"),
    [
        ("en", "Europe/Berlin", "until Friday 27 November, 18:30 (Berlin time), 2 days and 4 hours left"),
        ("de", "Europe/Berlin", "bis Freitag, 27. November, 18:30 (Ortszeit Berlin), noch 2 Tage und 4 Stunden"),
        (
            "fr",
            "America/Argentina/Buenos_Aires",
            "jusqu’au vendredi 27 novembre, 14:30 (fuseau horaire Buenos Aires), il reste 2\xa0jours et 4\xa0heures",
        ),
        ("en", "UTC", "until Friday 27 November, 17:30 (UTC), 2 days and 4 hours left"),
        ("eo", "Nowhere/At_all", "until Friday 27 November, 17:30 (UTC), 2 days and 4 hours left"),
    ],
)
def test_t07_a_deadline_is_an_instant_in_the_readers_zone_with_its_name_and_how_long_is_left(
    language: str, zone: str, words: str
) -> None:
    assert deadline_text(language, zone, DEADLINE, NOW) == words


@pytest.mark.parametrize(
    ("later", "left"),
    [
        (timedelta(hours=26, minutes=5), "1 day and 2 hours left"),
        (timedelta(days=2, minutes=5), "2 days left"),
        (timedelta(hours=1), "1 hour left"),
        (timedelta(minutes=1, seconds=59), "1 minute left"),
        (timedelta(seconds=59), "less than a minute left"),
        (timedelta(seconds=-1), "the time is up"),
    ],
)
def test_t07_what_is_left_is_said_in_its_two_largest_units(later: timedelta, left: str) -> None:
    assert deadline_text("en", "UTC", NOW + later, NOW).endswith(f", {left}")


@pytest.mark.parametrize(
    ("later", "english", "german", "french"),
    [
        (timedelta(days=4, hours=23), "until Mon 13:30", "bis Mo 13:30", "jusqu’à lun. 13:30"),
        (timedelta(seconds=1), "until Wed 14:30", "bis Mi 14:30", "jusqu’à mer. 14:30"),
        # The last minute of the day before the same weekday, and that weekday.
        (timedelta(days=6, hours=9, minutes=29), "until Tue 23:59", "bis Di 23:59", "jusqu’à mar. 23:59"),
        (timedelta(days=6, hours=9, minutes=30), "until 2 Dec, 00:00", "bis 2. Dez., 00:00", "jusqu’au 2 déc., 00:00"),
        (timedelta(days=67), "until 31 Jan, 14:30", "bis 31. Jan., 14:30", "jusqu’au 31 janv., 14:30"),
        (timedelta(days=68), "until 1 Feb, 14:30", "bis 1. Feb., 14:30", "jusqu’au 1er févr., 14:30"),
        (timedelta(seconds=-1), "the time is up", "die Zeit ist abgelaufen", "le temps est écoulé"),
    ],
)
def test_t07_subjects_say_until_when_in_words_that_are_still_true_when_they_are_read_later(
    later: timedelta, english: str, german: str, french: str
) -> None:
    told = [until_text(language, "Europe/Berlin", NOW + later, NOW) for language in ("en", "de", "fr")]
    assert told == [english, german, french]


def test_t07_what_is_left_is_never_more_than_there_is_nor_less_by_the_smaller_unit_that_is_said() -> None:
    lengths = {"d": 86_400, "h": 3600, "m": 60}
    for unit in lengths.values():
        for seconds in (unit * n + more for n in (1, 2, 5, 23, 59) for more in (-1, 0, 1, unit - 1)):
            told = left_text("en", NOW + timedelta(seconds=seconds), NOW, brief=True)
            said = [(int(n), lengths[of]) for n, of in re.findall(r"(\d+)([dhm])", told)]
            assert said or (seconds < 60 and told == "less than a minute left")
            if said:
                assert 0 <= seconds - sum(n * length for n, length in said) < max(60, said[0][1] // 24)


def test_t07_a_deadline_of_another_year_has_the_year_and_the_first_of_a_month_is_an_ordinal_in_french() -> None:
    january = datetime(2027, 1, 1, 11, tzinfo=UTC)
    assert deadline_text("en", "UTC", january, NOW).startswith("until Friday 1 January 2027, 11:00 (UTC), 36 days")
    assert "vendredi 1er janvier 2027" in deadline_text("fr", "UTC", january, NOW)
    assert "mardi 11 mai 2027" in deadline_text("fr", "UTC", datetime(2027, 5, 11, tzinfo=UTC), NOW)


def test_a_zone_is_named_by_its_place() -> None:
    assert [zone_text("de", zone) for zone in ("Africa/Cairo", "Etc/GMT+3", "Mars/Base")] == [
        "Ortszeit Kairo",
        "GMT+3",
        "UTC",
    ]


@pytest.mark.parametrize("language", languages())
def test_a_brief_duration_has_a_short_form_of_each_unit(language: str) -> None:
    for seconds in (1, 61, 3661, 90_000):
        assert re.fullmatch(r"(\d+\s?[^\W\d]{1,4}\.?\s?){1,2}", duration_text(language, seconds, brief=True))


@pytest.mark.parametrize(
    ("language", "brief"),
    [
        ("en", "4d 23h, 23h 5m, 9s"),
        ("de", "4 Tg. 23 Std., 23 Std. 5 Min., 9 Sek."),
        ("fr", "4 j 23 h, 23 h 5 min, 9 s"),
    ],
)
def test_a_brief_duration_has_short_units_in_every_language(language: str, brief: str) -> None:
    told = ", ".join(duration_text(language, seconds, brief=True) for seconds in (428_400, 83_100, 9))
    assert " ".join(told.split()) == brief


def test_a_duration_has_at_most_two_units_that_follow_each_other() -> None:
    assert [duration_text("en", seconds) for seconds in (0, 20, 90, 3600, 86_400 + 59, 90_000, 5_184_000)] == [
        "0 minutes",
        "20 seconds",
        "1 minute and 30 seconds",
        "1 hour",
        "1 day",
        "1 day and 1 hour",
        "60 days",
    ]


@pytest.mark.parametrize(
    ("name", "language", "words"),
    [
        (
            "daily",
            "en",
            "Daily – 1 day for each move, plus a bank of 4 days; each move in time adds 6 hours to the bank, up to",
        ),
        ("live", "de", "Live – 10 Minuten Reserve für alle Züge; jeder rechtzeitige Zug bringt 20 Sekunden dazu, bis"),
        ("weekly", "fr", "Hebdomadaire – 2\xa0jours par coup, plus 10\xa0jours de réserve\xa0; chaque coup joué"),
    ],
)
def test_t01_a_pace_is_one_plain_sentence(name: str, language: str, words: str) -> None:
    assert pace_text(language, PACES[name]).startswith(words)


def test_t01_every_named_pace_has_a_name_in_words() -> None:
    assert set(PACE_NAMES) == {"none", *PACES}
    assert all(pace_text("en", PACES.get(name)).split(" – ")[0].lower() == name for name in PACE_NAMES[1:])


def test_t01_own_values_have_no_name_and_a_table_without_a_clock_says_so() -> None:
    assert pace_text("en", Pace(free=90_000, bank=0, credit=0, cap=0)) == "1 day and 1 hour for each move."
    assert pace_text("en", None) == "No clock – all take the time that they need."


def test_t02_the_weekdays_and_other_terms_of_the_clock_are_said_too() -> None:
    pace = Pace(
        free=0, bank=600, credit=0, cap=0, weekdays="Europe/Berlin", on_lapse="end", away=False, take_back=False
    )
    assert pace_text("en", pace) == (
        "10 minutes in a bank for all moves. All clocks stand still on Saturdays and Sundays (Berlin time). If the time"
        " of a seat is up, the game ends without a result. The clock runs during announced absences too. The others"
        " cannot be asked to agree to a take-back."
    )
    assert len({pace_text(language, pace) for language in languages()}) == len(languages())


WINTER = datetime(2026, 11, 20, 17, 45, tzinfo=UTC)
SUMMER = datetime(2026, 7, 1, 22, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "language", "zone", "words"),
    [
        (WINTER, "en", "Europe/London", "Friday, 20 November 2026, 17:45 (Greenwich Mean Time)"),
        (WINTER, "de", "Europe/Berlin", "Freitag, 20. November 2026, 18:45 (Mitteleuropäische Normalzeit)"),
        (SUMMER, "de", "Europe/Berlin", "Donnerstag, 2. Juli 2026, 00:05 (Mitteleuropäische Sommerzeit)"),
        (WINTER, "fr", "Europe/Paris", "vendredi 20 novembre 2026, 18:45 (heure normale d’Europe centrale)"),
        (SUMMER, "fr", "America/New_York", "mercredi 1er juillet 2026, 18:05 (heure d’été de l’Est nord-américain)"),
        (WINTER, "eo", "Nowhere/At_all", "Friday, 20 November 2026, 17:45 (UTC)"),
    ],
)
def test_a_moment_has_its_weekday_and_the_name_of_the_readers_time_zone(
    at: datetime, language: str, zone: str, words: str
) -> None:
    assert moment(at, language, zone) == words


def test_a_moment_of_today_is_short() -> None:
    assert [clock_time(WINTER, each, "Europe/Berlin") for each in ("en", "de", "fr")] == [
        "Fri 18:45",
        "Fr. 18:45",
        "ven. 18:45",
    ]


def test_names_are_listed_as_a_sentence_does() -> None:
    names = ("Alice", "Bob", "Zoë")
    assert [listed(names, each) for each in ("en", "de", "fr")] == [
        "Alice, Bob and Zoë",
        "Alice, Bob und Zoë",
        "Alice, Bob et Zoë",
    ]
    assert [listed(names[:count], "en") for count in range(3)] == ["", "Alice", "Alice and Bob"]


def test_counted_things_have_the_form_and_the_separators_of_the_language() -> None:
    assert count("en", "recap-more", 1) == "and 1 more event before these"
    assert count("de", "recap-more", 1234) == "und 1.234 weitere Ereignisse davor"
    assert count("fr", "recap-more", 2) == "et 2 autres événements avant ceux-ci"
    assert number(1234.5, "fr") == "1\u202f234,5"
