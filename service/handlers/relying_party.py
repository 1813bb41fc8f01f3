"""The service as browsers know it that make and use passkeys (W3C Web Authentication, Level 3, section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

_PORTS: Final = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The domain that passkeys are made for (`id`), and the origin of the pages that may use them."""

    id: str
    origin: str


def relying_party(base_url: str) -> RelyingParty | None:
    """Return the relying party at BASE_URL, or None where no browser makes passkeys.

    Browsers make them for a name and over https, and over http for localhost alone (sections 5.1.3 and 13.4.9).
    """
    parts = urlsplit(base_url)
    name = (parts.hostname or "").removesuffix(".")
    local = name == "localhost" or name.endswith(".localhost")
    if _is_address(name) or (parts.scheme != "https" and not local):
        return None
    port = "" if parts.port in (None, _PORTS[parts.scheme]) else f":{parts.port}"
    return RelyingParty(name, f"{parts.scheme}://{name}{port}")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return not name
    return True
