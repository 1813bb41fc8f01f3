"""The gate to other people and to the logs of games: how often a player may pass in a day (UTC) and in a game.

Each act that mails another player asks `reach`, each that adds to a log beside the rules' own actions asks `grow`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.log.codec import stored_name
from service.rules.shared_events import ActionTakenBack, PauseProposed, SomethingSaid
from service.shared.refusal import RateLimited
from service.store.games import Position
from service.store.quotas import Budget, MailsSpent, count_once, seconds_left, spend, spend_on_player


@dataclass(frozen=True, slots=True)
class Quota:
    """Caps of a way to reach somebody or to grow a log; None where the way has no such cap.

    `per_player` caps the mails in a day from one player to another, `per_table` the acts of a player at a table in a
    day, and `per_game` the events of a seat in the log of a game, which are of the type `event`.
    """

    name: str
    per_player: int | None = None
    per_table: int | None = None
    per_game: int | None = None
    event: type[Any] | None = None


FRIEND_REQUEST: Final = Quota("friend-request", per_player=3)
CHALLENGE: Final = Quota("challenge", per_player=5)
TOURNAMENT_INVITATION: Final = Quota("tournament-invitation", per_player=3)
REMATCH: Final = Quota("rematch", per_player=5)
SEAT_REQUEST: Final = Quota("seat-request", per_player=5)
PAUSE_PROPOSAL: Final = Quota("pause-proposal", per_player=6, per_table=6, per_game=60, event=PauseProposed)
TAKE_BACK_REQUEST: Final = Quota("take-back-request", per_player=10, per_table=10)
TALK: Final = Quota("talk", per_player=30, per_table=200, per_game=2000, event=SomethingSaid)
UNDO: Final = Quota("undo", per_table=60, per_game=500, event=ActionTakenBack)
SITTING_DOWN: Final = Quota("sitting-down", per_table=20)
"""A player takes a seat of a table that has not begun, or its host gives a seat to a computer player."""

_EVENTS: Final = text("select count(*) from event where game_id = :game and seat = :seat and name = :name")


class PlayerReached(MailsSpent):
    """The day's mails to one player are used up."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds, "player")


class TableLimited(RateLimited):
    """A player has done something at a table as often as one may in a day."""

    def __init__(self, quota: Quota, seconds: int) -> None:
        super().__init__("table", bucket=quota.name, seconds=seconds)
        self.retry_after = seconds


class GameLimited(RateLimited):
    """A seat has done something as often as one may in a game."""

    def __init__(self, quota: Quota) -> None:
        super().__init__("game", bucket=quota.name)


def reach(
    db: Connection, budget: Budget, quota: Quota, sender: UUID, recipients: Sequence[UUID], now: datetime
) -> None:
    """Count a mail from a player to each of the recipients; MailsSpent, after which the transaction has to be undone.

    The mails count for the sender, for the sender's network address, and for each pair.
    """
    spend(db, budget, sender, len(recipients), now)
    if quota.per_player is None or not budget.factor:
        return
    for recipient in sorted(recipients):
        if not spend_on_player(db, f"{quota.name}:", sender, recipient, budget.quota(quota.per_player), now):
            raise PlayerReached(seconds_left(now))


def grow(db: Connection, quota: Quota, position: Position, player: UUID, now: datetime) -> None:
    """Count an act of a player at a locked game; TableLimited, GameLimited, after which the transaction is undone."""
    game, seat = position.game.id, position.seat_of(player)
    if quota.per_game is not None and quota.event is not None:
        told = {"game": game, "seat": seat, "name": stored_name(quota.event)}
        if db.execute(_EVENTS, told).scalar_one() >= quota.per_game:
            raise GameLimited(quota)
    if quota.per_table is not None and not count_once(db, f"{quota.name}:{game}:{player}", quota.per_table, now):
        raise TableLimited(quota, seconds_left(now))
