"""Leaderboards: the players of a ruleset and number of players by their ratings."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from schemas.leaderboards import Leaderboard, LeaderboardWanted, rating_cursor
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.handlers.transaction import transaction
from service.http.responses import PRIVATE, as_json
from service.shared.refusal import NotFound
from service.store.results import Category
from service.views.leaderboards import BEFORE_ALL, At, BoardWanted, leaderboard, own_place

leaderboards = Resource("leaderboards", __name__, description="Players by their ratings.")
guard(leaderboards)

PAGE = 20


@leaderboards.operation(
    "/leaderboards/<ruleset>/<int:seats>",
    Answers(schema=Leaderboard, headers={"ETag": "Changes with the answer, and differs by viewer."}),
    refuses=(404,),
    scope="profile:read",
    query=LeaderboardWanted,
)
def get_leaderboard(wanted: dict[str, Any], ruleset: str, seats: int) -> Response:
    """List the players of a ruleset at tables of so many seats by their ratings, the best first.

    A player whose profile is not public keeps the place without a name. Players with fewer than ten rated games have a
    list of their own.
    """
    games, asking = runtime().games, player()
    if ruleset not in games.rulesets or seats < 2 or seats not in games.rulesets[ruleset].meta.seats:
        raise NotFound("leaderboard")
    category, after = Category(ruleset, seats), At(*wanted["after"]) if "after" in wanted else BEFORE_ALL
    page = BoardWanted(category, wanted.get("provisional") == "true", wanted.get("limit", PAGE), after)
    with transaction(games.engine) as db:
        board = leaderboard(db, page, asking.id, asking.language)
        own = own_place(db, category, asking.id)
    following = None if board.following is None else rating_cursor(*board.following)
    answer = as_json({"items": board.rows, "own": own, "next": following})
    answer.add_etag(weak=False)
    tag, _ = answer.get_etag()
    if tag is not None and request.if_none_match.contains(tag):
        answer = Response(status=304, headers=PRIVATE)
        answer.set_etag(tag)
    return answer
