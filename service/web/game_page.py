"""Address of a game: its lobby before it begins, its table afterwards, its thumbnail in lists."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from flask import Response, make_response, request
from sqlalchemy import Connection

from service.handlers.transaction import statements
from service.http.replica_routing import opened
from service.rules.tabletop.picture import glimpse_picture
from service.store.games import Position
from service.views.table import view_of_game
from service.web.blueprint import web
from service.web.lobby import lobby_page
from service.web.page import current_runtime
from service.web.play.table_page import show_begun, show_changed_parts
from service.web.session import NOBODY, Visitor, current_visitor, language, missing_page


@web.get("/games/<uuid:game_id>")
def show_game(game_id: UUID) -> Response:
    """Show the game; 404 for visitors who may not see the game."""
    return game_page(game_id, show_begun, lobby_page.show)


@web.get("/games/<uuid:game_id>/live")
def show_live(game_id: UUID) -> Response:
    """Show the parts of the page that may have changed, for the page's script."""
    return game_page(game_id, show_changed_parts, lobby_page.show_live)


def game_page(
    game_id: UUID,
    begun: Callable[[Connection, Position, Visitor | None], Response],
    before: Callable[[Connection, Position], Response] = lambda db, position: missing_page(),
) -> Response:
    """Return the page of a begun game, or that of an open game; 404 for visitors who may not see the game."""
    visitor, games = current_visitor(), current_runtime().games
    with opened(games, game_id, NOBODY if visitor is None else visitor.id, statements) as (db, position):
        if position.state is None:
            return before(db, position)
        return begun(db, position, visitor)


@web.get("/games/<uuid:game_id>/glimpse.svg")
def show_thumbnail(game_id: UUID) -> Response:
    """Return the board as SVG; 404 for a game that has not begun, and for visitors who may not see the game."""
    return game_page(game_id, _draw_thumbnail)


def _draw_thumbnail(_: Connection, position: Position, visitor: Visitor | None) -> Response:
    viewer = None if visitor is None else position.seat_of(visitor.id)
    table = view_of_game(position, viewer, language())
    response = make_response(glimpse_picture(table.glimpse(), position.ruleset.contributions.looks))
    response.headers.update({"Content-Type": "image/svg+xml; charset=utf-8", "Cache-Control": "private, no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response
