"""Marks that are drawn over a board: rings, numbered discs, arrows, gains and losses, outcomes of choices, a verdict.

All of them are drawn from the rectangles of the places (`Board.places`), so a ruleset draws none. They are hidden from
screen readers: the action line and the log say the same in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, sin
from typing import Final

from service.rules.shapes import Choice, Mark, Place, Prospect
from service.rules.svg import Look, Svg, element, group
from service.rules.tabletop.drawing import lettered

INK: Final = "#15181a"
PAPER: Final = "#ffffff"
SIGNS: Final[Mapping[str, str]] = {"good": "✓", "bad": "✕", "open": "•"}
_TAG: Final = 13.0
"""The width of a character of a tag, in its largest size."""

Colour = Callable[[int | None], str]
"""Returns the class of a seat's colour; None is nobody's."""


@dataclass(frozen=True, slots=True)
class NumberedMark:
    """A change on the table, with the number of its line in the log; None if another mark has the number already."""

    mark: Mark
    number: int | None


def outline(place: Place, colour: str, *names: str, gap: float = 4) -> Svg:
    """Return a ring around a place: a dark line with a coloured one on it, so that it is seen on any ground."""
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
    wide = max(32.0, _TAG * len(text) + 12)
    plate = element(
        "rect", x=x - wide / 2, y=y - 14, width=wide, height=28, rx=8, class_=colour, stroke=INK, stroke_width=1.5
    )
    looks: Look = {"class_": f"on-{colour}", "text_anchor": "middle"}
    return group([plate, lettered("tag", text, x, y + 6.5, looks)], class_=" ".join(("tag", *names)))


def arrow(start: tuple[float, float], end: tuple[float, float], colour: str, *names: str) -> Svg:
    """Return an arrow over the middle of the way from one anchor to another."""
    (x1, y1), (x2, y2) = start, end
    turn = atan2(y2 - y1, x2 - x1)
    middle = ((x1 + x2) / 2, (y1 + y2) / 2)
    length = min(64.0, 0.55 * ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
    shape = f"M{-length / 2:g}-5H{length / 2 - 16:g}V-13L{length / 2 + 4:g} 0L{length / 2 - 16:g} 13V5H{-length / 2:g}Z"
    place = f"translate({middle[0]:.1f} {middle[1]:.1f}) rotate({degrees(turn):.1f})"
    looks: Look = {"stroke": INK, "stroke_width": 2, "stroke_linejoin": "round"}
    return group(
        [element("path", d=shape, class_=colour, **looks)], transform=place, class_=" ".join(("arrow", *names))
    )


def changed(marks: Sequence[NumberedMark], places: Mapping[str, Place], colour: Colour) -> list[Svg]:
    """Return what is drawn for what has changed, the oldest first; marks of other places are left out."""
    discs = Counter[str]()
    return [
        group(list(_change(each, places, colour(each.mark.actor), discs)), class_="change")
        for each in marks
        if each.mark.at in places
    ]


def _change(numbered: NumberedMark, places: Mapping[str, Place], colour: str, discs: Counter[str]) -> Iterator[Svg]:
    mark, place = numbered.mark, places[numbered.mark.at]
    yield outline(place, colour)
    if mark.origin in places and mark.origin is not None:
        yield arrow(places[mark.origin].anchor, place.anchor, colour)
    elif mark.kind in {"gain", "loss"}:
        sign = "+" if mark.kind == "gain" else "−"
        yield tag(place.x + place.width - 28, place.anchor[1], f"{sign}{mark.count}", colour)
    if numbered.number is not None:
        # Several discs of a place stand side by side.
        yield disc(place.x + place.width - 30 * discs[mark.at], place.y, numbered.number)
        discs[mark.at] += 1


def offered(choices: Mapping[str, Choice], places: Mapping[str, Place]) -> list[Svg]:
    """Return the outcomes of what can be chosen: rings around what succeeds, and a pill where outcomes differ."""
    found = {name: choice for name, choice in choices.items() if name in places and not choice.chosen}
    telling = any(each.prospect == "bad" or each.gain for each in found.values())
    drawn = [outline(places[name], "can") for name, each in found.items() if each.prospect != "bad"]
    if telling:
        drawn += [_pill(places[name], each) for name, each in found.items()]
    return drawn


def _pill(place: Place, choice: Choice) -> Svg:
    text = outcome(choice.prospect, choice.gain)
    x = place.x + place.width - max(32.0, _TAG * len(text) + 12) / 2 - 4
    large = tag(x, place.y + 0.47 * place.height, text, choice.prospect, "large")
    return group([large, tag(x, place.anchor[1], text, choice.prospect, "small")], class_="pill")


def outcome(prospect: Prospect, gain: int | None) -> str:
    """Return what comes of a choice as a sign, and for what succeeds the points that it gains."""
    if prospect == "bad" or gain is None or (prospect == "open" and not gain):
        return SIGNS[prospect]
    return f"{SIGNS[prospect]} {signed(gain)}"


def signed(points: int) -> str:
    """Return a number of points with its sign; nought has none."""
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"


def previewed(marks: Sequence[Mark], verdict: str, prospect: Prospect, places: Mapping[str, Place]) -> list[Svg]:
    """Return the move that is previewed: rings, arrows with the number of pieces, and the verdict on its target."""
    colour = "bad" if prospect == "bad" else "can"
    names = ("fails",) if prospect == "bad" else ()
    ends = dict.fromkeys(end for mark in marks for end in (mark.origin, mark.at) if end in places and end is not None)
    drawn = [outline(places[end], colour, *names) for end in ends]
    for mark in marks:
        if mark.at in places and mark.origin in places and mark.origin is not None:
            drawn += _way(places[mark.origin], places[mark.at], mark.count, colour)
    target = next((mark.at for mark in marks if mark.at in places), None)
    if verdict and target is not None:
        place = places[target]
        told = f"{SIGNS[prospect]} {verdict}" if prospect != "open" else verdict
        drawn.append(tag(place.x + place.width / 2, place.y + 0.5 * place.height, told, prospect, "verdict"))
    return [group(drawn, class_="preview")]


def intended(marks: Sequence[Mark], places: Mapping[str, Place], told: str) -> list[Svg]:
    """Return an order for a later turn: a pale arrow or ring, and on its first target what it is in words."""
    found = [mark for mark in marks if mark.at in places]
    if not found:
        return []
    drawn = [
        arrow(places[mark.origin].anchor, places[mark.at].anchor, "plain")
        if mark.origin is not None and mark.origin in places
        else outline(places[mark.at], "plain")
        for mark in found
    ]
    place = places[found[0].at]
    drawn.append(tag(place.x + place.width / 2, place.y + 0.5 * place.height, told, "plain", "verdict"))
    return [group(drawn, class_="intended")]


def _way(origin: Place, target: Place, count: int, colour: str) -> list[Svg]:
    (x1, y1), (x2, y2) = origin.anchor, target.anchor
    turn, middle = atan2(y2 - y1, x2 - x1), ((x1 + x2) / 2, (y1 + y2) / 2)
    behind = (middle[0] - 34 * cos(turn), middle[1] - 34 * sin(turn))
    return [arrow(origin.anchor, target.anchor, colour, "moving"), tag(*behind, f"×{count}", "plain")]
