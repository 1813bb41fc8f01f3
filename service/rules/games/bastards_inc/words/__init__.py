"""The words of the game in English, German and French."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from service.rules.bidi import short
from service.rules.games.bastards_inc.words.english import ENGLISH
from service.rules.games.bastards_inc.words.french import FRENCH
from service.rules.games.bastards_inc.words.german import GERMAN
from service.rules.games.bastards_inc.words.language import Language, Voice
from service.rules.kernel import Json
from service.rules.typography import typeset

MAX_NAME_CHARS = 24
LANGUAGES: tuple[Language, ...] = (ENGLISH, GERMAN, typeset(FRENCH))


@lru_cache(maxsize=64)
def speak(tag: str) -> Language:
    """Return the language of a tag such as `de` or `de-AT` (English, if unknown)."""
    code = tag.lower().replace("_", "-").split("-")[0]
    return next((language for language in LANGUAGES if language.code == code), ENGLISH)


def voice_for(view: Json, language: str, names: Sequence[str], longest: int = MAX_NAME_CHARS) -> Voice:
    """Return the voice that speaks to a view's viewer, with the players' names shortened."""
    own = view["own"]
    return Voice(speak(language), own and own["seat"], [short(name, longest) for name in names])
