"""The page behind the unsubscribe link of a mail: GET shows buttons and changes nothing; POST unsubscribes.

It needs no sign-in and no cookie and does not redirect, since mail programs POST to it too (RFC 8058).
"""

from __future__ import annotations

from typing import Final, get_args

from flask import Response, request

from service.handlers.transaction import transaction
from service.mail.unsubscribe import Scope, Unsubscriber, carry_out, resolve
from service.web.blueprint import web
from service.web.form_sent import ONE_CLICK, requires_form
from service.web.page import current_runtime, render, visitor_language

_SCOPES: Final[dict[str, Scope]] = {scope: scope for scope in get_args(Scope)}


@web.get("/u/<token>")
def show_unsubscribe(token: str) -> Response:
    """Show from which mails the player can unsubscribe, and what they are for."""
    unsubscriber = _unsubscriber(token)
    if unsubscriber is None:
        return _unknown()
    title = _title(unsubscriber)
    return render("unsubscribe.html", unsubscriber.language, title=title, kind=unsubscriber.kind, action=request.path)


@web.post("/u/<token>")
@requires_form(show_unsubscribe, "scope", ONE_CLICK)
def unsubscribe(token: str) -> Response:
    """Unsubscribe from the `scope` of the form; for one click in a mail program, from mails of this kind."""
    unsubscriber = _unsubscriber(token)
    if unsubscriber is None:
        return _unknown()
    scope = _SCOPES.get(request.form.get("scope", ""), "kind")
    if unsubscriber.game is None and scope in ("game", "game-again"):
        return show_unsubscribe(token)
    carry_out(current_runtime().games, unsubscriber, scope)
    return render("unsubscribed.html", unsubscriber.language, kind=unsubscriber.kind, scope=scope, action=request.path)


def _title(whose: Unsubscriber) -> str | None:
    """Return how the game of the mail is called; None if it was about none."""
    if whose.game is None or whose.ruleset is None:
        return None
    return f"{current_runtime().games.rulesets[whose.ruleset].meta.title} #{whose.game.hex[-6:]}"


def _unsubscriber(token: str) -> Unsubscriber | None:
    runtime = current_runtime()
    with transaction(runtime.games.engine) as db:
        return resolve(runtime.settings, db, token)


def _unknown() -> Response:
    return render("notice.html", visitor_language(), 404, notice="unsubscribe-unknown")
