"""Whom mails and passwords are handed to: what the certificate of the mail server has to be."""

from __future__ import annotations

import socket
import ssl
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from structlog.testing import capture_logs

from service.commands import doctor
from service.mail.smtp import Mailer, NotSent
from service.settings import BadSetting, Settings
from tests.channels.services import certificate as certificate_for
from tests.faulty import Faulty
from tests.mail.test_sending import arrived, letter

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
