"""Serialisation of mail headers: folding that keeps ids, URLs and subjects intact."""

from __future__ import annotations

from email.header import Header
from email.headerregistry import Address, BaseHeader, HeaderRegistry
from email.policy import EmailPolicy
from itertools import pairwise
from typing import Any

from service.rules.characters import interchangeable, unisolated

VERBATIM_HEADERS = frozenset(
    {"message-id", "in-reply-to", "references", "list-unsubscribe", "list-unsubscribe-post", "list-id"}
)


def join_encoded_words(subject: str) -> str:
    """Return a subject with no-break spaces between words that have to be encoded.

    With a plain space, each word would become an encoded word of its own, and mail programs drop the space between two
    of those (RFC 2047, section 6.2). A no-break space is encoded along with the words.
    """
    parts = subject.split(" ")
    joined = parts[0]
    for before, after in pairwise(parts):
        both = _is_foreign(f"{before}|".split()[-1]) and _is_foreign(f"|{after}".split()[0])
        joined += ("\N{NO-BREAK SPACE}" if both else " ") + after
    return joined


def _is_foreign(word: str) -> bool:
    return not word.isascii()


class MailPolicy(EmailPolicy):
    """The one writer of our mails' headers: no control characters, noncharacters and isolates get into any.

    It is an SMTP policy that folds headers of ids and URLs at their spaces only.

    The standard policies encode such a header as soon as one id is long, and an encoded id neither threads a mail nor
    unsubscribes a reader. A subject of which they would lose a space, by folding between two encoded words, or double
    one, by folding after it, is encoded as a whole.
    """

    def header_store_parse(self, name: str, value: Any) -> tuple[str, Any]:
        """Return what a header is set to; a line break in it raises ValueError, as without this."""
        stored: tuple[str, Any] = super().header_store_parse(name, _without_controls(value))
        return stored

    def fold(self, name: str, value: Any) -> str:
        """Return the header as lines of at most 78 characters where its spaces allow that."""
        if name.lower() in VERBATIM_HEADERS:
            return str(self.linesep).join(_fold_at_spaces(name, str(value))) + str(self.linesep)
        folded = str(super().fold(name, value))
        if name.lower() == "subject" and self._read(name, folded.partition(": ")[2]) != str(value):
            whole = Header(str(value), "utf-8", header_name=name, maxlinelen=76).encode(linesep=self.linesep)
            return f"{name}: {whole}{self.linesep}"
        return folded

    def fold_binary(self, name: str, value: Any) -> bytes:
        """Return the bytes of `fold`."""
        if name.lower() in VERBATIM_HEADERS or name.lower() == "subject":
            return self.fold(name, value).encode("ascii")
        return super().fold_binary(name, value)

    def _read(self, name: str, folded: str) -> str:
        return str(self.header_fetch_parse(name, folded))


def _without_controls(value: Any) -> Any:
    if isinstance(value, Address):
        return Address(_without_controls(value.display_name), value.username, value.domain)
    return interchangeable(unisolated(value), " ") if isinstance(value, str) else value


def _fold_at_spaces(name: str, value: str) -> list[str]:
    first, *others = value.split()
    lines = [f"{name}: {first}"]
    for word in others:
        if len(lines[-1]) + 1 + len(word) <= 78:
            lines[-1] += f" {word}"
        else:
            lines.append(f" {word}")
    return lines


class CachedHeaderRegistry(HeaderRegistry):
    """A header registry that makes each header class once; the standard one makes it anew for every header."""

    def __init__(self) -> None:
        super().__init__()
        self._made: dict[str, type[BaseHeader]] = {}

    def __getitem__(self, name: str) -> type[BaseHeader]:
        """Return the class of headers of the name."""
        if name not in self._made:
            self._made[name] = super().__getitem__(name)
        return self._made[name]


POLICY = MailPolicy(linesep="\r\n", header_factory=CachedHeaderRegistry())
