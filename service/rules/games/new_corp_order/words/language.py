"""A language: its terms, phrases and sentences; and the voice that speaks the language to one viewer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from service.rules.games.new_corp_order.terms import COLOURS, Colour, CompanyType, Consultant

Person = tuple[str, str, str]
"""A phrase about somebody else (with {name}, and {of} before it), about the reader, and about ODS."""

Counted = tuple[str, str]
"""A phrase with {n} for one and for many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. All tables have the same keys in every language; sentences are named after what they tell.

    `one` holds the numbers that take the singular, `of` the preposition before a consonant and before a vowel.
    `table` has the headings of the table as text and picture, `explanations` the texts that explain the standings.
    `questions` ask for the parts of an action: a key is the kind of action and the place of the part in it, with # for
    any place in a list; `.none` is the answer that chooses nothing.
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


VOWELS = "aeiouyhàâäéèêëîïôöùûü"
UNKNOWN = "?"
"""Stands for a field that is missing."""


class Voice:
    """A language, the seat that listens (None: a spectator), and the players' display names by seat."""

    def __init__(self, language: Language, viewer: int | None, names: Sequence[str]) -> None:
        self.language = language
        self.viewer = viewer
        self.names = names

    def name(self, seat: int) -> str:
        """Return the name of the seat's player; the seat after the players' is ODS's."""
        return self.names[seat] if 0 <= seat < len(self.names) else self.language.ods

    def person(self, form: str, seat: int) -> str:
        """Return a phrase such as `own-hq` about a seat's player: the listener, ODS, or somebody else."""
        other, listener, ods = self.language.people[form]
        if not 0 <= seat < len(self.names):
            return ods
        if seat == self.viewer:
            return listener
        name = self.names[seat]
        before, before_vowel = self.language.of
        return other.format(name=name, of=before_vowel if name[:1].lower() in VOWELS else before)

    def number(self, kind: str, n: int) -> str:
        """Return a number of things, such as `2 cards`."""
        return self._number(self.language.counted, kind, n)

    def coloured(self, kind: str, n: int, colour: str) -> str:
        """Return a number of things of a colour, such as `2 red agents` (kind agents, or agents-with after a with)."""
        return self._number(self.language.coloured, f"{kind}.{colour}", n)

    def card(self, colour: str, rotated: bool = False) -> str:
        """Return one card, such as `a rotated red card`."""
        return self.language.coloured[f"card.{colour}"][rotated]

    def cards(self, colours: Sequence[str]) -> str:
        """Return cards by colour, such as `2 red cards and 1 black card`."""
        return self.all_of(self.coloured("cards", colours.count(each), each) for each in COLOURS if each in colours)

    def colour(self, colour: str) -> str:
        """Return a colour's name."""
        return _named(self.language.colours, colour)

    def colours(self, colours: Iterable[str]) -> str:
        """Return the names of colours in their order."""
        return ", ".join(self.colour(colour) for colour in colours) or self.phrase("none")

    def pair(self, colours: Iterable[str]) -> str:
        """Return the names of a few colours, such as `red and black`."""
        return self.all_of(self.colour(colour) for colour in colours)

    def type(self, kind: str) -> str:
        """Return a company type's name."""
        return _named(self.language.types, kind)

    def consultant(self, consultant: str) -> str:
        """Return a consultant's name."""
        return _named(self.language.consultants, consultant)

    def phrase(self, key: str, **fields: Any) -> str:
        """Return a phrase with its fields filled in."""
        return self.language.phrases[key].format(**fields)

    def all_of(self, parts: Iterable[str]) -> str:
        """Return parts as `a, b and c`."""
        *first, last = list(parts) or [self.phrase("none")]
        return last if not first else ", ".join(first) + self.phrase("and") + last

    def _number(self, table: Mapping[str, tuple[str, str]], key: str, n: int) -> str:
        one, many = table[key]
        return (one if n in self.language.one else many).format(n=n)


def fill(template: str, fields: Mapping[str, Any]) -> str:
    """Return a sentence with its fields filled in; a field that is missing becomes a question mark, and no error."""
    return template.format_map(defaultdict(lambda: UNKNOWN, fields))


def of_colour(counts: Mapping[Colour, int]) -> list[Colour]:
    """Return a colour for each thing counted, in the order of the colours."""
    return [colour for colour in COLOURS for _ in range(counts[colour])]


def _named(table: Mapping[Any, str], key: str) -> str:
    return table.get(key, key)
