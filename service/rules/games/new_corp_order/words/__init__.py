"""The words of New Corp Order in every language, and the choice of a language by its tag."""

from __future__ import annotations

from functools import lru_cache

from service.rules.games.new_corp_order.words import house
from service.rules.games.new_corp_order.words.english import ENGLISH
from service.rules.games.new_corp_order.words.french import FRENCH
from service.rules.games.new_corp_order.words.german import GERMAN
from service.rules.games.new_corp_order.words.language import Language
from service.rules.typeset import typeset

LANGUAGES: tuple[Language, ...] = (
    house.with_house_rules(ENGLISH, house.ENGLISH),
    house.with_house_rules(GERMAN, house.GERMAN),
    typeset(house.with_house_rules(FRENCH, house.FRENCH)),
)


@lru_cache(maxsize=64)
def speak(tag: str) -> Language:
    """Return the language of a tag such as `de` or `de-AT` (English, if unknown)."""
    code = tag.lower().replace("_", "-").split("-")[0]
    return next((language for language in LANGUAGES if language.code == code), LANGUAGES[0])
