"""Locales and time zones of languages; numbers, lists and names of languages as their readers write them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_decimal

from service.texts import po_files

_ENGLISH: Final = "en_GB"
"""English is written as in Britain: the day before the month, and 24 hours."""


def locale_of(language: str) -> Locale:
    """Return the locale of a language; that of English for one that the service does not speak."""
    return _locale_in(po_files.LOCALE, language)


@cache
def _locale_in(folder: Path, language: str) -> Locale:
    other = language != po_files.SOURCE and language in po_files.languages(folder)
    return Locale.parse(language if other else _ENGLISH)


@cache
def zone_of(name: str) -> ZoneInfo:
    """Return the zone of an IANA name; UTC for an unknown one."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def number(value: float, language: str) -> str:
    """Return a number with the separators of the language."""
    return str(format_decimal(value, locale=locale_of(language)))


def listed(names: Sequence[str], language: str) -> str:
    """Return names as a sentence lists them: with commas, and the word for "and" before the last."""
    return format_list(names, locale=locale_of(language))


def languages_named(codes: Sequence[str], language: str, style: Literal["standard", "or"] = "standard") -> str:
    """Return the names of languages as a sentence lists them, with "and" before the last, or "or"."""
    locale = locale_of(language)
    return format_list([locale.languages.get(code, code) for code in codes], style=style, locale=locale)
