"""A listening socket that outlives the server: while that starts again, connections wait and none is refused."""

from __future__ import annotations

import os
import socket
from multiprocessing import get_start_method
from typing import Final

LISTENER_VARIABLE: Final = "INHERITED_LISTENER"
"""Holds the number of the socket's file in the environment of a server."""
BACKLOG: Final = 1024
"""The most connections that wait to be taken."""


def listen(host: str, port: int) -> socket.socket | None:
    """Return a socket that listens, for servers to inherit; None where their processes are not forked. OSError."""
    if get_start_method() != "fork":
        return None
    family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


def number() -> int | None:
    """Return the number of the file of the socket that this process has inherited; None if it has none."""
    told = os.environ.get(LISTENER_VARIABLE)
    return None if told is None else int(told)
