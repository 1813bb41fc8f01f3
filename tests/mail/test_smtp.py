"""The SMTP client: sending, retries, and certificates of the mail server."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from threading import Timer
from typing import Any
from urllib.parse import urlsplit

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from structlog.testing import capture_logs

from service.commands import doctor
from service.local.servers import MailSink
from service.local.supervisor import wait_until
from service.mail import smtp
from service.mail.envelope_sender import envelope_sender
from service.mail.header_policy import POLICY
from service.mail.smtp import MAX_MAILS_PER_CONNECTION, Mailer, NotSent
from service.settings import BadSetting, Settings
from tests.faulty import DROP, HOLD, OK, Faulty
from tests.messages.services import certificate as certificate_for

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


def test_an_answer_to_a_mail_has_no_sender_that_bounces_go_to(tmp_path: Path, settings: Settings) -> None:
    answer = letter("alice@example.org")
    del answer["Auto-Submitted"]
    answer["Auto-Submitted"] = "auto-replied"
    with Faulty(tmp_path) as sink:
        mailer = Mailer(sink.url, settings.mail_from, envelope_sender(settings))
        mailer.send(answer)
        mailer.close()
    assert sink.senders == ["<>"]


FAR = "mail.example.org"
"""A server that is not on this machine, by its name."""
REFUSED = "its certificate is refused: self-signed certificate (SMTP_TLS says which are good)"
SCHEMES = pytest.mark.parametrize("scheme", ["smtp", "smtps"])


class Secure(Faulty):
    """The same under TLS, for Zoe with the password sesame alone."""

    def __init__(self, mailbox: Path, context: ssl.SSLContext, *, from_the_start: bool) -> None:
        super().__init__(mailbox)
        self._context = context
        self._from_the_start = from_the_start

    def protocol(self, loop: Any) -> SMTP:
        """Return a protocol."""
        if self._from_the_start:
            # The library does not know of the encryption beneath it.
            return SMTP(self, loop=loop, authenticator=self._check, auth_require_tls=False)
        asked = {"tls_context": self._context, "require_starttls": True, "auth_required": True}
        return SMTP(self, loop=loop, authenticator=self._check, **asked)

    @property
    def tls(self) -> ssl.SSLContext | None:
        """The context of connections that are encrypted from the start."""
        return self._context if self._from_the_start else None

    @staticmethod
    def _check(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: LoginPassword) -> AuthResult:
        return AuthResult(success=(data.login, data.password) == (b"zoe", b"sesame"), handled=False)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for a server elsewhere, signed by itself, with its key."""
    return certificate_for(tmp_path_factory.mktemp("tls"), (FAR,))


