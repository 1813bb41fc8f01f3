"""The first page of a game, and the three moves by which it is learnt; each game of the shelf has its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import Response
from markupsafe import Markup

from service.rules.guide import Chapter, Term
from service.rules.kernel import AnyRuleset, Meta
from service.texts.games import automaton_name, game_language, in_language
from service.views.guide import caption_of, table_of
from service.views.usual_length import UsualLengths
from service.web.blueprint import web
from service.web.compression import compress_page
from service.web.computers import opponents_of
from service.web.lengths import by_mail, lengths_here
from service.web.page import current_runtime
from service.web.session import SCRIPT_POLICY, language, missing_page, page
from service.web.taught import board_of, symbols_of, taught

MOVES_TO_LEARN: Final = 3
ALONE: Final = 1
"""The number of players of a game that starts at once."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A move to learn: what it is called, what it is in a sentence, and the chapter that teaches it, if any."""

    title: str
    sentence: str
    chapter: Chapter | None


@dataclass(frozen=True, slots=True)
class Cover:
    """A game as the shelf shows it: `opponent` is the automaton that a player alone plays against, None if none.

    `computers` says whether there are computer players to play against. `board` is a picture of the board in the middle
    of a game, `caption` that position in words, `text` what it shows. `length` says how long a game takes by mail.
    """

    meta: Meta
    summary: str
    opponent: str | None
    computers: bool
    length: str
    board: Markup
    caption: str
    text: str

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
    guide = known.guide(game_language(known.meta, language()))
    told, moves, paragraphs = cover(known, lengths_here()), lessons(known), guide.chapters[0].paragraphs
    response = page("first_page.html", description=told.summary, cover=told, lessons=moves, paragraphs=paragraphs)
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    compress_page(response)
    return response


@web.get("/play/<ruleset>/learn/<int:number>")
def show_lesson(ruleset: str, number: int) -> Response:
    """Show a move of the game on its table, before and after it; `number` begins at 1."""
    known = current_runtime().games.rulesets.get(ruleset)
    taught_moves = [] if known is None else lessons(known)
    if known is None or not 1 <= number <= len(taught_moves):
        return missing_page()
    lesson, spoken = taught_moves[number - 1], game_language(known.meta, language())
    response = page(
        "lesson.html",
        description=lesson.sentence,
        cover=cover(known, lengths_here()),
        lesson=lesson,
        number=number,
        count=len(taught_moves),
        pictures=[] if lesson.chapter is None else taught(known, spoken, lesson.chapter),
        symbols=symbols_of(known, spoken),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    compress_page(response)
    return response


def cover(ruleset: AnyRuleset, lengths: UsualLengths) -> Cover:
    """Return a game as the shelf shows it, in the language of the visitor."""
    spoken = game_language(ruleset.meta, language())
    example = ruleset.guide(spoken).example
    return Cover(
        ruleset.meta,
        in_language(ruleset.meta.summary, spoken),
        automaton_name(ruleset.meta, ALONE, spoken),
        bool(opponents_of(ruleset)),
        by_mail(lengths, ruleset.meta),
        board_of(table_of(ruleset, spoken, example).board()),
        caption_of(ruleset, spoken, example),
        example.text,
    )


def solo_meta() -> Meta | None:
    """Return the first game that one player can play; None if no game is for one."""
    return next((each.meta for each in current_runtime().games.rulesets.values() if ALONE in each.meta.seats), None)


def lessons(ruleset: AnyRuleset) -> list[Lesson]:
    """Return the first moves of a game's guide: a chapter that has the name of an action teaches it."""
    guide = ruleset.guide(game_language(ruleset.meta, language()))
    chapters = {each.name: each for each in guide.chapters}
    return [_lesson(guide.terms[name], chapters.get(name)) for name in guide.actions[:MOVES_TO_LEARN]]


def _lesson(term: Term, chapter: Chapter | None) -> Lesson:
    return Lesson(term.word if chapter is None else chapter.title, term.sentence, chapter)
