"""The check of the Host header, against DNS rebinding: another site may let its own name point to this server."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from flask import Response, request

from service.shared.loopback import asks_for_loopback, hostname, is_loopback
from service.web.page import current_runtime, render, visitor_language

_FOR_ANYBODY: Final = {"web.static", "web.receive_mail"}
"""Endpoints that read no cookie and show nothing private; they answer under every Host."""


def misdirected() -> Response | None:
    """Answer 421 (RFC 9110, section 15.5.20) unless the Host is that of BASE_URL, or, on loopback, a loopback name.

    Ports are ignored. The API answers under every Host, since it reads tokens and no cookies. So do /livez, /readyz
    and /metrics, which probes request by the address of a machine.
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

    The client is the peer, or the address that the configured proxies name. A request that an unknown proxy has
    forwarded may come from anywhere, and gets None.
    """
    settings = current_runtime().settings
    unknown_proxy = not settings.proxies and "X-Forwarded-For" in request.headers
    here = asks_for_loopback(request.host) and is_loopback(request.remote_addr or "") and not unknown_proxy
    return settings.mailbox if here else None
