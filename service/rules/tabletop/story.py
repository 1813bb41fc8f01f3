"""Sentences about actions and events: what `describe` says, for rulesets with no words of their own for the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.rules.kernel import AnyRuleset, Json
from service.rules.table_parts import Foreseen, Headline, Line, Mark, Prospect, Seat, Seen, Telling
from service.rules.table_plugin import Sight
from service.rules.tabletop.default_words import plain

MOST_NUMBERED_LINES = 9
"""No more lines than this are numbered."""
WHO: Final = "{who}"
"""The first word of a sentence of the log that has the name of who did it as its subject."""


def plainly(ruleset: AnyRuleset, sight: Sight, action: Any, foreseen: Foreseen) -> Telling:
    """Return what is told of an action before it is played."""
    prospect: Prospect = "open" if foreseen.reveals else "good"
    sentence = ruleset.describe(action, sight.viewer, sight.language, sight.names)
    return Telling(
        sentence=sentence,
        prospect=prospect,
        button=plain(sight.language, "confirm"),
        marks=tuple(named_seats(foreseen.events)),
    )


def named_seats(seen: Sequence[Seen]) -> list[Mark]:
    """Return a mark on the panel of each seat that an event names by its field `seat`."""
    return [
        Mark(kind="new", at=f"@{each.fields['seat']}", actor=each.seat, event=index)
        for index, each in enumerate(seen)
        if type(each.fields.get("seat")) is int and each.seat is not None
    ]


def shown_actor(fields: Json, seat: Seat | None) -> Seat | None:
    """Return the seat that caused an event; None if the redacted fields of the event keep its seat secret."""
    return None if fields.get("seat", seat) is None else seat


def sentences(ruleset: AnyRuleset, sight: Sight, happened: Sequence[tuple[Any, Seat | None]]) -> list[Line]:
    """Return a line for each event of which there is something to tell."""
    told = [ruleset.describe(event, sight.viewer, sight.language, sight.names) for event, _ in happened]
    actors = [shown_actor(ruleset.redact(event, sight.viewer), seat) for event, seat in happened]
    return [
        Line(icon="icon-event", sentence=text, seat=actors[index], first=index, last=index)
        for index, text in enumerate(told)
        if text
    ]


def begun(name: str, *sentences: str, joint: str = "") -> str:
    """Return sentences on what a player did, with the name in the place of `WHO`.

    Sentences that begin with `WHO` and follow each other become one, as `Ada pays 3 Billions and hires a VP.`; the
    others stay as they are.
    """
    told: list[str] = []
    goes_on = False
    for sentence in sentences:
        acts = sentence.startswith(f"{WHO} ")
        if acts and goes_on:
            told[-1] = f"{told[-1].removesuffix('.')}{joint}{sentence.removeprefix(f'{WHO} ')}"
        else:
            told.append(f"{name}{sentence.removeprefix(WHO)}" if acts else sentence)
        goes_on = acts
    return " ".join(told)


def headlines(
    ruleset: AnyRuleset, sight: Sight, happened: Sequence[tuple[Any, Seat | None]], reader: Seat
) -> list[Headline]:
    """Return the sentences of the log that name another seat as the one that acted; all weigh the same."""
    begins = {kind for name, kind in ruleset.event_types.items() if name in ruleset.contributions.turns}
    return [
        Headline(line.last, 1, " ".join(line.sentence.split()).rstrip("."))
        for line in sentences(ruleset, sight, happened)
        if line.seat not in {None, reader}
        and type(happened[line.last][0]) not in begins
        and _names(sight, line.seat, line.sentence)
    ]


def _names(sight: Sight, seat: Seat | None, sentence: str) -> bool:
    # The name of an automaton is the ruleset's own.
    return seat is not None and (seat >= len(sight.names) or sight.names[seat] in sentence)


def numbers(lines: Sequence[Line], marks: Sequence[Mark]) -> Mapping[int, int]:
    """Return the number of each line that has marks, by its index: 1 is the oldest; the newest nine have one.

    A page draws the number before the line, and once on the board: at the first mark of its events.
    """
    marked = [
        index for index, line in enumerate(lines) if any(line.first <= mark.event <= line.last for mark in marks)
    ][-MOST_NUMBERED_LINES:]
    return {index: number for number, index in enumerate(marked, 1)}
