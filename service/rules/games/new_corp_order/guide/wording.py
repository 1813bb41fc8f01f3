"""The texts of the guide in one language; all mappings have the same keys in every language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from service.rules.games.new_corp_order.terms import CompanyType, Consultant


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Texts. Empty lines part the paragraphs of `chapters`; `examples` explain pictures, `sentences` the `words`.

    Fields that begin with `house_` belong to the house rules. `goal` and `goal_alone` are said before the first
    decision. `figures_sizes` are the titles by number of players, `figures_text` the sentence for each.
    """

    goal: str
    goal_alone: str
    names: tuple[str, ...]
    titles: Mapping[str, str]
    chapters: Mapping[str, str]
    examples: Mapping[str, str]
    abilities: Mapping[CompanyType, str]
    consultants: Mapping[Consultant, str]
    house_abilities: Mapping[CompanyType, str]
    house_consultants: Mapping[Consultant, str]
    words: Mapping[str, str]
    sentences: Mapping[str, str]
    figures_title: str
    figures_limits: str
    figures_sizes: Mapping[int, str]
    figures_text: str
