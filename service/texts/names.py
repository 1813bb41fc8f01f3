"""What is shown for players without a name of their own: deleted accounts, new accounts and unknown seats."""

from __future__ import annotations

from service.rules.kernel import Meta
from service.texts.catalog import DEFAULT, languages, say

DEFAULT_LANGUAGE = DEFAULT
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


def automaton_name(meta: Meta, seats: int, language: str) -> str | None:
    """Return the name of the opponent that the service plays with this number of players; None if there is none."""
    names = meta.automata.get(seats)
    return None if names is None else names.get(language, names[DEFAULT])


def newcomer(language: str) -> str:
    """Return the name of a new account whose owner has not chosen one."""
    return say(language, "new-player")
