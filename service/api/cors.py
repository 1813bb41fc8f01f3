"""CORS: scripts of any origin may use the API, with a token and never with a cookie."""

from __future__ import annotations

from flask import Flask, Response
from werkzeug.exceptions import MethodNotAllowed

from service.api.access import PATHS
from service.api.contract import PREFIX
from service.http.middleware import add_headers
from service.http.request import current_request

EXPOSED = (
    "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotency-Replayed, Deprecation, "
    "Sunset, Maintenance, Preference-Applied"
)
SENT = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Request-Id"
REMEMBERED = 7200
"""Seconds for which a browser need not ask again."""
_OPEN = (f"{PREFIX}/", *PATHS)
"""Prefixes of the paths open to scripts of every origin."""


def allow_origins(app: Flask) -> None:
    """Answer the preflights of browsers for the API's operations, and open its answers to every origin."""
    app.before_request(_preflight)
    # Without Access-Control-Allow-Credentials a browser neither sends cookies nor shows the answer to them.
    for below in _OPEN:
        add_headers(app, {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": EXPOSED}, below)


def _preflight() -> Response | None:
    request = current_request()
    if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers:
        return None
    refusal = request.routing_exception
    # No operation is registered for OPTIONS; the refusal (405) names the methods of the address.
    if not (request.path.startswith(_OPEN) and isinstance(refusal, MethodNotAllowed)):
        return None
    answer = Response(status=204)
    answer.headers["Access-Control-Allow-Methods"] = ", ".join(sorted(refusal.valid_methods or ()))
    answer.headers["Access-Control-Allow-Headers"] = SENT
    answer.headers["Access-Control-Max-Age"] = str(REMEMBERED)
    return answer
