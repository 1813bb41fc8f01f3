"""Network addresses: loopback, the network of a client, and a listening socket that servers inherit."""

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
"""Environment variable with the file descriptor of the inherited socket."""
LISTEN_BACKLOG: Final = 1024
"""Maximum connections that wait to be accepted."""


def is_loopback(host: str) -> bool:
    """Return whether a name or an IP address is a loopback one."""
    if host.lower() == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    # A dual-stack socket shows IPv4 clients with mapped addresses.
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def hostname(host: str) -> str:
    """Return the name or address in a Host header, lower case, without port, brackets and last dot; "" if malformed."""
    try:
        return (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def asks_for_loopback(host: str) -> bool:
    """Return whether a Host header names the machine itself; no foreign site can make a browser send that."""
    return hostname(host) in {"localhost", "127.0.0.1", "::1"}


@lru_cache(4096)
def network(address: str) -> str:
    """Return an IPv4 address unchanged, and the first 64 bits of an IPv6 address; `unknown` for anything else."""
    try:
        found = ip_address(address)
    except ValueError:
        return UNKNOWN_NETWORK
    if not isinstance(found, IPv6Address):
        return str(found)
    # A dual-stack socket shows IPv4 clients with mapped addresses.
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    # A client with one IPv6 address has 2**64 of them.
    return str(ip_network((found, 64), strict=False))


def inheritable_listener(host: str, port: int) -> socket.socket | None:
    """Return a listening socket; None if processes are not forked. OSError.

    Servers inherit the socket, so that connections wait during a restart, and none is refused.
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
    """Return the file descriptor of the inherited socket; None if there is none."""
    told = os.environ.get(LISTENER_VARIABLE)
    return None if told is None else int(told)
