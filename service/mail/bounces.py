"""Bounces and abuse reports of other mail servers, in machine-readable form (RFC 3464, RFC 5965) or in words.

The module loads little, since the process that reads strangers' mails imports it (shared/limited_process.py).

A bounce in words is a mail from nobody or from a mail server with a status code, at a signed address of ours. Without a
code it needs a sentence that qmail, Exim, Postfix, Exchange or the big providers use. The reason is in the server's
reply that they quote, or in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from html import unescape
from typing import Final

from service.mail.parser import decoded, parse, parse_headers
from service.mail.smtp_replies import Meaning, find_status, reply_meaning, status_meaning

MAX_REPORT_BYTES: Final = 1024 * 1024
"""Most bytes of a report that are read."""
_DELIVERY: Final = "message/delivery-status"
_FAILED_ACTIONS: Final = ("failed", "failure", "expired")
"""Actions of a report after which nothing is tried any more; only the first is of RFC 3464 (2.3.3)."""
_FEEDBACK: Final = "message/feedback-report"


def read_report(raw: bytes) -> tuple[bool, tuple[Meaning, str] | None]:
    """Return whether a mail is an abuse report, and what it says as a bounce, as `read`."""
    complaint = is_complaint(raw)
    return complaint, None if complaint else read_bounce(raw)


def read_bounce(raw: bytes) -> tuple[Meaning, str] | None:
    """Return the meaning of a bounce for its recipient, and the enhanced status code; None if the mail is no bounce.

    A bounce is a delivery status notification (RFC 3464), or says so in words. Only failures count: a delayed mail may
    still arrive, and an out-of-office reply comes from a mail that has arrived.
    """
    message = parse(raw[:MAX_REPORT_BYTES])
    reported = [block for block in _field_blocks(message, _DELIVERY) if block.get("Action")]
    if not reported:
        return None if any(_field_blocks(message, _FEEDBACK)) else read_bounce_in_words(message)
    for block in reported:
        if str(block.get("Action", "")).strip().lower() not in _FAILED_ACTIONS:
            continue
        # Some servers report 5.0.0; then the reply that they quote has the real status.
        status = find_status(str(block.get("Status", "")))
        diagnosed = str(block.get("Diagnostic-Code", ""))
        quoted = find_status(diagnosed)
        best = quoted if quoted.startswith(status[:2] or quoted[:2]) and not quoted.endswith(".0.0") else status
        if best[:1] in ("4", "5"):
            return status_meaning(best), best
        if found := meaning_in_words(" ".join(diagnosed.split())) or read_bounce_in_words(message):
            return found
    return None


def is_complaint(raw: bytes) -> bool:
    """Return whether the mail is an abuse report (RFC 5965): a recipient has marked one of our mails as unwanted."""
    return any(
        str(block.get("Feedback-Type", "")).strip().lower() in ("abuse", "opt-out", "opt-out-list")
        for block in _field_blocks(parse(raw[:MAX_REPORT_BYTES]), _FEEDBACK)
    )


def _field_blocks(message: Message, kind: str) -> Iterator[Message]:
    """Yield the blocks of header fields in a report's parts of a content type; none if the mail is no report.

    Some servers send the parts of a report without calling it one.
    """
    parts: list[Message] = []
    payload = message.get_payload()
    if message.get_content_type() == "multipart/report":
        parts = list(message.walk())
    elif isinstance(payload, list) and message.get_content_maintype() == "multipart":
        parts = [each for each in payload if isinstance(each, Message)]
    for part in parts:
        if part.get_content_type() == kind:
            payload = part.get_payload()
            if isinstance(payload, list):
                yield from (block for block in payload if isinstance(block, Message))
            else:
                yield parse_headers(str(payload).lstrip().encode("utf-8", "surrogateescape"))


MAX_TEXT_LENGTH: Final = 20_000
"""Most characters of a mail that are read. The returned mail is quoted below the reason."""
_BOUNCE_SENDER: Final = re.compile(r"mailer[ -]?daemon|postmaster|mail ?delivery|microsoft ?exchange", re.IGNORECASE)
_DAEMON: Final = re.compile(r"mailer[ -]?daemon|mail ?delivery (?:sub)?system", re.IGNORECASE)
_AUTO_REPLY_HEADERS: Final = ("x-auto-response-suppress", "x-autoreply", "x-autorespond", "x-vacation")
"""Fields of automatic answers, which come from nobody, too (RFC 3834, 3.3)."""
_DELAY_SENTENCES: Final = re.compile(
    r"this is a warning message only|you do not need to (?:re-?send|send) "
    r"|(?:message|mail) is delayed|temporary failure report"
    r"|will (?:be retried|keep trying|continue to try)|attempts will continue"
    r"|has not (?:yet )?been delivered|delivery (?:is|has been|was) delayed|delayed \d+ hours?"
    r"|weitere zustellversuche|wird (?:weiterhin|erneut) versucht|verzögert"
    r"|nouvelles? tentatives?|a été (?:retardé|différé)",
    re.IGNORECASE,
)
_BOUNCE_SENTENCES: Final = re.compile(
    r"this is the qmail-send program|i.m afraid i wasn.t able to deliver"
    r"|created automatically by (?:the )?mail delivery software|could not be delivered to"
    r"|this is the mail system at host|message could not be delivered|undeliverable message"
    r"|did not reach (?:some or all of )?the(?: following| intended)? recipient"
    r"|delivery (?:has )?failed to these recipients|delivery to the following recipients? failed"
    r"|(?:couldn.t|could not|cannot) be delivered|failed addresses follow|permanent (?:fatal )?errors?"
    r"|failed to deliver|unable to deliver|(?:was|were) not delivered to"
    r"|automatisch (?:von|durch) .{0,40}erzeugt|konnte? nicht (?:zugestellt|ausgeliefert|übermittelt) werden"
    r"|konnten nicht zugestellt werden|nicht an .{0,60}zugestellt werden|hat einige oder alle empfänger nicht erreicht"
    r"|zustellung .{0,60}(?:fehlgeschlagen|nicht möglich)"
    r"|n.a (?:pas )?pu être (?:remis|délivré|distribué|acheminé|livré)|n.a pas été (?:remis|délivré|distribué)"
    r"|échec de (?:la )?(?:remise|distribution)|impossible de (?:remettre|délivrer|distribuer)|n.ont pas pu être"
    r"|no se (?:ha podido|pudo|puede) entregar|non è stato possibile (?:recapitare|consegnare)"
    r"|kan(?:not)? .{0,40}bezorgd",
    re.IGNORECASE,
)
_QUOTED_MAIL: Final = re.compile(
    r"^[^\w\n]*(?:below this line is a copy|this is a copy of|(?:the )?(?:header of the )?original message"
    r"|below is (?:a|the) copy|copy of (?:your|the) message|message (?:text|headers?) follows?"
    r"|ursprüngliche nachricht|original-?nachricht"
    r"|der kopf der|message d.origine|message original|unsent message|included is"
    r"|return-path\s*:|received\s*:|message-id\s*:)",
    re.IGNORECASE | re.MULTILINE,
)
_STATUS_IN_REPLY: Final = re.compile(r"(?<![\d.])[45]\d\d[ -]{1,3}[#(]?([45]\.\d{1,3}\.\d{1,3})(?![\d.])")
"""A status code within the reply of a server; elsewhere it may be the version of a program."""
_TAG: Final = re.compile(r"<[^<>]*>")
_STATUS: Final = re.compile(r"(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.])")
_REPLY_CODE: Final = re.compile(r"(?<![\d.#-])([45]\d\d)[ -](?=\S)")
_REASONS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), status)
    for pattern, status in (
        (r"mailbox (?:is )?(?:full|over)|over ?quota|quota exceeded|exceeded .{0,30}quota|mailbox size limit", "5.2.2"),
        (r"postfach (?:ist )?(?:voll|überfüllt)|speicherplatz", "5.2.2"),
        (r"boîte (?:aux lettres )?(?:est )?pleine|quota dépassé", "5.2.2"),
        (
            r"(?:user|recipient|account|mailbox|address(?:ee)?) (?:is )?(?:unknown|not (?:found|known)|unavailable)",
            "5.1.1",
        ),
        (r"(?:user|recipient|account|mailbox|address(?:ee)?) (?:is )?(?:disabled|inactive|invalid)", "5.1.1"),
        (r"(?:user|recipient|account|mailbox|address) .{0,60}does(?: not|n.t) exist|couldn.t be found", "5.1.1"),
        (r"(?:unknown|no such) (?:user|mailbox|recipient|address|account)|unrouteable address", "5.1.1"),
        (r"no (?:valid )?(?:mailbox|recipients?) (?:here|were found)|doesn.t have a .{0,30}account", "5.1.1"),
        (r"not listed in .{0,30}(?:directory|address book)", "5.1.1"),
        (r"unbekannte[rn]? (?:empfänger|adresse|benutzer)|existiert nicht", "5.1.1"),
        (
            r"(?:empfänger|adresse|postfach|konto)\S{0,40} .{0,60}(?:unbekannt|nicht (?:gefunden|vorhanden)|ungültig)",
            "5.1.1",
        ),
        (
            r"(?:adresse|destinataire|utilisateur|compte|boîte)\S{0,40} .{0,60}(?:inconnue?|invalide|inexistante?)",
            "5.1.1",
        ),
        (r"(?:adresse|destinataire|utilisateur|compte|boîte)\S{0,40} .{0,60}n.existe (?:pas|plus)", "5.1.1"),
        (r"(?:adresse|destinataire|utilisateur|compte) inconnue?", "5.1.1"),
        (
            r"nonexistent|non-existent hosts|domain .{0,40}(?:not found|does not exist)|host (?:unknown|not found)",
            "5.1.2",
        ),
        (r"spam|black ?list|blocked|reputation|policy|spf|dkim|dmarc|refusée? pour|abgelehnt wegen", "5.7.1"),
        (
            r"retry timeout|retry time not reached|queue too long|timed out|could not connect|zeitüberschreitung",
            "4.4.7",
        ),
    )
)


def read_bounce_in_words(message: Message) -> tuple[Meaning, str] | None:
    """Return the meaning of a bounce in words for its recipient, and the status code; None if the mail is no bounce.

    A notice of delay is no bounce. The recipient is known by the address at which the bounce arrives.
    """
    words = _text(message)[:MAX_TEXT_LENGTH]
    copy = _QUOTED_MAIL.search(words)
    said = words[: copy.start()] if copy and copy.start() else words
    subject = str(message.get("Subject", ""))
    if not _is_bounce(message, " ".join(said.split())) or _DELAY_SENTENCES.search(f"{subject}\n{said}"):
        return None
    return meaning_in_words(" ".join(said.split()))


def meaning_in_words(said: str) -> tuple[Meaning, str] | None:
    """Return the meaning of the reply of a server, or of words for people, and the status code; None if there is none.

    Some servers report 5.0.0 whatever it was.
    """
    code = _STATUS_IN_REPLY.search(said) or _STATUS.search(said)
    if code and not code[1].endswith(".0.0"):
        return status_meaning(code[1]), code[1]
    for pattern, status in _REASONS:
        if pattern.search(said):
            return status_meaning(status), status
    if found := _REPLY_CODE.search(said):
        return reply_meaning("recipient", int(found[1]), "")
    return (status_meaning(code[1]), code[1]) if code else None


def _is_bounce(message: Message, said: str) -> bool:
    if message.get("X-Failed-Recipients"):
        return True
    sender = str(message.get("From", ""))
    from_nobody = str(message.get("Return-Path", "")).strip() == "<>" and not _is_auto_reply(message)
    if (from_nobody or _DAEMON.search(sender)) and (_STATUS.search(said) or _REPLY_CODE.search(said)):
        return True
    return _BOUNCE_SENDER.search(sender) is not None and _BOUNCE_SENTENCES.search(said) is not None


def _is_auto_reply(message: Message) -> bool:
    automatic = str(message.get("Auto-Submitted", "")).strip().lower().startswith("auto-replied")
    return automatic or any(message.get(name) is not None for name in _AUTO_REPLY_HEADERS)


def _text(message: Message) -> str:
    """Return the first plain text of a mail, or else its first HTML without tags; empty if it has neither."""
    parts = list(_own_parts(message))
    plain = next((part for part in parts if part.get_content_type() == "text/plain"), None)
    if plain is not None and (words := decoded(plain)).strip():
        return words
    html = next((part for part in parts if part.get_content_type() == "text/html"), None)
    return "" if html is None else unescape(_TAG.sub(" ", decoded(html)[: MAX_TEXT_LENGTH * 5]))


def _own_parts(message: Message) -> Iterator[Message]:
    """Yield the parts of a mail but for those of a mail within it, which is the one that came back."""
    within: set[int] = set()
    for part in message.walk():
        payload = part.get_payload()
        is_within = id(part) in within
        if not is_within:
            yield part
        if isinstance(payload, list) and (is_within or part.get_content_maintype() == "message"):
            within.update(map(id, payload))
