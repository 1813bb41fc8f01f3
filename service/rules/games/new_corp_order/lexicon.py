"""The words that `parse` takes for the letters of the notation, in any of the languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar

from service.rules.games.new_corp_order.letters import COLOUR_LETTERS, CONSULTANT_LETTERS, DECK, TYPE_LETTERS
from service.rules.games.new_corp_order.terms import SLOTS, Colour, Consultant, Source
from service.rules.games.new_corp_order.words import LANGUAGES

T = TypeVar("T")

UNIFIED: Mapping[int, str] = str.maketrans(
    dict.fromkeys("–—−→>", "-") | dict.fromkeys("’‘′`´", "'") | dict(zip("àäéèêôöü", "aaeeeoou", strict=True))
)
"""Turns dashes and quotation marks of all kinds into those of the notation, and takes accents away; one for one."""

NO_LETTER_AFTER = r"(?![^\W\d_])"


class Lexicon(NamedTuple, Generic[T]):
    """What can stand in one place of a line: a pattern, and the meaning of each text that it matches."""

    pattern: re.Pattern[str]
    meanings: Mapping[str, T]

    def meaning(self, text: str) -> T:
        """Return what a matched text means."""
        return self.meanings[_normal(text)]


def _normal(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _plain(word: str) -> str:
    return word.lower().translate(UNIFIED)


def _either(words: Mapping[str, T], ending: str) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") + ending for word in longest_first)


def _lexicon(words: Mapping[str, T], letters: Mapping[str, T], after_letter: str = "") -> Lexicon[T]:
    pattern = f"{_either(words, NO_LETTER_AFTER)}|(?:{_either(letters, '')}){after_letter}"
    return Lexicon(re.compile(pattern), {**words, **letters})


def _colour_forms(word: str) -> list[str]:
    return [word + ending for ending in ("", "s", "e", "en", "es")]


HEAD_WORDS: Mapping[str, tuple[str, ...]] = {
    "P": ("plot", "planen", "plane", "complot", "comploter"),
    "I": ("infiltrate", "infiltrieren", "infiltriere", "infiltration", "infiltrer"),
    "T": ("takeover", "take over", "übernahme", "prise de contrôle"),
    "X": ("discard", "abwerfen", "défausse", "défausser"),
    "C": ("choose", "wählen", "wähle", "choisir"),
    "A": ("place", "einsetzen", "placer"),
    "SKIP": ("skip", "verzichten", "renoncer"),
    "ODS": ("ods", "sod"),
}

_TYPES = {_plain(word): TYPE_LETTERS[kind] for language in LANGUAGES for kind, word in language.types.items()}
_HEADS = {_plain(word): head for head, words in HEAD_WORDS.items() for word in words} | _TYPES
# A single A places agents, and "A A1 .." may be written without its space: it takes an @ to read AA.
_HEAD_LETTERS = {letters.lower(): letters for letters in TYPE_LETTERS.values() if letters != "AA"} | {
    head.lower(): head for head in ("P", "I", "T", "X", "C", "A")
}

HEADS: Lexicon[str] = Lexicon(
    re.compile(rf"{_either(_HEADS, NO_LETTER_AFTER)}|aa(?=\s*@)|{_either(_HEAD_LETTERS, '')}"),
    {**_HEADS, **_HEAD_LETTERS, "aa": "AA"},
)

COLOURS: Lexicon[Colour] = _lexicon(
    {
        form: colour
        for language in LANGUAGES
        for colour, word in language.colours.items()
        for form in _colour_forms(word.lower())
    }
    | {"blanche": "white", "blanches": "white", "weiss": "white"},
    {letter.lower(): colour for colour, letter in COLOUR_LETTERS.items()},
)

_CONSULTANTS: dict[str, Consultant] = {
    _plain(word): consultant for language in LANGUAGES for consultant, word in language.consultants.items()
}
_CONSULTANT_LETTERS = {letter.lower(): consultant for consultant, letter in CONSULTANT_LETTERS.items()}

CONSULTANTS: Lexicon[Consultant] = _lexicon(_CONSULTANTS, _CONSULTANT_LETTERS)

# A letter stands for a consultant used only where an Infiltrate or a Takeover follows them.
_ACTION_FOLLOWS = (
    rf"(?=\s*(?:{_either(dict.fromkeys(_plain(word) for word in HEAD_WORDS['I'] + HEAD_WORDS['T']), NO_LETTER_AFTER)}"
    r"|i(?:\s|[0-9rkbw])|t(?:\s|[a-d][0-9])))"
)
USED_CONSULTANTS: Lexicon[Consultant] = _lexicon(_CONSULTANTS, _CONSULTANT_LETTERS, _ACTION_FOLLOWS)

_SOURCES: dict[str, Source] = {slot: slot for slot in SLOTS}
SOURCES: Lexicon[Source] = _lexicon(
    {"deck": "deck", "stapel": "deck", "pioche": "deck"}, _SOURCES | {DECK.lower(): "deck"}
)

NOISE = re.compile(
    rf"(?:[\s,;:.]|(?<![^\W\d_])(?:and|und|et|then|dann|puis|the|to|nach|auf|sur|vers|from|von|de|at|on|with|mit|avec"
    rf"|slot|card|cards|karte|karten|carte|cartes|agent|agents|agenten){NO_LETTER_AFTER})*"
)
"""What may stand between the parts of a line and means nothing."""

Reader = Callable[[], T]
