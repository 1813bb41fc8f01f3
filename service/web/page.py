"""Rendering shared by all pages: runtime, visitor's language, templates, errors, check of the Host header."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from flask import Response, current_app, make_response, render_template, request
from markupsafe import Markup, escape
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import HTTPException

from schemas.fields import Cursor
from service.handlers.refusals import AccountBlocked, Unavailable
from service.http.access_log import note_cause, request_id
from service.http.problems import reason
from service.http.request import accept_language
from service.mail.bidi import with_bdi
from service.runtime import Runtime
from service.shared.network import asks_for_loopback, hostname, is_loopback
from service.shared.refusal import RateLimited
from service.store.quotas import Budget
from service.texts.catalog import DEFAULT, languages, say, text
from service.texts.games import only_in, unit_count, unit_heading, unit_number
from service.texts.when import moment
from service.views.pages import TOP

LANGUAGE_COOKIE: Final = "language"
"""Cookie with the language chosen in a browser in which nobody is signed in."""
HEADERS: Final = {
    # With a stricter policy browsers would send "Origin: null" with our own forms.
    "Referrer-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
}
"""Headers of pages and error pages, besides those of every response."""
RETRY_SECONDS: Final = 2
"""Retry-After of the page for an unreachable database."""
_NOTICES: Final[Mapping[int, str]] = {404: "unknown", 405: "not-there", 413: "too-large", 503: "later"}


def current_runtime() -> Runtime:
    """Return the runtime that the app was created with."""
    runtime = current_app.extensions["runtime"]
    assert isinstance(runtime, Runtime)  # noqa: S101 # for the type checker
    return runtime


def visitor_language() -> str:
    """Return the language of the Accept-Language header, or the default; for visitors who are not signed in."""
    return accept_language() or DEFAULT


def admitted(bucket: str, account: UUID | None = None, email: str | None = None) -> bool:
    """Count a form in a bucket of the rate limits; return whether the form is within the limit."""
    admits = current_app.extensions["admits"]
    return bool(admits(bucket, account, email))


def budget() -> Budget:
    """Return the quota of mails for the current form."""
    of_form: Budget = current_app.extensions["budget"]()
    return of_form


def render(template: str, language: str, status: int = 200, **context: Any) -> Response:
    """Return the rendered page; templates get `language`, `say(key, **values)`, `only_in(meta)`, and the context.

    Templates also get `unit_number(ruleset, turn)`, `unit_heading` and `unit_count` (texts/games.py).
    """
    functions = {"say": partial(_say, language), "only_in": lambda meta: only_in(meta, language)}
    functions |= {each.__name__: partial(each, language=language) for each in (unit_number, unit_heading, unit_count)}
    zone = getattr(context.get("visitor"), "time_zone", "UTC")
    context["announced"] = current_runtime().mode.now.maintenance
    context["announced_at"] = lambda at: moment(at, language, zone)
    html = render_template(template, language=language, **functions, **context)
    return make_response(with_bdi(html), status)


def _say(language: str, key: str, **values: object) -> str:
    """Return the text of a key; markup if a value is markup, since a moment is an element."""
    if any(isinstance(value, Markup) for value in values.values()):
        return escape(text(language, key)).format(**values)
    return say(language, key, **values)


def unknown_page() -> Response:
    """Return the page for an unknown address or token, with status 404."""
    return render("notice.html", visitor_language(), 404, notice="unknown")


def error_page(error: HTTPException, notice: str | None = None) -> Response:
    """Return the page for an error, with the error's status: what went wrong, and what to do; `notice` is its text."""
    status = error.code or 500
    notice = notice or _NOTICES.get(status, "broken" if status >= 500 else "not-read")
    reference = request_id() if status == 500 else None
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    shown = render(
        "notice.html", chosen if chosen in languages() else visitor_language(), status, notice=notice, id=reference
    )
    # The address may hold a valid token with a mistyped end, so the page must not pass the address on.
    shown.headers.update(HEADERS)
    shown.headers.extend((name, value) for name, value in error.get_headers() if name in ("Allow", "Retry-After"))
    return shown


def blocked_page(blocked: AccountBlocked) -> Response:
    """Return the page for an account or an address that an operator has blocked, with status 403."""
    return render("notice.html", visitor_language(), 403, notice="blocked", reason=blocked.members["reason"])


def limited_page(limited: RateLimited) -> Response:
    """Return the page for a rate limit that was exceeded, with status 429 and the reason."""
    language = visitor_language()
    shown = render("notice.html", language, 429, notice="too-often", why=reason(limited, language))
    if limited.retry_after is not None:
        shown.headers["Retry-After"] = str(limited.retry_after)
    return shown


def unavailable_page(refusal: Unavailable) -> Response:
    """Return the page for an unreachable database, with status 503."""
    note_cause(refusal)
    shown = render("notice.html", visitor_language(), 503, notice="later")
    shown.headers["Retry-After"] = str(RETRY_SECONDS)
    return shown


# Check of the Host header, against DNS rebinding.

_FOR_ANYBODY: Final = {"web.static", "web.receive_mail"}
"""Endpoints that read no cookie and show nothing private; they answer under every Host."""


def misdirected() -> Response | None:
    """Answer 421 (RFC 9110, section 15.5.20) unless the Host is that of BASE_URL, or, on loopback, a loopback name.

    Ports are ignored. The API answers under every Host, since it reads tokens and no cookies. So do /livez, /readyz and
    /metrics, since probes request them by the address of a machine.
    """
    settings = current_runtime().settings
    named = hostname(request.host)
    if request.endpoint in _FOR_ANYBODY or named == hostname(urlsplit(settings.base_url).netloc):
        return None
    if is_loopback(settings.host) and asks_for_loopback(request.host):
        return None
    return render("misdirected.html", visitor_language(), 421, base=settings.base_url)


def local_mailbox() -> Path | None:
    """Return the folder of the local mail sink if the client and the Host are loopback addresses; else None.

    The client is the peer, or the address that the configured proxies name. A request forwarded by an unknown proxy may
    come from anywhere, and gets None.
    """
    settings = current_runtime().settings
    unknown_proxy = not settings.proxies and "X-Forwarded-For" in request.headers
    here = asks_for_loopback(request.host) and is_loopback(request.remote_addr or "") and not unknown_proxy
    return settings.mailbox if here else None


class _After(Schema):
    after = Cursor()


def requested_place() -> tuple[datetime, UUID]:
    """Return the place in a list that `after` in the query names; the beginning if `after` is missing or malformed."""
    try:
        place: tuple[datetime, UUID] = _After().load({"after": request.args.get("after", "")})["after"]
    except ValidationError:
        return TOP
    return place
