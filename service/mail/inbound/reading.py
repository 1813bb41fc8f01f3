"""What is written on a mail that has come in: its headers. Its text is read by `written`, which takes far more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header, make_header
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import Final

LARGEST: Final = 256 * 1024
"""How many bytes a mail may have."""
LONGEST_HEADER: Final = 2000
MOST_HEADERS: Final = 300
# A name and an address, or an address alone. What can be read in two ways is not read at all.
_ADDRESS: Final = re.compile(
    r'\s*(?:(?:"(?:[^"\\]|\\.)*"|[^<>"@,;:()\\]*)\s*<([^<>@\s,;:"()\\]+@[a-z0-9.-]+)>|([^<>@\s,;:"()\\]+@[a-z0-9.-]+))\s*',
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail's headers, in any number, their names in lower case."""

    headers: tuple[tuple[str, str], ...]

    def every(self, name: str) -> list[str]:
        """Return all headers of the name, from the top, as they were sent."""
        return [value for header, value in self.headers if header == name.lower()]

    def header(self, name: str) -> str:
        """Return the first header of the name, or the empty text."""
        return next(iter(self.every(name)), "")

    def shown(self, name: str) -> str:
        """Return the first header of the name as people read it."""
        value = self.header(name)
        try:
            return str(make_header(decode_header(value)))
        except (LookupError, ValueError, MessageError):
            return value

    @property
    def sender(self) -> str | None:
        """The one address in From, in lower case; None if that is not beyond doubt."""
        return address(self.header("from")) if len(self.every("from")) == 1 else None


def address(text: str) -> str | None:
    """Return the one address of a header, in lower case; None if that is not beyond doubt."""
    found = _ADDRESS.fullmatch(text)
    return (found[1] or found[2]).lower() if found else None


def read(raw: bytes) -> Mail:
    """Return what is written on the mail; there is nothing that cannot be read so far."""
    message = BytesHeaderParser(policy=compat32).parsebytes(raw[:LARGEST])
    return Mail(tuple((name.lower(), _unfolded(str(value))) for name, value in message.items()[:MOST_HEADERS]))


def _unfolded(value: str) -> str:
    return " ".join(value[:LONGEST_HEADER].split())
