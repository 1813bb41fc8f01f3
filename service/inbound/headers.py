"""The headers of an incoming mail. Its text is read by text.py, which takes far longer."""

from __future__ import annotations

from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header, make_header
from typing import Final

from service.inbound.structured import address
from service.mail.parser import parse_headers

LARGEST: Final = 256 * 1024
"""How many bytes of a mail are kept and read, when its attachments are left out."""
MOST_PARTS: Final = 50
MOST_HEADERS: Final = 300


@dataclass(frozen=True, slots=True)
class IncomingMail:
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

    @property
    def sender_name(self) -> str:
        """What From calls its sender, '' if nothing."""
        name, address_begins, _ = self.shown("from").partition("<")
        return name.strip(' "') if address_begins else ""


def read(raw: bytes) -> IncomingMail:
    """Return the headers of a mail, whatever is in it."""
    headers = parse_headers(raw[:LARGEST]).items()[:MOST_HEADERS]
    return IncomingMail(tuple((name.lower(), " ".join(str(value).split())) for name, value in headers))
