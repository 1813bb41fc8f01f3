"""The results of our own mail server's checks: Authentication-Results (RFC 8601) that nobody else can have written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from service.mail.inbound.reading import Mail
from service.mail.inbound.structured import plain

_NAME: Final = re.compile(r"\s*(\S+)(?:\s+(\d+))?\s*")
_RESULT: Final = re.compile(r"\s*([a-z][a-z0-9-]*)\s*(?:/\s*(\d+)\s*)?=\s*([a-z]+)(?=\s|$)(.*)", re.DOTALL)
_PROPERTY: Final = re.compile(r"(?<!\S)([a-z][a-z0-9-]*)\s*\.\s*([a-z][a-z0-9-]*)\s*=\s*(\S+)")
_RECEIVED_BY: Final = re.compile(r"(?:^|\s)by\s+([a-z0-9.-]+)")


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one method, such as `dmarc`, and its properties by names such as `header.from`; lower case."""

    method: str
    verdict: str
    properties: tuple[tuple[str, str], ...]

    def domain(self, name: str) -> str | None:
        """Return the domain that a property names, alone or in an address; None unless it is given exactly once."""
        values = [value for each, value in self.properties if each == name]
        return values[0].rpartition("@")[2].rstrip(".") if len(values) == 1 else None


def results(mail: Mail, server: str) -> list[Result]:
    """Return what our server, by its authserv-id, has written on a mail.

    Each server writes on top of what it got (RFC 8601, 4.1), so all above our own line of Received is ours. Where
    that does not mark the end, only the topmost field counts: the next may have come with the mail (section 5). What
    stands beneath a line of Received that is not ours is never read.
    """
    every: list[Result] = []
    topmost: list[Result] | None = None
    beneath = False
    for header, value in mail.headers:
        if header == "received":
            if not _is_ours(value, server.lower()):
                break
            if topmost is not None:
                return every
            beneath = True
        elif header == "authentication-results":
            field = _results(value, server.lower())
            topmost = (field or []) if topmost is None else topmost
            if field is None or beneath:
                break
            every += field
    return topmost or []


def _results(field: str, server: str) -> list[Result] | None:
    """Return the results in a field; None if it is not our server's, or nobody can tell where its parts end."""
    name, *parts = (plain(field) or "").lower().split(";")
    found = _NAME.fullmatch(name)
    if found is None or found[1] != server or found[2] not in (None, "1"):
        return None
    return [
        Result(each[1], each[3], tuple((f"{kind}.{name}", value) for kind, name, value in _PROPERTY.findall(each[4])))
        for part in parts
        if (each := _RESULT.fullmatch(part)) and each[2] in (None, "1")
    ]


def _is_ours(received: str, server: str) -> bool:
    """Return whether our server has received the mail by that line: under its authserv-id, or a name related to it."""
    found = _RECEIVED_BY.search((plain(received) or "").lower())
    return found is not None and related(found[1].rstrip("."), server)


def related(one: str, other: str) -> bool:
    """Return whether two domains are the same, or one is within the other; within a top-level domain is no relation."""
    shorter, longer = sorted((one, other), key=len)
    return one == other or ("." in shorter and longer.endswith(f".{shorter}"))
