"""Nothing inside our network can be reached by naming it in a webhook, however it is named."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from ipaddress import ip_address

import pytest

from service.webhooks.address import NotCallable, check, target
from service.webhooks.call import Caller, CallFailed
from tests.listener import Listener

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
