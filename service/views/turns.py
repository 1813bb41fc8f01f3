"""The decisions that wait for a player, in all games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, text

from service.rules.kernel import AnyRuleset
from service.store.access import PlayerRow
from service.texts.games import automaton_name
from service.texts.names import display_name

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_NOBODY = UUID(int=0)
_WITHOUT = 5 * 10**16
"""What is added in a cursor to the microseconds of a turn without a deadline, which comes after all that have one."""
_TURNS = text("""
select turn.*,
       (select json_agg(json_build_object('seat', s.seat, 'name', p.name) order by s.seat)
        from seat s join player p on p.id = s.player_id
        where s.game_id = turn.game_id and s.seat <> turn.seat) as opponents
from (select g.id as game_id, mine.seat, g.faces as decision, g.since, g.name, g.ruleset, g.seats,
             g.deadlines[array_position(g.awaited, mine.seat)] as deadline
      from seat mine join game g on g.id = mine.game_id and mine.seat = any(g.awaited)
      where mine.player_id = :player) turn
where (deadline is null, coalesce(deadline, since), game_id) > (:without, :moment, :game)
order by deadline is null, coalesce(deadline, since), game_id limit :limit
""")


def turns(
    db: Connection, rulesets: Mapping[str, AnyRuleset], player: PlayerRow, after: str | None, limit: int
) -> list[dict[str, Any]]:
    """Return at most `limit` games that wait for the player, after a `cursor`.

    The earliest deadline comes first; games without one follow, the longest waiting first.
    """
    without, moment, game = (False, _EPOCH, _NOBODY) if after is None else _place(after)
    values = {"player": player.id, "without": without, "moment": moment, "game": game, "limit": limit}
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
    return [each | {"name": display_name(each["name"], language)} for each in opponents]


def _automaton(ruleset: AnyRuleset, seats: int, language: str) -> list[dict[str, Any]]:
    name = automaton_name(ruleset.meta, seats, language)
    return [] if name is None else [{"seat": seats, "name": name}]


def cursor(turn: dict[str, Any]) -> str:
    """Return the cursor of a turn: microseconds since 1970, and the id of the game."""
    deadline = turn["deadline"]
    micros = (datetime.fromisoformat(deadline or turn["since"]) - _EPOCH) // _MICROSECOND
    return f"{micros if deadline else _WITHOUT + micros}-{UUID(turn['game']).hex}"


def _place(after: str) -> tuple[bool, datetime, UUID]:
    number, _, game = after.partition("-")
    without, micros = divmod(int(number), _WITHOUT)
    return bool(without), _EPOCH + micros * _MICROSECOND, UUID(game)
