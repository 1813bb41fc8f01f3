"""Which network an address stands for, where requests are counted by where they come from."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

UNKNOWN = "unknown"


@lru_cache(4096)
def network(address: str) -> str:
    """Return an IPv4 address as it is, and of an IPv6 address its first 64 bits; `unknown` for what is neither."""
    try:
        found = ip_address(address)
    except ValueError:
        return UNKNOWN
    if not isinstance(found, IPv6Address):
        return str(found)
    # A socket for both kinds of addresses shows the older kind within the newer one.
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    # A client with one IPv6 address has 2**64 of them.
    return str(ip_network((found, 64), strict=False))
