"""The text of a mail that has come in, as its writer sees it."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from email import message_from_bytes, policy
from email.message import Message
from typing import Final

from service.inbound.attachments import is_attached
from service.inbound.headers import LARGEST, MOST_PARTS
from service.inbound.hypertext import has_struck, told, visible

LONGEST_TEXT: Final = 64 * 1024
_SINGLE_BYTE: Final = re.compile(r"(?:iso-?8859-\d{1,2}|(?:windows-|cp)125\d|koi8-[ru])", re.IGNORECASE)
_BEGIN_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_BEGIN_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_END_SIGNATURE: Final = "-----END PGP SIGNATURE-----"


def written(raw: bytes) -> str:
    """Return the text of a mail, empty if nobody can read it. Attachments are left out, and quotes of HTML."""
    try:
        message = message_from_bytes(raw[:LARGEST], policy=policy.compat32)
    except RecursionError:
        # Parts within parts within parts: nobody's mail program writes such a thing.
        return ""
    plain, html = _part(message, "text/plain"), _part(message, "text/html")
    seen = "" if html is None else visible(_decoded(html))
    # The part without HTML does not say what is struck out.
    if plain is not None and not has_struck(seen):
        text = _cleartext(_unflowed(plain, _decoded(plain)[:LONGEST_TEXT]))
        if text.strip():
            return text
    return told(seen)


def _part(message: Message, kind: str) -> Message | None:
    for number, part in enumerate(message.walk()):
        if number >= MOST_PARTS:
            return None
        if part.get_content_type() == kind and not is_attached(part):
            return part
    return None


def _decoded(part: Message) -> str:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    named = part.get_content_charset() or ""
    if _SINGLE_BYTE.fullmatch(named):
        try:
            return content.decode(named, "replace")
        except LookupError:
            pass
    try:
        # What was cut off in the middle of a letter is no other alphabet.
        return getincrementaldecoder("utf-8")().decode(content)
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _unflowed(part: Message, text: str) -> str:
    """Return the text with the lines put together that format=flowed has broken (RFC 3676, 4.1)."""
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    apart = str(part.get_param("delsp", "")).lower() != "yes"
    lines: list[str] = []
    open_depth: int | None = None
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:].removeprefix(" ")
        flows = content.endswith(" ") and content != "-- "
        if open_depth == depth and lines and content != "-- ":
            lines[-1] += content
        else:
            lines.append(f"{'>' * depth}{' ' if depth else ''}{content}")
        if flows and not apart:
            lines[-1] = lines[-1][:-1]
        open_depth = depth if flows else None
    return "\n".join(lines)


def _cleartext(text: str) -> str:
    """Return the text without what signs it inline, its dashes as they were written (RFC 9580, 7)."""
    kept: list[str] = []
    place = "outside"
    for line in text.splitlines():
        bare = line.rstrip()
        if place == "outside" and bare == _BEGIN_SIGNED:
            place = "headers"
        elif place == "headers":
            place = "headers" if bare else "signed"
        elif place == "signed" and bare == _BEGIN_SIGNATURE:
            place = "signature"
        elif place == "signature":
            place = "outside" if bare == _END_SIGNATURE else "signature"
        else:
            kept.append(line.removeprefix("- ") if place == "signed" else line)
    return "\n".join(kept)
