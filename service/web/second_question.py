"""The question before an action that shows something hidden, which a player can switch off in a browser."""

from __future__ import annotations

from typing import Final

from flask import Response, request, url_for

from service.store.position import Position
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.session import Visitor, see_other, signed_in

COOKIE: Final = "at_once"
"""The cookie of a browser in which nothing is asked twice."""
_YEAR: Final = 365 * 24 * 3600


def asks_twice(position: Position) -> bool:
    """Return whether an action that shows something hidden is asked for once more; never in a game of one player."""
    return position.game.seats > 1 and COOKIE not in request.cookies


def at_once() -> bool:
    """Return whether the question is switched off in this browser."""
    return COOKIE in request.cookies


@web.post("/settings/second-question")
@signed_in
def choose_second_question(_: Visitor) -> Response:
    """Ask twice in this browser (`asked` in the form), or no longer."""
    response = see_other(url_for("web.settings", saved=""))
    if "asked" in request.form:
        response.delete_cookie(COOKIE, path="/")
    else:
        secure = current_runtime().settings.base_url.startswith("https:")
        response.set_cookie(COOKIE, "yes", max_age=_YEAR, path="/", secure=secure, httponly=True, samesite="Lax")
    return response
