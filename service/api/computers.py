"""Computer players: they take free seats of open games, and seats of running games whose players are not there."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.lobby import Seated
from schemas.play import Idempotency, NewComputer, SubstituteComputer, Table
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.api.viewers import seat_of
from service.handlers import computers as handlers
from service.handlers.idempotency import Receipt
from service.http.responses import PRIVATE, as_json, no_content
from service.shared import clock
from service.store.games import Position
from service.views.table import table

computers = Resource("computers", __name__, description="Computer players.")
guard(computers)


@computers.operation(
    "/games/<uuid:game_id>/computers",
    Answers(status=201, schema=Seated, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:create",
    json=NewComputer,
    headers=Idempotency,
)
def add_computer(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Give the lowest free seat of an open game to a computer player; only its host may.

    `computers` of GET /rulesets says which levels there are. The service plays its moves a short while after they are
    due, at every level alike. It never talks, agrees to whatever it is asked, and has no say in what all have to agree
    to.
    """
    games, asking, now, level = runtime().games, player().id, clock.now(), posted["level"]

    def fill(receipt: Receipt[int] | None) -> int:
        return handlers.fill(games, game_id, asking, level, now, receipt)

    def show(seat: int) -> dict[str, Any]:
        return {"seat": seat}

    shown, headers = once("add-computer", header, [str(game_id), level], fill, show)
    return as_json(shown, 201, {**PRIVATE, **headers})


@computers.operation(
    "/games/<uuid:game_id>/computers/<int:seat>",
    Answers(status=204),
    method="DELETE",
    refuses=(404, 409),
    scope="games:create",
)
def dismiss_computer(game_id: UUID, seat: int) -> Response:
    """Free the seat of a computer player before the game starts; only its host may."""
    handlers.dismiss(runtime().games, game_id, player().id, seat)
    return no_content()


@computers.operation(
    "/games/<uuid:game_id>/substitute-computers",
    Answers(status=201, schema=Table, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:create",
    json=SubstituteComputer,
    headers=Idempotency,
)
def substitute_computer(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Let a computer player take over a seat of a running game whose player has resigned or is absent.

    `unattended` of the game lists these seats. Only the host may, or, while the host's own seat is such a one, the
    player in the first of the other seats. The former player's links no longer work, and the former player sees of the
    game what a spectator sees.
    """
    games, asking, now, level, seat = runtime().games, player(), clock.now(), posted["level"], posted["seat"]

    def take_over(receipt: Receipt[Position] | None) -> Position:
        return handlers.substitute_computer(games, game_id, asking.id, seat, level, now, receipt)

    def show(position: Position) -> dict[str, Any]:
        return table(position, seat_of(position), asking.language)

    shown, headers = once("substitute-computer", header, [str(game_id), seat, level], take_over, show)
    return as_json(shown, 201, {**PRIVATE, **headers})
