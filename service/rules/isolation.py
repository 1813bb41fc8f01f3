"""Names that are read from right to left, kept from turning round what stands beside them (Unicode, UAX #9).

Only such names stand in isolates: any other reads the same without, and old mail programs show isolates as boxes.
"""

from __future__ import annotations

import unicodedata

FSI = "\N{FIRST STRONG ISOLATE}"
PDI = "\N{POP DIRECTIONAL ISOLATE}"
_TURNED = frozenset({"R", "AL", "AN"})


def isolated(name: str) -> str:
    """Return a name as it stands in a sentence: between isolates if any of it is read from right to left."""
    if name.isascii() or name.startswith(FSI) or _TURNED.isdisjoint(map(unicodedata.bidirectional, name)):
        return name
    return f"{FSI}{name}{PDI}"


def columns(text: str) -> int:
    """Return how many columns a text takes, in which isolates take none."""
    return len(text) - text.count(FSI) - text.count(PDI)


def short(text: str, width: int) -> str:
    """Return a text of at most so many columns; what is isolated in it stays so."""
    if columns(text) <= width:
        return text
    kept = text.replace(FSI, "").replace(PDI, "")[: width - 1] + "…"
    return f"{FSI}{kept}{PDI}" if FSI in text else kept


def mended(lines: list[str]) -> list[str]:
    """Return lines of one text, each with its own isolates: a name that is broken over two has to begin again."""
    found, still_open = [], 0
    for line in lines:
        begun = FSI * still_open + line.lstrip() if still_open else line
        indent = line[: len(line) - len(line.lstrip())] if still_open else ""
        still_open = max(0, begun.count(FSI) - begun.count(PDI))
        found.append(f"{indent}{begun}{PDI * still_open}")
    return found
