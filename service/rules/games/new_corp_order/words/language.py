"""What a language is made of: terms, phrases that depend on a number or a person, and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from service.rules.games.new_corp_order.terms import Colour, CompanyType, Consultant

Person = tuple[str, str, str]
"""A phrase about somebody else (with {name}, and {of} before it), about the reader, and about ODS."""

Counted = tuple[str, str]
"""A phrase with {n} for one and for many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. All tables have the same keys in every language; sentences are named after what they tell.

    `one` holds the numbers that take the singular, `of` the preposition before a consonant and before a vowel.
    """

    code: str
    one: tuple[int, ...]
    of: tuple[str, str]
    ods: str
    colours: Mapping[Colour, str]
    types: Mapping[CompanyType, str]
    short_types: Mapping[CompanyType, str]
    consultants: Mapping[Consultant, str]
    people: Mapping[str, Person]
    counted: Mapping[str, Counted]
    coloured: Mapping[str, Counted]
    phrases: Mapping[str, str]
    phases: Mapping[str, str]
    priorities: Mapping[str, str]
    events: Mapping[str, str]
    kinds: Mapping[str, str]
    actions: Mapping[str, str]
    refusals: Mapping[str, str]
    table: Mapping[str, str]
    explanations: Mapping[str, str]
    questions: Mapping[str, str]
