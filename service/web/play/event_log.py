"""Log of a table, newest first: the lines of the ruleset, unread lines, and their marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate, groupby

from flask import request

from service.log.recorded import Recorded
from service.rules.kernel import GameStarted
from service.rules.shared_events import ActionTakenBack, SharedEvent, SomethingSaid
from service.rules.table_parts import Line, Mark
from service.rules.tabletop.picture import NumberedMark
from service.rules.tabletop.story import numbers
from service.rules.tabletop.table import Table
from service.store import events
from service.views.sentences import describe_event, own_events
from service.web.play.position_cache import PositionCache
from service.web.viewer_context import ViewerContext

EVENTS_PER_PAGE = 40
NEWEST_LINES = 10
"""Maximum number of visible lines where the rest of the log is collapsed."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """Line of the log: its icon (a symbol, or none), the event, the reason if known, and its number if new.

    The words of a `shared` line are the service's; there a term of the game may have another meaning.
    """

    at: datetime
    seat: int | None
    sentence: str
    seq: int
    icon: str = ""
    reason: str = ""
    code: str = ""
    number: int | None = None
    new: bool = False
    turn: int | None = None
    shared: bool = False


@dataclass(frozen=True, slots=True)
class LogTurn:
    """Lines that a seat has caused in a turn, oldest first.

    `seat` is None for events without an actor at the table; `turn` is None if unknown.
    """

    seat: int | None
    at: datetime
    turn: int | None
    new: bool
    lines: tuple[LogLine, ...]


@dataclass(frozen=True, slots=True)
class LogPage:
    """Page of the log, and the marks of new events; `older` is the last event number of the next older page.

    `acted_at` is the time of the viewer's own last action on this page, if that may be the game's last action.
    """

    turns: tuple[LogTurn, ...]
    marks: tuple[NumberedMark, ...]
    older: int | None
    newest: bool
    acted_at: datetime | None

    @property
    def new(self) -> tuple[LogTurn, ...]:
        """Return the turns since the reader's own last action, newest first."""
        return tuple(turn for turn in self.turns if turn.new)

    @property
    def newest_turns(self) -> tuple[LogTurn, ...]:
        """Return the newest turns, up to `NEWEST_LINES` lines together."""
        lines = accumulate(len(turn.lines) for turn in self.turns)
        return tuple(turn for turn, so_far in zip(self.turns, lines, strict=True) if so_far <= NEWEST_LINES)


def event_log(context: ViewerContext, cache: PositionCache, since: int | None = None) -> LogPage:
    """Return the last events, or those up to the event number in the query (`moves`).

    Events after number `since` are new; by default those after the reader's own last action.
    """
    newest = context.position.version
    until = min(newest, max(1, request.args.get("moves", newest, type=int)))
    if until < newest:
        return _page(context, cache.table, until)
    return cache.keep(("log", since), lambda: _page(context, cache.table, newest, since))


def newest_line(context: ViewerContext, table: Table, recorded: Sequence[Recorded]) -> LogLine | None:
    """Return the last line of the end of the log, None if its events have no line."""
    lines, _ = _told(context, table, own_events(recorded), (False, None))
    return lines[-1] if lines else None


def _page(context: ViewerContext, table: Table, until: int, since: int | None = None) -> LogPage:
    position = context.position
    after = max(0, until - EVENTS_PER_PAGE)
    recorded = events.read(context.db, position.codec, context.game, after, until)
    newest, acted_at = until == position.version, _acted_at(recorded, context.seat)
    kept = own_events(recorded)
    if newest and since is None:
        since = _since(kept, context.seat)
    lines, marks = _told(context, table, kept, (newest, since if newest else None))
    turns = [
        LogTurn(seat, part[0].at, turn, new, tuple(reversed(part)))
        for (seat, turn, new), found in groupby(reversed(lines), key=lambda line: (line.seat, line.turn, line.new))
        if (part := list(found))
    ]
    return LogPage(tuple(turns), tuple(marks), after or None, newest, acted_at)


def _acted_at(recorded: Sequence[Recorded], seat: int | None) -> datetime | None:
    acted = [each for each in recorded if each.action is not None]
    if not any(isinstance(each.event, ActionTakenBack) for each in recorded):
        # Only the last action can be taken back, so a later action of another player makes the own one irrelevant.
        acted = acted[-1:]
    return max((each.at for each in acted if each.seat == seat), default=None)


