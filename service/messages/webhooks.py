"""Contents of webhooks: kind of event, game, and who is to act until when; never the move itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec.json import encode

STARTED, TURN, NEAR, LAPSED = "game.started", "game.turn", "game.deadline-near", "game.lapsed"
EVENT, OVER, TEST = "game.event", "game.over", "webhook.test"
TYPES = (STARTED, TURN, NEAR, LAPSED, EVENT, OVER)
"""Types of messages that a webhook can ask for."""


def of_append(
    told: Mapping[str, Any], wanted: Collection[str], seat: int | None, whole_table: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield type and data of each message about a step of a game, in order.

    `told` is the payload of the notice. `seat` is the seat of a player's own webhook, None for that of a whole table,
    which reports everybody's turns. All data is what a spectator may know.
    """
    data = _data(told, seat)
    turn = bool(told["to_act"]) if whole_table else seat in told["to_act"]
    # A notice from before there were clocks has no such field.
    lapsed = told.get("lapsed")
    happened = {STARTED: told["started"], TURN: told["asked"] and turn, LAPSED: lapsed is not None, EVENT: True}
    happened[OVER] = told["outcome"] is not None
    more = {OVER: {"outcome": told["outcome"]}, LAPSED: {"lapsed": lapsed}}
    for kind in TYPES:
        if kind in wanted and happened.get(kind):
            yield kind, data | more.get(kind, {})


def of_deadline(
    told: Mapping[str, Any], wanted: Collection[str], seat: int | None, whole_table: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield type and data of the message that half of a seat's time (`near` in `told`) is left.

    A player's own webhook reports that player's deadlines, a whole table's webhook everybody's.
    """
    if NEAR in wanted and (whole_table or seat == told["near"]):
        yield NEAR, _data(told, seat) | {"near": told["near"]}


def body(kind: str, at: datetime, data: Mapping[str, Any]) -> str:
    """Return the body of a message, the same in every attempt."""
    return encode({"type": kind, "timestamp": at.isoformat(), "data": data}).decode()


def _data(told: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
    common = {name: told[name] for name in ("game", "version", "decision", "to_act")}
    deadlines = [
        {"seat": each, "deadline": datetime.fromtimestamp(deadline / 1000, UTC).isoformat()}
        for each, deadline in told.get("deadlines", ())
    ]
    return common | {"deadlines": deadlines, "seat": seat}
