"""Parses mails that anybody may have sent, in time and depth that nobody can make grow beyond their size."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder, lookup
from collections.abc import Mapping
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import Compat32
from typing import Any, Final

LONGEST_HEADER: Final = 2000
"""Characters of a header that are kept."""
LONGEST_CHARSET: Final = 40
_LONGEST_HEAD: Final = 1024
"""Bytes of a part in HTML in which it names its charset (HTML, 13.2.3.2)."""
_META_CHARSET: Final = re.compile(rb"charset\s{0,9}=\s{0,9}[\"']?([a-z0-9_.:-]{1,40})", re.IGNORECASE)
_READ: Final = re.compile(
    r"ascii|utf-(?:7|8|16|32)(?:-[lb]e)?|(?:iso8859|iso2022_jp|koi8|mac)[-_][a-z0-9_]+|cp(?:125\d|8\d\d|437|932|949|950)"
    r"|gb2312|gbk|gb18030|hz|big5(?:hkscs)?|shift_jis\w*|euc_\w+|iso2022_kr|johab|tis-620|hp-roman8|ptcp154|kz1048"
)
"""Python's names of the codecs that are used: those for text, which take as long as it is."""
_EXTENDED: Final[Mapping[str, tuple[str, ...]]] = {
    # What mail programs call by the name of a smaller charset is as often the larger one of Windows.
    "iso8859-1": ("cp1252", "iso8859-1"),
    "iso8859-9": ("cp1254", "iso8859-9"),
    "gb2312": ("gb2312", "gb18030"),
    "gbk": ("gbk", "gb18030"),
    "big5": ("big5", "cp950", "big5hkscs"),
    "shift_jis": ("shift_jis", "cp932", "shift_jis_2004"),
    "iso2022_jp": ("iso2022_jp", "iso2022_jp_ext", "iso2022_jp_2004"),
    "euc_kr": ("euc_kr", "cp949"),
}
_ALIASES: Final[Mapping[str, str]] = {
    # Names that mail programs write and Python does not know.
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "iso-8859-6-i": "iso8859-6",
    "iso-8859-6-e": "iso8859-6",
    "windows-31j": "cp932",
    "x-sjis": "shift_jis",
    "x-euc-jp": "euc_jp",
    "x-gbk": "gbk",
    "gb-2312-80": "gb2312",
    "x-windows-949": "cp949",
    "windows-949": "cp949",
    "windows-874": "cp874",
    "koi8-ru": "koi8-u",
    "x-mac-roman": "mac-roman",
    "utf-8mb4": "utf-8",
    "unicode": "utf-16",
    "ucs-2": "utf-16",
    "iso-10646-ucs-2": "utf-16",
}
_UNKNOWING: Final = ("", "us-ascii", "ascii", "unknown-8bit", "x-unknown", "unknown", "8bit", "none", "default")
"""Charsets named by programs that do not know it (RFC 1428, 3)."""


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


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a part; `unsuited` is the charset that the part names and that is unknown, or not its bytes'."""

    text: str
    unsuited: str = ""


def decode(part: Message) -> Decoded:
    """Return the text of a part in the charset that it names, or else in the likeliest; empty if it has none."""
    content = _content(part)
    named = (part.get_content_charset() or _named_in_html(part, content)).strip(" \"'")[:LONGEST_CHARSET]
    codecs = _codecs(named)
    for codec in codecs:
        if (text := _strictly(content, codec)) is not None:
            return Decoded(text)
    unsuited = named if named not in _UNKNOWING and not content.isascii() else ""
    if (text := _strictly(content, "utf-8")) is not None:
        return Decoded(text, unsuited)
    likeliest = codecs[0] if codecs and codecs[0] not in ("utf-8", "utf-7", "ascii") else "cp1252"
    return Decoded(content.decode(likeliest, "replace"), unsuited)


def decoded(part: Message) -> str:
    """Return the text of a part alone."""
    return decode(part).text


def _content(part: Message) -> bytes:
    """Return the bytes of a part that is no multipart."""
    payload = part.get_payload()
    if isinstance(payload, str) and str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "base64":
        # One letter more than whole groups of four is what a cut has left, and makes all the others unreadable.
        whole = "".join(payload.split()).rstrip("=")
        part.set_payload(whole[:-1] if len(whole) % 4 == 1 else payload)
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _named_in_html(part: Message, content: bytes) -> str:
    found = _META_CHARSET.search(content[:_LONGEST_HEAD]) if part.get_content_subtype() == "html" else None
    return found[1].decode().lower() if found else ""


def _codecs(charset: str) -> tuple[str, ...]:
    """Return the codecs for a charset, the likeliest first; none if it is not one that mails are read in."""
    name = charset.lower().replace("_", "-")
    try:
        codec = lookup(_ALIASES.get(name, name)).name
    except (LookupError, ValueError):
        return ()
    if codec in _EXTENDED:
        return _EXTENDED[codec]
    return (codec,) if _READ.fullmatch(codec) else ()


def _strictly(content: bytes, codec: str) -> str | None:
    """Return the text of bytes, of which a letter at the end may have been cut off; None if they are no such text."""
    if codec.startswith(("utf-16", "utf-32")) and b"\0" not in content:
        # Without a space or the end of a line in its charset, no sentence is written.
        return None
    for final in (True, False):
        try:
            text = getincrementaldecoder(codec)().decode(content, final)
            # UTF-7 can write halves of characters, which nothing else takes.
            text.encode()
            return text
        except UnicodeError:
            continue
    return None
