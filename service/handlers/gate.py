"""Quotas of mails to other players and of additions to logs, a day (UTC) and a game.

Each act that mails another player calls `reach`. Each act that adds to a log beside the rules' own actions calls
`grow`.
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
    """Limits of a kind of act; None without that limit.

    `per_player`: mails a day from one player to another. `per_table`: acts of a player at a table a day. `per_game`:
    events of type `event` of a seat in a game's log.
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
"""Take a seat at a table before its game, or, as its host, give a seat to a computer player."""

_EVENTS: Final = text("select count(*) from event where game_id = :game and seat = :seat and name = :name")


class PlayerReached(MailsSpent):
    """The day's quota of mails to one player is used up."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds, "player")


class TableLimited(RateLimited):
    """The day's quota of a player's acts at a table is used up."""

    def __init__(self, quota: Quota, seconds: int) -> None:
        super().__init__("table", bucket=quota.name, seconds=seconds)
        self.retry_after = seconds


class GameLimited(RateLimited):
    """The quota of a seat's acts in a game is used up."""

    def __init__(self, quota: Quota) -> None:
        super().__init__("game", bucket=quota.name)


def reach(
    db: Connection, budget: Budget, quota: Quota, sender: UUID, recipients: Sequence[UUID], now: datetime
) -> None:
    """Count a mail from a player to each recipient; MailsSpent, after which the transaction has to be rolled back.

    The mails count for the sender, the sender's network address, and each pair.
    """
    spend(db, budget, sender, len(recipients), now)
    if quota.per_player is None or not budget.factor:
        return
    for recipient in sorted(recipients):
        if not spend_on_player(db, f"{quota.name}:", sender, recipient, budget.quota(quota.per_player), now):
            raise PlayerReached(seconds_left(now))


def grow(db: Connection, quota: Quota, position: Position, player: UUID, now: datetime) -> None:
    """Count a player's act at a locked game; TableLimited, GameLimited, after which the transaction is rolled back."""
    game, seat = position.game.id, position.seat_of(player)
    if quota.per_game is not None and quota.event is not None:
        told = {"game": game, "seat": seat, "name": stored_name(quota.event)}
        if db.execute(_EVENTS, told).scalar_one() >= quota.per_game:
            raise GameLimited(quota)
    if quota.per_table is not None and not count_once(db, f"{quota.name}:{game}:{player}", quota.per_table, now):
        raise TableLimited(quota, seconds_left(now))
