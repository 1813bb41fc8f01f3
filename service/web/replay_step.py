"""What the replay shows of a step: the sentences of what happened, and their marks for the table."""

from __future__ import annotations

from collections.abc import Sequence

from service.log.recorded import Recorded
from service.log.timeline import TimelineStep
from service.rules.kernel import GameStarted
from service.rules.shapes import Line
from service.rules.shared_events import SharedEvent
from service.rules.tabletop.picture import NumberedMark
from service.rules.tabletop.table import Table
from service.rules.tabletop.telling import numbers
from service.views.sentences import describe_event, own_events
from service.web.happened import LogLine, numbered_marks


def told_step(table: Table, step: TimelineStep, zone: str) -> tuple[list[LogLine], list[NumberedMark]]:
    """Return the lines of a step as the reader of the table may know them, and the marks of its changes.

    `zone` is the IANA name of the time zone for instants in sentences.
    """
    facts = own_events(step.facts)
    played = [each for each in facts if not isinstance(each.event, (GameStarted, SharedEvent))]
    happened = [(each.event, each.seat) for each in played]
    story = table.story(happened)
    drawn = {*table.board().places, *(f"@{seat}" for seat in range(table.panels))}
    marks = [mark for mark in table.changes(happened) if mark.at in drawn]
    numbered = numbers(story, marks)
    lines = _shared(table, [each for each in facts if each not in played], zone)
    lines += [_line(line, played[line.first], numbered.get(index)) for index, line in enumerate(story)]
    if not lines:
        lines = _shared(table, facts, zone)
    return lines, numbered_marks(story, marks, numbered)


def _line(line: Line, first: Recorded, number: int | None) -> LogLine:
    return LogLine(
        at=first.at,
        seat=line.seat,
        sentence=line.sentence,
        seq=first.seq,
        icon=line.icon,
        reason=line.reason,
        code=line.code,
        number=number,
    )


def _shared(table: Table, recorded: Sequence[Recorded], zone: str) -> list[LogLine]:
    """Return a line for each event that can be told by itself."""
    sight = table.sight
    texts = (
        (each, describe_event(table.ruleset, sight.names, each.event, sight.viewer, sight.language, zone))
        for each in recorded
    )
    return [LogLine(each.at, None, text, each.seq) for each, text in texts if text]
