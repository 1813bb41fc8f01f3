"""What people are called who have no name of their own: those who have gone, and those who have given none yet."""

from __future__ import annotations

from collections.abc import Mapping

from service.rules.kernel import Meta

DEFAULT_LANGUAGE = "en"
GONE = ""
"""The stored name of somebody whose account is deleted; nobody else can have it."""

_FORMER: Mapping[str, str] = {"en": "a former player", "de": "ein früherer Spieler", "fr": "un ancien joueur"}
_NEWCOMER: Mapping[str, str] = {"en": "New player", "de": "Neuer Spieler", "fr": "Nouveau joueur"}
_SEAT: Mapping[str, str] = {"en": "Seat {}", "de": "Platz {}", "fr": "Place {}"}


def shown(name: str, language: str) -> str:
    """Return a stored name as it is shown to readers of the language; every name that is shown comes through here."""
    return name if name != GONE else _FORMER.get(language, _FORMER[DEFAULT_LANGUAGE])


def former() -> tuple[str, ...]:
    """Return what those are called who have gone, in every language."""
    return tuple(_FORMER.values())


def seated(seat: int, language: str) -> str:
    """Return what the player in a seat is called where nobody knows who it was."""
    return _SEAT.get(language, _SEAT[DEFAULT_LANGUAGE]).format(seat + 1)


def automaton_name(meta: Meta, seats: int, language: str) -> str | None:
    """Return what the opponent is called that the service plays with so many players; None if there is none."""
    names = meta.automata.get(seats)
    return None if names is None else names.get(language, names[DEFAULT_LANGUAGE])


def newcomer(language: str) -> str:
    """Return the first name of an account whose owner has not said one."""
    return _NEWCOMER.get(language, _NEWCOMER[DEFAULT_LANGUAGE])
