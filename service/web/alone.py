"""The page of the ladder that a player alone climbs by the margins of the last games."""

from __future__ import annotations

from flask import Response

from service.handlers.transaction import transaction
from service.texts.catalog import count
from service.texts.games import automaton_name
from service.views.alone import RUNGS, score_ladder_of
from service.web.blueprint import web
from service.web.first_page import ALONE, solo_meta
from service.web.page import current_runtime
from service.web.session import SCRIPT_POLICY, Visitor, language, missing_page, page, signed_in


@web.get("/games/alone")
@signed_in
def show_ladder(visitor: Visitor) -> Response:
    """Show where the visitor stands alone against the automaton; nobody else sees it."""
    games, meta = current_runtime().games, solo_meta()
    if meta is None:
        return missing_page()
    with transaction(games.engine) as db:
        ladder = score_ladder_of(db, games, visitor.id, meta.name)
    spoken, missing = language(), ladder.missing
    response = page(
        "alone.html",
        ladder=ladder,
        rungs=[(needed, count(spoken, "alone-needs", needed)) for needed in RUNGS],
        total=count(spoken, "alone-total", ladder.total),
        missing=None if missing is None else count(spoken, "alone-missing", missing),
        title=meta.title,
        opponent=automaton_name(meta, ALONE, spoken),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response
