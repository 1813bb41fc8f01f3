"""Everybody's chance to win over the steps of a game, as areas that lie on each other in the colours of the seats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from service.rules.svg import Svg, element

WIDTH, HEIGHT, STRIP = 440, 120, 16
"""`STRIP` is what lies below the areas: a tick for each step, and a dot for each moment."""

_HALF: Final = 0.5
_MIDDLE: Final = HEIGHT + STRIP // 2


class ChanceArea(NamedTuple):
    """The chances of a seat after each step, from 0 to 1, and the class of its colour."""

    colour: str
    chances: Sequence[float]


def chances_drawn(label: str, areas: Sequence[ChanceArea], shown: int, moments: Sequence[int]) -> Svg:
    """Return the areas as an SVG element, the first one at the bottom, with a rule at the step that is looked at.

    There are at least two steps, counted from 0; `moments` are those that get a dot. What the chances do not add up to
    is left free: it is that of an automaton.
    """
    steps = len(areas[0].chances)
    return element(
        "svg",
        *_stacked(areas),
        element("path", d=f"M0 {_y(_HALF)}H{WIDTH}", class_="half"),
        element("path", d=f"M{_x(shown, steps)} 0V{HEIGHT}", class_="moment"),
        _marks(range(steps), steps, "ticks"),
        *([_marks(moments, steps, "dots")] if moments else []),
        class_="chances",
        viewBox=f"0 0 {WIDTH} {HEIGHT + STRIP}",
        preserveAspectRatio="none",
        role="img",
        aria_label=label,
    )


def _stacked(areas: Sequence[ChanceArea]) -> Iterator[Svg]:
    steps = len(areas[0].chances)
    below = [0.0] * steps
    for area in areas:
        top = [low + chance for low, chance in zip(below, area.chances, strict=True)]
        forth = [f"{_x(at, steps)} {_y(chance)}" for at, chance in enumerate(top)]
        back = [f"{_x(at, steps)} {_y(chance)}" for at, chance in enumerate(below)][::-1]
        yield element("path", d=f"M{'L'.join((*forth, *back))}Z", class_=area.colour)
        below = top


def _marks(at: Iterable[int], steps: int, name: str) -> Svg:
    """Return marks as lines without a length: their ends are round, however much the picture is stretched."""
    return element("path", d="".join(f"M{_x(each, steps)} {_MIDDLE}h0" for each in at), class_=name)


def _x(step: int, steps: int) -> int:
    return round(step / (steps - 1) * WIDTH)


def _y(chance: float) -> int:
    return round((1 - min(1.0, chance)) * HEIGHT)
