"""Which addresses may be called: only public ones, whatever a URL or a name server says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network
from urllib.parse import urlsplit

PORTS = (443, 8443)
LONGEST = 2000
_PORT_OF = {"https": 443, "http": 80}

# Two parsers may read a URL with any other character in two ways.
_PLAIN = re.compile(r"[A-Za-z0-9._~:/?\[\]@!$&'()*+,;=%-]+")
# The last label begins with a letter: numbers in any base, which resolvers take for IPv4 addresses, are no names.
_NAME = re.compile(r"([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?")

# Inside the allocated space, and yet not the public Internet: protocol assignments, 6to4 relays, a cloud's own wire.
_V4_APART = tuple(map(IPv4Network, ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32")))
# All else is not allocated, or wraps an IPv4 address (mapped, compatible, NAT64), as 6to4 and Teredo do inside it.
_V6_PUBLIC = IPv6Network("2000::/3")
_V6_APART = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))


class NotCallable(ValueError):
    """An address that is not called; the message says why in a sentence and repeats nothing of it."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a URL leads; `host` is a name or an IP address without brackets, `path` includes the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """What belongs into the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORT_OF[self.scheme] else f"{host}:{self.port}"

    @property
    def literal(self) -> str | None:
        """The IP address that stands in the URL, or None where it has a name."""
        return None if _ip(self.host) is None else self.host


def target(url: str, insecure: bool = False) -> Target:
    """Return where the URL leads; NotCallable. `insecure` also takes http, any port, and addresses of this network."""
    if len(url) > LONGEST or _PLAIN.fullmatch(url) is None:
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
    if port not in PORTS and not insecure:
        raise NotCallable("Its port has to be 443 or 8443.")
    host = _host(split.hostname or "", insecure)
    return Target(split.scheme, host, port, (split.path or "/") + (f"?{split.query}" if split.query else ""))


def check(address: str) -> None:
    """Raise NotCallable unless the IP address is one of the public Internet."""
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
