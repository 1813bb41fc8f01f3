"""HTTP calls to addresses named by strangers: public addresses only, with a time limit, without redirects."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network
from threading import Timer
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

ALLOWED_PORTS = (443, 8443)
MAX_URL_LENGTH = 2000
_PORT_OF = {"https": 443, "http": 80}

# Parsers may disagree about a URL with any other character.
_PLAIN = re.compile(r"[A-Za-z0-9._~:/?\[\]@!$&'()*+,;=%-]+")
# The last label begins with a letter: resolvers take numbers in any base for IPv4 addresses.
_NAME = re.compile(r"([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?")

# Allocated but not public: protocol assignments, 6to4 relays, a cloud's own network.
_V4_APART = tuple(map(IPv4Network, ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")))
# Other IPv6 addresses are not allocated, or wrap an IPv4 address (mapped, compatible, NAT64), as 6to4 and Teredo do
# within this range.
_V6_PUBLIC = IPv6Network("2000::/3")
_V6_APART = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
CALL_TIMEOUT_S = 15.0
MAX_ANSWER_BYTES = 64 * 1024
"""Maximum bytes read of a response."""
LONGEST_WAIT: Final = timedelta(days=1)
"""Maximum wait that a Retry-After may ask for."""
_STATUSES: Final = frozenset({429, 503})
_MOST_DIGITS: Final = 9


class NotCallable(ValueError):
    """Refused address; the message says why in a sentence and quotes nothing of the address."""


@dataclass(frozen=True, slots=True)
class Target:
    """Target of a URL; `host` is a name or an IP address without brackets, `path` includes the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Return the value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORT_OF[self.scheme] else f"{host}:{self.port}"

    @property
    def literal(self) -> str | None:
        """Return the IP address in the URL, None if the URL has a name."""
        return None if _ip(self.host) is None else self.host


def target(url: str, insecure: bool = False) -> Target:
    """Return the target of the URL; NotCallable. `insecure` also allows http, any port, and private addresses."""
    if len(url) > MAX_URL_LENGTH or _PLAIN.fullmatch(url) is None:
        raise NotCallable("It has to be a URL of plain characters; a name in other letters is written as xn--.")
    try:
        split = urlsplit(url)
        port = split.port
    except ValueError as error:
        raise NotCallable("It is no URL.") from error
    if split.scheme not in (("https", "http") if insecure else ("https",)):
        raise NotCallable("It has to begin with https://.")
    if "@" in split.netloc:
        raise NotCallable("It must not hold a user or a password.")
    if port is None:
        port = _PORT_OF[split.scheme]
    if port not in ALLOWED_PORTS and not insecure:
        raise NotCallable("Its port has to be 443 or 8443.")
    host = _host(split.hostname or "", insecure)
    return Target(split.scheme, host, port, (split.path or "/") + (f"?{split.query}" if split.query else ""))


def check(address: str) -> None:
    """Raise NotCallable unless the IP address is public."""
    ip = _ip(address)
    if not (_public_v4(ip) if isinstance(ip, IPv4Address) else isinstance(ip, IPv6Address) and _public_v6(ip)):
        raise NotCallable("It leads to an address that is not public.")


def _host(host: str, insecure: bool) -> str:
    if _ip(host) is not None:
        if not insecure:
            check(host)
    elif len(host) > 253 or _NAME.fullmatch(host) is None or not (insecure or "." in host):
        raise NotCallable("Its host has to be a full name, or a public IP address in the usual form.")
    return host


def _ip(host: str) -> IPv4Address | IPv6Address | None:
    for kind in (IPv4Address, IPv6Address):
        try:
            return kind(host)
        except AddressValueError:
            continue
    return None


def _public_v4(ip: IPv4Address) -> bool:
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _V4_APART)


def _public_v6(ip: IPv6Address) -> bool:
    usual = ip.scope_id is None and ip.is_global and ip in _V6_PUBLIC
    return usual and not any(ip in network for network in _V6_APART)


Lookup = Callable[[str, int], Sequence[str]]
Dial = Callable[[tuple[str, int], float], socket.socket]


class CallFailed(Exception):
    """Call without a response; `reason` is address-refused, unresolved, unreachable, tls, timeout or no-http."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Answered:
    """Response to a request: its status, its headers, and the first MAX_ANSWER_BYTES bytes of its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def look_up(host: str, port: int) -> list[str]:
    """Return the IP addresses of a name; OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


class Caller:
    """Client for calls to addresses named by strangers.

    A name is resolved once. If any of its addresses is not public, no call is made; otherwise the first checked address
    is used (against DNS rebinding). `insecure` calls any address, without TLS if asked to: for trials on one machine.
    """

    def __init__(
        self,
        insecure: bool = False,
        *,
        lookup: Lookup = look_up,
        dial: Dial = socket.create_connection,
        context: ssl.SSLContext | None = None,
        seconds: float = CALL_TIMEOUT_S,
    ) -> None:
        self._insecure = insecure
        self._lookup = lookup
        self._dial = dial
        self._context = context or ssl.create_default_context()
        self._seconds = seconds

    def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Post the body and return the status of the response, whatever it is; CallFailed."""
        return self.exchange("POST", url, headers, body).status

    def exchange(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, seconds: float | None = None
    ) -> Answered:
        """Send a request and return the response, whatever its status, within `seconds` seconds; CallFailed."""
        try:
            there = target(url, self._insecure)
            address = self._address(there)
        except NotCallable as error:
            raise CallFailed("address-refused") from error
        end = monotonic() + (self._seconds if seconds is None else seconds)
        with self._connected(there, address, end) as connection:
            answered = _exchange(connection, method, there, headers, body)
            if monotonic() >= end:
                # A response that is cut off within its headers looks complete.
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
        """Connect, and close the connection at the deadline, even if the other side keeps sending slowly."""
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
    # The status matters most; errors in the body are ignored.
    with suppress(OSError, HTTPException, ValueError):
        said = answer.read(MAX_ANSWER_BYTES)
    return Answered(answer.status, dict(answer.getheaders()), said)


def _hang_up(sock: socket.socket) -> None:
    # Avoid SSLSocket's method, which would remove the TLS state while a thread is reading.
    with suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return "tls"
    return "unreachable" if isinstance(error, OSError) and not isinstance(error, HTTPException) else "no-http"


def asked_wait(status: int | None, headers: Mapping[str, str], now: datetime) -> timedelta:
    """Return the wait that a response of this status asks for, at most LONGEST_WAIT; zero if none."""
    said = next((value.strip() for name, value in headers.items() if name.lower() == "retry-after"), "")
    if status not in _STATUSES or not said:
        return timedelta()
    if said.isascii() and said.isdigit():
        return min(timedelta(seconds=int(said[:_MOST_DIGITS])), LONGEST_WAIT)
    try:
        until = parsedate_to_datetime(said)
    except ValueError:
        return timedelta()
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(timedelta(), min(until - now, LONGEST_WAIT))
