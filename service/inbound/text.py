"""The text of a mail that has come in, as its writer sees it."""

from __future__ import annotations

from email.message import Message
from typing import Final

from service.inbound.attachments import is_attached
from service.inbound.headers import LARGEST, MOST_PARTS
from service.mail.parser import decoded, parse

LONGEST_TEXT: Final = 64 * 1024
_BEGIN_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_BEGIN_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_END_SIGNATURE: Final = "-----END PGP SIGNATURE-----"


def written(raw: bytes) -> str:
    """Return the text of a mail without attachments and quotes in HTML; empty if it cannot be read."""
    # Imported late: most of the time no mail comes in.
    from service.inbound.hypertext import has_struck, rendered, visible

    message = parse(raw[:LARGEST])
    plain, html = _part(message, "text/plain"), _part(message, "text/html")
    seen = "" if html is None else visible(decoded(html))
    # Only the HTML part says which words are struck out.
    if plain is not None and not has_struck(seen):
        text = _cleartext(_unflowed(plain, decoded(plain)[:LONGEST_TEXT]))
        if text.strip():
            return text
    return rendered(seen)


def _part(message: Message, kind: str) -> Message | None:
    for number, part in enumerate(message.walk()):
        if number >= MOST_PARTS:
            return None
        if part.get_content_type() == kind and not is_attached(part):
            return part
    return None


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
