"""Symbols and marks of a board: rings, numbered discs, arrows, gains and losses, outcomes of choices, a verdict.

All marks are drawn from the rectangles of the places (`Board.places`), so a ruleset draws none. Marks are hidden from
screen readers: the action line and the log say the same in words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import cos, degrees, sin
from typing import Final, Literal, NamedTuple

from markupsafe import Markup

from service.rules.svg import Look, Svg, element, group
from service.rules.table_parts import Choice, Mark, Place, Prospect
from service.rules.tabletop.drawing import lettered, way
from service.rules.tabletop.picture import NumberedMark

INK: Final = "#15181a"
PAPER: Final = "#ffffff"
SIGNS: Final[Mapping[str, str]] = {"good": "✓", "bad": "✕", "open": "•"}
_TAG: Final = 13.0
"""Width of a character of a tag, in its largest size."""
_NARROW: Final = 10.5
"""Width of a character of a pill in the other sizes."""
_LENGTH: Final = 56.0

Colour = Callable[[int | None], str]
"""Function from a seat to the class of its colour; None is nobody's."""


def outline(place: Place, colour: str, *names: str, gap: float = 4) -> Svg:
    """Return a ring around a place: a dark line under a coloured line, visible on any ground."""
    box: Look = {
        "x": place.x - gap,
        "y": place.y - gap,
        "width": place.width + 2 * gap,
        "height": place.height + 2 * gap,
        "rx": 10 + gap / 2,
        "fill": "none",
    }
    return group(
        [
            element("rect", **box, stroke=INK, stroke_width=8),
            element("rect", **box, class_=f"line {colour}", stroke_width=5),
        ],
        class_=" ".join(("ring", *names)),
    )


def disc(x: float, y: float, number: int) -> Svg:
    """Return the number of a line of the log in a black disc."""
    looks: Look = {"fill": INK, "stroke": PAPER, "stroke_width": 2}
    text = lettered("tag", str(number), x, y + 6.5, {"fill": PAPER, "text_anchor": "middle"})
    return group([element("circle", cx=x, cy=y, r=14, **looks), text], class_="disc", data_n=number)


def tag(x: float, y: float, text: str, colour: str, *names: str) -> Svg:
    """Return a short text on a plate around a point."""
    return _plated(x, y, max(32.0, _TAG * len(text) + 12), text, colour, *names)


def _plated(x: float, y: float, wide: float, text: str, colour: str, *names: str) -> Svg:
    box: Look = {"x": x - wide / 2, "y": y - 14, "width": wide, "height": 28}
    looks: Look = {"class_": f"on-{colour}", "text_anchor": "middle"}
    plate = element("rect", **box, rx=8, class_=colour, stroke=INK, stroke_width=1.5)
    return group([plate, lettered("tag", text, x, y + 6.5, looks)], class_=" ".join(("tag", *names)))


def arrow(origin: Place, target: Place, colour: str, *names: str) -> Svg:
    x, y, turn = way(origin, target, _LENGTH)
    half = _LENGTH / 2
    shape = f"M{-half:g}-5H{half - 18:g}V-13L{half:g} 0L{half - 18:g} 13V5H{-half:g}Z"
    place = f"translate({x:.1f} {y:.1f}) rotate({degrees(turn):.1f})"
    looks: Look = {"stroke": INK, "stroke_width": 2, "stroke_linejoin": "round"}
    return group(
        [element("path", d=shape, class_=colour, **looks)], transform=place, class_=" ".join(("arrow", *names))
    )


def draw_changes(marks: Sequence[NumberedMark], places: Mapping[str, Place], colour: Colour) -> list[Svg]:
    """Draw the changes, oldest first; marks of other places are left out."""
    return [
        group(list(_change(each.mark, places, colour(each.mark.actor))), class_="change")
        for each in marks
        if each.mark.at in places
    ]


def draw_numbers(marks: Sequence[NumberedMark], places: Mapping[str, Place]) -> list[Svg]:
    """Draw the numbers of the changes in discs above all rings; several discs of a place stand side by side."""
    drawn: list[Svg] = []
    before = Counter[str]()
    for each in marks:
        if each.number is not None and each.mark.at in places:
            place = places[each.mark.at]
            drawn.append(disc(place.x + place.width - 30 * before[each.mark.at], place.y, each.number))
            before[each.mark.at] += 1
    return drawn


def _change(mark: Mark, places: Mapping[str, Place], colour: str) -> Iterator[Svg]:
    place = places[mark.at]
    yield outline(place, colour)
    if mark.origin in places and mark.origin is not None:
        yield arrow(places[mark.origin], place, colour)
    elif mark.kind in {"gain", "loss"}:
        sign = "+" if mark.kind == "gain" else "−"
        yield tag(place.x + place.width - 28, place.anchor[1], f"{sign}{mark.count}", colour)


