"""The start page: what Boardroom is, a game at a glance, and how to begin."""

from __future__ import annotations

from flask import Response

from service.texts.names import spoken_of
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.rules import at_a_glance
from service.web.session import SCRIPT_POLICY, language, page


@web.get("/")
def start() -> Response:
    """Show the start page; its picture is that of the first ruleset."""
    runtime, spoken = current_runtime(), language()
    rulesets = list(runtime.games.rulesets.values())
    response = page(
        "start.html",
        games=[(each.meta, each.guide(spoken_of(each.meta, spoken))) for each in rulesets],
        solo=any(1 in each.meta.seats for each in rulesets),
        example=at_a_glance(rulesets[0]),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response
