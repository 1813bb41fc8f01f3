"""Sign-in and sign-out: by a mailed link, by a code, and anew before anything that outlives the session.

GET of a mailed link shows a button and changes nothing; POST uses up the link and signs the browser in.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.access import SignInWanted
from schemas.names import fault_of
from service.handlers import links, sessions, sign_in
from service.handlers.guest_games import SeatedTwice, seated_twice
from service.handlers.passkeys import RelyingParty, relying_party
from service.handlers.people import change_player
from service.handlers.sessions import FRESH
from service.handlers.sign_in import SignInRequest
from service.handlers.transaction import transaction
from service.shared import clock
from service.store.quotas import MailsSpent
from service.texts.catalog import languages
from service.texts.names import is_unnamed
from service.views.account import passkeys_of
from service.web.access.arrival import arrival, called, come_in, entered, own_path, said_name
from service.web.blueprint import web
from service.web.page import admitted, budget, current_runtime, render, visitor_language
from service.web.post_guard import BUTTON_FIELD, requires_form
from service.web.session import (
    RETURN_COOKIE,
    SCRIPT_POLICY,
    Visitor,
    clear_session_cookie,
    current_visitor,
    is_cross_site,
    language,
    page,
    passes_csrf_check,
    see_other,
    set_language_cookie,
    set_return_cookie,
    signed_in,
)

_WANTED = SignInWanted(only=("email",))


@web.get("/sign-in")
def ask_sign_in() -> Response:
    """Show the form that asks for a mail address; signed-in visitors go on to the path `back` of the query."""
    back = own_path(request.args.get("back", ""))
    return sign_in_form(200) if back is None or current_visitor() is None else see_other(back)


@web.post("/sign-in")
def request_sign_in() -> Response:
    """Mail a link to the address of the form; the answer does not reveal whether the address is known.

    `back` in the form is the path to return to after signing in.
    """
    if is_cross_site():
        return page("notice.html", 403, notice="form-refused")
    try:
        email = _WANTED.load({"email": request.form.get("email", "").strip()})["email"]
    except ValidationError:
        return sign_in_form(422, "ask-bad-address")
    if not admitted("sign-in", email=email):
        return page("notice.html", 429, notice="too-often")
    spoken = language()
    try:
        sign_in.ask(current_runtime().games, email, None, spoken, clock.now(), budget())
    except MailsSpent:
        return page("notice.html", 429, notice="mail-budget")
    response = page("access/sign_in_mailed.html", email=email, minutes=sign_in.MINUTES)
    return set_return_cookie(response, own_path(request.form.get("back", "")), timedelta(minutes=sign_in.MINUTES))


@web.get("/sign-in/<token>")
def show_sign_in_link(token: str) -> Response:
    """Show the button, or say that the link does not work."""
    return _link_again(token, 200)


@web.post("/sign-in/<token>")
@requires_form(show_sign_in_link, BUTTON_FIELD)
def use_sign_in(token: str) -> Response:
    """Use up the link, sign the browser in, and return to the page before, or to the visitor's games.

    With `keep` in the form, the games of the guest at this browser move to the account; if they cannot, nothing
    changes.
    """
    if is_cross_site():
        return render("notice.html", visitor_language(), 403, notice="form-refused")
    visitor, games, now = current_visitor(), current_runtime().games, clock.now()
    guest = visitor.id if visitor is not None and visitor.guest and "keep" in request.form else None
    try:
        done = sign_in.enter(games, token, guest, arrival(visitor_language(), said_name()), now)
    except ValidationError as refusal:
        return _link_again(token, 422, fault_of(refusal) or "join-bad-name")
    except SeatedTwice:
        return _link_again(token, 409)
    if done is None:
        return _unusable()
    back = own_path(request.cookies.get(RETURN_COOKIE, "")) or url_for("web.my_games")
    return set_return_cookie(entered(done.secret, back, done.moved), None)


@web.post("/sign-out")
@signed_in
def sign_out(visitor: Visitor) -> Response:
    """Sign out this browser, or with `everywhere` all browsers of the player.

    With `everywhere`, `programs` also ends tokens and apps, and `links` also replaces the links of all mails.
    """
    games, now = current_runtime().games, clock.now()
    if "everywhere" in request.form:
        sessions.sign_out_everywhere(games, visitor.id, now, programs="programs" in request.form)
        if "links" in request.form:
            links.replace_all_links(games, visitor.id, now)
    else:
        sessions.sign_out(games, visitor.browser, now)
    return clear_session_cookie(see_other(url_for("web.start")))


@web.post("/language")
def choose_language() -> Response:
    """Store the language of the form in the account, or in a cookie if nobody is signed in."""
    wished, back = request.form.get("language", ""), request.form.get("back", "/")
    visitor = current_visitor()
    if wished not in languages() or not passes_csrf_check(visitor):
        return page("notice.html", 403, notice="form-refused")
    response = see_other(own_path(back) or "/")
    if visitor is None:
        return set_language_cookie(response, wished)
    change_player(current_runtime().games, visitor.id, {"language": wished}, clock.now())
    return response


def sign_in_form(status: int, refusal: str | None = None) -> Response:
    """Return the page with the ways to sign in; keeps the input of the request's form."""
    visitor = current_visitor()
    known = "" if visitor is None else visitor.browser.player.email or ""
    written, back = request.form.get("email", known)[:254], own_path(request.values.get("back", ""))
    response = with_passkey("access/sign_in.html", status, refusal=refusal, written=written, back=back)
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response


