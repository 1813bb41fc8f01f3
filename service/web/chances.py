"""Everybody's chance to win over the steps of a game, as areas that lie on each other in the colours of the seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from service.rules.svg import Svg, element

WIDTH, HEIGHT = 440, 120
_HALF: Final = 0.5


class ChanceArea(NamedTuple):
    """The chances of a seat after each step, from 0 to 1, and the class of its colour."""

    colour: str
    chances: Sequence[float]


def chances_drawn(label: str, areas: Sequence[ChanceArea], shown: int) -> Svg:
    """Return the areas as an SVG element, the first one at the bottom, with a rule at the step that is looked at.

    There are at least two steps. What the chances do not add up to is left free: it is that of an automaton.
    """
    steps = len(areas[0].chances)
    return element(
        "svg",
        *_stacked(areas),
        element("path", d=f"M0 {_y(_HALF)}H{WIDTH}", class_="half"),
        element("path", d=f"M{_x(shown, steps)} 0V{HEIGHT}", class_="moment"),
        class_="chances",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
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


def _x(step: int, steps: int) -> int:
    return round(step / (steps - 1) * WIDTH)


def _y(chance: float) -> int:
    return round((1 - min(1.0, chance)) * HEIGHT)
