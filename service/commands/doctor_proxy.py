"""Checks whether the settings agree on what stands before the web server."""

from __future__ import annotations

from typing import Final, Literal
from urllib.parse import urlsplit

from service.settings import Settings
from service.shared.loopback import is_loopback

Found = tuple[Literal["ok", "warn", "fail"], str, str]
"""The result, what was found, and what to do."""
_ADVICE: Final = "Set TRUSTED_PROXIES to the number of your own proxies before the web server."


def look_at_proxy(settings: Settings) -> Found:
    """Return whether TRUSTED_PROXIES fits to BASE_URL, HOST and PORT; the web server itself speaks no TLS."""
    why = _needs_one(settings)
    if why and not settings.proxies:
        said = f"{why}, so there is a proxy, but TRUSTED_PROXIES is 0: the limits count all clients as one address"
        return "fail", said, _ADVICE
    if not why and settings.proxies:
        said = f"TRUSTED_PROXIES is {settings.proxies}, but BASE_URL leads to the web server itself"
        return "warn", f"{said}: clients can name any address, and so get past the limits", _ADVICE
    return "ok", f"{settings.proxies} before the web server" if why else "none, as none is needed", ""


def _needs_one(settings: Settings) -> str:
    """Return why clients cannot reach the web server by BASE_URL itself, '' if they can."""
    base = urlsplit(settings.base_url)
    if base.scheme == "https":
        return "BASE_URL is https"
    if is_loopback(settings.host) and not is_loopback(base.hostname or ""):
        return f"others reach BASE_URL, and the web server listens on {settings.host} alone"
    return "" if (base.port or 80) == settings.port else f"BASE_URL has not the port {settings.port}"
