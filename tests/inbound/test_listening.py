"""Reasons why an inbox cannot listen, as an operator reads them."""

from __future__ import annotations

import errno
import os
import socket

import pytest

from service.inbound.listener import listen_refusal, place_of
from service.local.up import port_refusal


def test_a_port_that_another_program_has_is_said_with_what_names_that_program() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refusal = port_refusal("127.0.0.1", port)
    assert refusal
    assert listen_refusal(f"lmtp://127.0.0.1:{port}", refusal) == (
        f"another program has the port. End that program (`ss -ltnp 'sport = :{port}'` names it), "
        "or set INBOUND_LISTEN to another port."
    )


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        (OSError(errno.EACCES, os.strerror(errno.EACCES)), "this account may not use the port. Set INBOUND_LISTEN to"),
        (
            OSError(errno.EADDRNOTAVAIL, ""),
            "this machine has no such address. Set INBOUND_LISTEN to an address that it",
        ),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "this machine has no such address."),
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files. Look at INBOUND_LISTEN."),
    ],
)
def test_each_reason_says_what_to_do(refusal: OSError, said: str) -> None:
    assert listen_refusal("lmtp://192.0.2.1:24", refusal).startswith(said)
    assert place_of("lmtp://192.0.2.1:24") == "192.0.2.1:24"
