"""A player's own games by status, and the invitations to the player, for the page of these games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, text

from service.rules.kernel import AnyRuleset
from service.store.access import PlayerRow
from service.texts.games import automaton_name, full_title
from service.texts.names import display_name
from service.views.pages import TOP, Place

_MINE = text("""
select g.id, g.ruleset, g.options, g.name, g.seats, g.since, g.awaited, g.deadlines, g.created_at, mine.seat,
       g.host = :player as hosting,
       (select json_agg(json_build_object('seat', s.seat, 'name', p.name) order by s.seat)
        from seat s join player p on p.id = s.player_id where s.game_id = g.id) as people
from seat mine join game g on g.id = mine.game_id
where mine.player_id = :player and g.status = :status and (g.created_at, g.id) < (:moment, :id)
order by g.created_at desc, g.id desc limit :limit
""")
_INVITED = text("""
select i.id, i.created_at, i.expires_at, g.id as game_id, g.ruleset, g.name, g.seats, g.pace, p.name as inviter,
       (select count(*) from seat x where x.game_id = g.id) as seats_taken
from invitation i
join game g on g.id = i.game_id join player p on p.id = i.inviter
where i.player_id = :player and i.revoked_at is null and i.expires_at > clock_timestamp() and g.status = 'open'
  and not exists (select from seat x where x.game_id = g.id and x.player_id = :player)
  and (i.created_at, i.id) < (:moment, :id)
order by i.created_at desc, i.id desc limit :limit
""")


@dataclass(frozen=True, slots=True)
class MyGame:
    """A game of the player; `others` and `awaited` are names of the others in it, `mine` if the player is to act.

    `deadline` is that of the player, or else the earliest one of the awaited others; None where no time runs.
    """

    id: UUID
    title: str
    name: str | None
    others: tuple[str, ...]
    awaited: tuple[str, ...]
    mine: bool
    hosting: bool
    free: int
    since: datetime | None
    deadline: datetime | None
    created_at: datetime


def games_of(
    db: Connection,
    rulesets: Mapping[str, AnyRuleset],
    player: PlayerRow,
    status: str,
    limit: int,
    after: Place = TOP,
) -> list[MyGame]:
    """Return at most `limit` of the player's games of a status, the newest first, after a place in that order."""
    values = {"player": player.id, "status": status, "moment": after[0], "id": after[1], "limit": limit}
    return [_entry(rulesets[row.ruleset], row, player.language) for row in db.execute(_MINE, values)]


def invitations_to(db: Connection, player: UUID, limit: int, after: Place = TOP) -> list[Any]:
    """Return at most `limit` rows of valid invitations to open games that the player has not joined, newest first."""
    values = {"player": player, "moment": after[0], "id": after[1], "limit": limit}
    return list(db.execute(_INVITED, values))


def _entry(ruleset: AnyRuleset, row: Any, language: str) -> MyGame:
    people = {each["seat"]: display_name(each["name"], language) for each in row.people}
    automaton = automaton_name(ruleset.meta, row.seats, language)
    everybody = people | ({} if automaton is None else {row.seats: automaton})
    return MyGame(
        id=row.id,
        title=full_title(ruleset.meta, row.options, language),
        name=row.name,
        others=tuple(name for seat, name in everybody.items() if seat != row.seat),
        awaited=tuple(everybody[seat] for seat in row.awaited if seat != row.seat),
        mine=row.seat in row.awaited,
        hosting=row.hosting,
        free=row.seats - len(people),
        since=row.since,
        deadline=_deadline(row),
        created_at=row.created_at,
    )


def _deadline(row: Any) -> datetime | None:
    # Without a clock there are none; with one there is one for each of the awaited, null where no time runs.
    due: dict[int, datetime | None] = dict(zip(row.awaited, row.deadlines, strict=False))
    return due[row.seat] if row.seat in due else min(filter(None, due.values()), default=None)


def urgency(game: MyGame) -> tuple[bool, datetime]:
    """Return the key by which games are sorted: those with a deadline first, else those that have waited longest."""
    return game.deadline is None, game.deadline or game.since or game.created_at
