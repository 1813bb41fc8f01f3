"""What a mail server answers decides whether a mail is gone, worth another attempt, or hopeless."""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

from service.mail.policy import POLICY
from service.mail.send import Mailer, Undeliverable
from service.mail_sink import MailSink

Answers = Callable[[str, str], Mailer]


class AnsweringSink(MailSink):
    """A mail sink that answers as it is told to."""

    def __init__(self, mailbox: Path, rcpt: str, data: str) -> None:
        super().__init__(mailbox)
        self.rcpt = rcpt
        self.data = data

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Answer to a recipient."""
        if self.rcpt.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.rcpt

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Answer to a mail, and keep it if the answer is yes."""
        return await super().handle_DATA(server, session, envelope) if self.data.startswith("250") else self.data


@pytest.fixture
def answering(tmp_path: Path) -> Iterator[Answers]:
    """Returns a mailer whose server gives these answers to a recipient and to a mail."""
    with ExitStack() as stack:

        def mailer(rcpt: str, data: str) -> Mailer:
            sink = stack.enter_context(AnsweringSink(tmp_path, rcpt, data))
            return Mailer(sink.url, "Boardroom <boardroom@example.org>")

        yield mailer


def letter() -> EmailMessage:
    """A mail to Alice."""
    message = EmailMessage(policy=POLICY)
    message["From"], message["To"] = "boardroom@example.org", "alice@example.org"
    message["Subject"] = "Zug für Zoë"
    message.set_content("Grüße\n.\nfrom a dot alone\n", charset="utf-8", cte="quoted-printable")
    return message


def test_a_mail_arrives_as_it_was_written(answering: Answers, tmp_path: Path) -> None:
    answering("250 OK", "250 OK").send(letter())
    (path,) = tmp_path.glob("*.eml")
    arrived = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert arrived["Subject"] == "Zug für Zoë"
    assert arrived.get_content().splitlines() == ["Grüße", ".", "from a dot alone"]


def test_an_address_refused_for_good_is_undeliverable_and_not_named(answering: Answers) -> None:
    with pytest.raises(Undeliverable) as refusal:
        answering("550 5.1.1 <alice@example.org> unknown", "250 OK").send(letter())
    assert refusal.value.code == 550
    assert "alice" not in str(refusal.value)


def test_an_address_refused_for_now_is_worth_another_attempt(answering: Answers) -> None:
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        answering("451 4.7.1 greylisted", "250 OK").send(letter())


@pytest.mark.parametrize("answer", ["421 4.3.2 closing", "452 4.3.1 full", "554 5.7.1 policy"])
def test_a_refused_mail_does_not_make_its_recipient_undeliverable(answering: Answers, answer: str) -> None:
    with pytest.raises(smtplib.SMTPException) as refusal:
        answering("250 OK", answer).send(letter())
    assert not isinstance(refusal.value, Undeliverable)


def test_a_server_out_of_reach_is_worth_another_attempt(tmp_path: Path) -> None:
    with MailSink(tmp_path) as sink:
        url = sink.url
    with pytest.raises(OSError, match="refused"):
        Mailer(url, "boardroom@example.org").send(letter())
