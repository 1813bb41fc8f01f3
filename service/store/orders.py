"""Orders: moves that players give ahead, stored beside the log until they are played. Auto-answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec.json import encode as to_json
from sqlalchemy import Connection, text

MAX_ORDERS = 10
"""Limit of orders of a player in a game."""
Conditions = Sequence[tuple[str, Any]]

_READ = text(
    "select place, action, conditions, named, given_at, dropped from move_order"
    " where game_id = :game and player_id = :player order by place"
)
_CLEAR = text("delete from move_order where game_id = :game and player_id = :player")
_CLEAR_DROPPED = text(
    "delete from move_order where game_id = :game and player_id = :player and dropped is not null"
    " and cast(dropped ->> 'decision' as integer) < :decision"
)
_ADD = text("""
insert into move_order (game_id, player_id, place, action, conditions, named, given_at)
values (:game, :player, :place, cast(:action as json), cast(:conditions as jsonb), :named, :at)
""")
_REMOVE = text("delete from move_order where game_id = :game and player_id = :player and place = :place")
_DROP = text(
    "update move_order set dropped = cast(:why as jsonb)"
    " where game_id = :game and player_id = :player and place = :place"
)
_REBASE = text(
    "update move_order set conditions = cast(:conditions as jsonb)"
    " where game_id = :game and player_id = :player and place = :place"
)
_MARK = text("update game set ordered = cast(:ordered as integer[]) where id = :game")
_AUTO_ANSWERS = text("select auto_answers from seat where game_id = :game and player_id = :player")
_SET_AUTO_ANSWERS = text(
    "update seat set auto_answers = cast(:names as text[]) where game_id = :game and player_id = :player"
)


@dataclass(frozen=True, slots=True)
class Order:
    """Move given ahead: the action as JSON, and the conditions on the seat's view when the move is played.

    `named`: the player has named the conditions; otherwise they follow from what the action relies on.
    `place` is its place in the sequence. `dropped` says why the order is not played any more, and at which `decision`.
    """

    place: int
    action: Mapping[str, Any]
    conditions: Conditions
    named: bool
    given_at: datetime
    dropped: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class OrderingPlayer:
    """Player of a game who owns orders."""

    game: UUID
    player: UUID

    @property
    def values(self) -> dict[str, Any]:
        """Parameters of statements that select the player's rows."""
        return {"game": self.game, "player": self.player}


def read_orders(db: Connection, owner: OrderingPlayer) -> list[Order]:
    """Return a player's orders in sequence, including the dropped ones."""
    return [Order(**row._mapping) for row in db.execute(_READ, owner.values)]


def replace_orders(db: Connection, owner: OrderingPlayer, orders: Sequence[Order]) -> None:
    """Replace all orders of a player."""
    db.execute(_CLEAR, owner.values)
    for each in orders:
        values = {
            "place": each.place,
            "action": to_json(each.action).decode(),
            "conditions": to_json(each.conditions).decode(),
            "named": each.named,
            "at": each.given_at,
        }
        db.execute(_ADD, {**owner.values, **values})


def forget_orders(db: Connection, owner: OrderingPlayer) -> None:
    """Delete all orders and auto-answers of a player who resigns."""
    db.execute(_CLEAR, owner.values)
    set_auto_answers(db, owner, ())


def remove_order(db: Connection, owner: OrderingPlayer, place: int) -> None:
    """Delete a played order."""
    db.execute(_REMOVE, {**owner.values, "place": place})


def drop_orders(db: Connection, owner: OrderingPlayer, place: int, why: Mapping[str, Any]) -> None:
    """Note why an order is not played any more."""
    db.execute(_DROP, {**owner.values, "place": place, "why": to_json(why).decode()})


def forget_dropped_orders(db: Connection, owner: OrderingPlayer, decision: int) -> None:
    """Delete the orders that were dropped before a decision."""
    db.execute(_CLEAR_DROPPED, {**owner.values, "decision": decision})


def rebase_orders(db: Connection, owner: OrderingPlayer, place: int, conditions: Conditions) -> None:
    """Replace the conditions of an order."""
    db.execute(_REBASE, {**owner.values, "place": place, "conditions": to_json(conditions).decode()})


def mark_orders(db: Connection, game: UUID, ordered: Collection[int]) -> None:
    """Note in the game's row, which is locked, the seats that have orders or auto-answers."""
    db.execute(_MARK, {"game": game, "ordered": sorted(ordered)})


def auto_answers(db: Connection, owner: OrderingPlayer) -> tuple[str, ...]:
    """Return the names of the player's auto-answers."""
    return tuple(db.execute(_AUTO_ANSWERS, owner.values).scalar_one_or_none() or ())


def set_auto_answers(db: Connection, owner: OrderingPlayer, names: Sequence[str]) -> None:
    """Replace the names of the player's auto-answers."""
    db.execute(_SET_AUTO_ANSWERS, {**owner.values, "names": list(names)})
