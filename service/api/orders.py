"""Orders, moves that a player gives ahead, and auto-answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from flask import Response

from schemas.pace import AutoAnswers, AutoAnswersChosen, Orders, OrdersGiven
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.moves import read_action
from service.api.viewers import Look, look
from service.handlers import orders as handlers
from service.handlers.orders import Condition, NewOrder
from service.handlers.refusals import BadOrder, NotSeated, UnreadableNotation
from service.http.problems import problem_language
from service.http.responses import as_json
from service.rules.order_conditions import NOWHERE
from service.shared import clock
from service.shared.refusal import Invalid, json_pointer
from service.store.games import Position
from service.texts.catalog import say
from service.views import orders as views
from service.views.table import spoken

orders = Resource("orders", __name__, description="Moves given ahead, and answers that the game gives for a player.")
guard(orders)


@orders.operation("/games/<uuid:game_id>/orders", Answers(schema=Orders), refuses=(404,), scope="games:read")
def get_orders(game_id: UUID) -> Response:
    """Show one's own orders, which nobody else can see before they are played.

    Those that were dropped, since they did not fit when their turn came, are shown until others are.
    """
    with look(game_id) as looking:
        return as_json(views.orders_of(looking.db, looking.position, _seat(looking), player().language))


@orders.operation(
    "/games/<uuid:game_id>/orders",
    Answers(schema=Orders),
    method="PUT",
    refuses=(404, 409),
    scope="games:play",
    json=OrdersGiven,
)
def put_orders(posted: dict[str, Any], game_id: UUID) -> Response:
    """Keep these orders in the place of all earlier ones.

    When one's seat is asked, the first order is played, if it is legal and its conditions hold, and the others stay. If
    it does not fit, it is dropped with all that follow, and one is asked as usual. So that nobody can tell an order
    from a quick move, it is played no sooner than a random 5 to 60 seconds after the seat was asked, unless one plays
    alone. An order that is given when it is one's turn already is tried at that turn.
    """
    with look(game_id) as looking:
        position, seat = looking.position, _seat(looking)
    with _explaining(position, seat):
        given = [_order(position, number, each) for number, each in enumerate(posted["orders"])]
        handlers.give(runtime().games, game_id, player().id, given, clock.now())
    return get_orders(game_id)


@orders.operation(
    "/games/<uuid:game_id>/orders",
    Answers(status=204),
    method="DELETE",
    refuses=(404, 409),
    scope="games:play",
)
def cancel_orders(game_id: UUID) -> Response:
    """Forget one's orders in the game; auto-answers stay."""
    handlers.cancel(runtime().games, game_id, player().id, clock.now())
    return Response(status=204)


@orders.operation(
    "/games/<uuid:game_id>/orders/auto-answers", Answers(schema=AutoAnswers), refuses=(404,), scope="games:read"
)
def list_auto_answers(game_id: UUID) -> Response:
    """List the kinds of answers that the game offers to give, and which of them one has chosen."""
    with look(game_id) as looking:
        return as_json({"items": views.auto_answers(looking.position, _seat(looking), player().language)})


@orders.operation(
    "/games/<uuid:game_id>/orders/auto-answers",
    Answers(schema=AutoAnswers),
    method="PUT",
    refuses=(404, 409),
    scope="games:play",
    json=AutoAnswersChosen,
)
def put_auto_answers(posted: dict[str, Any], game_id: UUID) -> Response:
    """Have decisions of these kinds answered for oneself, in this game, until it ends; everybody at the table sees it.

    An order goes before an auto-answer, where it fits.
    """
    with look(game_id) as looking:
        position, seat = looking.position, _seat(looking)
    with _explaining(position, seat):
        handlers.choose_auto_answers(runtime().games, game_id, player().id, posted["chosen"], clock.now())
    return list_auto_answers(game_id)


def _seat(looking: Look) -> int:
    if looking.seat is None:
        raise NotSeated
    return looking.seat


def _order(position: Position, number: int, posted: Mapping[str, Any]) -> NewOrder:
    """Return the order at a place of the list that was sent; BadOrder, Invalid."""
    try:
        action = read_action(position, posted)
    except UnreadableNotation as unreadable:
        raise BadOrder("unreadable", "orders", number, "notation") from unreadable
    except Invalid as invalid:
        begin = json_pointer("orders", str(number))
        errors = [{**each, "pointer": begin + each["pointer"]} for each in invalid.members["errors"]]
        raise Invalid(errors=errors) from invalid
    conditions = posted.get("conditions")
    if conditions is None:
        return NewOrder(action)
    return NewOrder(action, [Condition(each["pointer"], each.get("value", NOWHERE)) for each in conditions])


@contextmanager
def _explaining(position: Position, seat: int) -> Iterator[None]:
    """Context manager: an order that makes no sense is refused with a sentence in the language of the request."""
    try:
        yield
    except BadOrder as bad:
        language = problem_language()
        rules_language = spoken(position, language)
        if bad.illegal is None:
            detail = say(language, f"order-fault-{bad.why}")
        else:
            names = position.names_in(rules_language)
            detail = position.ruleset.describe(bad.illegal, seat, rules_language, names)
        bad.members["errors"] = [{"pointer": bad.pointer, "detail": detail}]
        raise