@pytest.fixture
def far(certificate: Path, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Returns a server elsewhere, under TLS with that certificate."""
    ask = socket.getaddrinfo

    def answer(host: Any, *more: Any, **named: Any) -> Any:
        return ask("127.0.0.1" if host == FAR else host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with Secure(tmp_path, context, from_the_start=request.getfixturevalue("scheme") == "smtps") as sink:
        yield sink


def mailer_for(far: Secure, scheme: str, password: str = "sesame", trust: str = "verify", host: str = FAR) -> Mailer:
    url = f"{scheme}://zoe:{password}@{host}:{urlsplit(far.url).port}"
    return Mailer(url, "boardroom@example.org", trust=trust)


@SCHEMES
@pytest.mark.parametrize(
    ("known", "password", "failure"),
    [(True, "sesame", ""), (True, "guessed", "it answers 535"), (False, "sesame", REFUSED)],
)
def test_a_server_gets_the_password_and_the_mail_only_if_its_certificate_is_good(
    far: Secure,
    scheme: str,
    certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
    known: bool,
    password: str,
    failure: str,
) -> None:
    if known:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    mailer = mailer_for(far, scheme, password)
    with pytest.raises(NotSent, match=r"^outage( 535 ?.*)?$") if failure else nullcontext() as refusal:
        mailer.send(letter())
    mailer.close()
    assert arrived(far.mailbox) == (not failure)
    assert mailer.place == f"{FAR}:{urlsplit(far.url).port}"
    assert refusal is None or refusal.value.failure == failure


@SCHEMES
def test_a_server_on_this_machine_may_have_signed_its_certificate_itself(far: Secure, scheme: str) -> None:
    mailer = mailer_for(far, scheme, host="127.0.0.1")
    greeting = mailer.greet()
    assert (greeting.encrypted, greeting.certified_until) == (True, None)
    mailer.send(letter())
    mailer.close()
    assert arrived(far.mailbox) == 1


@SCHEMES
def test_the_file_of_its_own_certificate_makes_a_server_good(
    far: Secure, scheme: str, certificate: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mailer = mailer_for(far, scheme, trust=str(certificate))
    assert mailer.greet().certified_until is not None
    mailer.send(letter())
    mailer.close()
    assert arrived(far.mailbox) == 1
    # and no other server, this machine's included
    other = str(certificate_for(tmp_path_factory.mktemp("other"), (FAR,)))
    for host in (FAR, "127.0.0.1"):
        with pytest.raises(NotSent) as refusal:
            mailer_for(far, scheme, trust=other, host=host).send(letter())
        assert refusal.value.failure.startswith("its certificate is refused")


@SCHEMES
def test_any_certificate_is_taken_where_that_is_wanted_and_the_log_says_so_once(far: Secure, scheme: str) -> None:
    mailer = mailer_for(far, scheme, trust="any")
    with capture_logs() as lines:
        for _ in range(2):
            mailer.send(letter())
            mailer.close()
    assert arrived(far.mailbox) == 2
    (line,) = lines
    assert line["log_level"] == "warning" and line["event"].startswith("any certificate of the mail server is taken")
    assert "sesame" not in str(lines)


@pytest.mark.parametrize("scheme", ["smtp"])
def test_without_starttls_nothing_is_encrypted_and_the_log_says_so(far: Secure, scheme: str) -> None:
    mailer = mailer_for(far, scheme, trust="off")
    # This server wants encryption before anything else.
    with capture_logs() as lines, pytest.raises(NotSent):
        mailer.send(letter())
    assert arrived(far.mailbox) == 0
    assert lines[0]["event"].startswith("STARTTLS is switched off")


@SCHEMES
def test_doctor_says_how_sure_a_certificate_is(
    far: Secure, scheme: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(trust: str) -> tuple[str, str, str]:
        url = f"{scheme}://zoe:sesame@{FAR}:{urlsplit(far.url).port}"
        return doctor.look_at_server(url, "boardroom@example.org", trust)

    level, said, todo = look("verify")
    assert (level, "its certificate is refused: self-signed certificate" in said) == ("fail", True)
    assert "SMTP_TLS" in todo
    assert look("any")[:2] == ("warn", "takes mails, encrypted, but any certificate is taken")
    # It is made for a day.
    level, said, todo = look(str(certificate))
    assert (level, todo) == ("warn", "Have the certificate renewed.")
    monkeypatch.setattr(doctor, "CERTIFICATE_WARNING", timedelta(hours=1))
    assert look(str(certificate)) == ("ok", "takes mails, encrypted, with a certificate that is good for 0 days", "")


def test_what_a_certificate_has_to_be_is_a_word_or_a_file(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://alice@db.example/games")
    monkeypatch.delenv("SMTP_TLS", raising=False)
    assert Settings.from_env().smtp_tls == "verify"
    for good in ("any", "off", str(certificate)):
        monkeypatch.setenv("SMTP_TLS", good)
        assert Settings.from_env().smtp_tls == good
    for bad in ("sometimes", "/no/such/file", str(certificate.parent)):
        monkeypatch.setenv("SMTP_TLS", bad)
        with pytest.raises(BadSetting, match="SMTP_TLS"):
            Settings.from_env()
