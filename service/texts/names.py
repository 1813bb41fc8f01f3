"""What players, opponents and games are called, or not called, in a language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from service.rules.kernel import Meta
from service.texts.catalog import DEFAULT, languages, say
from service.texts.when import languages_named

Texts = TypeVar("Texts", str, tuple[str, ...])

DEFAULT_LANGUAGE = DEFAULT
"""The language of an account that has chosen none."""
GONE = ""
"""The stored name of a deleted account; no player can choose it."""


def shown(name: str, language: str) -> str:
    """Return a stored name as it is shown to readers of the language; every name that is shown comes through here."""
    return name if name != GONE else say(language, "former-player")


def former() -> tuple[str, ...]:
    """Return what is shown for a deleted account, in every language."""
    return tuple(shown(GONE, language) for language in languages())


def seated(seat: int, language: str) -> str:
    """Return what the player in a seat is called where it is not known who it was."""
    return say(language, "unnamed-seat", number=seat + 1)


def only_in(meta: Meta, language: str) -> str | None:
    """Return the sentence that says in which languages a game is, for readers of a language that it does not have.

    None for readers of the others. It stands where the game's own words begin.
    """
    if language in meta.languages:
        return None
    return say(language, "only-in", languages=languages_named(meta.languages, language))


def spoken_of(meta: Meta, *wishes: str | None) -> str:
    """Return the first of the wished languages that the game has, or else the game's first."""
    return next((wish for wish in wishes if wish in meta.languages), meta.languages[0])


def in_language(texts: Mapping[str, Texts], language: str) -> Texts:
    """Return what a game says in the language, or else in the first that it has."""
    return texts.get(language) or next(iter(texts.values()))


def automaton_name(meta: Meta, seats: int, language: str) -> str | None:
    """Return the name of the opponent that the service plays with this number of players; None if there is none."""
    names = meta.automata.get(seats)
    return None if names is None else in_language(names, language)


def newcomer(language: str) -> str:
    """Return the name of a new account whose owner has not chosen one."""
    return say(language, "new-player")
