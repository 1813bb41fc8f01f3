"""Meaning of a mail server's answers: one table for replies (SMTP) and for bounces."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from service.store.mail import SuppressionCause

Stage = Literal["hello", "sender", "recipient", "mail"]
Outcome = Literal["again", "address", "policy", "unknown", "outage"]
"""Try again; the address is at fault; the sender or the mail is; it is unknown whether it was taken; an outage."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """Outcome for the mail, and the cause to record for the address, if any."""

    outcome: Outcome
    cause: SuppressionCause | None = None


_BY_STATUS: Final[tuple[tuple[str, Meaning], ...]] = (
    # Enhanced status codes (RFC 3463), the first that fits.
    (r"[45]\.2\.2", Meaning("again", "mailbox-full")),
    (r"4\.", Meaning("again")),
    (r"5\.1\.[78]", Meaning("policy")),
    (r"5\.1\.|5\.2\.1", Meaning("address", "unknown-address")),
    (r"5\.4\.[467]", Meaning("address", "not-accepted")),
    (r"5\.7\.|5\.[36]\.", Meaning("policy")),
    (r"5\.", Meaning("address", "not-accepted")),
)
_BY_REPLY_CODE: Final[tuple[tuple[str, str, Meaning], ...]] = (
    # Without a status code: the stage and the reply code (RFC 5321, 4.2), the first that fits.
    ("hello", "", Meaning("outage")),
    ("", "4", Meaning("again")),
    ("recipient|mail", "552", Meaning("again", "mailbox-full")),
    ("recipient", "55[013]", Meaning("address", "unknown-address")),
    ("", "5", Meaning("policy")),
)
_STATUS: Final = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")


def find_status(words: str) -> str:
    """Return the first enhanced status code in a server's reply, '' if there is none."""
    found = _STATUS.search(words)
    return "" if found is None else found[1]


def status_meaning(status: str) -> Meaning:
    """Return what an enhanced status code of class 4 or 5 means."""
    return next(meaning for pattern, meaning in _BY_STATUS if re.match(pattern, status))


def reply_meaning(stage: Stage, code: int, words: str) -> tuple[Meaning, str]:
    """Return the meaning of a refusal at a stage, and its enhanced status code, '' if it has none.

    The reply code decides whether the refusal is permanent: a status code of another class is ignored.
    """
    status = find_status(words)
    if stage != "hello" and status.startswith(str(code)[0]):
        # The refusal of a sender says nothing about the recipient.
        found = status_meaning(status)
        return (Meaning("policy"), status) if stage == "sender" and found.outcome == "address" else (found, status)
    known = (
        meaning for where, begin, meaning in _BY_REPLY_CODE if re.match(where, stage) and re.match(begin, str(code))
    )
    return next(known, Meaning("again")), ""
