"""The page with the proof of a game, and the files with which anybody can check it."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from flask import Response
from sqlalchemy import Connection

from service.audit.lobby_log import last_of_lobby
from service.rules.isolation import isolated
from service.shared import clock
from service.store.position import Position
from service.texts.games import full_title
from service.texts.locales import number
from service.views.proof import proof
from service.views.replay import allowed_viewers
from service.views.table import shown_seats
from service.web.blueprint import web
from service.web.game import game_page
from service.web.session import Visitor, current_visitor, language, page


@web.get("/games/<uuid:game_id>/proof")
def show_proof(game_id: UUID) -> Response:
    """Show the commitment to the seed, who has drawn the nonces, the head of the log, the seal, and the files."""
    return game_page(game_id, _page, lambda db, position: _page(db, position, current_visitor()))


def _page(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    game, shown = position.game, proof(db, position, clock.now())
    own = None if visitor is None else position.seat_of(visitor.id)
    begun, seal = position.state is not None, shown["seal"]
    return page(
        "proof.html",
        title=isolated(game.terms.name or full_title(position.ruleset.meta, game.options, language())),
        game=game,
        shown=shown,
        drawn=_drawn(position, shown["seats"]),
        sealed=None if seal is None else datetime.fromisoformat(seal["at"]),
        whole=_is_whole(db, position) and not game.sealed_up(clock.now()),
        own=own,
        viewers=[(seat, _name(position, seat)) for seat in allowed_viewers(position, own)] if begun else [],
        begun=begun,
        number=partial(number, language=language()),
    )


def _drawn(position: Position, seats: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the names of the players whose nonce was drawn by the `client`, and by the `server`."""
    drawn: dict[str, list[str]] = {}
    for each in seats:
        drawn.setdefault(each["drawn_by"], []).append(_name(position, each["seat"]) or "?")
    return drawn


def _name(position: Position, seat: int | None) -> str | None:
    return None if seat is None else shown_seats(position, language())[seat]["name"]


def _is_whole(db: Connection, position: Position) -> bool:
    if position.game.status == "finished":
        return position.game.head is not None
    return position.game.status == "cancelled" and last_of_lobby(db, position.game.id) is not None
