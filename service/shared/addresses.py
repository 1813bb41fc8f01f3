"""Mail addresses: validation and canonical form."""

from __future__ import annotations

import re
from typing import Final

from email_validator import EmailNotValidError, validate_email

MAX_ADDRESS_LENGTH: Final = 254
"""Maximum characters (RFC 5321, section 4.5.3.1.3)."""
_LEGACY_ADDRESS: Final = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}"
)
"""Addresses accepted before email-validator was used; their accounts still sign in."""


def canonical(address: str) -> str | None:
    """Return the canonical form of an address, with its domain in lower case and ASCII; None if invalid.

    A domain in any script has one ASCII form (`xn--`, RFC 5890), which every mail server accepts. The local part is
    ASCII, since few servers accept others, and stays unchanged.
    """
    if len(address) > MAX_ADDRESS_LENGTH or "." not in address.rpartition("@")[2]:
        return None
    try:
        found = validate_email(
            address, allow_smtputf8=False, allow_domain_literal=False, check_deliverability=False
        ).ascii_email
    except EmailNotValidError:
        found = None
    if found is not None and len(found) <= MAX_ADDRESS_LENGTH:
        return found
    if _LEGACY_ADDRESS.fullmatch(address) is None:
        return None
    local, _, domain = address.rpartition("@")
    return f"{local}@{domain.lower()}"
