"""Guide to a game's rules as data, for its page and the API."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from service.rules.guide import Example
from service.rules.kernel import AnyRuleset
from service.rules.tabletop.picture import board_picture, document
from service.rules.tabletop.table import Table

Address = Callable[[int], str]
"""Address of a picture by number: 0 is the game at a glance, chapters' pictures begin at 1."""


def guide(ruleset: AnyRuleset, language: str, address: Address) -> dict[str, Any]:
    """Return the guide in a language of the ruleset, its terms in alphabetical order."""
    rules, numbers = ruleset.guide(language), count(1)
    chapters = [
        {
            "name": chapter.name,
            "title": chapter.title,
            "paragraphs": list(chapter.paragraphs),
            "points": [{"title": title, "text": text} for title, text in chapter.points.items()],
            "pictures": [_shown(ruleset, language, each, address(next(numbers))) for each in chapter.examples],
        }
        for chapter in rules.chapters
    ]
    return {
        "ruleset": ruleset.meta.name,
        "title": ruleset.meta.title,
        "language": language,
        "picture": at_a_glance(ruleset, language, address),
        "chapters": chapters,
        "terms": [
            {"name": name, "word": term.word, "short": term.short, "sentence": term.sentence}
            for name, term in rules.listed_terms()
        ],
        "actions": list(rules.actions),
    }


def at_a_glance(ruleset: AnyRuleset, language: str, address: Address) -> dict[str, str]:
    """Return the picture of the game at a glance: `href`, `caption` and `text`."""
    return _shown(ruleset, language, ruleset.guide(language).example, address(0))


def picture_svg(ruleset: AnyRuleset, language: str, number: int) -> str | None:
    """Return an example's picture as SVG, None for an unknown number."""
    rules = ruleset.guide(language)
    examples = [rules.example, *(example for chapter in rules.chapters for example in chapter.examples)]
    if number >= len(examples):
        return None
    return document(board_picture(table_of(ruleset, language, examples[number]).board()))


def table_of(ruleset: AnyRuleset, language: str, example: Example) -> Table:
    """Return the table of an example, as its viewer sees it."""
    return Table(ruleset, example.state, len(example.names), example.viewer, language, example.names)


def caption_of(ruleset: AnyRuleset, language: str, example: Example) -> str:
    """Return a one-sentence caption of an example."""
    return ruleset.caption(ruleset.view(example.state, example.viewer), language, example.names)


def _shown(ruleset: AnyRuleset, language: str, example: Example, address: str) -> dict[str, str]:
    return {"href": address, "caption": caption_of(ruleset, language, example), "text": example.text}
