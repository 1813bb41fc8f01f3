"""The results of our own mail server's checks: Authentication-Results (RFC 8601) that nobody else can have written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from service.inbound.headers import IncomingMail
from service.inbound.structured import plain

_NAME: Final = re.compile(r"\s*(\S+)(?:\s+(\d+))?\s*")
_RESULT: Final = re.compile(r"\s*([a-z][a-z0-9-]*)\s*(?:/\s*(\d+)\s*)?=\s*([a-z]+)(?=\s|$)(.*)", re.DOTALL)
_PROPERTY: Final = re.compile(r"(?<!\S)([a-z][a-z0-9-]*)\s*\.\s*([a-z][a-z0-9-]*)\s*=\s*(\S+)")
_RECEIVED_BY: Final = re.compile(r"(?:^|\s)by\s+([a-z0-9.-]+)")

_RECEIVED_AS: Final = re.compile(r"\sid\s+([^\s;]+)")


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


def results(mail: IncomingMail, server: str) -> list[Result]:
    """Return what our server, by its authserv-id, has written on a mail.

    Each server writes on top of what it got (RFC 8601, 4.1), so all above our own line of Received is ours. Many
    filters write just beneath it, though, where the next field may have come with the mail (section 5). There the
    topmost counts, and others that name the job under which the mail was received: `authserv-id/job`, which nobody
    knows before. What stands beneath a line of Received that is not ours is never read.
    """
    every: list[Result] = []
    topmost: list[Result] | None = None
    beneath: str | None = None
    for header, value in mail.headers:
        if header == "received":
            job = _job(value, server.lower())
            if topmost is not None and job is not None and beneath is None:
                return every
            if topmost is not None or job is None:
                break
            beneath = job
        elif header == "authentication-results":
            field = _results(value, server.lower())
            if field is None or (beneath is not None and field[0] not in ("", beneath)):
                break
            if topmost is None:
                every = topmost = field[1]
            elif beneath is None or (beneath and field[0] == beneath):
                every = [*every, *field[1]]
    return (topmost if beneath is None else every) or []


def _results(field: str, server: str) -> tuple[str, list[Result]] | None:
    """Return the job that a field names, if any, and the results in it.

    None if it is not our server's, or nobody can tell where its parts end.
    """
    name, *parts = (plain(field) or "").lower().split(";")
    found = _NAME.fullmatch(name)
    if found is None or found[1].partition("/")[0] != server or found[2] not in (None, "1"):
        return None
    return found[1].partition("/")[2], [
        Result(each[1], each[3], tuple((f"{kind}.{name}", value) for kind, name, value in _PROPERTY.findall(each[4])))
        for part in parts
        if (each := _RESULT.fullmatch(part)) and each[2] in (None, "1")
    ]


def _job(received: str, server: str) -> str | None:
    """Return the job under which our server has received a mail by that line, empty if it names none.

    None if it was not our server: that receives under its authserv-id, or a name related to it.
    """
    text = (plain(received) or "").lower()
    by, job = _RECEIVED_BY.search(text), _RECEIVED_AS.search(text)
    if by is None or not related(by[1].rstrip("."), server):
        return None
    return job[1] if job else ""


def related(one: str, other: str) -> bool:
    """Return whether two domains are the same, or one is within the other; within a top-level domain is no relation."""
    shorter, longer = sorted((one, other), key=len)
    return one == other or ("." in shorter and longer.endswith(f".{shorter}"))
