"""Addresses of the network: loopback, the network of a client, and a listening socket that servers inherit."""

from __future__ import annotations

import os
import socket
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from multiprocessing import get_start_method
from typing import Final
from urllib.parse import urlsplit

UNKNOWN_NETWORK = "unknown"
LISTENER_VARIABLE: Final = "INHERITED_LISTENER"
"""The variable with the file number of the inherited socket."""
LISTEN_BACKLOG: Final = 1024
"""Connections that may wait to be accepted."""


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


@lru_cache(4096)
def network(address: str) -> str:
    """Return an IPv4 address as it is, and of an IPv6 address its first 64 bits; `unknown` for what is neither."""
    try:
        found = ip_address(address)
    except ValueError:
        return UNKNOWN_NETWORK
    if not isinstance(found, IPv6Address):
        return str(found)
    # A socket for both kinds of addresses shows the older kind within the newer one.
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    # A client with one IPv6 address has 2**64 of them.
    return str(ip_network((found, 64), strict=False))


def inheritable_listener(host: str, port: int) -> socket.socket | None:
    """Return a listening socket; None where processes are not forked. OSError.

    Servers inherit the socket, so that connections wait while a server is restarted, and none is refused.
    """
    if get_start_method() != "fork":
        return None
    family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(LISTEN_BACKLOG)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


def inherited_listener() -> int | None:
    """Return the number of the file of the socket that this process has inherited; None if it has none."""
    told = os.environ.get(LISTENER_VARIABLE)
    return None if told is None else int(told)
