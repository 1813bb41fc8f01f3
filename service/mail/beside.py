"""What is said in a channel beside a mail: the same matter in one sentence, with nothing hidden and nobody's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import Connection

from service.channels.message import Message
from service.mail.problem import still
from service.settings import Settings
from service.shared import clock
from service.store import lobby
from service.store.games import Games, Position
from service.store.messages import TRIAL_MESSAGE, DueMessage
from service.texts.catalog import say


def message(db: Connection, games: Games, settings: Settings, due: DueMessage) -> Message | None:
    """Return the message that is due, in its player's language; None if it has nothing to say any more.

    The game is called by its ruleset and the end of its id: a table's name is somebody's words.
    """
    base, language = settings.base_url, due.language
    if due.message == TRIAL_MESSAGE:
        return Message(say(language, "channel-trial"), say(language, "channel-works"), f"{base}/games", TRIAL_MESSAGE)
    if due.game is None:
        return None
    position = games.open(db, due.game)
    if not _is_due(db, position, due):
        return None
    what = f"channel-{due.payload['what']}" if due.message == "problem" else f"channel-{due.message}"
    title, mark = position.ruleset.meta.title, due.game.hex[-6:]
    mine = position.seat_of(due.player) is not None
    return Message(
        title=say(language, what),
        text=f"{title} (#{mark})",
        url=f"{base}/games/{due.game}/open" if mine else f"{base}/games",
        tag=f"{due.game.hex}-{due.message}",
    )


def _is_due(db: Connection, position: Position, due: DueMessage) -> bool:
    """Return whether the matter still stands, as the mail's own check has it."""
    if due.message == "invitation":
        return position.game.status == "open" and _is_good(db, due.payload)
    if due.message == "problem":
        return still(position, due.player, due.payload["what"])
    seat = position.seat_of(due.player)
    return seat is not None and seat == due.payload["seat"] and _concerns(position, seat, due)


def _concerns(position: Position, seat: int, due: DueMessage) -> bool:
    if due.message in ("turn", "reminder"):
        return seat in position.awaited and position.decision == due.payload["decision"]
    if due.message == "started":
        return position.game.status == "running" and seat not in position.awaited | frozenset(position.resigned)
    if due.message == "over":
        return position.game.status == "finished"
    return due.message == "lapsed" or seat not in position.resigned


def _is_good(db: Connection, payload: Mapping[str, Any]) -> bool:
    return lobby.read_invitation(db, UUID(payload["invitation"])).is_good(clock.now())