def _link_again(token: str, status: int, refusal: str | None = None) -> Response:
    """Return the current page behind a mailed link; `refusal` is the key of the reason for refusing a form."""
    with transaction(current_runtime().games.engine) as db:
        link = sign_in.find(db, token, clock.now())
    return _unusable() if link is None else _link_page(link, status, refusal)


def _link_page(link: SignInRequest, status: int, refusal: str | None) -> Response:
    """Return the page behind a mailed link; offers a guest to move their games, or says why they cannot move."""
    visitor, tables = current_visitor(), list[tuple[str, str]]()
    guest = visitor if visitor is not None and visitor.guest else None
    if guest is not None and link.account is not None:
        with transaction(current_runtime().games.engine) as db:
            tables = called(seated_twice(db, guest.id, link.account))
    named = guest is not None and not is_unnamed(guest.browser.player.name)
    response = render(
        "access/sign_in_link.html",
        link.language,
        status,
        email=link.email,
        action=request.path,
        new=link.account is None,
        guest=None if guest is None else guest.name,
        tables=tables,
        asks_name=link.nameless and not named,
        written=request.form.get("name", "")[:60],
        refusal=refusal,
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response


def _unusable() -> Response:
    # Used, expired and unknown links get the same answer, so that nobody can tell them apart.
    return render("notice.html", visitor_language(), 410, notice="sign-in-past")


# Guard of everything that outlives a session: a thief of a cookie must not gain a lasting way in.
# `docs/decisions/lasting-things-ask-for-a-sign-in.md` lists these; `tests/web/test_lasting_things.py` checks every
# form.

View = Callable[..., Any]


def recently_signed_in(back: str) -> Callable[[View], View]:
    """Pass the Visitor to the view, as `signed_in` does; visitors without a recent sign-in sign in anew first.

    They then return to the page of the endpoint `back`.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def asked(visitor: Visitor, *args: Any, **kwargs: Any) -> Any:
            return view(visitor, *args, **kwargs) if visitor.recent else ask_anew(visitor, url_for(back))

        return declared(signed_in(asked))

    return decorate


def declared(view: View) -> View:
    """Mark a view as requiring a recent sign-in, and return it."""
    view.asks_for_recent_sign_in = True  # type: ignore[attr-defined] # read by the test over all forms
    return view


@web.get("/sign-in/anew")
@signed_in
def sign_in_anew_page(visitor: Visitor) -> Response:
    """Show how to sign in anew, for the page `back` of the query; visitors with a recent sign-in go on to that page."""
    back = own_path(request.args.get("back", "")) or url_for("web.settings")
    return see_other(back) if visitor.recent else ask_anew(visitor, back, 200)


def ask_anew(visitor: Visitor, back: str, status: int = 403) -> Response:
    """Return the page to sign in anew, which then returns to the path `back`."""
    with transaction(current_runtime().games.engine) as db:
        known = passkeys_of(db, visitor.id)
    told = {"minutes": int(FRESH.total_seconds() // 60), "email": visitor.browser.player.email, "back": back}
    return with_passkey("access/sign_in_anew.html", status, "web.enter_by_passkey" if known else None, **told)


@web.post("/sign-in-code")
def enter_by_code() -> Response:
    """Sign the browser in by a code, and return to the page before, or to the visitor's games."""
    if is_cross_site():
        return page("notice.html", 403, notice="form-refused")
    if not admitted("sign-in-code"):
        return page("notice.html", 429, notice="too-often")
    secret = sign_in.enter_sign_in_code(current_runtime().games, request.form.get("code", ""), clock.now())
    if secret is None:
        return sign_in_form(422, "code-unknown")
    return come_in(secret, own_path(request.form.get("back", "")) or url_for("web.my_games"))


# Passkeys on sign-in pages.


def current_party() -> RelyingParty | None:
    """Return the relying party of this service; None if browsers make no passkeys for its address."""
    return relying_party(current_runtime().settings.base_url)


def with_passkey(
    template: str, status: int = 200, endpoint: str | None = "web.enter_by_passkey", **context: Any
) -> Response:
    """Return a page with `passkey`: the address of the form to sign in by passkey, None if passkeys are impossible.

    Without an `endpoint` there is no such form.
    """
    if endpoint is None or current_party() is None:
        return page(template, status, passkey=None, **context)
    response = page(template, status, passkey=url_for(endpoint), **context)
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response
