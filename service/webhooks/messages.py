"""What webhooks are told: that something has happened, where, and who is to act; never what."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec.json import encode

STARTED, TURN, EVENT, OVER, TEST = "game.started", "game.turn", "game.event", "game.over", "webhook.test"
TYPES = (STARTED, TURN, EVENT, OVER)
"""What a webhook can ask to be told of."""


def of_append(
    told: Mapping[str, Any], wanted: Collection[str], seat: int | None, whole_table: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the type and the data of each message that a step of a game causes, in order.

    `told` is the payload of the notice. `seat` is the seat of a player's own webhook, None for that of a whole table,
    which is told of everybody's turns. All of it is what a spectator may know.
    """
    data = {name: told[name] for name in ("game", "version", "decision", "to_act")} | {"seat": seat}
    turn = bool(told["to_act"]) if whole_table else seat in told["to_act"]
    happened = {STARTED: told["started"], TURN: told["asked"] and turn, EVENT: True, OVER: told["outcome"] is not None}
    for kind in TYPES:
        if kind in wanted and happened[kind]:
            yield kind, data | ({"outcome": told["outcome"]} if kind == OVER else {})


def body(kind: str, at: datetime, data: Mapping[str, Any]) -> str:
    """Return a message as the text that is sent, the same in every attempt."""
    return encode({"type": kind, "timestamp": at.isoformat(), "data": data}).decode()
