"""The blueprint of the HTML pages: the check of the Host, the headers, the answer while the database is down.

A view names its own address with `@web.get` or `@web.post`; `service.web.pages` lists the modules that have views.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, request

from service.handlers.refusals import AccountBlocked, Unavailable
from service.rules.isolation import isolated
from service.web.hosts import misdirected
from service.web.page import HEADERS, blocked_page, unavailable_page
from service.web.session import renew_session_cookie

STYLE_AGE: Final = "public, max-age=3600"

web = Blueprint("web", __name__, template_folder="templates", static_folder="static", static_url_path="/look")
web.register_error_handler(Unavailable, unavailable_page)
web.register_error_handler(AccountBlocked, blocked_page)
web.before_request(misdirected)
web.add_app_template_filter(isolated)


@web.after_request
def _headed(response: Response) -> Response:
    if request.endpoint == "web.static":
        response.headers["Cache-Control"] = STYLE_AGE
    else:
        response.headers.update(HEADERS)
    return renew_session_cookie(response)
