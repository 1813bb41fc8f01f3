"""What the answer of a mail server means: one table for what is said at once (SMTP) and later (bounces)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from service.store.suppression import Cause

Stage = Literal["hello", "sender", "recipient", "mail"]
Outcome = Literal["again", "address", "policy", "unknown", "outage"]
"""Try again; the address is at fault; we are (or the mail is); nobody knows; the server is out of reach."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What is to be done, and what it says about the address, if anything."""

    outcome: Outcome
    cause: Cause | None = None


_SAID: Final[tuple[tuple[str, Meaning], ...]] = (
    # Enhanced status codes (RFC 3463), the first that fits.
    (r"[45]\.2\.2", Meaning("again", "mailbox-full")),
    (r"4\.", Meaning("again")),
    (r"5\.1\.[78]", Meaning("policy")),
    (r"5\.1\.|5\.2\.1", Meaning("address", "unknown-address")),
    (r"5\.4\.[467]", Meaning("address", "not-accepted")),
    (r"5\.7\.|5\.[36]\.", Meaning("policy")),
    (r"5\.", Meaning("address", "not-accepted")),
)
_UNSAID: Final[tuple[tuple[str, str, Meaning], ...]] = (
    # Where there is none: the stage, the reply code (RFC 5321, 4.2), the first that fits.
    ("hello", "", Meaning("outage")),
    ("", "4", Meaning("again")),
    ("recipient|mail", "552", Meaning("again", "mailbox-full")),
    ("recipient", "55[013]", Meaning("address", "unknown-address")),
    ("", "5", Meaning("policy")),
)
_STATUS: Final = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")


def status_in(words: str) -> str:
    """Return the first enhanced status code in a server's words, '' where there is none."""
    found = _STATUS.search(words)
    return "" if found is None else found[1]


def meaning(status: str) -> Meaning:
    """Return what an enhanced status code of class 4 or 5 means."""
    return next(said for pattern, said in _SAID if re.match(pattern, status))


def answered(stage: Stage, code: int, words: str) -> tuple[Meaning, str]:
    """Return what a refusal at a stage means, and its enhanced status code, if any.

    The reply code says whether it is for good: a status of another class is a slip, and counts for nothing.
    """
    status = status_in(words)
    if stage != "hello" and status.startswith(str(code)[0]):
        # A sender that is refused says nothing about the recipient.
        said = meaning(status)
        return (Meaning("policy"), status) if stage == "sender" and said.outcome == "address" else (said, status)
    known = (said for where, begin, said in _UNSAID if re.match(where, stage) and re.match(begin, str(code)))
    return next(known, Meaning("again")), ""
