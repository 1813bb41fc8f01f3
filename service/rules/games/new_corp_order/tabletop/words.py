"""Words of a table's page in the language of its reader; terms come from the game's own languages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from service.rules.bidi import isolated, short
from service.rules.games.new_corp_order.tabletop.english import ENGLISH
from service.rules.games.new_corp_order.tabletop.french import FRENCH
from service.rules.games.new_corp_order.tabletop.german import GERMAN
from service.rules.games.new_corp_order.terms import Colour
from service.rules.games.new_corp_order.words import speak
from service.rules.games.new_corp_order.words.language import Voice
from service.rules.table_plugin import Sight
from service.rules.typography import typeset

LONGEST_NAME = 24
CONGLOMERATES: Mapping[Colour, str] = {
    "red": "Mega Media",
    "black": "KuronoTech",
    "blue": "Branx Entertainment",
    "white": "Omnicorp",
}
"""The names of the conglomerates, which are the same in all languages."""
_TEXTS: Mapping[str, Mapping[str, str]] = {"en": ENGLISH, "de": GERMAN, "fr": typeset(FRENCH)}


@lru_cache(256)
def _voice(language: str, viewer: int | None, names: tuple[str, ...], longest: int) -> Voice:
    return Voice(speak(language), viewer, [isolated(short(name, longest)) for name in names])


def speaker(sight: Sight, longest: int = LONGEST_NAME) -> Voice:
    """Return the voice that speaks to the reader, with the players' names shortened."""
    return _voice(sight.language, sight.viewer, tuple(sight.names), longest)


def word(sight: Sight, key: str, **fields: Any) -> str:
    """Return a text of the page with its fields filled in."""
    return word_in(sight.language, key, **fields)


def word_in(language: str, key: str, **fields: Any) -> str:
    """Return a text of the page in a language, with its fields filled in."""
    return _TEXTS[speak(language).code][key].format(**fields)


def counted(sight: Sight, key: str, n: int, **fields: Any) -> str:
    """Return a text of the page for a number: `key.one` for a number that takes the singular."""
    one = n in speak(sight.language).one
    return word(sight, f"{key}.one" if one else key, n=n, **fields)


def one_of(sight: Sight, parts: list[str]) -> str:
    """Return parts as `a, b or c`."""
    *first, last = parts
    return ", ".join(first) + word(sight, "or") + last if first else last


def card(sight: Sight, source: str, colour: str | None) -> str:
    """Return a card that a Plot takes, by where it comes from; its colour is None if it is hidden."""
    if colour is None:
        return word(sight, "hidden")
    voice = speaker(sight)
    name = voice.colour(colour)
    if voice.language.code != "de":  # German writes a colour that stands for a card as a noun.
        name = name.lower()
    return word(sight, "from-deck" if source == "deck" else "from-slot", colour=name, slot=source)
