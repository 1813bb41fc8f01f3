"""What is left out of a mail before it is kept: everything but its text."""

from __future__ import annotations

import re
from email.message import Message
from typing import Final

from service.inbound.headers import LARGEST, MOST_PARTS
from service.mail.parser import parse_headers

LONGEST_HEAD: Final = 64 * 1024
"""How many bytes the headers of a mail, or of a part, may have."""
LONGEST_BOUNDARY: Final = 70
"""Characters of a boundary (RFC 2046, 5.1.1)."""
_END_OF_HEAD: Final = re.compile(rb"^\r?\n", re.MULTILINE)
_KEPT: Final = ("text", "multipart")


def is_attached(part: Message) -> bool:
    """Return whether a part is a file that goes along, and not what its sender has written."""
    return str(part.get("Content-Disposition", "")).lower().lstrip().startswith("attachment")


def without_attachments(raw: bytes) -> bytes:
    """Return a mail without the content of its attachments and pictures, at most LARGEST bytes of it.

    Parts keep their headers. The mail is gone through once, whatever it is made of (RFC 2046, 5.1.1).
    """
    kept: list[bytes] = []
    boundaries: set[bytes] = set()
    start, room = 0, LARGEST
    for _ in range(MOST_PARTS):
        found = _END_OF_HEAD.search(raw, start, start + LONGEST_HEAD)
        body = found.end() if found else min(len(raw), start + LONGEST_HEAD)
        # The line of the boundary that the part stands under is none of its headers.
        head = raw[start:body].partition(b"\n")[2] if start else raw[:body]
        part = parse_headers(head)
        if boundary := part.get_boundary(""):
            boundaries.add(boundary[:LONGEST_BOUNDARY].encode("utf-8", "surrogateescape"))
        end = _next(raw, body, boundaries)
        has_text = part.get_content_maintype() in _KEPT and not is_attached(part)
        piece = raw[start : end if has_text else body][:room]
        kept.append(piece)
        start, room = end, room - len(piece)
        if start == len(raw) or not room:
            break
    return b"".join(kept)


def _next(raw: bytes, start: int, boundaries: set[bytes]) -> int:
    """Return where the next line stands that is one of the boundaries; the end of the mail if there is none."""
    if not boundaries:
        return len(raw)
    lines = re.compile(rb"^--(?:%s)" % b"|".join(map(re.escape, sorted(boundaries))), re.MULTILINE)
    found = lines.search(raw, start)
    return found.start() if found else len(raw)