def _told(
    context: ViewerContext, table: Table, recorded: Sequence[Recorded], page: tuple[bool, int | None]
) -> tuple[list[LogLine], list[NumberedMark]]:
    """Return the lines, oldest first, and the marks of the new ones.

    `page` has: whether the events are the newest, and the number of the event after which events are new (None: none).
    """
    newest, since = page
    played = [each for each in recorded if not isinstance(each.event, (GameStarted, SharedEvent))]
    told = table.story([(each.event, each.seat) for each in played])
    drawn = {*table.board().places, *(f"@{seat}" for seat in range(table.panels))}
    found = [] if since is None else _marks(table, recorded, played, since)
    marks = [mark for mark in found if mark.at in drawn]
    numbered = numbers(told, marks)
    turns = _turns(table, recorded, played) if newest else {}
    lines = [
        replace(_line(line, played, numbered.get(index), since), turn=turns.get(played[line.last].seq))
        for index, line in enumerate(told)
    ]
    lines += _shared_lines(context, recorded, since)
    return sorted(lines, key=lambda line: line.seq), numbered_marks(told, marks, numbered)


def _turns(table: Table, recorded: Sequence[Recorded], played: Sequence[Recorded]) -> dict[int, int]:
    """Return the turn of each event that was not taken back, by event number."""
    kept = [each for each in played if not _undone(recorded, each)]
    turns = table.turns([(each.event, each.seat) for each in kept])
    return {each.seq: turn for each, turn in zip(kept, turns, strict=False)}


def _since(recorded: Sequence[Recorded], seat: int | None) -> int | None:
    """Return the number of the reader's own last event that was not taken back; None if there is none."""
    own = (
        each.seq
        for each in recorded
        if each.seat == seat and not isinstance(each.event, SharedEvent) and not _undone(recorded, each)
    )
    return None if seat is None else max(own, default=None)


def _undone(recorded: Sequence[Recorded], event: Recorded) -> bool:
    back = [each.event for each in recorded if isinstance(each.event, ActionTakenBack)]
    return any(each.first <= event.seq <= each.last for each in back)


def _marks(table: Table, recorded: Sequence[Recorded], played: Sequence[Recorded], since: int) -> list[Mark]:
    """Return the marks of events played after `since`; the `event` of a mark is an index into `played`."""
    fresh = [(index, each) for index, each in enumerate(played) if each.seq > since and not _undone(recorded, each)]
    marks = table.changes([(each.event, each.seat) for _, each in fresh])
    return [replace(mark, event=fresh[mark.event][0]) for mark in marks]


def _line(line: Line, played: Sequence[Recorded], number: int | None, since: int | None) -> LogLine:
    first = played[line.first]
    return LogLine(
        at=first.at,
        seat=line.seat,
        sentence=line.sentence,
        seq=first.seq,
        icon=line.icon,
        reason=line.reason,
        code=line.code,
        number=number,
        # The setup may belong to the line of the first action.
        new=since is not None and played[line.last].seq > since,
    )


def _shared_lines(context: ViewerContext, recorded: Sequence[Recorded], since: int | None) -> list[LogLine]:
    """Return the lines of events that every game can have."""
    position, seat, language = context.position, context.seat, context.rules_language
    names = position.names_in(language)
    told = [
        (each, describe_event(position.ruleset, names, each.event, seat, language, context.zone))
        for each in recorded
        # Remarks of players are listed under Talk.
        if isinstance(each.event, (GameStarted, SharedEvent)) and not isinstance(each.event, SomethingSaid)
    ]
    return [
        LogLine(each.at, None, text, each.seq, new=since is not None and each.seq > since, shared=True)
        for each, text in told
        if text
    ]


def numbered_marks(told: Sequence[Line], marks: Sequence[Mark], numbered: Mapping[int, int]) -> list[NumberedMark]:
    """Return the marks of the numbered lines; the first mark of a line carries the number."""
    left, found = dict(numbered), []
    for mark in marks:
        index = next((index for index in numbered if told[index].first <= mark.event <= told[index].last), None)
        if index is not None:
            found.append(NumberedMark(mark, left.pop(index, None)))
    return found
