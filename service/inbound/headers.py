"""Headers of an incoming mail, and the fields of RFC 5322: comments, quoted strings, display names, groups."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header, make_header
from typing import Final

from service.mail.parser import parse_headers

HIDDEN: Final = "\ufffd"
"""Placeholder for a character of a quoted string that would be syntax outside."""
_SYNTAX: Final = frozenset(" \t,;:=<>()[]\\\"'" + HIDDEN)
_GROUP: Final = re.compile(r"[^<>@,;:]*:([^:;]*);")
_NAMED: Final = re.compile(r"[^<>,;:]*<([^<>]*)>")
_ADDRESS: Final = re.compile(rf"([^<>@\s,;:()\[\]\\{HIDDEN}]+)\s*@\s*([a-z0-9.-]+)", re.IGNORECASE)
_DOMAIN: Final = re.compile(r"@\s*([a-z0-9-]+(?:\.[a-z0-9-]+)+)", re.IGNORECASE)
MAX_MAIL_BYTES: Final = 256 * 1024
"""Maximum bytes of a mail, without attachments, that are stored and read."""
MAX_PARTS: Final = 50
MOST_HEADERS: Final = 300


def plain(field: str) -> str | None:
    """Return a field without comments, and with quoted strings unquoted.

    None if a comment or a quoted string does not end (RFC 5322, 3.2.2 and 3.2.4).
    """
    kept: list[str] = []
    depth, quoted, escaped = 0, False, False
    for each in field:
        if not escaped and each == "\\" and (quoted or depth):
            escaped = True
            continue
        if quoted and (escaped or each != '"'):
            kept.append(HIDDEN if each in _SYNTAX else each)
        elif each == '"' and not depth:
            quoted = not quoted
        elif each == "(" and not escaped:
            depth += 1
            kept.append(" ")
        elif depth:
            depth -= each == ")" and not escaped
        else:
            kept.append(each)
        escaped = False
    return None if quoted or depth else "".join(kept)


def address(field: str) -> str | None:
    """Return the only address of a field, in lower case; None if there is none, or the field is ambiguous.

    The address may have a display name, or be alone in a group (RFC 6854). The display name is ignored.
    """
    text = (plain(field) or "").strip()
    if group := _GROUP.fullmatch(text):
        text = group[1].strip()
    named = _NAMED.fullmatch(text)
    found = _ADDRESS.fullmatch((named[1] if named else text).strip())
    return f"{found[1]}@{found[2]}".lower() if found else None


def domains(field: str) -> set[str]:
    """Return every domain after an @ in a field, comments aside, in lower case."""
    return {each.lower() for each in _DOMAIN.findall(plain(field) or "")}


@dataclass(frozen=True, slots=True)
class IncomingMail:
    """Headers of a mail, names in lower case; names may repeat."""

    headers: tuple[tuple[str, str], ...]

    def every(self, name: str) -> list[str]:
        """Return all headers of the name, from the top, as sent."""
        return [value for header, value in self.headers if header == name.lower()]

    def header(self, name: str) -> str:
        """Return the first header of the name, "" if there is none."""
        return next(iter(self.every(name)), "")

    def shown(self, name: str) -> str:
        """Return the first header of the name, decoded."""
        value = self.header(name)
        try:
            return str(make_header(decode_header(value)))
        except (LookupError, ValueError, MessageError):
            return value

    @property
    def sender(self) -> str | None:
        """Return the only address in From, in lower case; None if it is ambiguous."""
        return address(self.header("from")) if len(self.every("from")) == 1 else None

    @property
    def sender_name(self) -> str:
        """Return the display name in From, "" if there is none."""
        name, address_begins, _ = self.shown("from").partition("<")
        return name.strip(' "') if address_begins else ""


def read(raw: bytes) -> IncomingMail:
    """Return the headers of a mail, however malformed."""
    headers = parse_headers(raw[:MAX_MAIL_BYTES]).items()[:MOST_HEADERS]
    return IncomingMail(tuple((name.lower(), " ".join(str(value).split())) for name, value in headers))
