"""The call itself: one request to a checked address, within a time, without following redirects."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from threading import Timer
from time import monotonic

from service.webhooks.address import NotCallable, Target, check, target

SECONDS = 15.0
LARGEST = 64 * 1024
"""The most bytes of an answer that are read."""

Lookup = Callable[[str, int], Sequence[str]]
Dial = Callable[[tuple[str, int], float], socket.socket]


class CallFailed(Exception):
    """There was no answer; `reason` is address-refused, unresolved, unreachable, tls, timeout or no-http."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a request: its status, its headers, and the first LARGEST bytes of its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def look_up(host: str, port: int) -> list[str]:
    """Return the IP addresses of a name; OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


class Caller:
    """Calls addresses that strangers have named.

    A name is looked up once; if any of its addresses is not public nothing is called, and otherwise one of those that
    were checked. `insecure` calls any address, without TLS if asked to: for trying things out on one machine.
    """

    def __init__(
        self,
        insecure: bool = False,
        *,
        lookup: Lookup = look_up,
        dial: Dial = socket.create_connection,
        context: ssl.SSLContext | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self._insecure = insecure
        self._lookup = lookup
        self._dial = dial
        self._context = context or ssl.create_default_context()
        self._seconds = seconds

    def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Post the body and return the status of the answer, whatever it is; CallFailed."""
        return self.exchange("POST", url, headers, body).status

    def exchange(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, seconds: float | None = None
    ) -> Answered:
        """Send a request and return the answer, whatever its status is, within so many seconds; CallFailed."""
        try:
            there = target(url, self._insecure)
            address = self._address(there)
        except NotCallable as error:
            raise CallFailed("address-refused") from error
        end = monotonic() + (self._seconds if seconds is None else seconds)
        with self._connected(there, address, end) as connection:
            answered = _exchange(connection, method, there, headers, body)
            if monotonic() >= end:
                # Hung up on in the middle of its headers, an answer looks like one that is whole.
                raise TimeoutError
            return answered

    def _address(self, there: Target) -> str:
        literal = there.literal
        try:
            found = [literal] if literal else self._lookup(there.host, there.port)
        except (OSError, UnicodeError) as error:
            raise CallFailed("unresolved") from error
        if not found:
            raise CallFailed("unresolved")
        if not self._insecure:
            for each in found:
                check(each)
        return found[0]

    @contextmanager
    def _connected(self, there: Target, address: str, end: float) -> Iterator[HTTPConnection]:
        """Connect, and hang up when the time is over, however slowly the other side goes on talking."""
        sock = self._dialled(there, address, max(0.001, end - monotonic()))
        timer = Timer(max(0.0, end - monotonic()), _hang_up, (sock,))
        with closing(sock):
            timer.start()
            try:
                if isinstance(sock, ssl.SSLSocket):
                    sock.do_handshake()
                connection = HTTPConnection(there.host, there.port)
                connection.sock = sock
                yield connection
            except (OSError, HTTPException, ValueError) as error:
                raise CallFailed("timeout" if monotonic() >= end else _reason(error)) from error
            finally:
                timer.cancel()
                timer.join()

    def _dialled(self, there: Target, address: str, seconds: float) -> socket.socket:
        try:
            sock = self._dial((address, there.port), seconds)
            if there.scheme == "http":
                return sock
            return self._context.wrap_socket(sock, server_hostname=there.host, do_handshake_on_connect=False)
        except OSError as error:
            raise CallFailed("timeout" if isinstance(error, TimeoutError) else _reason(error)) from error


def _exchange(
    connection: HTTPConnection, method: str, there: Target, headers: Mapping[str, str], body: bytes
) -> Answered:
    connection.putrequest(method, there.path, skip_host=True, skip_accept_encoding=True)
    for name, value in {"Host": there.authority, **headers, "Connection": "close"}.items():
        connection.putheader(name, value)
    connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    said = b""
    # The status says the most. What goes wrong with the rest does not count.
    with suppress(OSError, HTTPException, ValueError):
        said = answer.read(LARGEST)
    return Answered(answer.status, dict(answer.getheaders()), said)


def _hang_up(sock: socket.socket) -> None:
    # Not the method of SSLSocket, which would pull the TLS state away under a thread that is reading.
    with suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return "tls"
    return "unreachable" if isinstance(error, OSError) and not isinstance(error, HTTPException) else "no-http"
