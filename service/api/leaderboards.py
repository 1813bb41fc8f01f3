"""Leaderboards: the players of a ruleset and number of players by their ratings."""

from __future__ import annotations

from typing import Any

from flask import Response

from schemas.competition import Leaderboard, Leaderboards, LeaderboardWanted, rating_cursor
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.handlers.transaction import transaction
from service.http.responses import as_json
from service.shared.refusal import NotFound
from service.store.results import Category
from service.views import leaderboards as views
from service.views.leaderboards import BEFORE_ALL, At, BoardWanted, categories, leaderboard, own_place

leaderboards = Resource("leaderboards", __name__, description="Players by their ratings.")
guard(leaderboards)

PAGE = 20


@leaderboards.operation("/leaderboards", Answers(schema=Leaderboards), scope="profile:read")
def list_leaderboards() -> Response:
    """List the leaderboards, one for each ruleset and number of players, with one's own rating in each."""
    games = runtime().games
    with transaction(games.engine) as db:
        return as_json({"items": views.leaderboards(db, games.rulesets, player().id)})


@leaderboards.operation(
    "/leaderboards/<ruleset>/<int:seats>",
    Answers(schema=Leaderboard),
    refuses=(404,),
    scope="profile:read",
    query=LeaderboardWanted,
)
def get_leaderboard(wanted: dict[str, Any], ruleset: str, seats: int) -> Response:
    """List the players of a ruleset at tables of so many seats by their ratings, the best first.

    A player whose profile is not public keeps the place without a name. Players with fewer than ten rated games have a
    list of their own.
    """
    games, asking, category = runtime().games, player(), Category(ruleset, seats)
    if category not in categories(games.rulesets):
        raise NotFound("leaderboard")
    after = At(*wanted["after"]) if "after" in wanted else BEFORE_ALL
    page = BoardWanted(category, wanted.get("provisional") == "true", wanted.get("limit", PAGE), after)
    with transaction(games.engine) as db:
        board = leaderboard(db, page, asking.id, asking.language)
        own = own_place(db, category, asking.id)
    following = None if board.following is None else rating_cursor(*board.following)
    return as_json({"items": board.rows, "own": own, "next": following})
