"""Signing in and out: asking for a mail, the page behind its link, and leaving.

Of the link's page GET shows a button, and changes nothing; POST uses the link up, and signs this browser in.
"""

from __future__ import annotations

import re
from datetime import timedelta

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.accounts import SignInWanted
from service.handlers import sign_in
from service.handlers.browsers import sign_out
from service.handlers.players import change
from service.handlers.transaction import transaction
from service.shared import clock
from service.store.budget import MailsSpent
from service.texts.catalog import TEXTS
from service.texts.names import newcomer
from service.web.blueprint import web
from service.web.hosts import mailbox_here
from service.web.page import admitted, answer, budget, runtime, visitor_language
from service.web.pressed import PRESS, only_pressed
from service.web.session import (
    WAY_COOKIE,
    Visitor,
    forget,
    from_elsewhere,
    genuine,
    go_to,
    language,
    page,
    remember,
    remember_language,
    remember_way,
    signed_in,
    visitor,
)

_WANTED = SignInWanted(only=("email",))
_OWN_PATH = re.compile(r"/(?![/\\])[\w/?=&.-]{0,500}", re.ASCII)


@web.get("/sign-in")
def ask_sign_in() -> Response:
    """Show the form that asks for a mail address."""
    return _asking(200)


@web.post("/sign-in")
def send_sign_in() -> Response:
    """Have a link mailed to the address of the form; the answer is the same whether it is known or not.

    A form that says where one comes from (`back`) has this browser go on there once it is signed in.
    """
    if from_elsewhere():
        return page("notice.html", 403, notice="form-refused")
    try:
        email = _WANTED.load({"email": request.form.get("email", "").strip()})["email"]
    except ValidationError:
        return _asking(422, "ask-bad-address")
    if not admitted("sign-in", email=email):
        return page("notice.html", 429, notice="too-often")
    spoken = language()
    try:
        sign_in.ask(runtime().games, email, newcomer(spoken), spoken, clock.now(), budget())
    except MailsSpent:
        return page("notice.html", 429, notice="mail-budget")
    asked = page("asked.html", email=email, minutes=sign_in.MINUTES, mailbox=mailbox_here())
    return remember_way(asked, _own_path(request.form.get("back", "")), timedelta(minutes=sign_in.MINUTES))


@web.get("/sign-in/<token>")
def show_sign_in(token: str) -> Response:
    """Show the button, or that the link does not work (any more)."""
    with transaction(runtime().games.engine) as db:
        asked = sign_in.find(db, token, clock.now())
    if asked is None:
        return _past()
    there = visitor()
    guest = there.name if there is not None and there.guest else None
    return answer("sign_in.html", asked.language, email=asked.email, action=request.path, guest=guest)


@web.post("/sign-in/<token>")
@only_pressed(show_sign_in, PRESS)
def use_sign_in(token: str) -> Response:
    """Use the link up, sign this browser in, and go on to where one came from, or to one's games.

    A guest may bring theirs along (`keep`).
    """
    if from_elsewhere():
        return answer("notice.html", visitor_language(), 403, notice="form-refused")
    there, now = visitor(), clock.now()
    guest = there.id if there is not None and there.guest and "keep" in request.form else None
    entered = sign_in.enter(runtime().games, token, guest, now)
    if entered is None:
        return _past()
    if there is not None:
        sign_out(runtime().games, there.browser, now)
    back = _own_path(request.cookies.get(WAY_COOKIE, ""))
    onward = remember_way(go_to(back or url_for("web.my_games")), None)
    return remember(onward, entered.secret)


@web.post("/sign-out")
@signed_in
def leave(there: Visitor) -> Response:
    """Sign this browser out, or all of the player's."""
    sign_out(runtime().games, there.browser, clock.now(), everywhere="everywhere" in request.form)
    return forget(go_to(url_for("web.start")))


@web.post("/language")
def choose_language() -> Response:
    """Keep the language of the form: in the account, or, where nobody has signed in, in a cookie."""
    wished, back = request.form.get("language", ""), request.form.get("back", "/")
    there = visitor()
    if wished not in TEXTS or not genuine(there):
        return page("notice.html", 403, notice="form-refused")
    answered = go_to(_own_path(back) or "/")
    if there is None:
        return remember_language(answered, wished)
    change(runtime().games, there.id, {"language": wished})
    return answered


def _own_path(written: str) -> str | None:
    # Nothing but a path of our own: what begins with two slashes is another host's.
    return written if _OWN_PATH.fullmatch(written) else None


def _asking(status: int, refusal: str | None = None) -> Response:
    there = visitor()
    known = "" if there is None else there.browser.player.email or ""
    written, back = request.form.get("email", known)[:254], _own_path(request.form.get("back", ""))
    return page("ask.html", status, refusal=refusal, written=written, back=back)


def _past() -> Response:
    # Used, too old, or never there: nobody needs to be able to tell.
    return answer("notice.html", visitor_language(), 410, notice="sign-in-past")
