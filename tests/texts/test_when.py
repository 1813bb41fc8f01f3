"""Moments, numbers and plurals as readers of a language write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from service.texts.catalog import count
from service.texts.locales import listed, number
from service.texts.when import clock_time, moment

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
