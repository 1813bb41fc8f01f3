"""How long a game usually takes, as pages tell it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from service.handlers.transaction import statements
from service.rules.kernel import Meta
from service.rules.pace import PACES, Pace, usual_pace
from service.texts.catalog import say
from service.texts.when import length_text
from service.views.usual_length import UsualLengths, short_option, usual_lengths
from service.web.page import current_runtime
from service.web.session import language


def lengths_here() -> UsualLengths:
    """Return the usual lengths as they are kept; by one statement."""
    with statements(current_runtime().engine) as db:
        return usual_lengths(db)


def of_table(lengths: UsualLengths, meta: Meta, seats: int, options: Mapping[str, Any], pace: Pace | None) -> str:
    """Return the sentence that says how long a game at the table takes, "" if nothing is known."""
    return length_sentence(lengths.of(meta, seats, options, pace), language())


def length_sentence(seconds: int | None, spoken: str) -> str:
    """Return the sentence that says how long a game takes, "" if nothing is known."""
    return "" if seconds is None else say(spoken, "length", length=length_text(spoken, seconds))


def by_pace(lengths: UsualLengths, meta: Meta) -> dict[str, str]:
    """Return by the name of each pace a sentence with the lengths at the smallest and at the largest table.

    Those of which nothing is known are left out.
    """
    return dict(_by_pace(lengths, meta))


def _by_pace(lengths: UsualLengths, meta: Meta) -> Iterator[tuple[str, str]]:
    fewest, most = _fewest(meta), max(meta.seats)
    for name in ("none", *PACES):
        least, longest = (lengths.of(meta, seats, {}, PACES.get(name)) for seats in (fewest, most))
        if least is not None and (longest is None or fewest == most):
            yield name, length_sentence(least, language())
        elif least is not None and longest is not None:
            told = {"least": _told(least), "longest": _told(longest), "fewest": fewest, "most": most}
            yield name, say(language(), "length-range", **told)


def of_short(lengths: UsualLengths, meta: Meta) -> dict[str, str]:
    """Return by the name of the option that makes a game shorter a sentence that says by how much; nothing if none."""
    for seats in meta.seats:
        option = short_option(meta, seats)
        usual, short = (lengths.of(meta, seats, each, usual_pace(seats)) for each in ({}, _chosen(meta, seats)))
        if option is not None and usual is not None and short is not None and short < usual:
            told = {"seats": seats, "short": _told(short), "usual": _told(usual)}
            return {option.name: say(language(), "length-short", **told)}
    return {}


def by_mail(lengths: UsualLengths, meta: Meta) -> str:
    """Return how long a game of the smallest table takes at the usual pace, and how long a short one; "" if unknown."""
    seats, spoken = _fewest(meta), language()
    usual, short = (lengths.of(meta, seats, each, usual_pace(seats)) for each in ({}, _chosen(meta, seats)))
    if usual is None:
        return ""
    told = say(spoken, "length-by-mail", seats=seats, length=_told(usual))
    if short_option(meta, seats) is None or short is None or short >= usual:
        return told
    return f"{told}; {say(spoken, 'length-by-mail-short', length=_told(short))}"


def usual_told(lengths: UsualLengths, meta: Meta) -> dict[str, Any] | None:
    """Return the numbers of the sentence on the start page: the game, the players, the length; None if unknown."""
    seats = _fewest(meta)
    known = lengths.of(meta, seats, {}, usual_pace(seats))
    return None if known is None else {"title": meta.title, "seats": seats, "length": _told(known)}


def _fewest(meta: Meta) -> int:
    """Return the fewest people who play the game with each other."""
    return min((seats for seats in meta.seats if seats > 1), default=1)


def _chosen(meta: Meta, seats: int) -> dict[str, bool]:
    option = short_option(meta, seats)
    return {} if option is None else {option.name: True}


def _told(seconds: int) -> str:
    return length_text(language(), seconds)
