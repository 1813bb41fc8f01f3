"""The words of New Corp Order in every language, and the choice of a language by its tag."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from service.rules.games.new_corp_order.words.english import ENGLISH
from service.rules.games.new_corp_order.words.french import FRENCH
from service.rules.games.new_corp_order.words.german import GERMAN
from service.rules.games.new_corp_order.words.language import Language
from service.rules.typography import typeset

UNBREAKABLE = re.compile(r"(?<=[\d}]) (?=[VSP][PV]\b)|(?<=[×=]) | (?=[×=] )")
"""Spaces at which no line may end: before a unit, and within a calculation."""


def _keep_together(texts: Mapping[str, str]) -> Mapping[str, str]:
    return {key: UNBREAKABLE.sub("\N{NO-BREAK SPACE}", text) for key, text in texts.items()}


LANGUAGES: tuple[Language, ...] = tuple(
    replace(language, explanations=_keep_together(language.explanations))
    for language in (ENGLISH, GERMAN, typeset(FRENCH))
)


@lru_cache(maxsize=64)
def speak(tag: str) -> Language:
    """Return the language of a tag such as `de` or `de-AT` (English, if unknown)."""
    code = tag.lower().replace("_", "-").split("-")[0]
    return next((language for language in LANGUAGES if language.code == code), LANGUAGES[0])
