"""Everybody's points over the turns of a finished game: as numbers, and as a curve with the turn that decided it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final
from uuid import UUID

from markupsafe import Markup

from service.log.timeline import Timeline
from service.rules.kernel import AnyRuleset
from service.rules.measure import Measure
from service.rules.shapes import Turning
from service.texts.catalog import say
from service.views.plots import counts_by_turn, measure_title, nonzero_measures, plot
from service.web.curve import CurveLine, curve
from service.web.panels import ShownPanel

Points = Sequence[Sequence[int]]
"""The points by seat at the end of each turn, from turn 0 on."""
KEPT: Final = 64
"""A process keeps what it has computed of so many finished games: each step of a replay needs it again."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A whole game; equal for the same version of the same game."""

    id: UUID
    version: int
    timeline: Timeline = field(compare=False, repr=False)


def points_measure(ruleset: AnyRuleset) -> Measure | None:
    """Return the first measure that has a line for each seat: that of points, if a ruleset has one."""
    return next((each for each in ruleset.measures if each.lines is None), None)


def points_by_turn(timeline: Timeline) -> Points:
    """Return everybody's points at the end of each turn; nothing if the ruleset measures none."""
    measure = points_measure(timeline.ruleset)
    if measure is None:
        return []
    known: Mapping[int, Sequence[int]] = dict(counts_by_turn(timeline, measure))
    values: list[Sequence[int]] = []
    for turn in range(max(known) + 1):
        # In a turn of which nothing is left, nothing has changed.
        values.append(known.get(turn, values[-1] if values else known[min(known)]))
    return values


@lru_cache(maxsize=KEPT)
def finished_points(game: FinishedGame) -> Points:
    """Return what `points_by_turn` returns for a game that is over."""
    return points_by_turn(game.timeline)


@lru_cache(maxsize=KEPT)
def finished_plots(game: FinishedGame, language: str, everybody: tuple[str, ...]) -> Sequence[tuple[str, Markup]]:
    """Return the title and the chart of each measure but the points; `everybody` as in `views.plots.plot`."""
    timeline, points = game.timeline, points_measure(game.timeline.ruleset)
    return [
        (measure_title(each, language), Markup(plot(timeline, each, language, everybody)))  # noqa: S704 # our own
        for each in nonzero_measures(timeline)
        if each is not points
    ]


def points_curve(
    points: Points,
    turning: Turning | None,
    panels: Sequence[ShownPanel],
    language: str,
    *,
    told: str = "",
    shown: int | None = None,
) -> Markup:
    """Return the points as a curve; it is empty for less than two turns.

    `told` is what the turning point is called, `shown` the turn that is looked at.
    """
    if len(points) < 2:
        return Markup("")
    lines = [
        CurveLine(each.colour, each.name, [at[each.seat] for at in points])
        for each in panels
        if each.seat < len(points[0])
    ]
    turn = None if turning is None else turning.turn
    return Markup(curve(say(language, "table-over-turns"), lines, turn, told, shown))  # noqa: S704 # drawn here
