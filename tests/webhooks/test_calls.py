"""A call goes to the checked address, under the name that was asked for, and nobody can draw it out."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from service.shared import clock
from service.webhooks.call import LARGEST, Caller, CallFailed
from tests.listener import Listener, Reply

NAME = "hooks.example.org"
PUBLIC = "93.184.215.14"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The key of hooks.example.org, and its certificate, which it has signed itself."""
    key, today = ec.generate_private_key(ec.SECP256R1()), clock.now()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(private + made.public_bytes(pem))
    return path


@pytest.fixture
def listener() -> Iterator[Listener]:
    with Listener() as running:
        yield running


def dial_to(listener: Listener, dialled: list[tuple[str, int]]) -> Callable[..., socket.socket]:
    """Note who is dialled, and put the call through to the listener: the one piece of wire that a test has to lay."""

    def dial(address: tuple[str, int], timeout: float) -> socket.socket:
        dialled.append(address)
        return socket.create_connection(("127.0.0.1", listener.server_port), timeout)

    return dial


def test_a_call_goes_to_the_checked_address_under_the_name_asked_for(certificate: Path) -> None:
    names: list[str | None] = []
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate)
    server.sni_callback = lambda sock, name, context: names.append(name)
    dialled: list[tuple[str, int]] = []
    with Listener(server) as listener:
        trusting = ssl.create_default_context(cafile=str(certificate))
        caller = Caller(lookup=lambda host, port: [PUBLIC], dial=dial_to(listener, dialled), context=trusting)
        assert caller.post(f"https://{NAME}:8443/hook?a=b", {"X-Own": "1"}, b"{}") == 200
        (got,) = listener.received
    assert dialled == [(PUBLIC, 8443)]
    assert names == [NAME]
    assert got.headers["host"] == f"{NAME}:8443"
    assert (got.path, got.headers["x-own"], got.body) == ("/hook?a=b", "1", b"{}")


@pytest.mark.parametrize("host", ["other.example.org", NAME])
def test_a_server_that_cannot_prove_its_name_is_told_nothing(certificate: Path, host: str) -> None:
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate)
    # The wrong name under a trusted certificate, and the right one under one that nobody vouches for.
    context = ssl.create_default_context(cafile=str(certificate)) if host != NAME else None
    with Listener(server) as listener:
        caller = Caller(lookup=lambda host, port: [PUBLIC], dial=dial_to(listener, []), context=context)
        with pytest.raises(CallFailed, match="tls"):
            caller.post(f"https://{host}/", {}, b"{}")
        assert listener.received == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nobody_is_followed_anywhere(listener: Listener, status: int) -> None:
    with Listener() as inside:
        listener.reply = Reply(status, {"Location": inside.url})
        assert Caller(insecure=True).post(listener.url, {}, b"{}") == status
        assert inside.connections == 0


def test_the_proxy_of_the_environment_is_not_used(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    with Listener() as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert Caller(insecure=True).post(listener.url, {}, b"{}") == 200
        assert proxy.connections == 0


def test_an_endless_answer_is_not_heard_to_its_end(listener: Listener) -> None:
    listener.reply = Reply(body=b"x" * LARGEST * 100)
    assert Caller(insecure=True).post(listener.url, {}, b"{}") == 200


def test_whoever_never_answers_is_hung_up_on(listener: Listener) -> None:
    over = Event()

    def never() -> Reply:
        over.wait(10)
        return Reply()

    listener.reply = never
    with pytest.raises(CallFailed, match="timeout"):
        Caller(insecure=True, seconds=0.2).post(listener.url, {}, b"{}")
    over.set()


@pytest.mark.parametrize("drop", [b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"])
def test_whoever_answers_in_drops_is_hung_up_on(drop: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def dial(address: tuple[str, int], timeout: float) -> socket.socket:
            here = socket.create_connection(server.getsockname(), timeout)
            there, _ = server.accept()
            there.sendall(drop)
            kept.append(there)
            return here

        kept: list[socket.socket] = []
        start = monotonic()
        with pytest.raises(CallFailed, match="timeout"):
            Caller(insecure=True, dial=dial, seconds=0.2).post("http://127.0.0.1/", {}, b"{}")
        assert monotonic() - start < 30
        kept[0].close()


@pytest.mark.parametrize(
    "noise", [b"220 mail.example.org ESMTP\r\n", b"\x00\xff" * 10, b"", b"HTTP/1.1 nonsense\r\n\r\n"]
)
def test_what_is_no_http_is_said_to_be_none(noise: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def dial(address: tuple[str, int], timeout: float) -> socket.socket:
            here = socket.create_connection(server.getsockname(), timeout)
            there, _ = server.accept()
            there.sendall(noise)
            there.shutdown(socket.SHUT_WR)
            kept.append(there)
            return here

        kept: list[socket.socket] = []
        with pytest.raises(CallFailed, match="no-http"):
            Caller(insecure=True, dial=dial).post("http://127.0.0.1/", {}, b"{}")
        kept[0].close()


def test_where_nobody_listens_nobody_is_reached() -> None:
    with pytest.raises(CallFailed, match="unreachable"):
        Caller(insecure=True).post("http://127.0.0.1:1/", {}, b"{}")


def test_a_name_that_nobody_knows_is_not_resolved() -> None:
    def lookup(host: str, port: int) -> list[str]:
        raise socket.gaierror

    with pytest.raises(CallFailed, match="unresolved"):
        Caller(lookup=lookup).post("https://nobody.example.org/", {}, b"{}")
