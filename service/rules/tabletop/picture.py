"""Draw a board as one picture: in its small look, on the green of the table, with marks for what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import degrees
from typing import Final, NamedTuple

from service.rules.svg import Look, Svg, element, group
from service.rules.table_parts import Board, Glimpse, Mark, Place
from service.rules.tabletop.drawing import lettered, small_look, way

MARGIN: Final = 8.0
_FELT: Final = "#24594e"
_INK: Final = "#15181a"
_PAPER: Final = "#ffffff"
_READER: Final = "#f6b42c"
_OTHERS: Final = ("#c9a6ff", "#6fe0d6", "#ffa9c6", "#b9e069", "#8fc4ff")
_NOBODY: Final = "#c3d8d0"
_LENGTH: Final = 44.0
_CELL: Final = (14.0, 11.0)
_AROUND: Final = 4.0
_EDGE: Final[Look] = {"stroke": "#fdfbf4", "stroke_width": 0.8}


class NumberedMark(NamedTuple):
    """A change on the board, and the number of the sentence that tells of it; None if another mark has the number."""

    mark: Mark
    number: int | None


def board_picture(board: Board, marks: Sequence[NumberedMark] = (), reader: int | None = None) -> Svg:
    """Return the board as one SVG document; marks of places that it does not have are left out.

    Each seat has a colour of its own: the reader's is marigold, as on the pages.
    """
    wide, high = board.width + 2 * MARGIN, board.height + 2 * MARGIN
    felt = element("rect", x=-MARGIN, y=-MARGIN, width=wide, height=high, fill=_FELT)
    places = (place.svg for place in board.places.values())
    here = [each for each in marks if each.mark.at in board.places]
    changes = (part for each in here for part in _change(each.mark, board, _colour(each.mark.actor, reader)))
    inside = small_look("".join((felt, board.ground, *places, *changes, *_discs(here, board))))
    box = f"{-MARGIN:g} {-MARGIN:g} {wide:g} {high:g}"
    return element("svg", Svg(inside), xmlns="http://www.w3.org/2000/svg", viewBox=box)


def document(picture: Svg) -> Svg:
    """Return a picture as a document of its own, which has no fonts of a page: with those of the reader's system."""
    return Svg(picture.replace("<svg ", '<svg font-family="system-ui, sans-serif" ', 1))


def glimpse_picture(glimpse: Glimpse, looks: Mapping[str, tuple[str, str]]) -> Svg:
    """Return a board in a few cells as an SVG document; `looks` as of `Contributions`, by day.

    Cells of seats (`seat-1` ..) have the colours that the seats have for a reader of the first one.
    """
    seats = {f"seat-{number}": colour for number, colour in enumerate((_READER, *_OTHERS), 1)}
    rows = -(-len(glimpse.cells) // glimpse.columns)
    wide, high = glimpse.columns * _CELL[0] + 2 * _AROUND, rows * _CELL[1] + 2 * _AROUND
    drawn = [element("rect", width=wide, height=high, rx=5, fill=_FELT)]
    for number, cell in enumerate(glimpse.cells):
        x = _AROUND + number % glimpse.columns * _CELL[0] + 1
        y = _AROUND + number // glimpse.columns * _CELL[1] + 1
        fill = looks[cell][0] if cell in looks else seats.get(cell, _NOBODY)
        drawn.append(element("rect", x=x, y=y, width=_CELL[0] - 2, height=_CELL[1] - 2, rx=1.5, fill=fill, **_EDGE))
    box = f"0 0 {wide:g} {high:g}"
    return element("svg", *drawn, xmlns="http://www.w3.org/2000/svg", viewBox=box, width=wide, height=high)


def _colour(actor: int | None, reader: int | None) -> str:
    if actor is None:
        return _NOBODY
    if actor == reader:
        return _READER
    return _OTHERS[(actor - (reader is not None and actor > reader)) % len(_OTHERS)]


def _change(mark: Mark, board: Board, colour: str) -> Iterator[Svg]:
    place = board.places[mark.at]
    yield _ring(place, colour)
    origin = board.places.get(mark.origin or "")
    if origin is not None:
        yield _arrow(origin, place, colour)
    elif mark.kind in {"gain", "loss"}:
        sign = "+" if mark.kind == "gain" else "−"
        yield _tag(place.x + place.width - 28, place.anchor[1], f"{sign}{mark.count}", colour)


def _discs(marks: Sequence[NumberedMark], board: Board) -> Iterator[Svg]:
    """Yield the numbers, those of a place side by side; no ring of another mark lies on them."""
    there = Counter[str]()
    for mark, number in marks:
        if number is not None:
            place = board.places[mark.at]
            yield _disc(place.x + place.width - 8 - 36 * there[mark.at], place.y + 4, number)
            there[mark.at] += 1


def _ring(place: Place, colour: str) -> Svg:
    """Return a dark line with a coloured one on it, so that it is seen on any ground."""
    box: Look = {
        "x": place.x - 4,
        "y": place.y - 4,
        "width": place.width + 8,
        "height": place.height + 8,
        "rx": 12,
        "fill": "none",
    }
    lines = ((_INK, 8), (colour, 5))
    return group([element("rect", **box, stroke=stroke, stroke_width=width) for stroke, width in lines])


def _arrow(origin: Place, target: Place, colour: str) -> Svg:
    x, y, turn = way(origin, target, _LENGTH)
    tip = _LENGTH / 2
    shape = f"M{-tip:g}-5H{tip - 20:g}V-13L{tip:g} 0L{tip - 20:g} 13V5H{-tip:g}Z"
    where = f"translate({x:.1f} {y:.1f}) rotate({degrees(turn):.1f})"
    looks: Look = {"fill": colour, "stroke": _INK, "stroke_width": 2, "stroke_linejoin": "round"}
    return element("path", d=shape, transform=where, **looks)


def _tag(x: float, y: float, text: str, colour: str) -> Svg:
    wide = max(36.0, 18.0 * len(text) + 8)
    looks: Look = {"fill": colour, "stroke": _INK, "stroke_width": 1.5}
    plate = element("rect", x=x - wide / 2, y=y - 15, width=wide, height=30, rx=8, **looks)
    return group([plate, lettered("tag", text, x, y + 8.5, {"fill": _INK, "text_anchor": "middle"})])


def _disc(x: float, y: float, number: int) -> Svg:
    looks: Look = {"fill": _INK, "stroke": _PAPER, "stroke_width": 2.5}
    text = lettered("tag", str(number), x, y + 8.5, {"fill": _PAPER, "text_anchor": "middle"})
    return group([element("circle", cx=x, cy=y, r=17, **looks), text])
