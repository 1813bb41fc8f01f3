"""The page of a game: the lobby before the game begins, the table afterwards."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from flask import Response
from sqlalchemy import Connection

from service.handlers.transaction import statements
from service.http.reading import opened
from service.store.position import Position
from service.web import lobby_page, table
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.session import NOBODY, Visitor, current_visitor, missing_page


@web.get("/games/<uuid:game_id>")
def show_game(game_id: UUID) -> Response:
    """Show the game to a visitor who may see it; 404 for all others."""
    return game_page(game_id, table.show, lobby_page.show)


@web.get("/games/<uuid:game_id>/live")
def show_live(game_id: UUID) -> Response:
    """Show the parts of the page that may have changed, for the script of the page."""
    return game_page(game_id, table.show_live, lobby_page.show_live)


def game_page(
    game_id: UUID,
    begun: Callable[[Connection, Position, Visitor | None], Response],
    before: Callable[[Connection, Position], Response] = lambda db, position: missing_page(),
) -> Response:
    """Return the page for a game that has begun, or that for one that has not; 404 for visitors who may not see it."""
    visitor, games = current_visitor(), current_runtime().games
    with opened(games, game_id, NOBODY if visitor is None else visitor.id, statements) as (db, position):
        if position.state is None:
            return before(db, position)
        return begun(db, position, visitor)
