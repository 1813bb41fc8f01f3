"""What stands beside a game on its page, for one of those who sit there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec.json import Decoder
from sqlalchemy import Connection

# One statement with one JSON text, since a page is looked at more often than all else.
_BESIDE: Final = """
select json_build_object(
  'remarks', (
    select coalesce(json_agg(json_build_object('seat', seat, 'at', at, 'text', text) order by number desc), '[]')
    from (select * from talk where game_id = %(game)s order by number desc limit %(limit)s) latest),
  'notes', coalesce((select text from note where game_id = %(game)s and player_id = %(player)s), ''),
  'muted', exists (select from mail_mute where game_id = %(game)s and player_id = %(player)s),
  'without_mail', (
    select coalesce(json_agg(s.seat), '[]')
    from seat s join player p on p.id = s.player_id left join mail_wishes w on w.player_id = p.id
    where s.game_id = %(game)s and p.owner is null
      and (not p.email_confirmed or p.unreachable or 'turn' = any(w.unwanted)
           or exists (select from mail_mute m where m.game_id = s.game_id and m.player_id = s.player_id))))::text
"""
_REMARKS: Final = 50


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody has said at the table."""

    seat: int
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class TableSide:
    """The last remarks, the newest first, the player's own notes, and who hears of the game by mail.

    `muted` if the player wants no mails about the game; `without_mail` are the seats of the people whom no mail tells
    that it is their move, for whatever reason.
    """

    remarks: tuple[Remark, ...]
    notes: str
    muted: bool
    without_mail: frozenset[int]


_READ: Final = Decoder(TableSide)


def table_side(db: Connection, game: UUID, player: UUID) -> TableSide:
    """Return what the player, who sits there, and nobody else may see beside the game."""
    values = {"game": game, "player": player, "limit": _REMARKS}
    return _READ.decode(db.exec_driver_sql(_BESIDE, values).scalar_one())
