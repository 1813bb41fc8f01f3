"""The pages of the leaderboards: the players of a ruleset and number of players, the best first."""

from __future__ import annotations

from typing import Final

from flask import Response, request
from marshmallow import Schema, ValidationError

from schemas.leaderboards import RatingCursor, rating_cursor
from service.handlers.transaction import transaction
from service.store.results import Category
from service.views.leaderboards import BEFORE_ALL, PLACES, At, BoardWanted, leaderboard, own_place
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.session import NOBODY, current_visitor, language, missing_page, page

AT_ONCE: Final = 50


class _After(Schema):
    after = RatingCursor()


@web.get("/leaderboards")
def show_leaderboards() -> Response:
    """Show the first leaderboard that there is."""
    rulesets = current_runtime().games.rulesets
    found = ((name, seats) for name, each in rulesets.items() for seats in each.meta.seats if seats > 1)
    first = next(found, None)
    return missing_page() if first is None else show_leaderboard(*first)


@web.get("/leaderboards/<ruleset>/<int:seats>")
def show_leaderboard(ruleset: str, seats: int) -> Response:
    """Show a leaderboard, from the cursor `after` on; of the `provisional` ratings if the query says so."""
    games, visitor = current_runtime().games, current_visitor()
    sizes = {name: [each for each in found.meta.seats if each > 1] for name, found in games.rulesets.items()}
    if seats not in sizes.get(ruleset, ()):
        return missing_page()
    viewer, category, provisional = NOBODY if visitor is None else visitor.id, Category(ruleset, seats), _provisional()
    with transaction(games.engine) as db:
        board = leaderboard(db, BoardWanted(category, provisional, AT_ONCE, _after()), viewer, language())
        own = None if visitor is None else own_place(db, category, viewer)
    return page(
        "ratings/leaderboard.html",
        category=category,
        titles={name: found.meta.title for name, found in games.rulesets.items() if sizes[name]},
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
