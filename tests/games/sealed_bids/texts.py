"""The words of the game by language; every language has the same keys."""

from __future__ import annotations

from .english import ENGLISH
from .french import FRENCH
from .german import GERMAN

TEXTS = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
}
