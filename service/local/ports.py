"""The ports of this machine: whether a program could listen on one, and one that is free."""

from __future__ import annotations

import socket


def refusal_of(host: str, port: int) -> OSError | None:
    """Return why nobody can listen on the port at the moment, None if somebody could."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except OSError as refusal:
        return refusal
    return None


def free_port() -> int:
    """Return a port of the loopback that nobody listens on."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port
