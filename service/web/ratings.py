"""A player's ratings as a page shows them: the numbers, and their course over the last games as a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from service.rating.skill import BEGIN
from service.rules.svg import Svg, element, said
from service.texts.catalog import count
from service.web.local_time import shown_day
from service.web.marks import signed
from service.web.page import current_runtime

_WIDE, _HIGH = 420, 175
_LEFT, _RIGHT, _TOP, _BOTTOM, _GROUND = 10, 354, 16, 134, 150


def drawn(ratings: Sequence[Mapping[str, Any]], language: str, zone: str) -> list[Mapping[str, Any]]:
    """Return the ratings of a player (views.ratings) with titles and courses, for `ratings/_ratings.html`.

    `last` is the last change of the number with its sign and the day of it; None of a rating without a course.
    """
    rulesets = current_runtime().games.rulesets
    shown = list[Mapping[str, Any]]()
    for each in ratings:
        if each["ruleset"] in rulesets:
            days = [shown_day(each[end], language, zone) for end in ("since", "until") if each[end] is not None]
            last = None if each["change"] is None else (signed(each["change"]), days[-1])
            title = rulesets[each["ruleset"]].meta.title
            shown.append({**each, "title": title, "last": last, "drawn": course(each["course"], days, language)})
    return shown


def course(numbers: Sequence[int], days: Sequence[str], language: str) -> Markup:
    """Return the course of a rating as an SVG element, from the number of a newcomer or an earlier game on.

    It is empty where no game of it is known. `days` are those of the first and of the last game.
    """
    games = len(numbers)
    if not games:
        return Markup("")
    values = [BEGIN, *numbers] if games < 2 else numbers
    least, most = min(values), max(*values, min(values) + 1)

    def at(place: int) -> tuple[float, float]:
        x = _LEFT + place / max(1, len(values) - 1) * (_RIGHT - _LEFT)
        return round(x, 1), round(_BOTTOM - (values[place] - least) / (most - least) * (_BOTTOM - _TOP), 1)

    points = [at(place) for place in range(len(values))]
    line = " ".join(f"{x:g},{y:g}" for x, y in points)
    x, y = points[-1]
    shapes: list[Svg] = [
        element("polygon", points=f"{_LEFT},{_GROUND} {line} {x:g},{_GROUND}", class_="below"),
        element("polyline", points=line, class_="course"),
        element("circle", cx=x, cy=y, r=7),
        element("text", said(str(values[-1])), x=_WIDE - 2, y=y + 6, text_anchor="end"),
        *_dated(days[-1:] if games < 2 else days),
    ]
    told = f"{count(language, 'ra-course', games)}: {', '.join(map(str, numbers[-5:]))}"
    if games > 1 and days:
        told += f" ({days[0]} – {days[-1]})"
    svg = element("svg", *shapes, class_="rating", viewBox=f"0 0 {_WIDE} {_HIGH}", role="img", aria_label=told)
    return Markup(svg)  # noqa: S704 # drawn here, of numbers and dates alone


def _dated(days: Sequence[str]) -> list[Svg]:
    """Return the day of the first game below the beginning of the line, and that of the last one below its end."""
    first = [element("text", said(days[0]), x=_LEFT, y=_HIGH - 5, class_="day")] if len(days) > 1 else []
    last = [element("text", said(each), x=_RIGHT, y=_HIGH - 5, class_="day", text_anchor="end") for each in days[-1:]]
    return first + last
