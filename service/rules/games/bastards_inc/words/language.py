"""What a language is made of: names, phrases that depend on a number or a person, and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Person = tuple[str, str]
"""A phrase about somebody else (with {name}, and {of} before it), and about the reader."""

Counted = tuple[str, str]
"""A phrase with {n} for one and for many."""


@dataclass(frozen=True, slots=True)
class Place:
    """How a place is spoken of within a sentence: its name, where to somebody goes, and where he is."""

    name: str
    to: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. All tables have the same keys in every language; sentences are named after what they tell.

    `one` holds the numbers that take the singular, `of` the preposition before a consonant and before a vowel, `quotes`
    what stands around the name of a card. `names` are those of names_*.py.
    """

    code: str
    one: tuple[int, ...]
    of: tuple[str, str]
    quotes: tuple[str, str]
    names: Mapping[str, str]
    places: Mapping[str, Place]
    people: Mapping[str, Person]
    counted: Mapping[str, Counted]
    phrases: Mapping[str, str]
    phases: Mapping[str, str]
    settings: Mapping[str, str]
    events: Mapping[str, str]
    kinds: Mapping[str, str]
    actions: Mapping[str, str]
    refusals: Mapping[str, str]
    effects: Mapping[str, str]
    table: Mapping[str, str]
    explanations: Mapping[str, str]
    questions: Mapping[str, str]
