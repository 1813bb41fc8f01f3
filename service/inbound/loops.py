"""Mails that no person has written: they are never answered, or two machines would write to each other for ever."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal
from unicodedata import normalize

from service.inbound.headers import IncomingMail
from service.inbound.machine_words import AWAY, MACHINE

Writer = Literal["person", "perhaps", "machine"]
"""Who has written a mail; `perhaps` is a machine, unless the mail asks for something."""

# What servers and lists are called, in front of the @.
_MACHINES: Final = re.compile(
    r"(?:mailer-?daemon|postmaster|(?:do-?)?not?-?reply|bounces?|daemon|listserv|majordomo|auto-?(?:reply|responder)"
    r"|automailer|vacation|boxtrapper)(?:[+=._-].*)?",
    re.IGNORECASE,
)
_BULK: Final = re.compile(r"bulk|junk|list|auto[-_ ]?reply", re.IGNORECASE)
# Headers that only machines write, and those whose value says that it was one.
_MARKS: Final = re.compile(
    r"x-(?:mail-)?auto-?(?:repl(?:y|ied)|respond|responder|response|generated|reply-from|reply-to)"
    r"|auto-?repl(?:y|ied)|list-id|x-loop|x-fc-machinegenerated|x-vacation(?:-.*)?|x-tmda-.+|x-boxtrapper(?:-.*)?"
    r"|x-askversion|x-otrs-loop|x-failed-recipients|x-hmxmroriginalrecipient|x-list-administrivia|x-cron-env"
)
_SAID: Final = {
    "delivered-to": re.compile(r"auto-?responder", re.IGNORECASE),
    "x-post-messageclass": re.compile(r".*auto-?respon", re.IGNORECASE),
    "x-delivery-agent": re.compile(r"tmda", re.IGNORECASE),
    "x-mailer": re.compile(r".*(?:auto-?(?:respon|repl)|vacation)", re.IGNORECASE),
}
_DENIED: Final = ("no", "false", "0", "none")
_REPORT: Final = re.compile(r"multipart/report|message/(?:delivery-status|disposition-notification|feedback-report)")
_ANSWERED: Final = re.compile(
    r"\s*(?:(?:re|aw|antw|antwort|sv|vs|tr|rif|rv|res|odp|fw|fwd|wg)\s*(?:\[\d+\]\s*)?:\s*)*", re.I
)


def writer(mail: IncomingMail, returned_to: str, ours: str, subjects: Sequence[str]) -> Writer:
    """Return who has written the mail, by its headers and the styles of subjects that machines write in.

    `returned_to` is its envelope's sender, `ours` our own address, `subjects` how those of our own mails begin: what a
    table or a player is called there says nothing. A person, too, is `Absent`, so those words alone are not enough.
    """
    return "machine" if _marked(mail, returned_to, ours) else _titled(mail, subjects)


def _marked(mail: IncomingMail, returned_to: str, ours: str) -> bool:
    return (
        not returned_to
        or (mail.header("auto-submitted") or "no").lower().split(";")[0].strip() != "no"
        or any(_BULK.fullmatch(value) for name in ("precedence", "preference") for value in mail.every(name))
        or any(_MARKS.fullmatch(name) and value.strip().lower() not in _DENIED for name, value in mail.headers)
        or any(pattern.match(value) for name, pattern in _SAID.items() for value in mail.every(name))
        or _REPORT.match(mail.header("content-type").lower()) is not None
        or mail.sender == ours.lower()
        or _of_a_machine(mail.sender or "")
        # Bulk mail services put `bounces` into the envelopes of personal mails, too.
        or (not returned_to.lower().startswith("bounce") and _of_a_machine(returned_to))
    )


def _titled(mail: IncomingMail, ours: Sequence[str]) -> Writer:
    title = " ".join(normalize("NFKC", mail.shown("subject")).split())
    rest = _ANSWERED.sub("", title, count=1)
    known = [" ".join(normalize("NFKC", each).lower().split()) for each in ours]
    if any(rest.lower().startswith(each) for each in known):
        return "person"
    if MACHINE.match(rest):
        return "machine"
    away = AWAY.match(rest)
    if away is None:
        return "person"
    # Machines put a word before the subject that they answer; people's programs carry the last header now and then.
    quoted = rest[away.end() :].lstrip()[:1] == ":" or any(each in rest.lower() for each in known)
    return "machine" if quoted or mail.every("x-auto-response-suppress") else "perhaps"


def _of_a_machine(address: str) -> bool:
    return _MACHINES.fullmatch(address.partition("@")[0]) is not None
