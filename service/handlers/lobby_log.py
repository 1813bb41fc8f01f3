"""Writes the events of the lobby, before a game begins, to the log of the lobby."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import Connection

from service.audit.lobby_log import add_to_lobby, last_of_lobby
from service.log.chain import NO_HEAD
from service.log.codec import stored_name
from service.record.lobby import GameOpened, Happened, LobbyEvent, lobby_head
from service.shared import clock


def note(db: Connection, game: UUID, seat: int | None, happened: Happened) -> str | None:
    """Add to the log of a locked game's lobby what a seat has caused, and return the head after it, in hex.

    The lobby of a game that was opened before lobbies were noted has no log: None.
    """
    last = (0, NO_HEAD) if isinstance(happened, GameOpened) else last_of_lobby(db, game)
    if last is None:
        return None
    at = clock.to_the_millisecond(clock.now())
    event = LobbyEvent(last[0] + 1, at, seat, stored_name(type(happened)), happened)
    head = lobby_head(last[1], event)
    add_to_lobby(db, game, event, head)
    return head.hex()
