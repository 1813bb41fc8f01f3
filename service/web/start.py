"""The start page: what this is, a game at a glance, and the way into it."""

from __future__ import annotations

from flask import Response

from service.web.blueprint import web
from service.web.hosts import mailbox_here
from service.web.page import runtime
from service.web.rules import at_a_glance
from service.web.session import LIVELY, language, page


@web.get("/")
def start() -> Response:
    """Show what this is, and how to begin; the first game is the one in the picture."""
    house, spoken = runtime(), language()
    rulesets = list(house.games.rulesets.values())
    answer = page(
        "start.html",
        games=[(each.meta, each.guide(spoken)) for each in rulesets],
        solo=any(1 in each.meta.seats for each in rulesets),
        example=at_a_glance(rulesets[0]),
        mailbox=mailbox_here(),
    )
    answer.headers["Content-Security-Policy"] = LIVELY
    return answer
