"""Whether a mail comes from whom it says it does, by what our own mail server has written on it."""

from __future__ import annotations

import re
from typing import Final

from service.mail.inbound.reading import Mail

GOOD: Final = ("pass", "bestguesspass", "none")
"""The verdicts on DMARC with which a mail is believed: `none` is a domain that asks for no check at all."""

_DMARC: Final = re.compile(r"\s*dmarc\s*(?:/\s*1\s*)?=\s*([a-z]+)\b.*", re.IGNORECASE)


def authentic(mail: Mail, registered: str, server: str | None, own: bool) -> bool:
    """Return whether the player with the registered address has sent the mail.

    `server` is the name by which our mail server signs its Authentication-Results (RFC 8601); it has to say that the
    check of DMARC did not fail. Without one a mail is believed only if it is our own: it never left this machine.
    """
    if mail.sender is None or mail.sender != registered.lower():
        return False
    return own if server is None else _verdict(mail, server) in GOOD


def _verdict(mail: Mail, server: str) -> str | None:
    """Return what our server says of DMARC; None if it says nothing.

    Servers put their headers on top: from the first one down that is not ours, all may be forged.
    """
    for header in mail.every("Authentication-Results"):
        name, *results = _plain(header).split(";")
        if name.split()[:1] != [server.lower()]:
            return None
        for result in results:
            if found := _DMARC.fullmatch(result):
                return found[1]
    return None


def _plain(header: str) -> str:
    """Return the header without comments and quoted texts, which can hold what a stranger has written."""
    kept: list[str] = []
    depth, quoted, escaped = 0, False, False
    for each in header.lower():
        if escaped or each == "\\":
            escaped = not escaped
        elif each == '"' and not depth:
            quoted = not quoted
        elif each in "()" and not quoted:
            depth = max(0, depth + (1 if each == "(" else -1))
        elif not quoted and not depth:
            kept.append(each)
    return "".join(kept)
