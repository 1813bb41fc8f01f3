"""The part of a game's page that lists what has happened, the newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from flask import request

from service.log.recorded import Recorded
from service.rules.shared_events import SHARED_EVENTS, ActionTakenBack
from service.store import events
from service.views.sentences import describe_event
from service.web.sitting import Sitting

PAGE = 40


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """What one action has caused, in words; `new` if it happened after the viewer's own last action."""

    at: datetime
    lines: tuple[str, ...]
    new: bool


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Some entries of the history, the newest first; `older` is the event number at which the page before ends.

    `acted_at` is the moment of the viewer's own last action on this page, if that may be the game's last action.
    """

    entries: tuple[HistoryEntry, ...]
    older: int | None
    newest: bool
    acted_at: datetime | None


def history_page(sitting: Sitting) -> HistoryPage:
    """Return the last events, or those up to the event number in the query (`moves`)."""
    position = sitting.position
    until = min(position.version, max(1, request.args.get("moves", position.version, type=int)))
    after = max(0, until - PAGE)
    recorded = events.read(sitting.db, position.codec, sitting.game, after, until)
    newest, acted_at = until == position.version, _acted_at(recorded, sitting.seat)
    return HistoryPage(_entries(sitting, recorded), after or None, newest, acted_at)


def _acted_at(recorded: Sequence[Recorded], seat: int | None) -> datetime | None:
    acted = [each for each in recorded if each.action is not None]
    if not any(isinstance(each.event, ActionTakenBack) for each in recorded):
        # Only the last action can be taken back, so an action of another player after it makes the own one irrelevant.
        acted = acted[-1:]
    return max((each.at for each in acted if each.seat == seat), default=None)


def _entries(sitting: Sitting, recorded: Sequence[Recorded]) -> tuple[HistoryEntry, ...]:
    position, seat, language = sitting.position, sitting.seat, sitting.rules_language
    names = position.names_in(language)
    own = (each.seq for each in recorded if each.seat == seat and not isinstance(each.event, SHARED_EVENTS))
    last = 0 if seat is None else max(own, default=0)
    entries = []
    for at, together in groupby(recorded, key=lambda each: each.at):
        facts = list(together)
        texts = (describe_event(position.ruleset, names, each.event, seat, language, sitting.zone) for each in facts)
        lines = tuple(text for text in texts if text)
        if lines:
            entries.append(HistoryEntry(at, lines, new=0 < last < facts[0].seq))
    return tuple(reversed(entries))
