"""What the commands print: text of others (records, names, servers' answers) can do nothing to a terminal."""

from __future__ import annotations

import sys
import unicodedata
from typing import IO, Final

from service.rules.isolation import FSI, PDI

# Controls, also those that turn the direction of writing round; half characters; and what begins a new line.
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# These only join letters or signs, or keep them apart; several scripts cannot be written without.
_JOINERS: Final = frozenset("\u200c\u200d")
# Sentences have them round names that are read from right to left; few terminals know them.
_ISOLATES: Final = str.maketrans("", "", FSI + PDI)


def visible(text: str) -> str:
    """Return the text with each control character, line breaks among them, as its escape."""
    # In most lines there is nothing to be escaped, and this is how to know at once.
    return text if text.isprintable() else "".join(map(_visible, text))


def say(*lines: object, to: IO[str] | None = None) -> None:
    """Print lines at once, each of which stays one, whatever is in it; on stdout, unless another stream is named."""
    stream = sys.stdout if to is None else to
    for line in lines:
        print(visible(str(line).translate(_ISOLATES)), file=stream, flush=True)


def say_text(text: str) -> None:
    """Print a text that may have several lines, divided by nothing but line feeds."""
    say(*text.removesuffix("\n").split("\n"))


def complain(line: object) -> None:
    """Print a line on stderr."""
    say(line, to=sys.stderr)


def _visible(sign: str) -> str:
    if unicodedata.category(sign) not in _UNSEEN or sign in _JOINERS:
        return sign
    number = ord(sign)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
