"""The examples of a guide as tables: of two that follow each other, what changes between them, with marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from markupsafe import Markup

from service.rules.guide import Chapter, Example
from service.rules.kernel import AnyRuleset
from service.rules.shapes import Board, Mark
from service.rules.tabletop.picture import NumberedMark, board_picture
from service.rules.tabletop.table import Table
from service.views.guide import caption_of, table_of
from service.web.felt import Felt, Overlay, ShownPiece, ShownZone, all_symbols, felt, use
from service.web.panels import ShownChip, colour_of

_NAMESPACE: Final = ' xmlns="http://www.w3.org/2000/svg"'


@dataclass(frozen=True, slots=True)
class TaughtSeat:
    """A seat of an example: its name, its points, and what it has in numbers."""

    name: str
    points: int | None
    chips: tuple[ShownChip, ...]


@dataclass(frozen=True, slots=True)
class Taught:
    """An example as a page shows it: the table, what it shows in one sentence, and the text that explains it.

    `seats` are those whose numbers are explained. The board is empty where nothing on it is explained.
    """

    felt: Felt
    caption: str
    text: str
    seats: tuple[TaughtSeat, ...] = ()


def board_of(board: Board) -> Markup:
    """Return a board as a picture for the inside of a page, where no namespace has to be declared."""
    return Markup(board_picture(board).replace(_NAMESPACE, "", 1))  # noqa: S704 # a ruleset's own, which escapes words


def symbols_of(ruleset: AnyRuleset, language: str) -> Markup:
    """Return the symbols that the examples of a ruleset use, which are drawn once a page."""
    return all_symbols(table_of(ruleset, language, ruleset.guide(language).example).symbols)


def taught(ruleset: AnyRuleset, language: str, chapter: Chapter) -> list[Taught]:
    """Return the examples of a chapter; of two examples the second follows the first."""
    examples = chapter.examples
    if len(examples) == 2:
        return list(_followed(ruleset, language, *examples))
    return [_whole(ruleset, language, each) for each in examples]


def _whole(ruleset: AnyRuleset, language: str, example: Example) -> Taught:
    """Return an example of which all is shown."""
    table = table_of(ruleset, language, example)
    seats = tuple(_seat(table, seat) for seat in range(table.panels)) if example.viewer is None else ()
    return _taught(ruleset, language, example, _lying(table, ()), seats)


def _seat(table: Table, seat: int) -> TaughtSeat:
    panel, names = table.panel(seat), table.sight.names
    chips = tuple(ShownChip(each.look, use(table.symbols, each.symbol).svg, *each[2:]) for each in panel.chips)
    return TaughtSeat(names[seat] if seat < len(names) else "", panel.points, chips)


def _followed(ruleset: AnyRuleset, language: str, first: Example, second: Example) -> tuple[Taught, Taught]:
    """Return two examples of which that is shown which changes from one to the other."""
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
    ruleset: AnyRuleset, language: str, example: Example, lying: Felt, seats: tuple[TaughtSeat, ...] = ()
) -> Taught:
    return Taught(lying, caption_of(ruleset, language, example), example.text, seats)


def _lying(table: Table, marks: Sequence[Mark]) -> Felt:
    overlay = Overlay([NumberedMark(mark, None) for mark in marks])
    return felt(table, None, overlay, partial(colour_of, table.sight.viewer), table.sight.language)


def _changing(lying: Felt, other: Felt) -> Felt:
    """Return what lies on the table without the zones that are the same on the other; what differs is marked."""
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
