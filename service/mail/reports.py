"""Reads the reports of other mail servers: that a mail could not be delivered, or that its recipient does not want it.

It loads little, since it runs in the process that reads strangers' mails (shared/limited_process.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from email.message import Message
from typing import Final

from service.mail import returned
from service.mail.outcomes import Meaning, meaning_of, status_in
from service.mail.parser import parse, parse_headers

LARGEST: Final = 1024 * 1024
"""How many bytes of a report are read."""
_DELIVERY: Final = "message/delivery-status"
_FAILED: Final = ("failed", "failure", "expired")
"""Actions of a report after which nothing is tried any more; only the first is of RFC 3464 (2.3.3)."""
_FEEDBACK: Final = "message/feedback-report"


def read_report(raw: bytes) -> tuple[bool, tuple[Meaning, str] | None]:
    """Return whether a mail is an abuse report, and what it says as a bounce, as `read`."""
    complaint = is_complaint(raw)
    return complaint, None if complaint else read(raw)


def read(raw: bytes) -> tuple[Meaning, str] | None:
    """Return the meaning of a bounce for its recipient, and the enhanced status code; None if the mail is no bounce.

    A bounce is a delivery status notification (RFC 3464), or says so in words. Only failures count: a delayed mail may
    still arrive, and an out-of-office reply comes from a mail that has arrived.
    """
    message = parse(raw[:LARGEST])
    reported = [block for block in _blocks(message, _DELIVERY) if block.get("Action")]
    if not reported:
        return None if any(_blocks(message, _FEEDBACK)) else returned.failure(message)
    for block in reported:
        if str(block.get("Action", "")).strip().lower() not in _FAILED:
            continue
        # Some servers report 5.0.0; then the reply that they quote has the real status.
        status = status_in(str(block.get("Status", "")))
        diagnosed = str(block.get("Diagnostic-Code", ""))
        quoted = status_in(diagnosed)
        best = quoted if quoted.startswith(status[:2] or quoted[:2]) and not quoted.endswith(".0.0") else status
        if best[:1] in ("4", "5"):
            return meaning_of(best), best
        if found := returned.why(" ".join(diagnosed.split())) or returned.failure(message):
            return found
    return None


def is_complaint(raw: bytes) -> bool:
    """Return whether the mail is an abuse report (RFC 5965): a recipient has marked one of our mails as unwanted."""
    return any(
        str(block.get("Feedback-Type", "")).strip().lower() in ("abuse", "opt-out", "opt-out-list")
        for block in _blocks(parse(raw[:LARGEST]), _FEEDBACK)
    )


def _blocks(message: Message, kind: str) -> Iterator[Message]:
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
