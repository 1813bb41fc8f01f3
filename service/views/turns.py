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
_NOBODY = UUID(int=0)
_TURNS = text("""
select g.id as game_id, mine.seat, g.faces as decision, g.since, g.name, g.ruleset, g.seats,
       (select json_agg(json_build_object('seat', s.seat, 'name', p.name) order by s.seat)
        from seat s join player p on p.id = s.player_id
        where s.game_id = g.id and s.seat <> mine.seat) as opponents
from seat mine
join game g on g.id = mine.game_id and mine.seat = any(g.awaited)
where mine.player_id = :player and (g.since, g.id) > (:since, :game)
order by g.since, g.id limit :limit
""")


def turns(
    db: Connection, rulesets: Mapping[str, AnyRuleset], player: PlayerRow, after: str | None, limit: int
) -> list[dict[str, Any]]:
    """Return at most `limit` games that wait for the player, the longest waiting first, after a `cursor`."""
    since, game = (_EPOCH, _NOBODY) if after is None else _place(after)
    rows = db.execute(_TURNS, {"player": player.id, "since": since, "game": game, "limit": limit})
    return [
        {
            "game": str(row.game_id),
            "name": row.name,
            "ruleset": row.ruleset,
            "solo": row.seats == 1,
            "seat": row.seat,
            "decision": row.decision,
            "since": row.since.isoformat(),
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
    """Return the cursor of a turn: microseconds since 1970 and the id of the game."""
    since = datetime.fromisoformat(turn["since"]) - _EPOCH
    return f"{since // timedelta(microseconds=1)}-{UUID(turn['game']).hex}"


def _place(after: str) -> tuple[datetime, UUID]:
    micros, _, game = after.partition("-")
    return _EPOCH + timedelta(microseconds=int(micros)), UUID(game)
