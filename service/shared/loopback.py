"""From where a server is reached: from its own machine alone, or from others too."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    """Return whether a name or an IP address is one that a machine has for itself alone."""
    if host.lower() == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    # What comes over IPv4 has such an address where a server listens at both.
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def hostname(host: str) -> str:
    """Return the name or address in a Host header, in lower case and without port, brackets and last dot; or ''."""
    try:
        return (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def asks_for_loopback(host: str) -> bool:
    """Return whether a Host header names the machine itself, as no foreign site can make a browser do."""
    return hostname(host) in {"localhost", "127.0.0.1", "::1"}
