"""The first page of a game, and the three moves by which it is learnt; each game of the shelf has its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from flask import Response, url_for

from service.rules.kernel import AnyRuleset, Meta
from service.texts.names import automaton_name, in_language, spoken_of
from service.views import guide as views
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.session import SCRIPT_POLICY, language, missing_page, page

MOVES_TO_LEARN: Final = 3
ALONE: Final = 1
"""The number of players of a game that starts at once."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A move to learn: what it is called, what it is in a sentence, and, where the guide has them, text and pictures.

    `pictures` are the table before the move and the table after it.
    """

    title: str
    sentence: str
    text: str | None
    pictures: list[Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Cover:
    """A game as the shelf shows it: `opponent` is the automaton that a player alone plays against, None if none."""

    meta: Meta
    summary: str
    opponent: str | None
    glance: Mapping[str, str]

    @property
    def alone(self) -> bool:
        """Whether one player can play it."""
        return ALONE in self.meta.seats


@web.get("/play/<ruleset>")
def show_first_page(ruleset: str) -> Response:
    """Show what the game is, how it is learnt, and the ways to play it."""
    known = current_runtime().games.rulesets.get(ruleset)
    if known is None:
        return missing_page()
    guide = known.guide(spoken_of(known.meta, language()))
    response = page(
        "first_page.html", cover=cover(known), lessons=lessons(known), paragraphs=guide.chapters[0].paragraphs
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response


@web.get("/play/<ruleset>/learn/<int:number>")
def show_lesson(ruleset: str, number: int) -> Response:
    """Show a move of the game on its table, before and after it; `number` begins at 1."""
    known = current_runtime().games.rulesets.get(ruleset)
    taught = [] if known is None else lessons(known)
    if known is None or not 1 <= number <= len(taught):
        return missing_page()
    response = page("lesson.html", cover=cover(known), lesson=taught[number - 1], number=number, count=len(taught))
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response


def cover(ruleset: AnyRuleset) -> Cover:
    """Return a game as the shelf shows it, in the language of the visitor."""
    spoken = spoken_of(ruleset.meta, language())
    return Cover(
        ruleset.meta,
        in_language(ruleset.meta.summary, spoken),
        automaton_name(ruleset.meta, ALONE, spoken),
        views.at_a_glance(ruleset, spoken, _addresses(ruleset, spoken)),
    )


def solo_meta() -> Meta | None:
    """Return the first game that one player can play; None if no game is for one."""
    return next((each.meta for each in current_runtime().games.rulesets.values() if ALONE in each.meta.seats), None)


def lessons(ruleset: AnyRuleset) -> list[Lesson]:
    """Return the first moves of a game's guide: a chapter that has the name of an action teaches it."""
    spoken = spoken_of(ruleset.meta, language())
    guide = ruleset.guide(spoken)
    chapters = {each["name"]: each for each in views.guide(ruleset, spoken, _addresses(ruleset, spoken))["chapters"]}
    return [_lesson(guide.terms[name], chapters.get(name)) for name in guide.actions[:MOVES_TO_LEARN]]


def _lesson(term: Any, chapter: Mapping[str, Any] | None) -> Lesson:
    if chapter is None:
        return Lesson(term.word, term.sentence, None, [])
    return Lesson(chapter["title"], term.sentence, chapter["paragraphs"][0], chapter["pictures"])


def _addresses(ruleset: AnyRuleset, spoken: str) -> views.Address:
    return partial(_picture, ruleset.meta.name, spoken)


def _picture(ruleset: str, spoken: str, number: int) -> str:
    return url_for("web.rules_picture", ruleset=ruleset, spoken=spoken, number=number)
