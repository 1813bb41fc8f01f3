"""What a player sees next to a table: the talk, the player's own notes, and the state of the mails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec.json import Decoder
from sqlalchemy import Connection

from service.shared.lobby_etag import LOBBY_ETAG
from service.store.people import SPEAKER, UNHEARD

# One statement that returns one JSON text, since this page is requested more often than any other.
_TABLE_SIDE: Final = f"""
select json_build_object(
  'remarks', (
    select coalesce(json_agg(json_build_object('number', t.number, 'seat', t.seat, 'at', t.at, 'text', t.text,
             'former', exists (
               select from former_player f where (f.game_id, f.seat) = (t.game_id, t.seat) and t.at < f.left_at))
                             order by t.number desc), '[]')
    from (select * from talk t where game_id = %(game)s
             and not {UNHEARD.format(listener="%(player)s", speaker=SPEAKER)}
           order by number desc limit %(limit)s) t),
  'notes', coalesce((select text from note where game_id = %(game)s and player_id = %(player)s), ''),
  'operated', exists (select from operator_event where subject_kind = 'game' and subject = cast(%(game)s as text)),
  'has_orders', exists (select from move_order where game_id = %(game)s and player_id = %(player)s),
  'away', (
    select coalesce(json_object_agg(s.seat, a.ends), '{{}}')
    from seat s join absence a on a.player_id = s.player_id and a.begins <= %(at)s and a.ends > %(at)s
    where s.game_id = %(game)s),
  'beside_log', (select {LOBBY_ETAG.replace(":at", "%(at)s")} from game g where g.id = %(game)s),
  'muted', exists (select from mail_mute where game_id = %(game)s and player_id = %(player)s),
  'without_mail', (
    select coalesce(json_agg(s.seat), '[]')
    from seat s join player p on p.id = s.player_id left join mail_wishes w on w.player_id = p.id
    where s.game_id = %(game)s and p.owner is null
      and (not p.email_confirmed or p.unreachable or 'turn' = any(w.unwanted)
           or exists (select from mail_mute m where m.game_id = s.game_id and m.player_id = s.player_id))))::text
"""  # noqa: S608 - a constant
_REMARKS: Final = 50


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark in the talk of a table; `former` if a player has said it who has left the seat to another person."""

    seat: int
    at: datetime
    text: str
    former: bool = False
    number: int = 0


@dataclass(frozen=True, slots=True)
class TableSide:
    """The last remarks, the newest first, the player's own notes, and who gets mails about the game.

    `operated` if operators have done something at the table; `has_orders` if the player has given moves ahead; `away`
    has the seats of the players who are away at that moment, and until when; `beside_log` is as in
    service.shared.lobby_etag; `muted` if the player has muted the game; `without_mail` has the seats of the people who
    get no turn mails, for any reason.
    """

    remarks: tuple[Remark, ...]
    notes: str
    operated: bool
    has_orders: bool
    away: Mapping[int, datetime]
    beside_log: str
    muted: bool
    without_mail: frozenset[int]


_READ: Final = Decoder(TableSide)


def table_side(db: Connection, game: UUID, player: UUID, at: datetime) -> TableSide:
    """Return what only this player, who has a seat in the game, may see next to the table at a moment."""
    values = {"game": game, "player": player, "at": at, "limit": _REMARKS}
    return _READ.decode(db.exec_driver_sql(_TABLE_SIDE, values).scalar_one())
