"""Orders, moves that players give ahead: they stand beside the log until they are played. And auto-answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec.json import encode as to_json
from sqlalchemy import Connection, text

MOST_ORDERS = 10
"""The most orders of a player in a game."""
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
    """A move given ahead: the action as JSON, and what has to stand in the seat's view when it is played.

    `named` tells whether the player has named the conditions; else they follow from what the action rests on.
    `place` is its place in the sequence. `dropped` says why it is not played any more, and at which `decision`.
    """

    place: int
    action: Mapping[str, Any]
    conditions: Conditions
    named: bool
    given_at: datetime
    dropped: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class OrderingPlayer:
    """The player of a game whose orders are meant."""

    game: UUID
    player: UUID

    @property
    def values(self) -> dict[str, Any]:
        """The values by which statements name the player's rows."""
        return {"game": self.game, "player": self.player}


def read(db: Connection, owner: OrderingPlayer) -> list[Order]:
    """Return the orders of a player in their sequence, those that were dropped among them."""
    return [Order(**row._mapping) for row in db.execute(_READ, owner.values)]


def replace(db: Connection, owner: OrderingPlayer, orders: Sequence[Order]) -> None:
    """Keep these orders in the place of all earlier ones."""
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


def forget(db: Connection, owner: OrderingPlayer) -> None:
    """Take away all orders and auto-answers of a player who gives a game up."""
    db.execute(_CLEAR, owner.values)
    set_auto_answers(db, owner, ())


def remove(db: Connection, owner: OrderingPlayer, place: int) -> None:
    """Take away an order, which is played."""
    db.execute(_REMOVE, {**owner.values, "place": place})


def drop(db: Connection, owner: OrderingPlayer, place: int, why: Mapping[str, Any]) -> None:
    """Note why an order is not played any more."""
    db.execute(_DROP, {**owner.values, "place": place, "why": to_json(why).decode()})


def forget_dropped(db: Connection, owner: OrderingPlayer, decision: int) -> None:
    """Take away the orders that were dropped before a decision."""
    db.execute(_CLEAR_DROPPED, {**owner.values, "decision": decision})


def rebase(db: Connection, owner: OrderingPlayer, place: int, conditions: Conditions) -> None:
    """Keep these conditions of an order in the place of its earlier ones."""
    db.execute(_REBASE, {**owner.values, "place": place, "conditions": to_json(conditions).decode()})


def mark(db: Connection, game: UUID, ordered: Collection[int]) -> None:
    """Note in the game's row, which is locked, which seats have orders or auto-answers."""
    db.execute(_MARK, {"game": game, "ordered": sorted(ordered)})


def auto_answers(db: Connection, owner: OrderingPlayer) -> tuple[str, ...]:
    """Return the names of the auto-answers that the player has chosen."""
    return tuple(db.execute(_AUTO_ANSWERS, owner.values).scalar_one_or_none() or ())


def set_auto_answers(db: Connection, owner: OrderingPlayer, names: Sequence[str]) -> None:
    """Keep these names of auto-answers in the place of earlier ones."""
    db.execute(_SET_AUTO_ANSWERS, {**owner.values, "names": list(names)})
