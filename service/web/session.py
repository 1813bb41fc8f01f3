"""Browser session: a cookie names the visitor, and a key in each form protects against cross-site requests.

Pages behind mailed links have no session: the link is the credential, and no cookie is read or set. A form of a
signed-in visitor carries `form_key`, which only pages of the same session contain.
"""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from typing import Any, Final
from uuid import UUID

from flask import Response, g, make_response, redirect, request, url_for

from service.handlers.sessions import LIFETIME, Browser, is_mark, new_mark, note_mark, recognise
from service.shared import clock
from service.texts.catalog import DEFAULT, languages, say
from service.texts.names import display_name, is_unnamed
from service.web.local_time import ago, shown_moment
from service.web.page import LANGUAGE_COOKIE, current_runtime, local_mailbox, render, visitor_language
from service.web.post_guard import version_of

NOBODY: Final = UUID(int=0)
"""Player id of visitors who are not signed in; they see public things."""
FORM_KEY: Final = "form_key"
RETURN_COOKIE: Final = "way"
"""Cookie with the path to return to after signing in."""
MARK_COOKIE: Final = "browser"
"""Cookie that tells browsers apart, signed in or not: accounts of the same browser are not rated together."""
SCRIPT_POLICY: Final = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data:; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of a page with a script: that of all pages, plus scripts and requests to this server."""
_YEAR: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Visitor:
    """Signed-in player at a browser; `form_key` is the key that the player's forms have to carry."""

    browser: Browser
    form_key: str

    @property
    def id(self) -> UUID:
        return self.browser.player.id

    @property
    def name(self) -> str:
        """Return the name as shown to the player."""
        return display_name(self.browser.player.name, self.language)

    @property
    def unnamed(self) -> bool:
        """Return whether the player has chosen no name."""
        return is_unnamed(self.browser.player.name)

    @property
    def nameless(self) -> bool:
        """Return whether the player has no name and was never asked for a name."""
        return self.unnamed and not self.browser.player.welcomed

    @property
    def language(self) -> str:
        """Return the account's language if it has texts, else the default."""
        wished = self.browser.player.language
        return wished if wished in languages() else DEFAULT

    @property
    def to_move(self) -> int:
        """Return the number of running games in which the visitor is to act."""
        return self.browser.to_move

    @property
    def time_zone(self) -> str:
        return self.browser.player.time_zone

    @property
    def guest(self) -> bool:
        """Return whether the account has no verified address, so that losing the cookie loses the account."""
        return not self.browser.player.email_verified

    @property
    def recent(self) -> bool:
        """Return whether the visitor may make things that outlive the session: guests, or after a recent sign-in.

        A guest has only the cookie to sign in with, so a thief of the cookie has the account already.
        """
        return self.guest or self.browser.is_fresh(clock.now())


def current_visitor() -> Visitor | None:
    """Return the signed-in visitor of the request, or None; looked up once per request."""
    if "visitor" not in g:
        g.visitor = _visitor()
    visitor: Visitor | None = g.visitor
    return visitor


def language_names() -> dict[str, str]:
    """Return the languages of the pages by code, each named in its own language."""
    return {each: say(each, "language-name") for each in languages()}


def language() -> str:
    """Return the language of the response: of the query, the account, the cookie, or the Accept-Language header."""
    visitor = current_visitor()
    wishes = (request.args.get("language"), visitor and visitor.language, request.cookies.get(LANGUAGE_COOKIE))
    return next((wish for wish in wishes if wish in languages()), None) or visitor_language()


def page(template: str, status: int = 200, **context: Any) -> Response:
    """Return a page of the site; templates get `visitor` and `form_key` besides the context of `render`.

    A `language` in the context overrides the visitor's.
    """
    visitor = current_visitor()
    spoken = context.pop("language", None) or language()
    key = None if visitor is None else visitor.form_key
    zone = "UTC" if visitor is None else visitor.time_zone
    return render(
        template,
        spoken,
        status,
        site=True,
        visitor=visitor,
        form_key=key,
        languages=language_names(),
        mailbox=local_mailbox(),
        version_of=version_of,
        at=lambda moment: shown_moment(moment, spoken, zone),
        ago=lambda moment: ago(moment, spoken),
        **context,
    )


def see_other(address: str) -> Response:
    """Return the redirect (303 See Other) that answers a form."""
    return make_response(redirect(address, 303))


