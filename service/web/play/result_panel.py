"""Result of a finished game: winners and reason, points by source, points by turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from service.rules.svg import Svg, element, group, moved, said
from service.rules.table_parts import PointsPart, Result
from service.rules.tabletop.table import Table
from service.texts.catalog import say
from service.texts.games import unit_number
from service.views.ratings import rating_changes
from service.web.page import current_runtime
from service.web.play.board_overlays import signed
from service.web.play.charts import points_by_turn, points_curve
from service.web.play.panels import ShownPanel
from service.web.viewer_context import ViewerContext

_WIDE, _HIGH, _GAP = 520.0, 38.0, 2.0
_NARROW: Final = 22.0
"""Minimum width of a part of a bar, so that its number has room."""
_WITH_SIGN: Final = 52.0
"""Minimum width of a part that shows its symbol beside the number."""
_DIGIT: Final = 11.0


@dataclass(frozen=True, slots=True)
class ShownEnd:
    """Seat at the end of the game: its panel, its rank from 1, and a bar of its points by source."""

    panel: ShownPanel
    rank: int
    points: int | None
    bar: Markup
    change: str | None
    """Signed change of the player's rating; None if there is none (yet)."""


@dataclass(frozen=True, slots=True)
class ResultPanel:
    """Finished game on the page; `seats` are sorted best first, `sources` are the parts of all bars.

    `podium` has the same seats with the winner in the middle. `curve` is empty if the ruleset measures no points.
    """

    result: Result
    seats: tuple[ShownEnd, ...]
    sources: tuple[PointsPart, ...]
    curve: Markup
    deciding: str

    @property
    def scored(self) -> bool:
        """Return whether points count: a game ended by a resignation or a lapse has none."""
        return any(each.points is not None for each in self.seats)

    @property
    def told(self) -> bool:
        """Return whether seats have something to show: points, or a change of rating."""
        return self.scored or any(each.change for each in self.seats)

    @property
    def podium(self) -> tuple[ShownEnd, ...]:
        """Return the best three seats, the winner in the middle."""
        first, *others = self.seats[:3]
        return (*others[:1], first, *others[1:])


def result_panel(context: ViewerContext, table: Table, panels: Sequence[ShownPanel]) -> ResultPanel | None:
    """Return the result of a finished game; None before."""
    outcome = context.position.outcome
    if outcome is None:
        return None
    values = points_by_turn(current_runtime().games.timeline(context.db, context.position))
    result = table.result(values) or table.stopped(outcome)
    scores, winners = outcome["scores"], set(outcome["winners"])
    points = [scores[each.seat] if scores is not None else None for each in panels]
    order = sorted(panels, key=lambda each: (each.seat not in winners, -(points[each.seat] or 0)))
    parts = {each.seat: result.parts[each.seat] if each.seat < len(result.parts) else () for each in panels}
    changes = _changes(context)
    most = max((sum(part.points for part in each) for each in parts.values()), default=0)
    return ResultPanel(
        result=result,
        seats=tuple(
            ShownEnd(
                each,
                _rank(each.seat, points, winners),
                points[each.seat],
                _bar(table, parts[each.seat], most),
                changes.get(each.seat),
            )
            for each in order
        ),
        sources=_sources(table, context.rules_language, parts.values()),
        curve=points_curve(values, result.turning, panels, context.language, told=_turning(context, result)),
        deciding=_deciding(context, result),
    )


def _sources(table: Table, language: str, parts: Iterable[Sequence[PointsPart]]) -> tuple[PointsPart, ...]:
    """Return the parts of all bars in the ruleset's order; parts of solo games are not in its list, and come first."""
    listed = [each.symbol for each in table.ruleset.contributions.sources(language)]
    found = {part.label: part for each in parts for part in each}
    return tuple(sorted(found.values(), key=lambda part: listed.index(part.symbol) if part.symbol in listed else -1))


def _rank(seat: int, points: Sequence[int | None], winners: set[int]) -> int:
    if seat in winners:
        return 1
    better = sum((each or 0) > (points[seat] or 0) for at, each in enumerate(points) if at not in winners)
    return len(winners) + better + 1


def _changes(context: ViewerContext) -> dict[int, str]:
    """Return the changes of ratings by seat, without seats that were handed over."""
    position = context.position
    if not position.game.terms.rated:
        return {}
    handed_over = {each.seat for each in position.former}
    changes = rating_changes(context.db, position.game.id)
    return {seat: signed(change) for seat, change in changes.items() if seat not in handed_over}


def _turning(context: ViewerContext, result: Result) -> str:
    turning = result.turning
    return "" if turning is None else unit_number(context.position.ruleset, turning.turn, context.language)


def _deciding(context: ViewerContext, result: Result) -> str:
    turning, outcome = result.turning, context.position.outcome
    if turning is None or outcome is None:
        return ""
    name = context.everybody[outcome["winners"][0]]
    return say(context.language, "table-turning", unit=_turning(context, result), name=name, points=turning.points)


def _bar(table: Table, parts: Sequence[PointsPart], most: int) -> Markup:
    """Return the parts of a seat's points side by side, with widths in proportion to points."""
    if not parts or most <= 0:
        return Markup("")
    free = _WIDE - len(parts) * (_GAP + _NARROW)
    drawn: list[Svg] = []
    x = 0.0
    for part in parts:
        wide = _NARROW + max(0.0, free * part.points / most)
        drawn.append(moved(x, 0, _part(part, wide, part.symbol in table.symbols)))
        x += wide + _GAP
    told = ", ".join(f"{part.label} {part.points}" for part in parts)
    svg = element("svg", *drawn, class_="bar", viewBox=f"0 0 {_WIDE:g} {_HIGH:g}", role="img", aria_label=told)
    return Markup(svg)  # noqa: S704 # drawn here, of a ruleset's own words, which are escaped


def _part(part: PointsPart, wide: float, drawn: bool) -> Svg:
    symbolled = drawn and wide >= _WITH_SIGN
    middle, text = wide / 2, str(part.points)
    shapes = [
        element("title", said(part.label)),
        element("rect", x=0.75, y=0.75, width=wide - 1.5, height=_HIGH - 1.5, rx=5, class_=f"part {part.look}"),
        element("text", said(text), x=middle + 11 * symbolled, y=25, class_=f"on-{part.look}"),
    ]
    if symbolled:
        x = middle - 14 - _DIGIT * len(text) / 2
        shapes.append(element("use", href=f"#{part.symbol}", x=x, y=10, width=18, height=18))
    return group(shapes)
