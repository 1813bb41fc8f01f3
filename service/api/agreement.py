"""What the players agree to: pauses, and taking actions back."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.pace import Pauses, PauseUntil
from schemas.play import Idempotency, Played, TakeBackAsked, TakeBackRequest, TakeBackRequests
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.api.moves import shown
from service.api.viewers import look
from service.handlers import pause, take_back_request
from service.handlers.idempotency import Receipt
from service.handlers.refusals import NotSeated
from service.handlers.take_back_request import RequestInGame
from service.http.limits import budget
from service.http.responses import PRIVATE, as_json
from service.shared import clock
from service.store.games import Position
from service.views import agreement as views
from service.views.table import spoken

agreement = Resource("agreement", __name__, description="Pauses, and taking actions back by consent.")
guard(agreement)


@agreement.operation("/games/<uuid:game_id>/pause", Answers(schema=Pauses), refuses=(404,), scope="games:read")
def get_pause(game_id: UUID) -> Response:
    """Show the pause that is proposed, and the one that the game is in."""
    with look(game_id) as looking:
        return as_json(views.pause_state(looking.position, clock.now()))


@agreement.operation(
    "/games/<uuid:game_id>/pause",
    Answers(status=201, schema=Pauses, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=PauseUntil,
    headers=Idempotency,
)
def propose_pause(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Propose a pause of a game with a clock, in place of any other proposal.

    The game is paused when all players have agreed who are there, neither absent nor resigned. In a pause nobody's time
    runs, and everybody may act all the same. It ends at `until`, at most 30 days from now, or when a player ends it.
    Mails tell the others, as many as one may cause in a day (`mails` in GET /limits). A player proposes at most 6
    pauses of a game in a day, and 60 in all.
    """
    asking, until, spending = player().id, posted["until"], budget()

    def propose(receipt: Receipt[Position] | None) -> Position:
        return pause.propose(runtime().games, game_id, asking, until, "api", clock.now(), receipt, spending)

    told, headers = once("propose-pause", header, [str(game_id), until.isoformat()], propose, _pauses)
    return as_json(told, 201, {**PRIVATE, **headers})


@agreement.operation(
    "/games/<uuid:game_id>/pause/agreement",
    Answers(schema=Pauses),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=PauseUntil,
)
def agree_to_pause(posted: dict[str, Any], game_id: UUID) -> Response:
    """Agree to the pause that is proposed `until` then; with the last consent the game is paused.

    Agreeing again changes nothing.
    """
    return as_json(_pauses(pause.agree(runtime().games, game_id, player().id, posted["until"], "api", clock.now())))


@agreement.operation(
    "/games/<uuid:game_id>/pause", Answers(schema=Pauses), method="DELETE", refuses=(404, 409), scope="games:play"
)
def end_pause(game_id: UUID) -> Response:
    """End the pause that the game is in, as each of its players may: the time runs again from now on.

    While no pause goes on, the player's own proposal is withdrawn.
    """
    return as_json(_pauses(pause.stop(runtime().games, game_id, player().id, "api", clock.now())))


@agreement.operation(
    "/games/<uuid:game_id>/take-back-requests", Answers(schema=TakeBackRequests), refuses=(404,), scope="games:read"
)
def list_take_back_requests(game_id: UUID) -> Response:
    """Show the request to take an action back that stands, if there is one; only to those who sit there."""
    with look(game_id) as looking:
        if looking.seat is None:
            raise NotSeated
        asked = views.standing_request(looking.db, looking.position, clock.now())
    return as_json({"items": [] if asked is None else [asked]})


@agreement.operation(
    "/games/<uuid:game_id>/take-back-requests",
    Answers(status=201, schema=TakeBackRequest, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    json=TakeBackAsked,
    headers=Idempotency,
)
def request_take_back(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Ask the others to have one's last action taken back, which cannot be taken back alone any more.

    All other players have to agree who are there, within the free time of the table's pace (5 minutes where it is
    shorter); any action ends the request. What they have done since the action does not count any more then either, and
    what was seen stays seen. It needs a game with a clock whose terms allow it. Mails tell the others, as many as one
    may cause in a day (`mails` in GET /limits).
    """
    asking, decision, spending = player().id, posted["decision"], budget()

    def ask(receipt: Receipt[RequestInGame] | None) -> RequestInGame:
        return take_back_request.ask(runtime().games, game_id, asking, decision, "api", clock.now(), receipt, spending)

    def show(asked: RequestInGame) -> dict[str, Any]:
        return views.take_back_request(asked.position, asked.request, decision)

    told, headers = once("ask-take-back", header, [str(game_id), decision], ask, show)
    return as_json(told, 201, {**PRIVATE, **headers})


@agreement.operation(
    "/games/<uuid:game_id>/take-back-requests/<int:first>/agreement",
    Answers(schema=Played),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
)
def agree_to_take_back(game_id: UUID, first: int) -> Response:
    """Agree to the request for the action whose first event has this number.

    With the last consent the action is taken back: `events` tells of it, and has nothing before.
    """
    me = player()
    played = take_back_request.agree(runtime().games, game_id, me.id, first, "api", clock.now())
    seat = played.position.seat_of(me.id)
    if seat is None:
        raise NotSeated
    return as_json(shown(played, seat, spoken(played.position, me.language)))


@agreement.operation(
    "/games/<uuid:game_id>/take-back-requests/<int:first>",
    Answers(status=204),
    method="DELETE",
    refuses=(404, 409),
    scope="games:play",
)
def decline_take_back(game_id: UUID, first: int) -> Response:
    """Decline the request for the action whose first event has this number, or withdraw one's own."""
    take_back_request.decline(runtime().games, game_id, player().id, first, clock.now())
    return Response(status=204)


def _pauses(position: Position) -> dict[str, Any]:
    return views.pause_state(position, clock.now())
