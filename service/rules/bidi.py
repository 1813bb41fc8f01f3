"""Isolate names that are read from right to left, so that they do not reorder the text around them (UAX #9).

Other names get no isolates: they read the same without, and old mail programs show isolates as boxes.
"""

from __future__ import annotations

import unicodedata

FSI = "\N{FIRST STRONG ISOLATE}"
PDI = "\N{POP DIRECTIONAL ISOLATE}"
_TURNED = frozenset({"R", "AL", "AN"})


def isolated(name: str) -> str:
    """Return a name for a sentence: between isolates if any part of it is read from right to left."""
    if name.isascii() or name.startswith(FSI) or _TURNED.isdisjoint(map(unicodedata.bidirectional, name)):
        return name
    return f"{FSI}{name}{PDI}"


def columns(text: str) -> int:
    """Return how many columns a text takes; isolates take none."""
    return len(text) - text.count(FSI) - text.count(PDI)


def short(text: str, width: int) -> str:
    """Return a text shortened to at most so many columns; an isolated name stays isolated."""
    if columns(text) <= width:
        return text
    kept = text.replace(FSI, "").replace(PDI, "")[: width - 1] + "…"
    return f"{FSI}{kept}{PDI}" if FSI in text else kept


def mended(lines: list[str]) -> list[str]:
    """Return the lines of one text, each with isolates of its own: a name broken over two lines gets them twice."""
    found, still_open = [], 0
    for line in lines:
        begun = FSI * still_open + line.lstrip() if still_open else line
        indent = line[: len(line) - len(line.lstrip())] if still_open else ""
        still_open = max(0, begun.count(FSI) - begun.count(PDI))
        found.append(f"{indent}{begun}{PDI * still_open}")
    return found
