"""Before the game: games that are opened, joined, started and listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

from flask import Response

from schemas.fields import cursor
from schemas.lobby import GameListed, GamesListed, GamesWanted, NewFork, NewGame, OwnNonce, Seated
from schemas.play import Idempotency, Table
from service.api.auth import guard, player, runtime
from service.api.contract import PREFIX, Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.api.viewers import look, seat_of
from service.handlers import lobby as handlers
from service.handlers import seats
from service.handlers.fork import Fork, fork
from service.handlers.idempotency import Receipt
from service.handlers.plans import Plan
from service.handlers.rematch import rematch
from service.handlers.terms import people_of, terms_of
from service.handlers.transaction import transaction
from service.http.limits import budget
from service.http.ndjson import ndjson_requested, ndjson_response
from service.http.replica_routing import games_listed
from service.http.responses import PRIVATE, as_json, no_content, paged
from service.shared import clock
from service.store.access import PlayerRow
from service.store.games import Position
from service.store.people import find_visible_profile
from service.views.games import GameFilter, listed, place_of
from service.views.table import table

PAGE = 20
BULK = 100
"""The games that are read at a time where all are asked for."""

lobby = Resource("lobby", __name__, description="Games before they are played.")
guard(lobby)

_NEW = Answers(status=201, schema=Table, headers={"Location": "Where the game is found.", **REPLAYED})


@lobby.operation("/games", _NEW, method="POST", scope="games:create", bucket="games", json=NewGame, headers=Idempotency)
def create_game(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Open a game; whoever asks is its host and sits in seat 0."""
    games, asking, now = runtime().games, player().id, clock.now()
    plan = Plan(
        posted["ruleset"],
        posted["seats"],
        posted.get("options", {}),
        terms_of(posted, people_of(posted)),
        posted.get("nonce"),
        posted.get("computers", ()),
    )

    def create(receipt: Receipt[Position] | None) -> Position:
        return handlers.create(games, asking, plan, now, receipt)

    return _created(*once("create-game", header, posted, create, _seen))


@lobby.operation(
    "/games",
    Answers(schema=GamesListed, lines="All such games, one a line; `limit` does not count.", messages=(GameListed,)),
    scope="games:read",
    query=GamesWanted,
)
def list_games(wanted: dict[str, Any]) -> Response:
    """List games, the newest first: those that one sits in, public ones, and those that one is invited to.

    With `sort=deadline` those come first whose deadline for one's own seat is the earliest.
    """
    limit = wanted.get("limit", PAGE)
    mine, opponent = wanted.get("mine"), None
    if "opponent" in wanted:
        with transaction(runtime().games.engine) as db:
            opponent = find_visible_profile(db, player().id, wanted["opponent"])
        if opponent is None:
            return as_json({"items": [], "next": None})
    asked = GameFilter(
        mine=None if mine is None else mine == "true",
        open_to_me="open_to_me" in wanted,
        status=wanted.get("status"),
        ruleset=wanted.get("ruleset"),
        origin=wanted.get("origin", "here"),
        opponent=opponent,
        seats_free=wanted.get("seats_free"),
        after=wanted.get("after"),
        by_deadline=wanted.get("sort") == "deadline",
    )
    form = ndjson_requested()
    if form is not None:
        return ndjson_response(_all(asked, player()), form)
    found = games_listed(runtime().games, player().id, asked, limit + 1, clock.now())
    language = player().language
    return as_json(paged(found, limit, lambda row: cursor(*place_of(row)), lambda row: listed(row, language)))


def _all(asked: GameFilter, who: PlayerRow) -> Iterator[dict[str, Any]]:
    """Yield all games of a list, which are read a page at a time."""
    while True:
        page = games_listed(runtime().games, who.id, asked, BULK, clock.now())
        yield from (listed(row, who.language) for row in page)
        if len(page) < BULK:
            return
        asked = replace(asked, after=place_of(page[-1]))


