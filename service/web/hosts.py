"""Under which addresses the pages are shown: another site may have its own name lead here (DNS rebinding)."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from flask import Response, request

from service.shared.loopback import asks_for_loopback, hostname, is_loopback
from service.web.page import current_runtime, render, visitor_language

_FOR_ANYBODY: Final = {"web.static", "web.receive_mail"}
"""What rests on no cookie, and shows nothing of anybody's."""


def misdirected() -> Response | None:
    """Answer 421 (RFC 9110, section 15.5.20) where the Host is neither BASE_URL's nor, at loopback, one of loopback.

    Ports do not count. The API is under every Host, since it takes no cookies: who is to act there brings a token
    along. So are /livez, /readyz and /metrics, which probes ask for by the address of a machine.
    """
    settings = current_runtime().settings
    named = hostname(request.host)
    if request.endpoint in _FOR_ANYBODY or named == hostname(urlsplit(settings.base_url).netloc):
        return None
    if is_loopback(settings.host) and asks_for_loopback(request.host):
        return None
    return render("misdirected.html", visitor_language(), 421, base=settings.base_url)


def local_mailbox() -> Path | None:
    """Return the folder of the local mail sink for somebody at this machine who asks for this machine; else None.

    Who asks is the peer, or who the proxies name; what a proxy hands on that nobody has told us of comes from anywhere.
    """
    settings = current_runtime().settings
    unknown_proxy = not settings.proxies and "X-Forwarded-For" in request.headers
    here = asks_for_loopback(request.host) and is_loopback(request.remote_addr or "") and not unknown_proxy
    return settings.mailbox if here else None
