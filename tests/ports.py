"""Ports for servers that are processes of their own, and that bind them a moment later."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from itertools import count

FIRST, NUMBER = 15_000, 15_000
"""Below those that systems give to connections and for port 0: nothing takes one between the look and the bind."""
_APART = 97
_numbers = count(os.getpid() * _APART)


def free_port() -> int:
    """Return a port of 127.0.0.1 on which nobody listens, each time another one, and others than other processes."""
    for number in _numbers:
        with suppress(OSError), socket.create_server(("127.0.0.1", port := FIRST + number % NUMBER)):
            return port
    raise AssertionError("unreachable: there is always a next number")
