"""Strip the attachments of a mail before storage, without decoding."""

from __future__ import annotations

import re
from email.message import Message
from typing import Final

from service.inbound.headers import MAX_MAIL_BYTES, MAX_PARTS
from service.mail.parser import parse_headers

MAX_HEAD_BYTES: Final = 64 * 1024
"""Maximum bytes of the headers of a mail or of a part."""
MAX_BOUNDARY_LENGTH: Final = 70
"""Maximum characters of a boundary (RFC 2046, 5.1.1)."""
_END_OF_HEAD: Final = re.compile(rb"^\r?\n", re.MULTILINE)
_KEPT: Final = ("text", "multipart")


def is_attached(part: Message) -> bool:
    """Return whether a part is an attached file, not text of its sender."""
    return str(part.get("Content-Disposition", "")).lower().lstrip().startswith("attachment")


def without_attachments(raw: bytes) -> bytes:
    """Return a mail without the content of its attachments and pictures, cut to MAX_MAIL_BYTES bytes.

    Parts keep their headers. Any mail is read in a single pass (RFC 2046, 5.1.1).
    """
    kept: list[bytes] = []
    boundaries: set[bytes] = set()
    start, room = 0, MAX_MAIL_BYTES
    for _ in range(MAX_PARTS):
        found = _END_OF_HEAD.search(raw, start, start + MAX_HEAD_BYTES)
        body = found.end() if found else min(len(raw), start + MAX_HEAD_BYTES)
        # The boundary line above a part is not among the part's headers.
        head = raw[start:body].partition(b"\n")[2] if start else raw[:body]
        part = parse_headers(head)
        if boundary := part.get_boundary(""):
            boundaries.add(boundary[:MAX_BOUNDARY_LENGTH].encode("utf-8", "surrogateescape"))
        end = _next(raw, body, boundaries)
        has_text = part.get_content_maintype() in _KEPT and not is_attached(part)
        piece = raw[start : end if has_text else body][:room]
        kept.append(piece)
        start, room = end, room - len(piece)
        if start == len(raw) or not room:
            break
    return b"".join(kept)


def _next(raw: bytes, start: int, boundaries: set[bytes]) -> int:
    """Return the offset of the next boundary line; the end of the mail if there is none."""
    if not boundaries:
        return len(raw)
    lines = re.compile(rb"^--(?:%s)" % b"|".join(map(re.escape, sorted(boundaries))), re.MULTILINE)
    found = lines.search(raw, start)
    return found.start() if found else len(raw)
