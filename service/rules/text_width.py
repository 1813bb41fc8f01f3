"""Estimate the width of a text without a font: never less than DejaVu Sans needs."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from service.rules.bidi import FSI, PDI

_ADVANCES = {
    0.30: "'IJijl",
    0.35: " \N{NO-BREAK SPACE},./:;\\|’·",
    0.40: "()-[]ft",
    0.45: "!r",
    0.50: '"*_`–',
    0.55: "?csz",
    0.60: "FLkvxy",
    0.65: "$0123456789EPSTYabdeghnopqu{}",
    0.70: "ABCKRVXZß",
    0.75: "NU",
    0.80: "&DGHOQ",
    0.85: "#+<=>^w~×",
    0.90: "M",
}
_ADVANCE = {letter: advance for advance, letters in _ADVANCES.items() for letter in letters}
_WIDEST = 1.0
_BOLD = 1.16

SMALLEST = 11.0
"""No text is smaller than this; a text that is too wide even then is shortened."""


@lru_cache(4096)
def width_of(text: str, size: float, bold: bool = False) -> float:
    """Return an upper bound of the width of a line of text."""
    ems = sum(_ADVANCE.get(letter, _WIDEST) for letter in unicodedata.normalize("NFD", text) if not _on_top(letter))
    return ems * size * (_BOLD if bold else 1)


def fitted(text: str, width: float, size: float, bold: bool = False) -> tuple[str, float]:
    """Return a line of text that fits, and its size: as given, else smaller, else shortened by an ellipsis."""
    needed = width_of(text, size, bold)
    if needed <= width:
        return text, size
    smaller = max(SMALLEST, int(size * width / needed * 4) / 4)
    while text and width_of(text, smaller, bold) > width:
        text = text.removesuffix("…")[:-1].rstrip() + "…" if len(text) > 1 else ""
    return text, smaller


def wrapped(text: str, width: float, size: float, bold: bool = False) -> Iterator[str]:
    """Yield the lines of a text, broken at plain spaces; a word that is too wide gets a line of its own."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and width_of(longer, size, bold) > width:
            yield line
            longer = word
        line = longer
    if line:
        yield line


def _on_top(letter: str) -> bool:
    return unicodedata.combining(letter) != 0 or letter in (FSI, PDI)
