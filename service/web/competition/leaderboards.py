"""Leaderboards of rated games, and the private ladder of solo games."""

from __future__ import annotations

from typing import Final

from flask import Response, request
from marshmallow import Schema, ValidationError

from schemas.competition import RatingCursor, rating_cursor
from service.handlers.transaction import transaction
from service.store.results import Category
from service.texts.catalog import count
from service.texts.games import automaton_name
from service.views.ratings import BEFORE_ALL, PLACES, At, BoardWanted, categories, leaderboard, own_place
from service.views.solo_ladder import RUNGS, score_ladder_of
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.play.computers import ALONE, solo_meta
from service.web.session import NOBODY, SCRIPT_POLICY, Visitor, current_visitor, language, missing_page, page, signed_in

PAGE_SIZE: Final = 50


class _After(Schema):
    after = RatingCursor()


@web.get("/leaderboards")
def show_leaderboards() -> Response:
    """Show the first leaderboard."""
    found = categories(current_runtime().games.rulesets)
    return show_leaderboard(*found[0]) if found else missing_page()


@web.get("/leaderboards/<ruleset>/<int:seats>")
def show_leaderboard(ruleset: str, seats: int) -> Response:
    """Show a leaderboard, from the cursor `after` on; with `provisional=true` in the query, its provisional ratings."""
    games, visitor, category = current_runtime().games, current_visitor(), Category(ruleset, seats)
    sizes: dict[str, list[int]] = {}
    for each in categories(games.rulesets):
        sizes.setdefault(each.ruleset, []).append(each.seats)
    if seats not in sizes.get(ruleset, ()):
        return missing_page()
    viewer, provisional = NOBODY if visitor is None else visitor.id, _provisional()
    with transaction(games.engine) as db:
        board = leaderboard(db, BoardWanted(category, provisional, PAGE_SIZE, _after()), viewer, language())
        own = None if visitor is None else own_place(db, category, viewer)
    return page(
        "competition/leaderboard.html",
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
    """Return the place after which the page continues; the beginning if the cursor is missing or malformed."""
    try:
        posted = _After().load({"after": request.args["after"]} if "after" in request.args else {})
    except ValidationError:
        return BEFORE_ALL
    return At(*posted["after"]) if "after" in posted else BEFORE_ALL


@web.get("/games/alone")
@signed_in
def show_ladder(visitor: Visitor) -> Response:
    """Show the visitor's rung on the ladder against the automaton; only the visitor sees the page."""
    games, meta = current_runtime().games, solo_meta()
    if meta is None:
        return missing_page()
    with transaction(games.engine) as db:
        ladder = score_ladder_of(db, games, visitor.id, meta.name)
    spoken, missing = language(), ladder.missing
    response = page(
        "competition/solo_ladder.html",
        ladder=ladder,
        rungs=[(needed, count(spoken, "alone-needs", needed)) for needed in RUNGS],
        total=count(spoken, "alone-total", ladder.total),
        missing=None if missing is None else count(spoken, "alone-missing", missing),
        title=meta.title,
        opponent=automaton_name(meta, ALONE, spoken),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response
