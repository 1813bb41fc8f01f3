"""The address of a game: before it begins there is the lobby, and then the table."""

from __future__ import annotations

from uuid import UUID

from flask import Response

from service.handlers.refusals import UnknownGame
from service.handlers.transaction import transaction
from service.store.known import require_known
from service.web import lobby_page
from service.web.answers import runtime
from service.web.session import NOBODY, missing_page, visitor


def show_game(game_id: UUID) -> Response:
    """Show the game to whoever may know of it; for all others there is none."""
    there, games = visitor(), runtime().games
    try:
        with transaction(games.engine) as db:
            position = games.open(db, game_id)
            require_known(db, position, NOBODY if there is None else there.id)
            if position.state is None:
                return lobby_page.show(db, position)
    except UnknownGame:
        return missing_page()
    return missing_page()
