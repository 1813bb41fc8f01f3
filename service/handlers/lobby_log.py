"""Writes the events of the lobby, before a game begins, to the log of the lobby."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import Connection

from service.audit.log import LobbyEnd, add_to_lobby, last_of_lobby
from service.log.chain import NO_HEAD
from service.log.codec import stored_name
from service.record.lobby import GameOpened, Happened, LobbyEvent, lobby_head
from service.shared import clock

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def note(db: Connection, game: UUID, seat: int | None, happened: Happened) -> LobbyEnd | None:
    """Add to the log of a locked game's lobby what a seat has caused, and return the end of the log after it.

    The moments in it never fall. The lobby of a game that was opened before lobbies were noted has no log: None.
    """
    last = LobbyEnd(0, NO_HEAD, _EPOCH) if isinstance(happened, GameOpened) else last_of_lobby(db, game)
    if last is None:
        return None
    at = max(clock.to_the_millisecond(clock.now()), last.at)
    event = LobbyEvent(last.seq + 1, at, seat, stored_name(type(happened)), happened)
    head = lobby_head(last.head, event)
    add_to_lobby(db, game, event, head)
    return LobbyEnd(event.seq, head, at)
