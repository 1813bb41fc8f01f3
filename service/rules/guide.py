"""How a game is explained on the site: its rules in own words, with examples, and its terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A position that shows something: a view for `Ruleset.paint`, the players' names, and what is to be seen there."""

    view: Mapping[str, Any]
    names: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A part of a guide: a name in kebab case for links, paragraphs, things explained one by one, examples."""

    name: str
    title: str
    paragraphs: tuple[str, ...]
    points: Mapping[str, str] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A word of the game, what is written for it where there is little room (None: itself), and what explains it."""

    word: str
    sentence: str
    short: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """How a game is played, in one language: `terms` by their names in kebab case, `example` shows it at a glance.

    The first paragraph of the first chapter says what the game is; `actions` are the terms of what one does on a turn.
    """

    chapters: tuple[Chapter, ...]
    example: Example
    terms: Mapping[str, Term]
    actions: tuple[str, ...]
