"""The text of a mail that has come in, as its writer sees it."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from email import message_from_bytes, policy
from email.message import Message
from typing import Final

from inscriptis import get_text
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_properties import Display
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement
from lxml.etree import LxmlError

from service.mail.inbound.reading import LARGEST

LONGEST_TEXT: Final = 64 * 1024
MOST_PARTS: Final = 50
_SINGLE_BYTE: Final = re.compile(r"(?:iso-?8859-\d{1,2}|(?:windows-|cp)125\d|koi8-[ru])", re.IGNORECASE)
_HIDDEN: Final = {"blockquote": HtmlElement(display=Display.none)}
_SHOWN: Final = ParserConfig(css=CSS_PROFILES["strict"] | _HIDDEN)
_BLOCKQUOTE: Final = re.compile(r"(?=<blockquote\b)", re.IGNORECASE)


def written(raw: bytes) -> str:
    """Return the text of a mail, empty if nobody can read it. Attachments are left out, and quotes of HTML."""
    try:
        message = message_from_bytes(raw[:LARGEST], policy=policy.compat32)
    except RecursionError:
        # Parts within parts within parts: nobody's mail program writes such a thing.
        return ""
    plain = _part(message, "text/plain")
    if plain is not None and (text := _unflowed(plain, _decoded(plain))).strip():
        return text
    html = _part(message, "text/html")
    return "" if html is None else _told(_decoded(html))


def _part(message: Message, kind: str) -> Message | None:
    for number, part in enumerate(message.walk()):
        if number >= MOST_PARTS:
            return None
        attached = part.get("Content-Disposition", "")
        if part.get_content_type() == kind and not str(attached).lower().lstrip().startswith("attachment"):
            return part
    return None


def _decoded(part: Message) -> str:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    content = content[:LONGEST_TEXT]
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


def _told(html: str) -> str:
    # A quote leaves its mark, so that what stands beneath it is not taken for the quote.
    marked = _BLOCKQUOTE.sub("<p>&gt;</p>", html)
    try:
        return str(get_text(marked, _SHOWN))
    except (LxmlError, ValueError, RecursionError, AssertionError):
        return ""
