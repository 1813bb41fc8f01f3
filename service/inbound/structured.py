"""Header fields as RFC 5322 writes them: with comments, quoted strings, display names and groups."""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = "\ufffd"
"""What stands for a character of a quoted string that would be syntax outside of it."""
_SYNTAX: Final = frozenset(" \t,;:=<>()[]\\\"'" + HIDDEN)
_GROUP: Final = re.compile(r"[^<>@,;:]*:([^:;]*);")
_NAMED: Final = re.compile(r"[^<>,;:]*<([^<>]*)>")
_ADDRESS: Final = re.compile(rf"([^<>@\s,;:()\[\]\\{HIDDEN}]+)\s*@\s*([a-z0-9.-]+)", re.IGNORECASE)
_DOMAIN: Final = re.compile(r"@\s*([a-z0-9-]+(?:\.[a-z0-9-]+)+)", re.IGNORECASE)


def plain(field: str) -> str | None:
    """Return a field without its comments, and its quoted strings without quotation marks.

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
    """Return the one address of a field, in lower case; None if there is none, or another way to read it.

    It may have a display name, and stand in a group alone (RFC 6854). What a display name says is not looked at.
    """
    text = (plain(field) or "").strip()
    if group := _GROUP.fullmatch(text):
        text = group[1].strip()
    named = _NAMED.fullmatch(text)
    found = _ADDRESS.fullmatch((named[1] if named else text).strip())
    return f"{found[1]}@{found[2]}".lower() if found else None


def domains(field: str) -> set[str]:
    """Return every domain that follows an @ anywhere in a field but in comments, in lower case."""
    return {each.lower() for each in _DOMAIN.findall(plain(field) or "")}
