"""Requests for seats of running games: anybody asks for one at a public table, the players who are there answer."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.pace import NewSeatRequest, SeatRequest, SeatRequests
from schemas.play import Idempotency
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.api.viewers import look
from service.handlers import seat_requests as handlers
from service.handlers.idempotency import Receipt
from service.handlers.seat_requests import Answering, SeatWanted
from service.http.limits import budget
from service.http.responses import PRIVATE, as_json, no_content
from service.shared import clock
from service.store.lobby import SeatRequest as Asked
from service.views import substitutes as views

substitutes = Resource("substitutes", __name__, description="Seats of running games that other persons take over.")
guard(substitutes)

_REQUESTS = "/games/<uuid:game_id>/seat-requests"
_ASKED = Answers(status=201, schema=SeatRequest, headers=REPLAYED)


@substitutes.operation(
    _REQUESTS,
    _ASKED,
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=NewSeatRequest,
    headers=Idempotency,
)
def request_seat(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Ask the players of a running public game for a seat whose player has resigned or is absent.

    `unattended` of the game lists these seats. One of the players who are there agrees or declines; mails tell them of
    the request, as many as one may cause in a day (`mails` in GET /limits). One request is open at a time, and a seat
    that was declined cannot be asked for again. Until somebody agrees one sees what a spectator sees; from then on one
    sees what the seat may see, from the first event on. At a private table the host invites.
    """
    games, asking, now, spending, seat = runtime().games, player(), clock.now(), budget(), posted["seat"]

    def ask(receipt: Receipt[Asked] | None) -> Asked:
        return handlers.ask(games, SeatWanted(game_id, seat, asking.id), now, receipt, spending)

    def show(asked: Asked) -> dict[str, Any]:
        return views.request(asked, asking.name)

    shown, headers = once("request-seat", header, [str(game_id), seat], ask, show)
    return as_json(shown, 201, {**PRIVATE, **headers})


@substitutes.operation(_REQUESTS, Answers(schema=SeatRequests), refuses=(404,), scope="games:read")
def list_seat_requests(game_id: UUID) -> Response:
    """List the open requests for seats of a game: all of them for its players, one's own for anybody else."""
    with look(game_id) as looking:
        return as_json({"items": views.requests(looking.db, looking.position, player())})


@substitutes.operation(
    f"{_REQUESTS}/<uuid:request_id>/agreement",
    Answers(status=204),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
)
def agree_to_seat_request(game_id: UUID, request_id: UUID) -> Response:
    """Agree to a request: the person takes the seat over at once.

    Any player of the game who is there may, once or again. The former player's links no longer work, and the former
    player sees of the game what a spectator sees.
    """
    handlers.agree(runtime().games, Answering(game_id, request_id, player().id, "api"), clock.now())
    return no_content()


@substitutes.operation(
    f"{_REQUESTS}/<uuid:request_id>", Answers(status=204), method="DELETE", refuses=(404, 409), scope="games:play"
)
def delete_seat_request(game_id: UUID, request_id: UUID) -> Response:
    """Withdraw one's own request, or decline that of somebody else as a player of the game who is there."""
    games, asking = runtime().games, player().id
    if not handlers.withdraw(games, game_id, request_id, asking):
        handlers.decline(games, Answering(game_id, request_id, asking, "api"))
    return no_content()
