"""The listing of a game as text: the actions of each turn, in the game's notation and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Final

from service.log.timeline import Timeline, TimelineStep
from service.texts.catalog import say
from service.texts.names import spoken_of
from service.views.sentences import notation, sentences

COLUMNS: Final = 72


def listing(
    timeline: Timeline, title: str, names: Sequence[str], viewer: int | None, language: str, *, everything: bool
) -> str:
    """Return the listing in lines of at most 72 columns, as the viewer may know it.

    It is in the game's first language if the game does not have the one asked for. The number of a step is that of its
    first event. With `everything`, after the end of the game, every action has its notation; else only the viewer's own
    have.
    """
    language = spoken_of(timeline.ruleset.meta, language)
    lines = [title, *wrap(", ".join(names), COLUMNS)]
    for turn, steps in groupby(timeline.steps, key=lambda step: step.turn):
        lines += ["", say(language, "listing-turn", turn=turn) if turn else say(language, "listing-beginning")]
        for step in steps:
            noted = notation(timeline.ruleset, step) if everything or step.seat == viewer else None
            lines += _step(timeline, step, names, viewer, language, noted)
    return "\n".join([*lines, ""])


def players(seats: int, automata: Sequence[str], language: str) -> tuple[str, ...]:
    """Return what the seats of a game are called of which nobody knows who sat there."""
    return (*(say(language, "listing-player", n=seat + 1) for seat in range(seats)), *automata)


def _step(
    timeline: Timeline, step: TimelineStep, names: Sequence[str], viewer: int | None, language: str, noted: str | None
) -> Iterator[str]:
    undone = f"({say(language, 'listing-undone')})" if step.undone else ""
    heading = " ".join(filter(None, [noted, undone]))
    if heading:
        yield from wrap(heading, COLUMNS, initial_indent=f"{step.first:5}  ", subsequent_indent=" " * 7)
    for number, text in enumerate(sentences(timeline.ruleset, names, step, viewer, language)):
        first = f"{step.first:5}  " if not heading and not number else " " * 7
        yield from wrap(text, COLUMNS, initial_indent=first, subsequent_indent=" " * 7)
