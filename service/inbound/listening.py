"""Whether mails can be taken in at the address of INBOUND_LISTEN, and if not, why and what to do about it."""

from __future__ import annotations

import errno
import socket
from typing import Final
from urllib.parse import urlsplit

NAME: Final = "Boardroom inbox"
"""What the inbox greets its clients by, so that another program in its place can be told from it."""
AGAIN_SECONDS: Final = 2.0
"""Seconds after which an inbox that could not listen tries again."""


def place_of(listen: str) -> str:
    """Return the host and port of an address as in INBOUND_LISTEN."""
    return urlsplit(listen).netloc


def reason_of(listen: str, refusal: OSError) -> str:
    """Return why nobody can listen on the address and what to do, as sentences for an operator."""
    where = urlsplit(listen)
    if refusal.errno == errno.EADDRINUSE:
        why = "another program has the port"
        todo = f"End that program (`ss -ltnp 'sport = :{where.port}'` names it), or set INBOUND_LISTEN to another port."
    elif refusal.errno in (errno.EACCES, errno.EPERM):
        why = "this account may not use the port"
        todo = "Set INBOUND_LISTEN to a port from 1024 on, and have your mail server deliver there."
    elif refusal.errno == errno.EADDRNOTAVAIL or isinstance(refusal, socket.gaierror):
        why = "this machine has no such address"
        todo = "Set INBOUND_LISTEN to an address that it has, such as lmtp://127.0.0.1:8024."
    else:
        why, todo = refusal.strerror or type(refusal).__name__, "Look at INBOUND_LISTEN."
    return f"{why}. {todo}"
