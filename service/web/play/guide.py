"""Rules of a game: first page, lessons, guide with examples as tables, and the glossary of terms in texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Final

from flask import Response, url_for
from markupsafe import Markup, escape

from service.rules.guide import Chapter, Example, Guide, Term
from service.rules.kernel import AnyRuleset, Meta
from service.rules.pace import PACES
from service.rules.table_parts import Board, Mark
from service.rules.tabletop.picture import NumberedMark, board_picture
from service.rules.tabletop.table import Table
from service.texts.catalog import say
from service.texts.games import PACE_NAMES, automaton_name, game_language, in_language, pace_text
from service.views.guide import caption_of, table_of
from service.views.lobby import UsualLengths
from service.web.blueprint import compress_page, web
from service.web.pace import by_mail, lengths_here
from service.web.page import current_runtime
from service.web.play.board_overlays import all_symbols, use_symbol
from service.web.play.board_view import BoardView, Overlay, ShownPiece, ShownZone, view_board
from service.web.play.computers import ALONE, opponents_of
from service.web.play.panels import ShownChip, colour_of
from service.web.session import SCRIPT_POLICY, language, missing_page, page, see_other

MOVES_TO_LEARN: Final = 3


@dataclass(frozen=True, slots=True)
class Lesson:
    """Move to learn: its name, its description in a sentence, and the chapter that teaches it, if any."""

    title: str
    sentence: str
    chapter: Chapter | None


@dataclass(frozen=True, slots=True)
class Cover:
    """Game on the shelf; `opponent` is the automaton of a solo game, None if there is none.

    `computers` is true if there are computer players. `board` is a picture of the board in mid-game, `caption` that
    position in words, `text` its explanation. `length` is the length of a game by mail, as a sentence.
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
        """Return whether the game supports a single player."""
        return ALONE in self.meta.seats


@web.get("/play/<ruleset>")
def show_first_page(ruleset: str) -> Response:
    """Show the game in short, its lessons, and the ways to play it."""
    known = current_runtime().games.rulesets.get(ruleset)
    if known is None:
        return missing_page()
    guide = known.guide(game_language(known.meta, language()))
    told, moves, paragraphs = cover(known, lengths_here()), lessons(known), guide.chapters[0].paragraphs
    response = page("play/first_page.html", description=told.summary, cover=told, lessons=moves, paragraphs=paragraphs)
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    compress_page(response)
    return response


