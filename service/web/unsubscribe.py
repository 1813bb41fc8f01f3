"""The page behind a mail's link to get fewer of them: GET shows buttons and changes nothing; POST does it.

No sign-in, no cookie, no redirect: a mail program presses it as well (RFC 8058).
"""

from __future__ import annotations

from typing import Final, get_args

from flask import Response, request

from service.handlers.transaction import transaction
from service.mail.unsubscribe import Scope, Unsubscriber, carry_out, resolve
from service.web.blueprint import web
from service.web.page import answer, runtime, visitor_language
from service.web.pressed import ONE_CLICK, only_pressed

_SCOPES: Final[dict[str, Scope]] = {scope: scope for scope in get_args(Scope)}


@web.get("/u/<token>")
def show_unsubscribe(token: str) -> Response:
    """Show what there is to choose, and what one would miss."""
    whose = _whose(token)
    if whose is None:
        return _unknown()
    title = f"{runtime().games.rulesets[whose.ruleset].meta.title} #{whose.game.hex[-6:]}"
    return answer("unsubscribe.html", whose.language, title=title, kind=whose.kind, action=request.path)


@web.post("/u/<token>")
@only_pressed(show_unsubscribe, "scope", ONE_CLICK)
def unsubscribe(token: str) -> Response:
    """Do what was pressed; for one click in a mail program, no more mails of the kind."""
    whose = _whose(token)
    if whose is None:
        return _unknown()
    scope = _SCOPES.get(request.form.get("scope", ""), "kind")
    carry_out(runtime().games, whose, scope)
    return answer("unsubscribed.html", whose.language, kind=whose.kind, scope=scope, action=request.path)


def _whose(token: str) -> Unsubscriber | None:
    house = runtime()
    with transaction(house.games.engine) as db:
        return resolve(house.settings, db, token)


def _unknown() -> Response:
    return answer("notice.html", visitor_language(), 404, notice="unsubscribe-unknown")
