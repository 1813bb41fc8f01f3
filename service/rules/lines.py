"""Breaks plain text into lines."""

from __future__ import annotations

from textwrap import wrap
from typing import Any, Final

from service.rules.isolation import FSI, mended

WIDTH: Final = 72


def broken(text: str, first: str = "", rest: str = "", width: int = WIDTH) -> list[str]:
    """Return the text as lines of at most `width` columns; words that are longer stay whole.

    No word stands alone on the last line if there is another way: a reply that quotes it would seem to say just that.
    """
    options: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
    lines = wrap(text, width, initial_indent=first, subsequent_indent=rest, **options)
    if len(lines) > 1 and len(lines[-1].split()) == 1 and " " in lines[-2].strip():
        kept, _, last = lines[-2].rpartition(" ")
        if kept.strip() and len(f"{rest}{last} {lines[-1].strip()}") <= width:
            lines[-2:] = [kept, f"{rest}{last} {lines[-1].strip()}"]
    return mended(lines) if FSI in text else lines
