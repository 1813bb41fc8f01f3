"""The web application: the API, the pages, and how errors are answered."""

from __future__ import annotations

from types import TracebackType

from flask import Flask, Request, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadHost, HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import MapAdapter

from service.api.access import PATHS as OAUTH
from service.api.access import oauth
from service.api.cors import allow_origins
from service.api.direct import answer_actions
from service.api.docs import docs
from service.api.mount import mount_api
from service.api.operation import health
from service.api.proof import well_known
from service.http.access_log import log_failure, log_requests, trace_requests
from service.http.limits import install
from service.http.maintenance import ReadOnly, answer_read_only, install_mode
from service.http.middleware import add_headers, wrap
from service.http.problems import answer_http
from service.http.request import MAX_BODY_BYTES, CurrentRequest
from service.http.waiting_slots import WAITING_SHARE, WAITING_SLOTS, WaitingSlots
from service.runtime import Runtime
from service.web.blueprint import all_pages
from service.web.page import error_page

TRANSPORT = {"Strict-Transport-Security": "max-age=31536000"}
"""The header of every answer if BASE_URL is https (RFC 6797): for a year, and for no other host of the domain."""
_MACHINES = ("/api/", "/livez", "/readyz", "/metrics", "/.well-known/", *OAUTH)


class Boardroom(Flask):
    """Flask, except for its request, for a Host that is no name, and for its log line of an unexpected error."""

    request_class = CurrentRequest

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return the routes for a request, also for one whose Host is no name: without routes no page could be drawn.

        Pages answer such a request with 421, as every wrong Host; the API answers under every Host.
        """
        try:
            return super().create_url_adapter(request)
        except BadHost:
            if request is None:
                raise
            return self.url_map.bind("", path_info=request.path, default_method=request.method)

    def log_exception(
        self,
        exc_info: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> None:
        """Log where the error came from, without any text of the request or the data."""
        if exc_info[0] is not None:
            log_failure(exc_info)


def create_app(runtime: Runtime) -> Flask:
    """Return the app on the runtime; connects to nothing."""
    app = Boardroom(__name__, static_folder=None)
    app.config |= {
        "MAX_FORM_MEMORY_SIZE": MAX_BODY_BYTES,
        "PROPAGATE_EXCEPTIONS": False,
        "PROVIDE_AUTOMATIC_OPTIONS": False,
    }
    app.url_map.merge_slashes = False
    app.extensions["runtime"] = runtime
    answer_actions(app, runtime)
    if runtime.settings.proxies:
        wrap(app, lambda serve: ProxyFix(serve, runtime.settings.proxies, x_proto=0))
    log_requests(app)
    trace_requests(app)
    if runtime.settings.base_url.startswith("https:"):
        add_headers(app, TRANSPORT)
    allow_origins(app)
    install_mode(app, runtime.mode)
    install(app, runtime.settings)
    app.register_error_handler(HTTPException, _answer)
    app.register_error_handler(ReadOnly, _answer_read_only)
    mount_api(app, runtime.games.rulesets)
    app.extensions[WAITING_SLOTS] = WaitingSlots(runtime.settings.web_threads // WAITING_SHARE)
    app.register_blueprint(docs)
    app.register_blueprint(health)
    app.register_blueprint(well_known)
    app.register_blueprint(oauth)
    app.register_blueprint(all_pages())
    return app


def _answer(error: HTTPException) -> ResponseReturnValue:
    if request.path.startswith(_MACHINES):
        return answer_http(error)
    # A redirect is an answer already.
    return error if error.code is not None and error.code < 400 else error_page(error)


def _answer_read_only(error: ReadOnly) -> ResponseReturnValue:
    return answer_read_only(error) if request.path.startswith(_MACHINES) else error_page(error, "read-only")
