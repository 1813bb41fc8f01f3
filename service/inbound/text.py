"""Text of an incoming mail, as its author sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from functools import cached_property
from itertools import count, islice
from typing import Final, Literal

from service.inbound.attachments import is_attached
from service.inbound.headers import MAX_MAIL_BYTES, MAX_PARTS
from service.mail.parser import decode, parse

Kind = Literal["plain", "html", "struck"]
Form = Literal["S/MIME", "PGP", "winmail.dat", "reaction"]
MAX_TEXT_LENGTH: Final = 64 * 1024
_BEGIN_ENCRYPTED: Final = "-----BEGIN PGP MESSAGE-----"
_BEGIN_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_BEGIN_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_END_SIGNATURE: Final = "-----END PGP SIGNATURE-----"
_FORMS: Final[Mapping[str, Form]] = {
    "application/pkcs7-mime": "S/MIME",
    "application/x-pkcs7-mime": "S/MIME",
    "application/pgp-encrypted": "PGP",
    "application/ms-tnef": "winmail.dat",
    "application/vnd.ms-tnef": "winmail.dat",
    "text/vnd.google.email-reaction+json": "reaction",
}


@dataclass(frozen=True, slots=True)
class Written:
    """Text of a mail without attachments and HTML quotes; empty if unreadable.

    `unsuited` is the first charset of a part that is unknown, or does not fit its bytes. `form` is the first form among
    the parts that keeps the text from being read; a `reaction` is the press of a button, in words of the mail program.
    """

    text: str
    unsuited: str = ""
    form: Form | None = None


@dataclass(frozen=True)
class _Piece:
    """Text of a part, from its source; `kind` is `struck` for HTML that may have struck-out text."""

    source: str
    kind: Kind = "plain"
    unsuited: str = ""
    is_html: bool = False

    @cached_property
    def text(self) -> str:
        """Return the text as its reader sees it; rendered late, since HTML takes far longer than all the rest."""
        from service.inbound.hypertext import rendered

        return rendered(self.source) if self.is_html else self.source


def written(raw: bytes) -> Written:
    """Return the text of a mail: all text parts, in order."""
    message = parse(raw[:MAX_MAIL_BYTES])
    piece = _piece(message, count(), first=True)
    return Written(_cleartext(piece.text[:MAX_TEXT_LENGTH]), piece.unsuited, _form(message, piece.text))


def _form(message: Message, text: str) -> Form | None:
    parts = islice(message.walk(), MAX_PARTS)
    named = next((form for part in parts if (form := _FORMS.get(part.get_content_type()))), None)
    return named or ("PGP" if _BEGIN_ENCRYPTED in text else None)


def _piece(part: Message, number: Iterator[int], *, first: bool) -> _Piece:
    """Return the text of a part, including parts within; `number` counts parts, `first` is true before any text.

    A part with a file name is an inserted file. A mail within a mail is by another author.
    """
    if next(number) >= MAX_PARTS or is_attached(part) or (part.get_filename() and not first):
        return _Piece("")
    payload = part.get_payload()
    if isinstance(payload, list) and part.get_content_maintype() == "multipart":
        pieces: list[_Piece] = []
        for each in payload[:MAX_PARTS]:
            is_first = first and not any(piece.source.strip() for piece in pieces)
            pieces.append(_piece(each, number, first=is_first) if isinstance(each, Message) else _Piece(""))
        return _chosen(pieces) if part.get_content_subtype() == "alternative" else _joined(pieces)
    return _of_text(part)


def _of_text(part: Message) -> _Piece:
    # Imported late: most of the time no mail comes in.
    from service.inbound.hypertext import has_struck, visible

    kind = part.get_content_type()
    if kind not in ("text/plain", "text/html"):
        return _Piece("")
    found = decode(part)
    if kind == "text/plain":
        return _Piece(_unflowed(part, found.text[:MAX_TEXT_LENGTH]), "plain", found.unsuited)
    seen = visible(found.text)
    return _Piece(seen, "struck" if has_struck(seen) else "html", found.unsuited, is_html=True)


def _chosen(pieces: Sequence[_Piece]) -> _Piece:
    """Return the most reliable of several alternatives of a text."""
    # Only HTML says which words are struck out.
    order = ("struck", "plain", "html")
    pieces = sorted(pieces, key=lambda each: order.index(each.kind))
    return next((each for each in pieces if each.kind == "struck" or each.text.strip()), _Piece(""))


def _joined(pieces: Sequence[_Piece]) -> _Piece:
    """Return the text of consecutive parts; HTML that repeats the plain text is left out."""
    pieces = [each for each in pieces if each.source.strip()]
    if len(pieces) == 1:
        return pieces[0]
    plain = _letters("".join(each.text for each in pieces if not each.is_html))
    told = [each for each in pieces if not each.is_html or not plain or _letters(each.text) not in plain]
    kinds = {each.kind for each in told}
    kind: Kind = "struck" if "struck" in kinds else "html" if "html" in kinds else "plain"
    unsuited = next((each.unsuited for each in told if each.unsuited), "")
    return _Piece("\n".join(each.text for each in told), kind, unsuited)


def _letters(text: str) -> str:
    return "".join(each for each in text if each.isalnum())


def _unflowed(part: Message, text: str) -> str:
    """Join the lines that format=flowed has broken (RFC 3676, 4.1)."""
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    apart = str(part.get_param("delsp", "")).lower() != "yes"
    lines: list[str] = []
    open_depth: int | None = None
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:].removeprefix(" ")
        flows = content.endswith(" ") and content != "-- "
        if open_depth == depth and lines and content != "-- ":
            lines[-1] += content
        else:
            lines.append(f"{'>' * depth}{' ' if depth else ''}{content}")
        if flows and not apart:
            lines[-1] = lines[-1][:-1]
        open_depth = depth if flows else None
    return "\n".join(lines)


def _cleartext(text: str) -> str:
    """Return the text without an inline signature, its dashes unescaped (RFC 9580, 7)."""
    kept: list[str] = []
    place = "outside"
    for line in text.splitlines():
        bare = line.rstrip()
        if place == "outside" and bare == _BEGIN_SIGNED:
            place = "headers"
        elif place == "headers":
            place = "headers" if bare else "signed"
        elif place == "signed" and bare == _BEGIN_SIGNATURE:
            place = "signature"
        elif place == "signature":
            place = "outside" if bare == _END_SIGNATURE else "signature"
        else:
            kept.append(line.removeprefix("- ") if place == "signed" else line)
    return "\n".join(kept)
