"""The pages of the leaderboards: the players of a ruleset and number of players, the best first."""

from __future__ import annotations

from typing import Final

from flask import Response, request
from marshmallow import Schema, ValidationError

from schemas.leaderboards import RatingCursor, rating_cursor
from service.handlers.transaction import transaction
from service.store.results import Category
from service.views.leaderboards import BEFORE_ALL, PLACES, At, BoardWanted, categories, leaderboard, own_place
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.session import NOBODY, current_visitor, language, missing_page, page

AT_ONCE: Final = 50


class _After(Schema):
    after = RatingCursor()


@web.get("/leaderboards")
def show_leaderboards() -> Response:
    """Show the first leaderboard that there is."""
    found = categories(current_runtime().games.rulesets)
    return show_leaderboard(*found[0]) if found else missing_page()


@web.get("/leaderboards/<ruleset>/<int:seats>")
def show_leaderboard(ruleset: str, seats: int) -> Response:
    """Show a leaderboard, from the cursor `after` on; of the `provisional` ratings if the query says so."""
    games, visitor, category = current_runtime().games, current_visitor(), Category(ruleset, seats)
    sizes: dict[str, list[int]] = {}
    for each in categories(games.rulesets):
        sizes.setdefault(each.ruleset, []).append(each.seats)
    if seats not in sizes.get(ruleset, ()):
        return missing_page()
    viewer, provisional = NOBODY if visitor is None else visitor.id, _provisional()
    with transaction(games.engine) as db:
        board = leaderboard(db, BoardWanted(category, provisional, AT_ONCE, _after()), viewer, language())
        own = None if visitor is None else own_place(db, category, viewer)
    return page(
        "ratings/leaderboard.html",
        category=category,
        titles={name: games.rulesets[name].meta.title for name in sizes},
        sizes=sizes,
        provisional=provisional,
        rows=board.rows,
        own=own,
        most=PLACES,
        following=None if board.following is None else rating_cursor(*board.following),
    )


def _provisional() -> bool:
    return request.args.get("provisional") == "true"


def _after() -> At:
    """Return the place after which the page goes on; the beginning if the address names none that was given out."""
    try:
        posted = _After().load({"after": request.args["after"]} if "after" in request.args else {})
    except ValidationError:
        return BEFORE_ALL
    return At(*posted["after"]) if "after" in posted else BEFORE_ALL
