"""The decisions that wait for a player, in all games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, text

from service.rules.kernel import AnyRuleset
from service.store.identity import PlayerRow
from service.texts.names import automaton_name, shown

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_NOBODY = UUID(int=0)
_NEVER = datetime.max.replace(tzinfo=UTC)
_TURNS = text(f"""
select turn.*,
       (select json_agg(json_build_object('seat', s.seat, 'name', p.name) order by s.seat)
        from seat s join player p on p.id = s.player_id
        where s.game_id = turn.game_id and s.seat <> turn.seat) as opponents
from (select g.id as game_id, mine.seat, g.faces as decision, g.since, g.name, g.ruleset, g.seats,
             g.deadlines[array_position(g.awaited, mine.seat)] as deadline
      from seat mine join game g on g.id = mine.game_id and mine.seat = any(g.awaited)
      where mine.player_id = :player) turn
where (coalesce(deadline, '{_NEVER.isoformat()}'), since, game_id) > (:deadline, :since, :game)
order by deadline nulls last, since, game_id limit :limit
""")  # noqa: S608 - a constant


def turns(
    db: Connection, rulesets: Mapping[str, AnyRuleset], player: PlayerRow, after: str | None, limit: int
) -> list[dict[str, Any]]:
    """Return at most `limit` games that wait for the player, after a `cursor`.

    The earliest deadline comes first; games without one follow, the longest waiting first.
    """
    deadline, since, game = (_EPOCH, _EPOCH, _NOBODY) if after is None else _place(after)
    values = {"player": player.id, "deadline": deadline, "since": since, "game": game, "limit": limit}
    rows = db.execute(_TURNS, values)
    return [
        {
            "game": str(row.game_id),
            "name": row.name,
            "ruleset": row.ruleset,
            "solo": row.seats == 1,
            "seat": row.seat,
            "decision": row.decision,
            "since": row.since.isoformat(),
            "deadline": None if row.deadline is None else row.deadline.isoformat(),
            "opponents": [
                *_people(row.opponents or (), player.language),
                *_automaton(rulesets[row.ruleset], row.seats, player.language),
            ],
        }
        for row in rows
    ]


def _people(opponents: Iterable[dict[str, Any]], language: str) -> list[dict[str, Any]]:
    return [each | {"name": shown(each["name"], language)} for each in opponents]


def _automaton(ruleset: AnyRuleset, seats: int, language: str) -> list[dict[str, Any]]:
    name = automaton_name(ruleset.meta, seats, language)
    return [] if name is None else [{"seat": seats, "name": name}]


def cursor(turn: dict[str, Any]) -> str:
    """Return the cursor of a turn: microseconds since 1970 of its deadline, if any, and since when, and the game."""
    moments = (_micros(turn[name]) for name in ("deadline", "since") if turn[name] is not None)
    return "-".join([*moments, UUID(turn["game"]).hex])


def _micros(moment: str) -> str:
    return str((datetime.fromisoformat(moment) - _EPOCH) // _MICROSECOND)


def _place(after: str) -> tuple[datetime, datetime, UUID]:
    *deadline, since, game = after.split("-")
    return _moment(deadline[0]) if deadline else _NEVER, _moment(since), UUID(game)


def _moment(micros: str) -> datetime:
    # A forged cursor may name a moment beyond datetime.max.
    return _EPOCH + min(int(micros), (_NEVER - _EPOCH) // _MICROSECOND) * _MICROSECOND
