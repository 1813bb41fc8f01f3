"""Guide to a game on the site: rules in our own words, examples, terms, and figures of self-play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from unicodedata import combining, normalize


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A position that explains something: a state, the seat that sees it (None: a spectator), names, and a text.

    `happened` are the events that led to it, each with the seat whose action caused it, if they are explained too.
    """

    state: Any
    viewer: int | None
    names: tuple[str, ...]
    text: str
    happened: tuple[tuple[Any, int | None], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A chapter of a guide: a name in kebab case for links, paragraphs, explanations by what they explain, examples."""

    name: str
    title: str
    paragraphs: tuple[str, ...]
    points: Mapping[str, str] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A term of the game: the word, a sentence that explains it, and a short form for narrow places (None: itself)."""

    word: str
    sentence: str
    short: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """Guide to a game in one language: `terms` by their names in kebab case, an `example` to see it at a glance.

    The first paragraph of the first chapter says what the game is. `actions` are the terms for what a player can do.
    `goal` says in one line what wins and what is scored, `goal_alone` the same of a game for one with another goal.
    """

    chapters: tuple[Chapter, ...]
    example: Example
    terms: Mapping[str, Term]
    actions: tuple[str, ...]
    goal: str = ""
    goal_alone: str = ""

    def listed_terms(self) -> list[tuple[str, Term]]:
        """Return the terms and their names in the order of a dictionary: ä and é stand where a and e do."""
        return sorted(self.terms.items(), key=lambda each: _unaccented(each[1].word))


def _unaccented(word: str) -> str:
    return "".join(each for each in normalize("NFKD", word.casefold()) if not combining(each))


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Figures of self-play at tables of one size; they describe these players, not the game.

    `level` played all seats of `games` games. `turns` and `scores` are the 5th percentile, the median and the 95th;
    `winner` is the median score of who wins. `first` is the win rate of the seat that begins, in per cent, and the ends
    of its 95 % interval.
    """

    level: str
    games: int
    turns: tuple[int, int, int]
    scores: tuple[int, int, int]
    winner: int
    first: tuple[int, int, int]
