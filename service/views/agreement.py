"""What the players are asked to agree to: pauses, and requests to take an action back; as JSON types."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from service.log.agreement import pause_proposal, players_there
from service.log.clocks import Pause
from service.log.recorded import instant, milliseconds
from service.store import events, play
from service.store.games import Position
from service.store.play import TakeBackRequest

View = dict[str, Any]


def pause_state(position: Position, now: datetime) -> View:
    """Return the pause that is proposed and the one that the game is in, each None if there is none."""
    clocks = position.clocks
    if clocks is None or position.game.status != "running":
        return {"proposed": None, "paused": None}
    proposed = pause_proposal(clocks, milliseconds(now))
    return {
        "proposed": None if proposed is None else _pause(position, proposed),
        "paused": None if clocks.paused is None else _pause(position, clocks.paused),
    }


def standing_request(db: Connection, position: Position, now: datetime) -> View | None:
    """Return the request to take an action back that stands, None if there is none."""
    asked = play.standing_take_back_request(db, position, now)
    if asked is None:
        return None
    (first,) = events.read(db, position.codec, position.game.id, asked.first - 1, asked.first)
    return take_back_request(position, asked, first.decision)


def take_back_request(position: Position, asked: TakeBackRequest, decision: int) -> View:
    """Return a request that stands, for the action that answered the decision."""
    clocks = position.clocks
    return {
        "first": asked.first,
        "seat": asked.seat,
        "decision": decision,
        "asked_at": asked.asked_at.isoformat(),
        "until": None if clocks is None else instant(play.take_back_request_ends(clocks, asked)).isoformat(),
        **_consent(position, asked.agreed, {asked.seat}),
    }


def _pause(position: Position, pause: Pause) -> View:
    return {
        "seat": pause.seat,
        "until": instant(pause.until).isoformat(),
        **_consent(position, pause.agreed, pause.agreed),
    }


def _consent(position: Position, agreed: Iterable[int], not_asked: Iterable[int]) -> View:
    missing = players_there(position.folded) - {*agreed} - {*not_asked}
    return {"agreed": sorted(agreed), "missing": sorted(missing)}