def draw_outcomes(choices: Mapping[str, Choice], places: Mapping[str, Place]) -> list[Svg]:
    """Draw the outcomes of choices: rings around those that succeed, and pills if outcomes differ."""
    found = {name: choice for name, choice in choices.items() if name in places and not choice.chosen}
    telling = any(each.prospect == "bad" or each.gain for each in found.values())
    ringed = {"good"} if telling else {"good", "open"}
    drawn = [outline(places[name], "can") for name, each in found.items() if each.prospect in ringed]
    if telling:
        drawn += [_pill(places[name], each) for name, each in found.items()]
    return drawn


def _pill(place: Place, choice: Choice) -> Svg:
    text, right = outcome_text(choice.prospect, choice.gain), place.x + place.width - 4
    wide, narrow = (max(28.0, each * len(text) + 12) for each in (_TAG, _NARROW))
    y, colour = place.y + 0.47 * place.height, choice.prospect
    large = _plated(right - narrow / 2, y, narrow, text, colour, "large")
    return group([large, _plated(right - wide / 2, place.anchor[1], wide, text, colour, "small")], class_="pill")


def outcome_text(prospect: Prospect, gain: int | None) -> str:
    """Return the outcome of a choice as a sign, with the points gained if any."""
    if prospect == "bad" or not gain:
        return SIGNS[prospect]
    return f"{SIGNS[prospect]} {signed(gain)}"


def signed(points: int) -> str:
    """Return points, or a change of a rating, with a sign; 0 has none."""
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"


def draw_preview(marks: Sequence[Mark], verdict: str, prospect: Prospect, places: Mapping[str, Place]) -> list[Svg]:
    """Draw the previewed action: rings, arrows with numbers of pieces, and the verdict on the target."""
    colour = "bad" if prospect == "bad" else "can"
    names = ("fails",) if prospect == "bad" else ()
    ends = dict.fromkeys(end for mark in marks for end in (mark.origin, mark.at) if end in places and end is not None)
    drawn = [outline(places[end], colour, *names) for end in ends]
    for mark in marks:
        if mark.at in places and mark.origin in places and mark.origin is not None:
            drawn += _moving(places[mark.origin], places[mark.at], mark.count, colour)
    target = next((mark.at for mark in marks if mark.at in places), None)
    if verdict and target is not None:
        told = f"{SIGNS[prospect]} {verdict}" if prospect != "open" else verdict
        drawn.append(_verdict(places[target], told, prospect))
    return [group(drawn, class_="preview")]


def draw_order(marks: Sequence[Mark], places: Mapping[str, Place], told: str) -> list[Svg]:
    """Draw an order for a later turn: a pale arrow or ring, and its label on the first target."""
    found = [mark for mark in marks if mark.at in places]
    if not found:
        return []
    drawn = [
        arrow(places[mark.origin], places[mark.at], "plain")
        if mark.origin is not None and mark.origin in places
        else outline(places[mark.at], "plain")
        for mark in found
    ]
    return [group([*drawn, _verdict(places[found[0].at], told, "plain")], class_="intended")]


def _verdict(place: Place, told: str, colour: str) -> Svg:
    x, y = place.x + place.width / 2, place.y + 0.44 * place.height
    return _plated(x, y, place.width - 8, told, colour, "verdict")


def _moving(origin: Place, target: Place, count: int, colour: str) -> list[Svg]:
    x, y, turn = way(origin, target, _LENGTH)
    behind = (x - 0.7 * _LENGTH * cos(turn), y - 0.7 * _LENGTH * sin(turn))
    return [arrow(origin, target, colour, "moving"), tag(*behind, f"×{count}", "plain")]


_BOX: Final = re.compile(r'viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+)"')


_LARGE, _MIDDLE = 56, 40
"""Minimum widths of a symbol drawn as a card, and as a portrait; smaller symbols are icons."""


Size = Literal["card", "portrait", "icon"]


class SymbolUse(NamedTuple):
    """Use of a symbol: the element, the size to draw it in, and whether there are words on it."""

    svg: Markup
    size: Size
    worded: bool


def use_symbol(symbols: Mapping[str, str], name: str) -> SymbolUse:
    """Return a use of a symbol; an unknown symbol draws nothing."""
    return _used(name, symbols.get(name, ""))


@lru_cache(maxsize=512)
def _used(name: str, symbol: str) -> SymbolUse:
    found = _BOX.search(symbol)
    if found is None:
        return SymbolUse(Markup(""), "icon", worded=False)
    width, height = float(found[3]), float(found[4])
    size: Size = "card" if width >= _LARGE else "portrait" if width >= _MIDDLE else "icon"
    inner = element("use", href=f"#{name}", width=width, height=height)
    svg = element(
        "svg", inner, class_=f"pc as-{size}", viewBox=f"0 0 {width:g} {height:g}", aria_hidden="true", focusable="false"
    )
    return SymbolUse(Markup(svg), size, "<text" in symbol)  # noqa: S704 # of a ruleset's own symbol


def with_space_after_texts(svg: str) -> str:
    """Add a space after each text of a picture: browsers without SVG would run all texts together."""
    return svg.replace("</text>", "</text> ")


def all_symbols(symbols: Mapping[str, str]) -> Markup:
    """Return the symbols of a ruleset, drawn once a page and used by their ids."""
    return Markup(with_space_after_texts("".join(symbols.values())))  # noqa: S704 # a ruleset's own
