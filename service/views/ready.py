"""The bots that are ready to be challenged, as anybody may see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from service.store.lobby import READY_LAPSE, Ready
from service.texts.names import display_name
from service.views.pages import TOP, Place

View = dict[str, Any]

_READY = text("""
select b.player_id as id, b.rulesets, b.seats, b.since, p.handle, p.name, o.name as owner
  from ready_bot b join player p on p.id = b.player_id join player o on o.id = p.owner
 where b.seen_at > :before and p.handle is not null and p.deleted_at is null and coalesce(p.blocked, o.blocked) is null
   and (cast(:ruleset as text) is null or :ruleset = any(b.rulesets))
   and (b.since, b.player_id) < (:moment, :place)
 order by b.since desc, b.player_id desc limit :limit
""")


@dataclass(frozen=True, slots=True)
class BotsWanted:
    """A page of the bots that are ready for a `ruleset`, for any where it is None: at most `limit`, after a place."""

    ruleset: str | None
    limit: int
    after: Place = TOP


def ready_bots(db: Connection, wanted: BotsWanted, now: datetime) -> list[Any]:
    """Return rows of the bots that are ready, the one that has been so for the shortest time first."""
    place = {"moment": wanted.after[0], "place": wanted.after[1], "limit": wanted.limit}
    return list(db.execute(_READY, {"ruleset": wanted.ruleset, "before": now - READY_LAPSE, **place}))


def shown_bot(row: Any, language: str) -> View:
    """Return a row of `ready_bots` as JSON types, for readers of the language."""
    who = {"handle": row.handle, "name": display_name(row.name, language), "owner": display_name(row.owner, language)}
    return {**who, **shown_ready(Ready(row.rulesets, row.seats, row.since))}


def shown_ready(found: Ready) -> View:
    """Return what a bot is ready for as JSON types."""
    return {"rulesets": list(found.rulesets), "seats": list(found.seats), "since": found.since.isoformat()}
