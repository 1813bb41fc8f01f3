"""The blueprint of the HTML pages: the check of the Host, the headers, the answer while the database is down.

A view names its own address with `@web.get` or `@web.post`; `service.web.pages` lists the modules that have views.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, request

from service.handlers.refusals import AccountBlocked, Unavailable, UnknownGame
from service.rules.isolation import isolated
from service.shared.refusal import RateLimited
from service.web.compression import compress_public
from service.web.hosts import misdirected
from service.web.page import HEADERS, blocked_page, limited_page, unavailable_page
from service.web.session import missing_page, renew_session_cookie

STYLE_AGE: Final = "public, max-age=3600"
FONT_AGE: Final = "public, max-age=31536000, immutable"
"""A font that changes gets another name."""
FINDABLE: Final = frozenset({"web.start", "web.show_first_page", "web.show_lesson", "web.rules", "web.rules_of"})
"""The pages that search engines may list: they tell of games, and not of who plays them."""
_COMPRESSED: Final = ("text/", "image/svg+xml")
"""What is sent compressed, by the beginning of its type; pictures and fonts are compressed already."""

web = Blueprint("web", __name__, template_folder="templates", static_folder="static", static_url_path="/look")
web.register_error_handler(Unavailable, unavailable_page)
web.register_error_handler(AccountBlocked, blocked_page)
web.register_error_handler(RateLimited, limited_page)
web.register_error_handler(UnknownGame, lambda _: missing_page())
web.before_request(misdirected)
web.add_app_template_filter(isolated)


@web.after_request
def _headed(response: Response) -> Response:
    if request.endpoint == "web.static":
        response.headers["Cache-Control"] = FONT_AGE if request.path.endswith(".woff2") else STYLE_AGE
        if (response.mimetype or "").startswith(_COMPRESSED):
            compress_public(response)
    else:
        response.headers.update(HEADERS)
        if request.endpoint in FINDABLE and response.status_code == HTTPStatus.OK:
            del response.headers["X-Robots-Tag"]
    return renew_session_cookie(response)
