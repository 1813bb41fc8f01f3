"""A language's tables, and the voice that speaks it to one viewer: names, numbers, persons as parts of sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Person = tuple[str, str]
"""A phrase about somebody else (with {name}, and {of} before it), and about the reader."""

Counted = tuple[str, str]
"""A phrase with {n} for one and for many."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place within a sentence: its name, the way there (`to`), and the stay there (`at`)."""

    name: str
    to: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. All tables have the same keys in every language; sentences are named after their event or action.

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


VOWELS = "aeiouyhàâäéèêëîïôöùûü"
UNKNOWN = "?"
"""Stands for a field that is missing."""
MINUS = "\N{MINUS SIGN}"


class Voice:
    """A language, the seat that listens (None: a spectator), and the players' display names by seat."""

    def __init__(self, language: Language, viewer: int | None, names: Sequence[str]) -> None:
        self.language = language
        self.viewer = viewer
        self.names = names

    def name(self, seat: int) -> str:
        """Return the name of the seat's player; of a seat without one how the notation calls it."""
        return self.names[seat] if 0 <= seat < len(self.names) else f"s{seat + 1}"

    def person(self, form: str, seat: int, **fields: Any) -> str:
        """Return a phrase such as `who` about a seat's player: the listener, or somebody else."""
        other, listener = self.language.people[form]
        if seat == self.viewer:
            return listener.format(**fields)
        name = self.name(seat)
        before, before_vowel = self.language.of
        return other.format(name=name, of=before_vowel if name[:1].lower() in VOWELS else before, **fields)

    def number(self, kind: str, n: int) -> str:
        """Return a number of things, such as `2 cards`."""
        one, many = self.language.counted[kind]
        return (one if abs(n) in self.language.one else many).format(n=n)

    def thing(self, name: str) -> str:
        return self.language.names.get(name, name)

    def card(self, card: str) -> str:
        """Return the name of a card or an event between quotation marks."""
        before, after = self.language.quotes
        return f"{before}{self.thing(card)}{after}"

    def cards(self, cards: Iterable[str]) -> str:
        return self.all_of(self.card(card) for card in cards)

    def place(self, place: str) -> str:
        """Return the name of a place as it stands in a sentence."""
        return self.language.places[place].name

    def to(self, place: str) -> str:
        """Return where to somebody goes, such as `to the Tigers`."""
        return self.language.places[place].to

    def at(self, place: str) -> str:
        """Return where somebody is, such as `in the Tigers`."""
        return self.language.places[place].at

    def vp(self, number: int) -> str:
        """Return a VP of whom the sentence speaks, such as `VP 2`."""
        return self.phrase("vp", n=number)

    def vps(self, numbers: Iterable[int]) -> str:
        """Return VPs of whom the sentence speaks, such as `VP 1 and VP 3`."""
        return self.all_of(self.vp(number) for number in numbers)

    def vp_of(self, vp: Mapping[str, int]) -> str:
        """Return a VP with its owner (`seat`, `vp`), such as `Bob's VP 3`."""
        return self.person("vp", vp["seat"], n=vp["vp"])

    def vps_of(self, vps: Iterable[Mapping[str, int]]) -> str:
        """Return several VPs with their owners."""
        return self.all_of(self.vp_of(vp) for vp in vps)

    def price(self, billions: int, influence: int = 0) -> str:
        """Return a price, such as `3 Billions and 1 Influence`."""
        paid = (("billions", billions), ("influence", influence))
        parts = [self.number(kind, n) for kind, n in paid if n]
        return self.all_of(parts or [self.number("billions", 0)])

    def phrase(self, key: str, **fields: Any) -> str:
        """Return a phrase with its fields filled in."""
        return self.language.phrases[key].format(**fields)

    def all_of(self, parts: Iterable[str]) -> str:
        """Return parts as `a, b and c`."""
        *first, last = list(parts) or [self.phrase("none")]
        return last if not first else ", ".join(first) + self.phrase("and") + last


def signed(number: int) -> str:
    """Return a number with its sign."""
    return f"+{number}" if number > 0 else f"{MINUS}{-number}"


def fill(template: str, fields: Mapping[str, Any]) -> str:
    """Return a sentence with its fields filled in; a field that is missing becomes a question mark, and no error."""
    return template.format_map(defaultdict(lambda: UNKNOWN, fields))
