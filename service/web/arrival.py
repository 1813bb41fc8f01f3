"""Coming in at a browser where somebody may have been playing as a guest: what was the guest's comes along."""

from __future__ import annotations

from flask import Response, request, url_for

from service.handlers import browsers
from service.handlers.guest_games import MovedGames, NamedTable, SeatedTwice, bring
from service.shared import clock
from service.web.page import current_runtime, render
from service.web.session import current_visitor, language, page, see_other, set_session_cookie

LEAVE = "leave"
"""The field of a form to sign in that leaves a guest's games behind."""


def come_in(secret: str, back: str) -> Response:
    """Sign the browser in with a new session, and go to `back`; a guest's games move along unless the form has `leave`.

    Where they cannot move, the guest stays signed in, and the page says why.
    """
    games, before, now = current_runtime().games, current_visitor(), clock.now()
    if before is None or not before.guest or LEAVE in request.form:
        return entered(secret, back, MovedGames())
    account = browsers.recognise(games, secret)
    if account is None or account.player.id == before.id:
        return entered(secret, back, MovedGames())
    try:
        moved = bring(games, before.id, account.player.id, now)
    except SeatedTwice as twice:
        browsers.sign_out(games, account, now)
        email = account.player.email
        return page("seated_twice.html", 409, guest=before.name, email=email, tables=called(twice.tables))
    return entered(secret, back, moved)


def entered(secret: str, back: str, moved: MovedGames) -> Response:
    """Let the browser keep its new session in place of the one before, and go to `back`, or tell what did not move."""
    before = current_visitor()
    if before is not None:
        browsers.sign_out(current_runtime().games, before.browser, clock.now())
    if moved.whole:
        return set_session_cookie(see_other(back), secret)
    # Without the head of the site, which would be that of the guest.
    told = render("moved.html", language(), back=back, tables=called(moved.stayed), moved=moved)
    return set_session_cookie(told, secret)


def called(tables: tuple[NamedTable, ...]) -> list[tuple[str, str]]:
    """Return the names of tables, each with its address."""
    rulesets = current_runtime().games.rulesets
    return [
        (each.name or rulesets[each.ruleset].meta.title, url_for("web.show_game", game_id=each.id)) for each in tables
    ]
