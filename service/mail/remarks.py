"""Remarks of other players at a table, as they may appear in a mail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers.talk import Said, said_in
from service.mail.blocks import Block, Paragraph, Quote
from service.mail.harmless import harmless_lines
from service.store.position import Position
from service.texts.catalog import say

_MET: Final = text("""
select distinct other.player_id from seat me join game g on g.id = me.game_id and g.status = 'finished'
  join seat other on other.game_id = g.id
 where me.player_id = :reader and other.player_id = any(:speakers)
""")


def remarks_of_others(db: Connection, position: Position, seat: int, period: Mapping[str, Any]) -> list[Said]:
    """Return the remarks of the other seats between two moments (`since` and `until`, Unix seconds), in order.

    Their text is harmless. It is '' if the seat's player has never finished a game with the speaker: such remarks are
    shown on the page of the table only.
    """
    since, until = (datetime.fromtimestamp(period[name], UTC) for name in ("since", "until"))
    player = {row.seat: row.player_id for row in position.seats}
    said = said_in(db, position.game.id, player[seat], since, until)
    remarks = [each for each in said if each.seat != seat]
    asked = {"reader": player[seat], "speakers": [player[each.seat] for each in remarks]}
    met: set[UUID] = set(db.execute(_MET, asked).scalars())
    return [replace(each, text=harmless_lines(each.text) if player[each.seat] in met else "") for each in remarks]


def remark_block(language: str, name: str, at: str, words: str, before: str = "") -> Block:
    """Return a remark as a block: its words, or only that there is one. `before` is put in front of it."""
    if words:
        return Quote(before + say(language, "said-head", name=name, at=at), words)
    return Paragraph(f"{before}{say(language, 'said-something', name=name)} ({at}). {say(language, 'said-unread')}")
