"""Messages of an account's stream: turns, games and challenges, without any card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.views.lobby import challenges_told

Message = dict[str, Any]

OVERLAP: Final = timedelta(seconds=10)
"""Period before a stream's break that is sent again: transactions commit out of order."""

_GAMES = text("""
select g.id, g.ruleset, g.status, g.version, mine.seat, g.faces as decision, g.since,
       mine.seat = any(g.awaited) as awaited, g.deadlines[array_position(g.awaited, mine.seat)] as deadline
  from seat mine join game g on g.id = mine.game_id
 where mine.player_id = :player and g.status in ('open', 'running') order by g.since, g.id
""")
_OVER = text("""
select g.id, g.ruleset, g.status, mine.seat from seat mine join game g on g.id = mine.game_id
 where mine.player_id = :player and g.id = any(:games) and g.status in ('finished', 'cancelled') order by g.id
""")
_AT = "(select e.at from event e where e.game_id = g.id and e.seq = {seq})"
_STARTED_SINCE = text(f"""
select g.id from seat mine join game g on g.id = mine.game_id
 where mine.player_id = :player and g.status = 'running' and {_AT.format(seq=1)} > :since
""")  # noqa: S608 - constants
_OVER_SINCE = text(f"""
select g.id from seat mine join game g on g.id = mine.game_id
 where mine.player_id = :player and g.status in ('finished', 'cancelled')
   and coalesce({_AT.format(seq="g.version")},
                (select max(l.at) from lobby_event l where l.game_id = g.id)) > :since
""")  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Streamed:
    """State of a stream at a moment: games by status, their versions, turns, challenges."""

    at: datetime
    games: Mapping[UUID, str]
    versions: Mapping[UUID, int] = field(default_factory=dict)
    turns: frozenset[tuple[UUID, int, datetime]] = frozenset()
    challenges: Mapping[UUID, str] = field(default_factory=dict)


def before(db: Connection, player: UUID, since: datetime | None, now: datetime) -> Streamed:
    """Return the initial state of a stream: all that it need not send, except pending turns and changes `since`."""
    games = {row.id: row.status for row in db.execute(_GAMES, {"player": player})}
    if since is None:
        return Streamed(now + OVERLAP, games)
    values = {"player": player, "since": since - OVERLAP}
    begun = {row.id: "open" for row in db.execute(_STARTED_SINCE, values)}
    over = {row.id: "running" for row in db.execute(_OVER_SINCE, values)}
    return Streamed(since, {**games, **begun, **over})


def messages(db: Connection, player: UUID, known: Streamed, now: datetime) -> tuple[list[Message], Streamed]:
    """Return the messages about changes since `known`, ends first, and the new state."""
    rows = db.execute(_GAMES, {"player": player}).all()
    told = challenges_told(db, player, known.challenges, known.at - OVERLAP, now)
    gone = list(known.games.keys() - {row.id for row in rows})
    over = db.execute(_OVER, {"player": player, "games": gone}).all() if gone else ()
    turns = {(row.id, row.decision, row.since): row for row in rows if row.awaited}
    found = [
        *(_of(row, "game.over", status=row.status) for row in over),
        *_of_challenges(told, known.challenges),
        *(_of(row, "game.started") for row in rows if _has_begun(row, known)),
        *(_turn(row) for key, row in turns.items() if key not in known.turns),
    ]
    statuses, versions = ({row.id: getattr(row, name) for row in rows} for name in ("status", "version"))
    return found, Streamed(now, statuses, versions, frozenset(turns), {each["id"]: each["state"] for each in told})


def _has_begun(row: Any, known: Streamed) -> bool:
    return row.status == "running" and known.games.get(row.id) != "running"


def _of_challenges(told: list[dict[str, Any]], known: Mapping[UUID, str]) -> Iterator[Message]:
    for each in told:
        if each["state"] != known.get(each["id"]) and (each["waits"] or each["state"] != "open"):
            kind = "received" if each["state"] == "open" else each["state"]
            yield {"type": f"challenge.{kind}", "challenge": str(each["id"]), "game": each["game"]}


def _turn(row: Any) -> Message:
    deadline = None if row.deadline is None else row.deadline.isoformat()
    return _of(row, "game.turn", decision=row.decision, since=row.since.isoformat(), deadline=deadline)


def _of(row: Any, kind: str, **more: Any) -> Message:
    return {"type": kind, "game": str(row.id), "ruleset": row.ruleset, "seat": row.seat, **more}
