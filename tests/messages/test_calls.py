"""Calls to addresses of strangers: only public ones, at the address that was checked, within a time."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from service.messages.calls import MAX_ANSWER_BYTES, Caller, CallFailed, NotCallable, check, target
from service.shared import clock
from tests.listener import Listener, Reply

PUBLIC = "93.184.215.14"

INSIDE = [
    "https://127.0.0.1:{port}/",
    "https://127.0.0.1/",
    "https://127.0.0.1:8443/",
    "http://127.0.0.1:{port}/",
    "http://hooks.example.org/",
    "https://localhost/",
    "https://localhost:{port}/",
    "https://localhost./",
    "https://127.1/",
    "https://127.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://127.0.0.01/",
    "https://127.0.0.1./",
    "https://0.0.0.0/",
    "https://0/",
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://192.168.1.1/",
    "https://100.100.100.200/",
    "https://169.254.169.254/latest/meta-data/",
    "https://168.63.129.16/",
    "https://192.0.0.9/",
    "https://192.88.99.1/",
    "https://198.18.0.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::1]/",
    "https://[::1]:8443/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::127.0.0.1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:7f00:1::1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b:1::7f00:1]/",
    "https://[fe80::1%25lo]/",
    "https://[fc00::1]/",
    "https://[fd00:ec2::254]/",
    "https://[ff02::1]/",
    "https://[2001:db8::1]/",
    "https://[3fff::1]/",
    "https://[::1/",
    "https://user@hooks.example.org/",
    "https://user:secret@hooks.example.org/",
    "https://hooks.example.org@127.0.0.1/",
    "https://hooks.example.org:443@127.0.0.1/",
    "https://127.0.0.1\\@hooks.example.org/",
    "https://127.0.0.1#@hooks.example.org/",
    "https://hooks.example.org:22/",
    "https://hooks.example.org:{port}/",
    "https://hooks.example.org:99999/",
    "https://hooks.example.org:-1/",
    "https://hooks_example/",
    "https://%31%32%37.0.0.1/",
    "https://①②⑦.⓪.⓪.①/",
    "https://127。0。0。1/",
    "https://hooks.example.org/\r\nHost: 127.0.0.1",
    " https://127.0.0.1/",
    "https:///127.0.0.1/",
    "https:127.0.0.1/",
    "//127.0.0.1/",
    "ftp://hooks.example.org/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/",
    "javascript:alert(1)",
    "",
]

NOT_PUBLIC = ["127.0.0.1", "10.1.2.3", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "fe80::1%lo", "nonsense"]


@pytest.fixture
def listener() -> Iterator[Listener]:
    with Listener() as running:
        yield running


@pytest.mark.parametrize("url", INSIDE)
def test_no_way_of_writing_an_address_leads_inside(listener: Listener, url: str) -> None:
    asked: list[str] = []

    def everything_is_here(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    def dial_here(address: tuple[str, int], timeout: float) -> socket.socket:
        return socket.create_connection(("127.0.0.1", listener.server_port), timeout)

    written = url.format(port=listener.server_port)
    with pytest.raises(NotCallable):
        target(written)
    with pytest.raises(CallFailed, match="address-refused"):
        Caller(lookup=everything_is_here, dial=dial_here).post(written, {}, b"{}")
    assert asked == []
    assert listener.connections == 0


@pytest.mark.parametrize("address", NOT_PUBLIC)
@pytest.mark.parametrize("others", [[], [PUBLIC]])
def test_a_name_is_not_called_if_any_of_its_addresses_is_inside(
    listener: Listener, address: str, others: list[str]
) -> None:
    def dial_here(address: tuple[str, int], timeout: float) -> socket.socket:
        return socket.create_connection(("127.0.0.1", listener.server_port), timeout)

    caller = Caller(lookup=lambda host, port: [*others, address], dial=dial_here)
    with pytest.raises(CallFailed, match="address-refused"):
        caller.post("https://hooks.example.org/", {}, b"{}")
    assert listener.connections == 0


def test_what_the_name_service_says_after_the_check_is_not_heard(listener: Listener) -> None:
    answers = iter([[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]])
    dialled: list[tuple[str, int]] = []

    def dial(address: tuple[str, int], timeout: float) -> socket.socket:
        dialled.append(address)
        raise ConnectionRefusedError

    caller = Caller(lookup=lambda host, port: next(answers), dial=dial)
    with pytest.raises(CallFailed, match="unreachable"):
        caller.post("https://hooks.example.org/", {}, b"{}")
    assert dialled == [(PUBLIC, 443)]
    assert next(answers) == ["127.0.0.1"]
    with pytest.raises(CallFailed, match="address-refused"):
        caller.post("https://hooks.example.org/", {}, b"{}")
    assert dialled == [(PUBLIC, 443)]


def test_the_real_name_service_is_not_believed_either(listener: Listener) -> None:
    caller = Caller(dial=lambda address, timeout: socket.create_connection(("127.0.0.1", listener.server_port)))
    with pytest.raises(CallFailed, match=r"unresolved|address-refused"):
        caller.post("https://localhost.localdomain/", {}, b"{}")
    assert listener.connections == 0


@pytest.mark.parametrize(
    ("url", "host", "port", "path", "authority"),
    [
        ("https://hooks.example.org", "hooks.example.org", 443, "/", "hooks.example.org"),
        ("https://Hooks.Example.org/a/b?c=d", "hooks.example.org", 443, "/a/b?c=d", "hooks.example.org"),
        ("https://hooks.example.org:8443/@bob", "hooks.example.org", 8443, "/@bob", "hooks.example.org:8443"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example", 443, "/", "xn--bcher-kva.example"),
        ("https://9.9.9.9/", "9.9.9.9", 443, "/", "9.9.9.9"),
        ("https://[2606:4700::1111]/", "2606:4700::1111", 443, "/", "[2606:4700::1111]"),
    ],
)
def test_a_public_address_is_understood(url: str, host: str, port: int, path: str, authority: str) -> None:
    there = target(url)
    assert (there.host, there.port, there.path, there.authority) == (host, port, path, authority)


def test_public_addresses_may_be_called() -> None:
    for address in (PUBLIC, "9.9.9.9", "2606:4700::1111"):
        assert ip_address(address).is_global
        check(address)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9000/", "http://localhost/", "https://[::1]:1/", "http://10.0.0.1/"])
def test_for_trying_out_every_address_may_be_named(url: str) -> None:
    assert target(url, insecure=True)


@pytest.mark.parametrize("url", ["http://user@localhost/", "ftp://localhost/", "http://127.1/", "http://a b/"])
def test_not_even_for_trying_out_is_nonsense_taken(url: str) -> None:
    with pytest.raises(NotCallable):
        target(url, insecure=True)


NAME = "hooks.example.org"


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
    listener.reply = Reply(body=b"x" * MAX_ANSWER_BYTES * 100)
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