def missing_page() -> Response:
    """Return the 404 page for a thing that does not exist, or not for this visitor."""
    return page("notice.html", 404, notice="missing")


def signed_in(view: Callable[..., Any]) -> Callable[..., Any]:
    """Pass the Visitor to the view as its first argument; redirect others to the sign-in page.

    A POST gets 403 unless the form is of the visitor's own pages.
    """

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        visitor = current_visitor()
        if request.method == "POST" and not passes_csrf_check(visitor):
            return page("notice.html", 403, notice="form-refused")
        if visitor is None:
            return see_other(url_for("web.ask_sign_in"))
        return view(visitor, *args, **kwargs)

    return guarded


def is_cross_site() -> bool:
    """Return whether another site sent the form, according to the browser's headers (Sec-Fetch-Site, Origin)."""
    if request.headers.get("Sec-Fetch-Site") in {"cross-site", "same-site"}:
        return True
    origin = request.headers.get("Origin")
    # Some privacy tools and old pages send "null"; no form is trusted for its origin alone.
    if origin is None or origin == "null":
        return False
    return origin.partition("://")[2] != request.host and origin != current_runtime().settings.base_url


def passes_csrf_check(visitor: Visitor | None) -> bool:
    """Return whether a form comes from this site and, if a visitor is signed in, carries that visitor's key."""
    if is_cross_site():
        return False
    sent = request.form.get(FORM_KEY, "")
    return visitor is None or hmac.compare_digest(sent.encode(), visitor.form_key.encode())


def set_session_cookie(response: Response, secret: str) -> Response:
    """Set the cookie with the token of a new session, and store which browser the session is in."""
    mark = request.cookies.get(MARK_COOKIE, "")
    mark = mark if is_mark(mark) else new_mark()
    note_mark(current_runtime().games, secret, mark)
    _keep(response, secret)
    response.set_cookie(MARK_COOKIE, mark, max_age=_YEAR, path="/", secure=_secure(), httponly=True, samesite="Lax")
    return response


def clear_session_cookie(response: Response) -> Response:
    response.delete_cookie(_cookie(), path="/", secure=_secure(), httponly=True, samesite="Lax")
    return response


def set_language_cookie(response: Response, wished: str) -> Response:
    """Set the language cookie, for a browser in which nobody is signed in."""
    response.set_cookie(
        LANGUAGE_COOKIE, wished, max_age=_YEAR, path="/", secure=_secure(), httponly=True, samesite="Lax"
    )
    return response


def set_return_cookie(response: Response, address: str | None, lasting: timedelta = timedelta()) -> Response:
    """Set the cookie with the path to return to after signing in; without an address, delete the cookie."""
    if address is not None:
        response.set_cookie(
            RETURN_COOKIE, address, max_age=lasting, path="/sign-in", secure=_secure(), httponly=True, samesite="Lax"
        )
    elif RETURN_COOKIE in request.cookies:
        response.delete_cookie(RETURN_COOKIE, path="/sign-in", secure=_secure(), httponly=True, samesite="Lax")
    return response


def renew_session_cookie(response: Response) -> Response:
    """Set the session cookie again if this request has prolonged the session."""
    visitor: Visitor | None = g.get("visitor")
    if visitor is not None and visitor.browser.renewed and "Set-Cookie" not in response.headers:
        return _keep(response, request.cookies[_cookie()])
    return response


def _keep(response: Response, secret: str) -> Response:
    """Set the session cookie for the lifetime of the session."""
    response.set_cookie(_cookie(), secret, max_age=LIFETIME, path="/", secure=_secure(), httponly=True, samesite="Lax")
    return response


def _visitor() -> Visitor | None:
    secret = request.cookies.get(_cookie(), "")
    runtime = current_runtime()
    browser = recognise(runtime.games, secret, writing=not runtime.mode.read_only)
    return None if browser is None else Visitor(browser, _key(secret))


def _key(secret: str) -> str:
    return b32encode(hmac.digest(secret.encode(), b"form", "sha256")[:20]).decode().lower()


def _secure() -> bool:
    return current_runtime().settings.base_url.startswith("https:")


def _cookie() -> str:
    # The prefix keeps other hosts of the domain from setting the cookie.
    return "__Host-boardroom" if _secure() else "boardroom"
