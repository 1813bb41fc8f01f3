"""The names of the months, in all languages of the service, as people type them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from unicodedata import combining, normalize

from babel.dates import get_month_names

from service.texts import files


def month(name: str) -> int | None:
    """Return the number of the month with this name, in full or short, in any of the languages; None if it is none."""
    return _months(files.LOCALE).get(_plain(name))


@cache
def _months(folder: Path) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for language in files.languages(folder):
        for width in ("wide", "abbreviated"):
            for context in ("format", "stand-alone"):
                for number, name in get_month_names(width, context, locale=language).items():
                    # On a keyboard without umlauts ä is written as ae, or as a.
                    found[_plain(name)] = found[_plain(name.replace("ä", "ae"))] = int(number)
    return found


def _plain(name: str) -> str:
    letters = normalize("NFKD", name.casefold()).rstrip(".")
    return "".join(each for each in letters if not combining(each))
