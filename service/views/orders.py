"""Orders and auto-answers of a player in a game, for that player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from service.log.codec import read_action
from service.rules.kernel import Illegal
from service.store import orders
from service.store.games import Position
from service.store.orders import Order, OrderingPlayer
from service.texts.catalog import say
from service.views.table import View, spoken


def orders_of(db: Connection, position: Position, seat: int, language: str) -> View:
    """Return the seat's orders in sequence, dropped ones, and the auto-answers of the game."""
    found = _read(db, position, seat)
    return {
        "orders": [_shown(position, seat, each, language) for each in found if each.dropped is None],
        "dropped": [_dropped(position, seat, each, language) for each in found if each.dropped is not None],
        "auto_answers": auto_answers(position, seat, language),
    }


def auto_answers(position: Position, seat: int, language: str) -> list[View]:
    """Return the auto-answers of the game, and whether the seat has chosen them."""
    chosen, rules_language = position.seats[seat].auto_answers, spoken(position, language)
    return [
        {"name": each.name, "text": each.describe[rules_language], "chosen": each.name in chosen}
        for each in position.ruleset.auto_answers
    ]


def dropped_now(db: Connection, position: Position, seat: int, language: str) -> Sequence[str]:
    """Return a sentence for each order of the seat dropped at its current decision."""
    told = []
    for each in _read(db, position, seat):
        if each.dropped is not None and each.dropped["decision"] == position.decision:
            notation = _shown(position, seat, each, language)["notation"] or each.action["type"]
            why = _why(position, seat, each.dropped, language)
            told.append(say(language, "order-dropped", notation=notation, why=why))
    return told


def _read(db: Connection, position: Position, seat: int) -> list[Order]:
    return orders.read_orders(db, OrderingPlayer(position.game.id, position.seats[seat].player_id))


def _shown(position: Position, seat: int, order: Order, language: str) -> View:
    ruleset, rules_language = position.ruleset, spoken(position, language)
    try:
        action = read_action(ruleset, order.action)
    except LookupError:
        notation, sentence = None, None
    else:
        notation = ruleset.notate(action)
        sentence = ruleset.describe(action, seat, rules_language, position.names_in(rules_language))
    return {
        "action": dict(order.action),
        "notation": notation,
        "text": sentence,
        "conditions": [{"pointer": pointer, "value": value} for pointer, value in order.conditions],
        "given_at": order.given_at.isoformat(),
    }


def _dropped(position: Position, seat: int, order: Order, language: str) -> View:
    dropped: Mapping[str, Any] = order.dropped or {}
    return _shown(position, seat, order, language) | {
        "decision": dropped["decision"],
        "reason": dropped["why"],
        "pointer": dropped.get("pointer"),
        "detail": _why(position, seat, dropped, language),
    }


def _why(position: Position, seat: int, dropped: Mapping[str, Any], language: str) -> str:
    if dropped["why"] != "illegal":
        return say(language, f"order-{dropped['why']}")
    illegal = Illegal(dropped["code"], dropped["rule"], **dropped["facts"])
    rules_language = spoken(position, language)
    return position.ruleset.describe(illegal, seat, rules_language, position.names_in(rules_language))
