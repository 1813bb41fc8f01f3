"""What players, opponents and games are called, or not called, in a language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from service.rules.kernel import Meta
from service.rules.shapes import Unit
from service.texts.catalog import DEFAULT, languages, say
from service.texts.when import languages_named

Texts = TypeVar("Texts", str, tuple[str, ...], Unit)

DEFAULT_LANGUAGE = DEFAULT
"""The language of an account that has chosen none."""
GONE = ""
"""The stored name of a deleted account; no player can choose it."""
UNNAMED = "New player"
"""The stored name of an account whose owner has chosen none; readers of each language see its own words."""
UNNAMED_AS = (UNNAMED, "Neuer Spieler", "Nouveau joueur")
"""All stored names of such accounts: once the words of the language at the first sign-in were stored."""
_COMPUTER = " "
"""What the stored name of a computer player begins with; no player's name begins so."""
_LEVELS = ("easy", "normal", "hard", "expert")
_MOST = 16
"""The most seats that a game can have."""


def shown(name: str, language: str) -> str:
    """Return a stored name as it is shown to readers of the language; every name that is shown comes through here."""
    if name.startswith(_COMPUTER):
        level, number = name.split()
        return computer_shown(level, int(number), language)
    if is_unnamed(name):
        return say(language, "new-player")
    return name if name != GONE else say(language, "former-player")


def is_unnamed(name: str) -> bool:
    """Return whether a stored name is that of an account whose owner has chosen none."""
    return name in UNNAMED_AS


def computer_stored(level: str, number: int) -> str:
    """Return the stored name of a computer player of a level, the first of them or a later one."""
    return f"{_COMPUTER}{level} {number}"


def computer_shown(level: str, number: int, language: str) -> str:
    """Return what a computer player is called in the language; the first of a level has no number."""
    called = level_shown(level, language)
    if number == 1:
        return say(language, "computer-name", level=called)
    return say(language, "computer-name-numbered", number=number, level=called)


def level_shown(level: str, language: str) -> str:
    """Return the word for a level of computer players."""
    return say(language, f"computer-{level}")


def computers() -> tuple[str, ...]:
    """Return what computer players are called, in every language."""
    spoken = ((number, level, language) for number in range(1, _MOST) for level in _LEVELS for language in languages())
    return tuple(computer_shown(level, number, language) for number, level, language in spoken)


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


def full_title(meta: Meta, options: Mapping[str, object], language: str) -> str:
    """Return the name of a game with the options that were chosen, such as "New Corp Order (Deluxe)"."""
    chosen = [
        in_language(each.title, language) if each.title else each.name.replace("-", " ")
        for each in meta.options
        if options.get(each.name) is True
    ]
    return f"{meta.title} ({', '.join(chosen)})" if chosen else meta.title


def automaton_name(meta: Meta, seats: int, language: str) -> str | None:
    """Return the name of the opponent that the service plays with this number of players; None if there is none."""
    names = meta.automata.get(seats)
    return None if names is None else in_language(names, language)
