"""The forms for moves given ahead, on the page of a game."""

from __future__ import annotations

from uuid import UUID

from flask import Response, request
from sqlalchemy import Connection

from service.handlers import orders
from service.handlers.orders import NewOrder
from service.shared import clock
from service.views.orders import auto_answers
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.planning import read_notation
from service.web.session import Visitor, signed_in
from service.web.table_forms import carry_out, sitting_at
from service.web.unchanged import unless_changed, version_of


@web.post("/games/<uuid:game_id>/orders")
@signed_in
def give_order(visitor: Visitor, game_id: UUID) -> Response:
    """Put the action of the form (`notation`) behind the player's orders; with `as_now` only if all is still so."""

    def perform() -> str:
        action = read_notation(sitting_at(visitor, game_id).position, request.form.get("notation", ""))
        given = NewOrder(action, None if "as_now" in request.form else ())
        orders.give_more(current_runtime().games, game_id, visitor.id, [given], clock.now())
        return "#orders"

    return carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/orders/cancel")
@signed_in
def cancel_orders(visitor: Visitor, game_id: UUID) -> Response:
    """Drop all orders of the player in the game."""

    def perform() -> str:
        orders.cancel(current_runtime().games, game_id, visitor.id, clock.now())
        return ""

    return carry_out(visitor, game_id, perform)


@web.post("/games/<uuid:game_id>/auto-answers")
@signed_in
def choose_auto_answers(visitor: Visitor, game_id: UUID) -> Response:
    """Have the decisions of these kinds (`chosen`, as often as there are boxes ticked) answered for the player."""

    def perform() -> str:
        chosen = request.form.getlist("chosen")
        games, now = current_runtime().games, clock.now()

        def version(db: Connection) -> str:
            position = games.open(db, game_id)
            seat = position.seat_of(visitor.id)
            known = [] if seat is None else auto_answers(position, seat, visitor.language)
            return version_of([each["name"] for each in known if each["chosen"]])

        unless_changed(version, lambda: orders.choose_auto_answers(games, game_id, visitor.id, chosen, now))
        return "#auto-answers"

    return carry_out(visitor, game_id, perform)
