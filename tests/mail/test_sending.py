"""What a mail server answers decides whether a mail is gone, worth another attempt, or hopeless."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from service.local.servers import MailSink
from service.local.supervisor import wait_until
from service.mail import smtp
from service.mail.bounces import envelope_sender
from service.mail.header_policy import POLICY
from service.mail.smtp import MAX_MAILS_PER_CONNECTION, Mailer, NotSent
from service.settings import Settings
from tests.faulty import DROP, HOLD, OK, Faulty

Serve = Callable[..., tuple[Mailer, Faulty]]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Returns a mailer, and its server that gives these answers."""
    with ExitStack() as stack:

        def start(**answers: list[str]) -> tuple[Mailer, Faulty]:
            sink = stack.enter_context(Faulty(tmp_path, **answers))
            mailer = Mailer(sink.url, "Boardroom <boardroom@example.org>")
            stack.callback(mailer.close)
            return mailer, sink

        yield start


def letter(to: str = "alice@example.org") -> EmailMessage:
    """A mail, to Alice unless told."""
    message = EmailMessage(policy=POLICY)
    message["From"], message["To"] = "boardroom@example.org", to
    message["Subject"] = "Zug für Zoë"
    message.set_content("Grüße\n.\nfrom a dot alone\n", charset="utf-8", cte="quoted-printable")
    return message


def arrived(mailbox: Path) -> int:
    return len(list(mailbox.glob("*.eml")))


def test_a_mail_arrives_as_it_was_written(serve: Serve, tmp_path: Path) -> None:
    serve()[0].send(letter())
    (path,) = tmp_path.glob("*.eml")
    read = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert read["Subject"] == "Zug für Zoë"
    assert read.get_content().splitlines() == ["Grüße", ".", "from a dot alone"]


@pytest.mark.parametrize(
    ("stage", "answer", "outcome", "cause"),
    [
        ("recipient", "450 4.2.1 busy", "again", None),
        ("recipient", "451 4.7.1 greylisted", "again", None),
        ("recipient", "450 later", "again", None),
        ("recipient", "452 4.2.2 mailbox full", "again", "mailbox-full"),
        ("recipient", "552 5.2.2 mailbox full", "again", "mailbox-full"),
        ("recipient", "552 full", "again", "mailbox-full"),
        ("recipient", "550 5.1.1 <alice@example.org> unknown", "address", "unknown-address"),
        ("recipient", "550 5.1.10 no such recipient", "address", "unknown-address"),
        ("recipient", "553 5.1.3 bad syntax", "address", "unknown-address"),
        ("recipient", "550 5.2.1 mailbox disabled", "address", "unknown-address"),
        ("recipient", "550 no such user", "address", "unknown-address"),
        ("recipient", "550 5.4.4 no route", "address", "not-accepted"),
        ("recipient", "550 5.7.1 blocked, see 10.5.1.1", "policy", None),
        ("recipient", "554 no", "policy", None),
        ("recipient", "550 4.1.1 mixed up", "address", "unknown-address"),
        ("sender", "451 4.3.0 later", "again", None),
        ("sender", "553 5.1.8 sender's domain unknown", "policy", None),
        ("sender", "550 5.1.1 who are you", "policy", None),
        ("mail", "421 4.3.2 closing", "again", None),
        ("mail", "452 4.3.1 disk full", "again", None),
        ("mail", "554 5.7.1 policy", "policy", None),
        ("mail", "554 spam", "policy", None),
        ("mail", "550 5.1.1 unknown after all", "address", "unknown-address"),
        ("mail", DROP, "unknown", None),
    ],
)
def test_an_answer_means_what_the_table_says(serve: Serve, stage: str, answer: str, outcome: str, cause: Any) -> None:
    mailer, _ = serve(**{stage: [answer]})
    with pytest.raises(NotSent) as refusal:
        mailer.send(letter())
    assert (refusal.value.meaning.outcome, refusal.value.meaning.cause) == (outcome, cause)
    assert refusal.value.address == "alice@example.org"
    assert "alice" not in str(refusal.value)


