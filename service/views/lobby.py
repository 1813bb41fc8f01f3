"""What there is to play, and which games a player is in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, select

from service.rules.kernel import AnyRuleset, Meta
from service.store.tables import game, seat


def rulesets(known: Mapping[str, AnyRuleset]) -> list[dict[str, Any]]:
    """Return every kind of game with its seats, languages and options, in the order of their names."""
    return [_ruleset(ruleset.meta) for ruleset in known.values()]


def games_of(db: Connection, player: UUID, status: str | None, after: UUID | None, limit: int) -> list[dict[str, Any]]:
    """Return at most `limit` of the games that the player sits in, the newest first; `after` is the last one known."""
    wanted = (
        select(game.c.id, game.c.ruleset, game.c.status, game.c.seats, seat.c.seat, game.c.created_at)
        .join(seat, seat.c.game_id == game.c.id)
        .where(seat.c.player_id == player)
        # Ids are version 7: their order is that of creation.
        .order_by(game.c.id.desc())
        .limit(limit)
    )
    if status is not None:
        wanted = wanted.where(game.c.status == status)
    if after is not None:
        wanted = wanted.where(game.c.id < after)
    return [
        {
            "id": str(row.id),
            "ruleset": row.ruleset,
            "status": row.status,
            "seats": row.seats,
            "seat": row.seat,
            "created_at": row.created_at.isoformat(),
        }
        for row in db.execute(wanted)
    ]


def _ruleset(meta: Meta) -> dict[str, Any]:
    return {
        "name": meta.name,
        "revision": meta.revision,
        "title": meta.title,
        "summary": dict(meta.summary),
        "seats": list(meta.seats),
        "languages": list(meta.languages),
        "options": [
            {"name": option.name, "type": option.type, "default": option.default, "text": dict(option.describe)}
            for option in meta.options
        ],
    }
