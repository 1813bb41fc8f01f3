"""The board of a game in a few cells, as a small picture for lists of games."""

from __future__ import annotations

from uuid import UUID

from flask import Response, make_response, request
from sqlalchemy import Connection

from service.rules.tabletop.picture import glimpse_picture
from service.store.position import Position
from service.views.seen import seen
from service.web.blueprint import web
from service.web.game import game_page
from service.web.session import Visitor, language


@web.get("/games/<uuid:game_id>/glimpse.svg")
def show_glimpse(game_id: UUID) -> Response:
    """Return the board as SVG; 404 for a game that has not begun, and for visitors who may not see it."""
    return game_page(game_id, _drawn)


def _drawn(_: Connection, position: Position, visitor: Visitor | None) -> Response:
    viewer = None if visitor is None else position.seat_of(visitor.id)
    table = seen(position, viewer, language())
    response = make_response(glimpse_picture(table.glimpse(), position.ruleset.contributions.looks))
    response.headers.update({"Content-Type": "image/svg+xml; charset=utf-8", "Cache-Control": "private, no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response