@lobby.operation(
    "/games/<uuid:game_id>/seats",
    Answers(status=201, schema=Seated, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    query=OwnNonce,
    headers=Idempotency,
)
def join_game(brought: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Sit down in the lowest free seat of an open game that is public, or that one is invited to.

    If others have left, the seats are numbered anew when the game starts, in the order of joining.
    """
    games, asking, now, nonce = runtime().games, player().id, clock.now(), brought.get("nonce")

    def show(seat: int) -> dict[str, Any]:
        return {"seat": seat}

    def join(receipt: Receipt[int] | None) -> int:
        return handlers.join(games, game_id, asking, now, receipt, nonce)

    shown, headers = once("join-game", header, [str(game_id), nonce] if nonce else str(game_id), join, show)
    return as_json(shown, 201, {**PRIVATE, **headers})


@lobby.operation(
    "/games/<uuid:game_id>/seats/mine", Answers(status=204), method="DELETE", refuses=(404, 409), scope="games:play"
)
def leave_game(game_id: UUID) -> Response:
    """Leave a game that has not started.

    When the host leaves, whoever has been there longest is the host. When the last one leaves, the game is cancelled.
    """
    seats.leave(runtime().games, game_id, player().id)
    return no_content()


@lobby.operation(
    "/games/<uuid:game_id>/seats/<int:seat>",
    Answers(status=204),
    method="DELETE",
    refuses=(404, 409),
    scope="games:play",
)
def kick_player(game_id: UUID, seat: int) -> Response:
    """Free somebody's seat before the game starts; only its host may.

    Take invitations back as well, if they shall not return by them.
    """
    seats.kick(runtime().games, game_id, seat, player().id)
    return no_content()


@lobby.operation(
    "/games/<uuid:game_id>/start",
    Answers(schema=Table),
    method="POST",
    refuses=(404, 409),
    scope="games:create",
)
def start_game(game_id: UUID) -> Response:
    """Start a game whose seats are all taken; only its host may.

    The seats are then in the order of joining, whoever has left in between.
    """
    return as_json(_seen(handlers.start(runtime().games, game_id, player().id, clock.now())))


@lobby.operation(
    "/games/<uuid:game_id>/cancel", Answers(schema=Table), method="POST", refuses=(404, 409), scope="games:create"
)
def cancel_game(game_id: UUID) -> Response:
    """Call off a game that has not started; only its host may."""
    return as_json(_seen(seats.cancel(runtime().games, game_id, player().id)))


@lobby.operation(
    "/games/<uuid:game_id>/rematch",
    _NEW,
    method="POST",
    refuses=(404, 409),
    scope="games:create",
    bucket="games",
    headers=Idempotency,
)
def rematch_game(header: dict[str, Any], game_id: UUID) -> Response:
    """Ask those one has played with for another game on the same terms.

    Whoever asks first is the host of the new game, the others are invited to it. Whoever asks later gets that game.
    Mails tell the others where an invitation by mail could go to them: so a rematch that is called off and asked for
    again brings no second one before the first is answered.
    """
    games, asking, now, spending = runtime().games, player().id, clock.now(), budget()
    return _created(
        *once("rematch", header, str(game_id), lambda key: rematch(games, game_id, asking, now, key, spending), _seen)
    )


@lobby.operation(
    "/games/<uuid:game_id>/fork",
    _NEW,
    method="POST",
    refuses=(404, 409),
    scope="games:create",
    bucket="games",
    json=NewFork,
    headers=Idempotency,
)
def fork_game(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Play on from a moment of a finished game: open a new one that goes on after the step of event `seq`.

    Ruleset, seats and options are the same; whoever asks is the host and sits in seat 0, and it begins as any game
    does. Nothing is shuffled anew, so whoever has looked at the finished game knows what was hidden there. What is left
    to chance from then on is new.
    """
    games, asking, now = runtime().games, player().id, clock.now()
    with look(game_id) as looking:
        seats_there = looking.position.game.seats
    wanted = Fork(game_id, posted["seq"], terms_of(posted, seats_there))

    def open_fork(receipt: Receipt[Position] | None) -> Position:
        return fork(games, asking, wanted, now, receipt)

    return _created(*once("fork", header, [str(game_id), posted], open_fork, _seen))


def _seen(position: Position) -> dict[str, Any]:
    return table(position, seat_of(position), player().language)


def _created(shown: dict[str, Any], headers: dict[str, str]) -> Response:
    return as_json(shown, 201, {**PRIVATE, "Location": f"{PREFIX}/games/{shown['id']}", **headers})
