"""Services that channels lead to, on this machine: they take what the real ones take, and answer as they do."""

from __future__ import annotations

import json
import re
import socket
import ssl
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from service.messages.calls import Caller
from service.messages.channels import Where
from service.shared import clock
from tests.listener import Listener, Received, Reply

HOSTS: Final = (
    "discord.com",
    "hooks.slack.com",
    "api.telegram.org",
    "matrix.example.org",
    "ntfy.example.org",
    "push.example.org",
)
PUBLIC: Final = "93.184.215.14"
WHERES: Final = {
    "discord": Where(kind="discord", url=f"https://discord.com/api/webhooks/1234567890/{'Ab-_' * 17}"),
    "slack": Where(kind="slack", url="https://hooks.slack.com/services/T0AB12CD3/B0AB12CD3/hTtPsAbCdEfGhIjKlMnOpQrS"),
    "telegram": Where(kind="telegram", token=f"1234567890:{'Xy-_z' * 7}", room="-1001234567"),
    "matrix": Where(
        kind="matrix", url="https://matrix.example.org", token="syt_secret_token", room="!room:matrix.example.org"
    ),
    "ntfy": Where(kind="ntfy", url="https://ntfy.example.org/secret-topic", token="tk_secret"),
}
JSON: Final = {"Content-Type": "application/json"}


def certificate(folder: Path, names: tuple[str, ...] = HOSTS) -> Path:
    """Return a file with a key and the certificate for these names, which it has signed itself."""
    key, today = ec.generate_private_key(ec.SECP256R1()), clock.now()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(each) for each in names]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    path = folder / "server.pem"
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(private + made.public_bytes(pem))
    return path


class Services(Listener):
    """All of them, behind one port; `status` makes them refuse, `said` is what has arrived as (service, text)."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        super().__init__(context)
        self.status = 200
        self.said: list[tuple[str, str]] = []
        self.browser: Browser | None = None

    def answer(self, received: Received) -> Reply:
        """Answer as the service does whose host was called, or as the test says."""
        if self.status != 200:
            return Reply(self.status, JSON, b'{"error": "no"}')
        host = received.headers["host"].partition(":")[0]
        return {
            "discord.com": self._discord,
            "hooks.slack.com": self._slack,
            "api.telegram.org": self._telegram,
            "matrix.example.org": self._matrix,
            "push.example.org": self._push,
        }.get(host, self._ntfy)(received)

    def _discord(self, received: Received) -> Reply:
        assert re.fullmatch(r"/api/webhooks/\d+/[\w-]+(\?.*)?", received.path), received.path
        sent = json.loads(received.body)
        self.said.append(("discord", sent["content"]))
        return Reply(204)

    def _slack(self, received: Received) -> Reply:
        assert received.path.startswith("/services/T")
        sent = json.loads(received.body)
        (attachment,) = sent["attachments"]
        self.said.append(("slack", f"{attachment['title']}\n{attachment['text']}"))
        return Reply(200, {}, b"ok")

    def _telegram(self, received: Received) -> Reply:
        assert re.fullmatch(r"/bot\d+:[\w-]+/sendMessage", received.path), received.path
        self.said.append(("telegram", json.loads(received.body)["text"]))
        return Reply(200, JSON, b'{"ok": true, "result": {}}')

    def _matrix(self, received: Received) -> Reply:
        assert received.headers["authorization"] == "Bearer syt_secret_token"
        path = unquote(received.path)
        if path.endswith("/account/whoami"):
            return Reply(200, JSON, b'{"user_id": "@zoe:matrix.example.org", "device_id": "D"}')
        if "/join/" in path:
            return Reply(200, JSON, b'{"room_id": "!room:matrix.example.org"}')
        assert "/send/m.room.message/" in path and received.method == "PUT"
        self.said.append(("matrix", json.loads(received.body)["body"]))
        return Reply(200, JSON, b'{"event_id": "$1"}')

    def _ntfy(self, received: Received) -> Reply:
        sent = json.loads(received.body)
        self.said.append(("ntfy", f"{sent['title']}\n{sent['message']}"))
        return Reply(200, JSON, b'{"id": "1"}')

    def _push(self, received: Received) -> Reply:
        assert self.browser is not None
        shown = self.browser.opened(received)
        self.said.append(("web-push", f"{shown['title']}\n{shown['body']}\n{shown['url']}"))
        return Reply(201)


@dataclass(slots=True)
class Browser:
    """A browser that has subscribed: it alone can read what is pushed to it (RFC 8291)."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = b"0123456789abcdef"

    def where(self, url: str = "https://push.example.org/send/secret-subscription") -> Where:
        """Return its subscription."""
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return Where(kind="web-push", url=url, p256dh=_text(point), auth=_text(self.secret))

    def opened(self, received: Received) -> dict[str, Any]:
        """Return what a pushed message says."""
        assert received.headers["content-encoding"] == "aes128gcm"
        plain = http_ece.decrypt(received.body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        shown: dict[str, Any] = json.loads(plain)
        return shown


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


@contextmanager
def services(pem: Path) -> Iterator[tuple[Services, Caller]]:
    """Run the services with this certificate; yield them and a caller for which their names lead there."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem)
    with Services(server) as running:
        trusting = ssl.create_default_context(cafile=str(pem))
        yield running, Caller(lookup=lambda host, port: [PUBLIC], dial=dial_to(running), context=trusting, seconds=10)


def dial_to(listener: Listener) -> Callable[..., socket.socket]:
    """Put calls to PUBLIC through to the listener: the one piece of wire that a test has to lay."""

    def dial(address: tuple[str, int], timeout: float) -> socket.socket:
        assert address[0] == PUBLIC
        return socket.create_connection(("127.0.0.1", listener.server_port), timeout)

    return dial
