"""What a language has to say in the guide; all mappings have the same keys in every language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from service.rules.games.new_corp_order.terms import CompanyType, Consultant


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """In `chapters` empty lines part paragraphs; `examples` say what pictures show, `sentences` what `words` mean."""

    names: tuple[str, ...]
    titles: Mapping[str, str]
    chapters: Mapping[str, str]
    examples: Mapping[str, str]
    abilities: Mapping[CompanyType, str]
    consultants: Mapping[Consultant, str]
    words: Mapping[str, str]
    sentences: Mapping[str, str]
