"""Languages and widths that a pass covers: `make test-browser` the widest texts and the extremes, NIGHTLY=1 all."""

from __future__ import annotations

from typing import Final

from service.texts.catalog import languages
from tests.nightly import NIGHTLY

LANGUAGES: Final = tuple(languages()) if NIGHTLY else ("de",)
"""German has the longest words."""


def widths(*pixels: int) -> tuple[int, ...]:
    """Return the widths of windows, in pixels; the first and the last unless all are asked for."""
    return pixels if NIGHTLY else (pixels[0], pixels[-1])
