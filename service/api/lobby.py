"""Before the game: what there is to play, and games that are opened, joined, started and listed."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.lobby import GamesListed, GamesWanted, NewGame, Rulesets, Seated
from schemas.play import Table
from service import clock
from service.api.answers import as_json
from service.api.auth import guard, player, runtime
from service.api.contract import PREFIX, Answers, Resource
from service.api.viewers import seat_of
from service.handlers import lobby as handlers
from service.handlers.transaction import transaction
from service.views import lobby as views
from service.views.table import table

PAGE = 20

rulesets = Resource("rulesets", __name__, description="What there is to play.")
lobby = Resource("lobby", __name__, description="Games before they are played.")
guard(rulesets)
guard(lobby)


@rulesets.operation("/rulesets", Answers(schema=Rulesets), public=True)
def list_rulesets() -> Response:
    """List every kind of game, with its seats, languages and options."""
    return as_json({"items": views.rulesets(runtime().games.rulesets)})


@lobby.operation(
    "/games",
    Answers(status=201, schema=Table, headers={"Location": "Where the game is found."}),
    method="POST",
    scope="games:create",
    bucket="games",
    json=NewGame,
)
def create_game(posted: dict[str, Any]) -> Response:
    """Open a game; whoever asks is its host and sits in seat 0."""
    games, asking = runtime().games, player()
    options = posted.get("options", {})
    game_id = handlers.create(games, asking.id, posted["ruleset"], posted["seats"], options, clock.now())
    with transaction(games.engine) as db:
        position = games.open(db, game_id)
    answer = as_json(table(position, 0, player().language), 201)
    answer.headers["Location"] = f"{PREFIX}/games/{game_id}"
    return answer


@lobby.operation("/games", Answers(schema=GamesListed), scope="games:read", query=GamesWanted)
def list_games(wanted: dict[str, Any]) -> Response:
    """List the games that one sits in, the newest first."""
    limit = wanted.get("limit", PAGE)
    with transaction(runtime().games.engine) as db:
        found = views.games_of(db, player().id, wanted.get("status"), wanted.get("after"), limit + 1)
    page = found[:limit]
    return as_json({"items": page, "next": page[-1]["id"] if len(found) > limit else None})


@lobby.operation(
    "/games/<uuid:game_id>/seats",
    Answers(status=201, schema=Seated),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
)
def join_game(game_id: UUID) -> Response:
    """Sit down in the lowest free seat of an open game."""
    seat = handlers.join(runtime().games, game_id, player().id, clock.now())
    return as_json({"seat": seat}, 201)


@lobby.operation(
    "/games/<uuid:game_id>/start",
    Answers(schema=Table),
    method="POST",
    refuses=(404, 409),
    scope="games:create",
)
def start_game(game_id: UUID) -> Response:
    """Start a game whose seats are all taken; only its host may."""
    position = handlers.start(runtime().games, game_id, player().id, clock.now())
    return as_json(table(position, seat_of(position), player().language))
