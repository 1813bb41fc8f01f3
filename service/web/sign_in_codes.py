"""Signing in on another device: the code that the settings show, and the form that takes it."""

from __future__ import annotations

from flask import Response, request, url_for

from service.handlers import sign_in_codes
from service.shared import clock
from service.web.account import settings_page
from service.web.arrival import come_in, own_path
from service.web.blueprint import web
from service.web.page import admitted, current_runtime
from service.web.session import Visitor, is_cross_site, page
from service.web.sign_in import sign_in_form
from service.web.sign_in_anew import recently_signed_in


@web.post("/settings/code")
@recently_signed_in(back="web.settings")
def show_sign_in_code(visitor: Visitor) -> Response:
    """Show a new code of the player's; it stands on this page only."""
    return settings_page(200, code=sign_in_codes.give(current_runtime().games, visitor.id, clock.now()))


@web.post("/sign-in-code")
def enter_by_code() -> Response:
    """Sign the browser in by a code, and return to where the visitor came from, or to the visitor's games."""
    if is_cross_site():
        return page("notice.html", 403, notice="form-refused")
    if not admitted("sign-in-code"):
        return page("notice.html", 429, notice="too-often")
    secret = sign_in_codes.enter(current_runtime().games, request.form.get("code", ""), clock.now())
    if secret is None:
        return sign_in_form(422, "code-unknown")
    return come_in(secret, own_path(request.form.get("back", "")) or url_for("web.my_games"))
