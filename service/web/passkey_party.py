"""Pages on which a passkey signs in: the relying party of this service, and the page with the script for it."""

from __future__ import annotations

from typing import Any

from flask import Response, url_for

from service.handlers.relying_party import RelyingParty, relying_party
from service.web.page import current_runtime
from service.web.session import SCRIPT_POLICY, page


def current_party() -> RelyingParty | None:
    """Return the relying party of this service, None where no browser makes passkeys for its address."""
    return relying_party(current_runtime().settings.base_url)


def with_passkey(
    template: str, status: int = 200, endpoint: str | None = "web.enter_by_passkey", **context: Any
) -> Response:
    """Return a page of the site; its `passkey` is the address of the form to sign in by one, None if it cannot be.

    Without an `endpoint` there is no such form.
    """
    if endpoint is None or current_party() is None:
        return page(template, status, passkey=None, **context)
    response = page(template, status, passkey=url_for(endpoint), **context)
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response
