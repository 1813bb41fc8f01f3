"""Parses mails that anybody may have sent, in time and depth that nobody can make grow beyond their size."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import Compat32
from typing import Any, Final

LONGEST_HEADER: Final = 2000
"""Characters of a header that are kept."""
_SINGLE_BYTE: Final = re.compile(r"(?:iso-?8859-\d{1,2}|(?:windows-|cp)125\d|koi8-[ru])", re.IGNORECASE)


class _ShortHeaders(Compat32):
    """The older policy, which reads what the newer one finds too broken, with headers of limited length.

    Reading the parameters of a header takes the square of its length (`email.message`, `_parseparam`).
    """

    def header_source_parse(self, sourcelines: Any) -> tuple[str, str]:
        """Return name and value of a header; a Content-Type whose parameters cannot be read has none."""
        name, whole = super().header_source_parse(sourcelines)
        value = whole[:LONGEST_HEADER]
        if name.lower() == "content-type" and not _has_readable_parameters(value):
            value = value.partition(";")[0]
        return name, value


_POLICY: Final = _ShortHeaders()


def _has_readable_parameters(content_type: str) -> bool:
    """Return whether what the standard library asks for can be read: odd continuations (RFC 2231) make it raise."""
    part = Message()
    part["Content-Type"] = content_type
    # A character of no alphabet, for which the charset is looked up.
    part.set_payload("\udcff")
    try:
        part.get_boundary()
        part.get_payload()
    except (LookupError, TypeError, ValueError):
        return False
    return True


def parse(raw: bytes) -> Message:
    """Return a mail; of one whose parts are nested too deep for any mail program only its headers are read."""
    try:
        return message_from_bytes(raw, policy=_POLICY)
    except RecursionError:
        return parse_headers(raw)


def parse_headers(raw: bytes) -> Message:
    """Return a mail, or a part of one, of which only the headers are read."""
    return BytesHeaderParser(policy=_POLICY).parsebytes(raw)


def decoded(part: Message) -> str:
    """Return the text of a part, in the alphabet that it names or else the likeliest; empty if it has none."""
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
        # A letter that was cut off in the middle does not make it another alphabet.
        return getincrementaldecoder("utf-8")().decode(content)
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
