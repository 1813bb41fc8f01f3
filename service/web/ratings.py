"""A player's ratings as a page shows them: the numbers, and their course over the last games as a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from service.rating.skill import BEGIN
from service.rules.svg import Svg, element, said
from service.texts.catalog import count
from service.web.page import current_runtime

_WIDE, _HIGH = 420, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 10, 354, 16, 134


def drawn(ratings: Sequence[Mapping[str, Any]], language: str) -> list[Mapping[str, Any]]:
    """Return the ratings of a player (views.ratings) with titles and courses, for `ratings/_ratings.html`."""
    rulesets = current_runtime().games.rulesets
    return [
        {**each, "title": rulesets[each["ruleset"]].meta.title, "drawn": course(each["course"], language)}
        for each in ratings
        if each["ruleset"] in rulesets
    ]


def course(numbers: Sequence[int], language: str) -> Markup:
    """Return the course of a rating as an SVG element, from the number of a newcomer or an earlier game on."""
    games = len(numbers)
    values = [BEGIN, *numbers] if games < 2 else numbers
    least, most = min(values), max(*values, min(values) + 1)

    def at(place: int) -> tuple[float, float]:
        x = _LEFT + place / max(1, len(values) - 1) * (_RIGHT - _LEFT)
        return round(x, 1), round(_BOTTOM - (values[place] - least) / (most - least) * (_BOTTOM - _TOP), 1)

    points = [at(place) for place in range(len(values))]
    line = " ".join(f"{x:g},{y:g}" for x, y in points)
    x, y = points[-1]
    shapes: list[Svg] = [
        element("polygon", points=f"{_LEFT},{_HIGH} {line} {x:g},{_HIGH}", class_="below"),
        element("polyline", points=line, class_="course"),
        element("circle", cx=x, cy=y, r=7),
        element("text", said(str(values[-1])), x=_WIDE - 2, y=y + 6, text_anchor="end"),
    ]
    told = f"{count(language, 'ra-course', games)}: {', '.join(map(str, numbers[-5:]))}"
    svg = element("svg", *shapes, class_="rating", viewBox=f"0 0 {_WIDE} {_HIGH}", role="img", aria_label=told)
    return Markup(svg)  # noqa: S704 # drawn here, of numbers alone
