"""Recorded mails: how they are found, written and read. `make goldens` records those that are missing.

A golden is the mail byte for byte, but for the pictures: those depend on the libraries that draw them. The Content-ID
of a picture is the digest of what was to be drawn, so a golden tells when that changes.
"""

from __future__ import annotations

import sys
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from pathlib import Path

from tests.mail_samples import WRITERS

FOLDER = Path(__file__).parent / "golden" / "mails"


def mails() -> dict[str, bytes]:
    """Every mail that has to be among the goldens as it is written today, by its name."""
    return {name: mail_of(name) for name in WRITERS}


@cache
def mail_of(name: str) -> bytes:
    """The mail of that golden as it is written today."""
    return WRITERS[name]().as_bytes()


@cache
def read(raw: bytes) -> EmailMessage:
    """The mail as a mail program reads it: read once, for all tests, none of which changes it."""
    return message_from_bytes(raw, policy=policy.default)  # type: ignore[return-value]


def golden(raw: bytes) -> bytes:
    """The mail without the bytes of its pictures."""
    head, *parts = raw.split(b"Content-Type: image/png\r\n")
    return head + b"".join(b"Content-Type: image/png\r\n" + _unpainted(part) for part in parts)


def _unpainted(part: bytes) -> bytes:
    headers, _, rest = part.partition(b"\r\n\r\n")
    _, end, after = rest.partition(b"\r\n--=_")
    return headers + b"\r\n\r\n" + end + after


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each, raw in mails().items():
        path = FOLDER / f"{each}.eml"
        if not path.exists():
            path.write_bytes(golden(raw))
            print(f"recorded {path.name}, {path.stat().st_size} bytes", file=sys.stderr, flush=True)