@web.get("/play/<ruleset>/learn/<int:number>")
def show_lesson(ruleset: str, number: int) -> Response:
    """Show a move of the game, before and after; `number` counts from 1."""
    known = current_runtime().games.rulesets.get(ruleset)
    taught_moves = [] if known is None else lessons(known)
    if known is None or not 1 <= number <= len(taught_moves):
        return missing_page()
    lesson, spoken = taught_moves[number - 1], game_language(known.meta, language())
    response = page(
        "play/lesson.html",
        description=lesson.sentence,
        cover=cover(known, lengths_here()),
        lesson=lesson,
        number=number,
        count=len(taught_moves),
        pictures=[] if lesson.chapter is None else guide_examples(known, spoken, lesson.chapter),
        symbols=symbols_of(known, spoken),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    compress_page(response)
    return response


def cover(ruleset: AnyRuleset, lengths: UsualLengths) -> Cover:
    """Return a game for the shelf, in the visitor's language."""
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


def lessons(ruleset: AnyRuleset) -> list[Lesson]:
    """Return the first moves of a game's guide; the chapter with an action's name teaches the action."""
    guide = ruleset.guide(game_language(ruleset.meta, language()))
    chapters = {each.name: each for each in guide.chapters}
    return [_lesson(guide.terms[name], chapters.get(name)) for name in guide.actions[:MOVES_TO_LEARN]]


def _lesson(term: Term, chapter: Chapter | None) -> Lesson:
    return Lesson(term.word if chapter is None else chapter.title, term.sentence, chapter)


# Rules.


@web.get("/rules")
def rules() -> Response:
    """List the rulesets; redirect to the rules if there is only one."""
    rulesets = current_runtime().games.rulesets
    if len(rulesets) == 1:
        return see_other(url_for("web.rules_of", ruleset=next(iter(rulesets))))
    return page(
        "play/all_rules.html", description=say(language(), "start"), metas=[each.meta for each in rulesets.values()]
    )


@web.get("/rules/<ruleset>")
def rules_of(ruleset: str) -> Response:
    known = current_runtime().games.rulesets.get(ruleset)
    if known is None:
        return missing_page()
    spoken = game_language(known.meta, language())
    guide = known.guide(spoken)
    response = page(
        "play/rules.html",
        description=in_language(known.meta.summary, spoken),
        meta=known.meta,
        chapters=[(each, guide_examples(known, spoken, each)) for each in guide.chapters],
        terms=guide.listed_terms(),
        symbols=symbols_of(known, spoken),
    )
    compress_page(response)
    return response


@web.get("/pace")
def clock_guide() -> Response:
    """Explain the clock: pace, wait, bank, deadline, lapse."""
    spoken = language()
    return page("play/clock_guide.html", paces=[pace_text(spoken, PACES.get(name)) for name in PACE_NAMES])


# Examples as tables; in a pair of consecutive examples, the changes are marked.

_NAMESPACE: Final = ' xmlns="http://www.w3.org/2000/svg"'


@dataclass(frozen=True, slots=True)
class ExampleSeat:
    """Seat of an example: name, points, and its other numbers."""

    name: str
    points: int | None
    chips: tuple[ShownChip, ...]


@dataclass(frozen=True, slots=True)
class GuideExample:
    """Example on a page: the table, a caption of one sentence, and the explanation.

    `seats` are those whose numbers are explained. The board is empty if nothing on it is explained.
    """

    board_view: BoardView
    caption: str
    text: str
    seats: tuple[ExampleSeat, ...] = ()


def board_of(board: Board) -> Markup:
    """Return a board as an inline picture, without a namespace declaration."""
    return Markup(board_picture(board).replace(_NAMESPACE, "", 1))  # noqa: S704 # a ruleset's own, which escapes words


def symbols_of(ruleset: AnyRuleset, language: str) -> Markup:
    """Return the symbols that the examples of a ruleset use, drawn once a page."""
    return all_symbols(table_of(ruleset, language, ruleset.guide(language).example).symbols)


def guide_examples(ruleset: AnyRuleset, language: str, chapter: Chapter) -> list[GuideExample]:
    """Return the examples of a chapter; of two examples the second follows the first."""
    examples = chapter.examples
    if len(examples) == 2:
        return list(_followed(ruleset, language, *examples))
    return [_whole(ruleset, language, each) for each in examples]


def _whole(ruleset: AnyRuleset, language: str, example: Example) -> GuideExample:
    """Return an example with the whole table."""
    table = table_of(ruleset, language, example)
    seats = tuple(_seat(table, seat) for seat in range(table.panels)) if example.viewer is None else ()
    return _taught(ruleset, language, example, _lying(table, ()), seats)


def _seat(table: Table, seat: int) -> ExampleSeat:
    panel, names = table.panel(seat), table.sight.names
    chips = tuple(ShownChip(each.look, use_symbol(table.symbols, each.symbol).svg, *each[2:]) for each in panel.chips)
    return ExampleSeat(names[seat] if seat < len(names) else "", panel.points, chips)


def _followed(ruleset: AnyRuleset, language: str, first: Example, second: Example) -> tuple[GuideExample, GuideExample]:
    """Return two consecutive examples, reduced to the changes between them."""
    before, after = (table_of(ruleset, language, each) for each in (first, second))
    marks = [mark for mark in after.changes(second.happened) if mark.at in after.board().places]
    ends = dict.fromkeys(end for mark in marks for end in (mark.origin, mark.at) if end is not None)
    concerned = [Mark(kind="new", at=end, actor=marks[0].actor) for end in ends]
    shown = [_lying(before, concerned), _lying(after, marks)]
    if before.board() == after.board():
        shown = [replace(each, board=Markup("")) for each in shown]
    left, right = shown
    return (
        _taught(ruleset, language, first, _changing(left, right)),
        _taught(ruleset, language, second, _changing(right, left)),
    )


def _taught(
    ruleset: AnyRuleset, language: str, example: Example, lying: BoardView, seats: tuple[ExampleSeat, ...] = ()
) -> GuideExample:
    return GuideExample(lying, caption_of(ruleset, language, example), example.text, seats)


def _lying(table: Table, marks: Sequence[Mark]) -> BoardView:
    overlay = Overlay([NumberedMark(mark, None) for mark in marks])
    return view_board(table, None, overlay, partial(colour_of, table.sight.viewer), table.sight.language)


def _changing(lying: BoardView, other: BoardView) -> BoardView:
    """Return a view without the zones that are the same in the other view; differences are marked."""
    others = {each.zone.id: each for each in (*other.shared, *other.own)}
    return replace(
        lying,
        shared=tuple(_marked(each, others) for each in lying.shared if _differs(each, others)),
        own=tuple(_marked(each, others) for each in lying.own if _differs(each, others)),
    )


def _differs(zone: ShownZone, others: Mapping[str, ShownZone]) -> bool:
    return zone.zone.id not in others or others[zone.zone.id].zone != zone.zone


def _marked(zone: ShownZone, others: Mapping[str, ShownZone]) -> ShownZone:
    other = others.get(zone.zone.id)
    there = () if other is None else tuple(each.piece for each in other.pieces)
    return replace(zone, pieces=tuple(_changed(each, there) for each in zone.pieces))


def _changed(shown: ShownPiece, there: Sequence[Any]) -> ShownPiece:
    return shown if shown.piece in there else replace(shown, standing="can")


# Terms in a text: each becomes a button that opens its explanation, also without a script.

ENDINGS = ("", "s", "e", "n", "en", "es")
_CHANGED = {"y": "ies", "a": "en"}
"""Last letters that a plural replaces, and their replacements."""
_STOPS = re.compile(r"[.,;:!?…)]+")
_BUTTON = '<button type="button" class="term" popovertarget="term-{}">{}</button>'
_WHOLE = '<span class="whole">{}{}</span>'
"""Wrapper that keeps a button and the punctuation after it on the same line; browsers may break after a button."""

Marker = Callable[[str], Markup]


class Glossary:
    """Terms of a game in one language."""

    def __init__(self, terms: Mapping[str, Term]) -> None:
        self.terms = terms
        self._names = {form.lower(): name for name, term in terms.items() for form in _forms(term)}
        longest_first = sorted(map(re.escape, self._names), key=len, reverse=True)
        # Match in lower case: a search that ignores case takes five times as long.
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)") if terms else None

    def marker(self) -> Marker:
        """Return a function that marks terms in texts; each term is marked once over all texts."""
        seen: set[str] = set()
        return lambda text: self._marked(text, seen)

    def _marked(self, text: str, seen: set[str]) -> Markup:
        pieces, done = [], 0
        for match in self._pattern.finditer(_lowered(text)) if self._pattern else ():
            name, (start, end) = self._names[match[0]], match.span()
            if name not in seen:
                seen.add(name)
                button, stops = _BUTTON.format(name, escape(text[start:end])), _STOPS.match(text, end)
                pieces += [escape(text[done:start]), _WHOLE.format(button, stops[0]) if stops else button]
                done = stops.end() if stops else end
        return Markup("".join([*pieces, escape(text[done:])]))  # noqa: S704 # all text is escaped


@lru_cache(maxsize=64)
def glossary(guide: Callable[[str], Guide], language: str) -> Glossary:
    """Return the glossary of a ruleset's guide in a language; cached."""
    return Glossary(guide(language).terms)


def _lowered(text: str) -> str:
    """Return the text in lower case, or unchanged if its length would change."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text


def _forms(term: Term) -> Iterator[str]:
    word = term.word
    if term.short is not None:
        yield term.short
    yield from (word + ending for ending in ENDINGS)
    if word[-1] in _CHANGED:
        yield word[:-1] + _CHANGED[word[-1]]
