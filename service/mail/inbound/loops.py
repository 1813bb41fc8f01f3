"""Mails that no person has written: they are never answered, or two machines would write to each other for ever."""

from __future__ import annotations

import re
from typing import Final

from service.mail.inbound.reading import Mail

# What servers and lists are called, in front of the @. With more behind it, `bounces` is the envelope's sender of what
# people write as well: their provider's, or that of whatever hands their mail on.
_MACHINES: Final = re.compile(
    r"(?:mailer-?daemon|postmaster|(?:do-?)?not?-?reply|daemon|listserv|majordomo|auto-?reply|automailer)"
    r"(?:[+=._-].*)?|bounces?",
    re.IGNORECASE,
)
_AWAY: Final = re.compile(
    r"\s*(?:\[?(?:auto|automatic|automated)[ -]?(?:reply|response|answer)\b|autoreply|out[ -]of[ -](?:the[ -])?office"
    r"|on (?:vacation|holiday|leave)\b|vacation (?:reply|response)"
    r"|automatische antwort|abwesenheit|(?:ich bin )?(?:nicht im (?:büro|haus)|abwesend|im urlaub)\b|urlaub:"
    r"|réponse automatique|message d.absence|absence du bureau|absent(?:e)? du bureau|notification d.absence"
    r"|undeliver(?:ed|able)|delivery (?:status|failure|has failed)|mail delivery (?:failed|system)|returned mail"
    r"|unzustellbar|non remis\b)",
    re.IGNORECASE,
)
_BULK: Final = ("bulk", "junk", "list", "auto_reply")
_MARKS: Final = ("x-autoreply", "x-autorespond", "x-autoresponder", "list-id", "x-loop")


def automatic(mail: Mail, returned_to: str, ours: str) -> bool:
    """Return whether a machine has written the mail; `returned_to` is its envelope's sender, `ours` our own address.

    X-Auto-Response-Suppress says nothing: people's mail programs write it as well.
    """
    sender = mail.sender or ""
    return (
        not returned_to
        or (mail.header("auto-submitted") or "no").lower().split(";")[0].strip() != "no"
        or mail.header("precedence").lower() in _BULK
        or any(mail.every(mark) for mark in _MARKS)
        or mail.header("content-type").lower().startswith("multipart/report")
        or any(_of_a_machine(address, ours) for address in (sender, returned_to.lower()))
        or _AWAY.match(mail.shown("subject")) is not None
    )


def _of_a_machine(address: str, ours: str) -> bool:
    return address == ours.lower() or _MACHINES.fullmatch(address.partition("@")[0]) is not None
