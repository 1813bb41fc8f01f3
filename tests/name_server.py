"""A name server of its own, which knows what a test tells it."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Thread

from dns import flags, message, rcode, rrset
from dns.name import Name
from dns.rdatatype import RdataType

Zone = Mapping[tuple[str, str], list[str]]
"""Records as they are written in a zone file, by name and type."""


@contextmanager
def name_server(zone: Zone) -> Iterator[str]:
    """A name server of its own on this machine that knows the zone; a datagram of nothing ends it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as here:
        here.bind(("127.0.0.1", 0))
        serving = Thread(target=_answer_all, args=(here, zone))
        serving.start()
        try:
            yield "{}:{}".format(*here.getsockname())
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
                end.sendto(b"", here.getsockname())
            serving.join()


def _answer_all(here: socket.socket, zone: Zone) -> None:
    while True:
        wire, asker = here.recvfrom(4096)
        if not wire:
            return
        query = message.from_wire(wire)
        asked = query.question[0]
        here.sendto(_answer(query, asked.name, asked.rdtype, zone).to_wire(), asker)


def _answer(query: message.Message, name: Name, kind: RdataType, zone: Zone) -> message.Message:
    answer = message.make_response(query)
    answer.flags |= flags.RA
    text_of_it = name.to_text(omit_final_dot=True).lower()
    found = zone.get((text_of_it, kind.name))
    if found is not None:
        answer.answer.append(rrset.from_text(name, 60, "IN", kind.name, *found))
    elif not any(known == text_of_it for known, _ in zone):
        answer.set_rcode(rcode.NXDOMAIN)
    return answer
