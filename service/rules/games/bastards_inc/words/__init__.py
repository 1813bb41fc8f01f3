"""What the game says, in English, German and French, and the choice of a language by its tag."""

from __future__ import annotations

from functools import lru_cache

from service.rules.games.bastards_inc.words.english import ENGLISH
from service.rules.games.bastards_inc.words.french import FRENCH
from service.rules.games.bastards_inc.words.german import GERMAN
from service.rules.games.bastards_inc.words.language import Language
from service.rules.typeset import typeset

LANGUAGES: tuple[Language, ...] = (ENGLISH, GERMAN, typeset(FRENCH))


@lru_cache(maxsize=64)
def speak(tag: str) -> Language:
    """Return the language of a tag such as `de` or `de-AT` (English, if unknown)."""
    code = tag.lower().replace("_", "-").split("-")[0]
    return next((language for language in LANGUAGES if language.code == code), ENGLISH)
