"""The blueprint of the HTML pages: the check of the Host, the headers, the answer while the database is down.

A view names its own address with `@web.get` or `@web.post`; `service.web.pages` lists the modules that have views.
"""

from __future__ import annotations

from functools import lru_cache
from gzip import compress
from typing import Final

from flask import Blueprint, Response, request

from service.handlers.refusals import AccountBlocked, Unavailable
from service.rules.isolation import isolated
from service.web.hosts import misdirected
from service.web.page import HEADERS, blocked_page, unavailable_page
from service.web.session import renew_session_cookie

STYLE_AGE: Final = "public, max-age=3600"
FONT_AGE: Final = "public, max-age=31536000, immutable"
"""A font that changes gets another name."""
_PACKED: Final = ("text/", "image/svg+xml")
"""What is sent compressed, by the beginning of its type; pictures and fonts are compressed already."""

web = Blueprint("web", __name__, template_folder="templates", static_folder="static", static_url_path="/look")
web.register_error_handler(Unavailable, unavailable_page)
web.register_error_handler(AccountBlocked, blocked_page)
web.before_request(misdirected)
web.add_app_template_filter(isolated)


@web.after_request
def _headed(response: Response) -> Response:
    if request.endpoint == "web.static":
        response.headers["Cache-Control"] = FONT_AGE if request.path.endswith(".woff2") else STYLE_AGE
        _pack(response)
    else:
        response.headers.update(HEADERS)
    return renew_session_cookie(response)


def _pack(response: Response) -> None:
    """Compress a style, a script or a drawing, which is the same for everybody, for browsers that can read it."""
    if not (response.mimetype or "").startswith(_PACKED):
        return
    response.vary.add("Accept-Encoding")
    if response.status_code == 200 and request.accept_encodings.quality("gzip"):
        etag, _ = response.get_etag()
        response.direct_passthrough = False
        response.set_data(_packed(response.get_data()))
        response.headers["Content-Encoding"] = "gzip"
        # The tag is that of the file, whose bytes these are not.
        response.set_etag(etag or "", weak=True)


@lru_cache(maxsize=64)
def _packed(data: bytes) -> bytes:
    return compress(data, 9, mtime=0)