def test_a_server_out_of_reach_is_an_outage(tmp_path: Path) -> None:
    with MailSink(tmp_path) as sink:
        url = sink.url
    with pytest.raises(NotSent, match="outage") as refusal:
        Mailer(url, "boardroom@example.org").send(letter())
    assert refusal.value.failure == "the connection is refused"


def test_a_server_that_is_silent_at_a_recipient_may_mean_that_one_and_at_the_next_one_is_out_of_reach(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp, "SMTP_TIMEOUT_S", 0.2)
    mailer, sink = serve(recipient=[HOLD])
    for outcome in ("again", "outage"):
        with pytest.raises(NotSent, match=outcome) as refusal:
            mailer.send(letter())
        assert refusal.value.failure == "it does not answer in time"
    assert mailer.outage.left()
    sink.let_go.set()
    sink.answers = {}
    mailer.send(letter())
    assert mailer.outage.left() is None


def test_a_server_that_is_slow_to_say_that_it_has_a_mail_gets_it_once(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a server that takes a mail at once, and says so later than any other answer may come
    monkeypatch.setattr(smtp, "SMTP_TIMEOUT_S", 0.2)
    mailer, sink = serve(mail=[HOLD])
    says_so = Timer(1, sink.let_go.set)
    # when the mail is sent
    says_so.start()
    mailer.send(letter())
    # then it has left, and the next one is not given more time to begin with
    assert arrived(tmp_path) == 1
    sink.answers = {}
    mailer.send(letter())
    assert (arrived(tmp_path), len(sink.sessions)) == (2, 1)


def test_a_server_that_refuses_one_mail_is_there_for_all_others(serve: Serve) -> None:
    mailer, _ = serve(recipient=["550 5.1.1 unknown"])
    mailer.outage.note()
    with pytest.raises(NotSent):
        mailer.send(letter())
    assert mailer.outage.left() is None


def test_mails_one_after_the_other_share_a_connection_for_a_hundred_mails(serve: Serve, tmp_path: Path) -> None:
    mailer, sink = serve()
    for _ in range(MAX_MAILS_PER_CONNECTION + 1):
        mailer.send(letter())
    assert arrived(tmp_path) == MAX_MAILS_PER_CONNECTION + 1
    assert len(sink.sessions) == 2


def test_after_a_refusal_the_next_mail_has_a_connection_of_its_own(serve: Serve, tmp_path: Path) -> None:
    mailer, sink = serve(recipient=["550 5.1.1 unknown", OK])
    with pytest.raises(NotSent):
        mailer.send(letter())
    mailer.send(letter("bob@example.org"))
    assert len(sink.sessions) == 2
    assert arrived(tmp_path) == 1


def test_a_connection_that_the_server_has_closed_meanwhile_costs_no_mail(serve: Serve, tmp_path: Path) -> None:
    mailer, sink = serve(mail=[OK, OK])
    mailer.send(letter())
    sink.hang_up()
    mailer.send(letter())
    assert arrived(tmp_path) == 2
    assert len(sink.sessions) == 2


def test_an_idle_connection_is_closed(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "IDLE_TIMEOUT_S", 0.05)
    mailer, sink = serve()
    mailer.send(letter())
    assert wait_until(lambda: not sink.connections, 60)


def test_each_recipient_has_a_sender_of_their_own_that_bounces_go_to(tmp_path: Path, settings: Settings) -> None:
    with Faulty(tmp_path) as sink:
        mailer = Mailer(sink.url, settings.mail_from, envelope_sender(settings))
        for to in ("alice@example.org", "bob@example.org"):
            mailer.send(letter(to))
        mailer.close()
    assert len(set(sink.senders)) == 2
    assert all(each.startswith("b+") and each.endswith("@example.org") for each in sink.senders)
    assert all(len(each.rpartition("@")[0]) <= 64 and each == each.lower() for each in sink.senders)
