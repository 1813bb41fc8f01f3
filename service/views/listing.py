"""Listing of a game as text: the actions of each turn, in notation and in words.

Needs no database: `boardroom listing` reads a record alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from service.log.folding import Folded, Timeline, TimelineStep, outcome
from service.rules.outcome import Outcome
from service.rules.shared_events import SeatHandedOver
from service.texts.catalog import say
from service.texts.games import game_language, unit_heading
from service.views.sentences import notation, sentences

if TYPE_CHECKING:
    from service.store.games import Position

COLUMNS: Final = 72


def listing(
    timeline: Timeline, title: str, names: Sequence[str], viewer: int | None, language: str, *, everything: bool
) -> str:
    """Return the listing in lines of at most 72 columns, redacted for the viewer.

    Without the requested language, use the game's first. A step's number is that of its first event.
    With `everything`, after the game, every action has its notation; otherwise only the viewer's own.
    """
    language = game_language(timeline.ruleset.meta, language)
    lines = [title, *wrap(", ".join(names), COLUMNS)]
    for turn, steps in groupby(timeline.steps, key=lambda step: step.turn):
        lines += ["", unit_heading(timeline.ruleset, turn, language) if turn else say(language, "listing-beginning")]
        for step in steps:
            noted = notation(timeline.ruleset, step) if everything or step.seat == viewer else None
            lines += _step(timeline, step, names, viewer, language, noted)
    lines += _ending(timeline, names, language)
    return "\n".join([*lines, ""])


def players(seats: int, automata: Sequence[str], language: str) -> tuple[str, ...]:
    """Return generic names for the seats of a game with unknown players."""
    return (*(say(language, "listing-player", n=seat + 1) for seat in range(seats)), *automata)


def _ending(timeline: Timeline, names: Sequence[str], language: str) -> Iterator[str]:
    """Yield the lines about seats not played to the end by their first players; none before the end."""
    folded, players = timeline.folds[-1], timeline.steps[0].facts[0].event.seats
    over = outcome(timeline.ruleset, players, folded)
    handed_over = [
        (each.event.seat, each.seq)
        for step in timeline.steps
        for each in step.facts
        if isinstance(each.event, SeatHandedOver)
    ]
    sentences_of = [] if over is None else list(who_played(names[:players], handed_over, folded, over, language))
    if sentences_of:
        yield ""
    for text in sentences_of:
        yield from wrap(text, COLUMNS)


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


# Seats of a finished game whose players left or were replaced (T-26).


def lines_of(position: Position, language: str) -> list[str]:
    """Return a sentence for each seat not played to the end by its first player; none while the game runs."""
    if position.outcome is None:
        return []
    handed_over = [(each.seat, each.until) for each in position.former]
    return list(who_played(position.names_in(language), handed_over, position.folded, position.outcome, language))


def who_played(
    names: Sequence[str], handed_over: Iterable[tuple[int, int]], folded: Folded, outcome: Outcome, language: str
) -> Iterator[str]:
    """Yield sentences about seats; `handed_over` has each seat taken over, and the number of the event."""
    since = dict(handed_over)
    for seat, name in enumerate(names):
        if seat in since:
            yield say(language, "seat-taken-over", name=name, number=seat + 1, seq=since[seat])
        if seat in folded.stood_in - folded.computers.keys():
            yield say(language, _stood_in(seat, folded, outcome), name=name)


def _stood_in(seat: int, folded: Folded, outcome: Outcome) -> str:
    """Return the key of the sentence about a seat with a stand-in at the end."""
    won = seat in outcome["winners"]
    if seat not in folded.resigned:
        return "seat-stood-in-won-absent" if won else "seat-stood-in-absent"
    if outcome.get("reason") == "resignation":
        return "seat-resigned"
    return "seat-stood-in-won-resigned" if won else "seat-stood-in-resigned"
