"""Blueprint of all pages: registry of views, headers, compression, error handlers.

A view declares its address with `@web.get` or `@web.post`. `all_pages` imports every module of the room.
"""

from __future__ import annotations

from functools import lru_cache
from gzip import compress
from http import HTTPStatus
from importlib import import_module
from pkgutil import walk_packages
from typing import Final

from flask import Blueprint, Response, request

import service.web
from service.handlers.refusals import AccountBlocked, Unavailable, UnknownGame
from service.http.responses import packed, takes_gzip
from service.rules.bidi import isolated
from service.shared.refusal import RateLimited
from service.web.page import HEADERS, blocked_page, limited_page, misdirected, unavailable_page
from service.web.session import missing_page, renew_session_cookie

STYLE_AGE: Final = "public, max-age=3600"
FONT_AGE: Final = "public, max-age=31536000, immutable"
"""A changed font gets another name."""
FINDABLE: Final = frozenset({"web.start", "web.show_first_page", "web.show_lesson", "web.rules", "web.rules_of"})
"""Endpoints that search engines may list: pages about games, never about players."""
_COMPRESSED: Final = ("text/", "image/svg+xml")
"""Prefixes of the content types to compress; pictures and fonts are compressed already."""
_OWN_FETCH_SITES: Final = frozenset({"same-origin", "none"})
"""Values of Sec-Fetch-Site for a request of our own pages, and for an address that a person has typed."""

web = Blueprint("web", __name__, template_folder="templates", static_folder="static", static_url_path="/look")
web.register_error_handler(Unavailable, unavailable_page)
web.register_error_handler(AccountBlocked, blocked_page)
web.register_error_handler(RateLimited, limited_page)
web.register_error_handler(UnknownGame, lambda _: missing_page())
web.before_request(misdirected)
web.add_app_template_filter(isolated)


def all_pages() -> Blueprint:
    """Import every module of the room, so that its views register; return the blueprint."""
    for module in walk_packages(service.web.__path__, "service.web."):
        import_module(module.name)
    return web


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


def compress_public(response: Response) -> None:
    """Compress a public response; the compressed bytes are cached."""
    if _is_wanted(response):
        etag, _ = response.get_etag()
        response.direct_passthrough = False
        _replace(response, _packed(response.get_data()))
        if etag:
            # The strong ETag belongs to the uncompressed file.
            response.set_etag(etag, weak=True)


def compress_page(response: Response) -> None:
    """Compress a page, unless another site may have put words into the page (BREACH).

    The length of a compressed page reveals whether injected words occur elsewhere in the page. So a page whose address
    has a query is compressed only if no other site can have caused the request. Players also inject words, by talking
    at a table; a name of random length in the head hides the length of the rest.
    """
    wanted = takes_gzip(response)
    if wanted and not (request.query_string and request.headers.get("Sec-Fetch-Site") not in _OWN_FETCH_SITES):
        _replace(response, packed(response.get_data()))


def _is_wanted(response: Response) -> bool:
    # Unlike `takes_gzip`, accept streams: a static file is one.
    response.vary.add("Accept-Encoding")
    return response.status_code == 200 and request.accept_encodings.quality("gzip") > 0


def _replace(response: Response, packed: bytes) -> None:
    response.set_data(packed)
    response.headers["Content-Encoding"] = "gzip"


@lru_cache(maxsize=64)
def _packed(data: bytes) -> bytes:
    return compress(data, 9, mtime=0)
