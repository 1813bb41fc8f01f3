"""Line charts over the turns of a game, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from service.log.folding import Timeline, TimelineStep
from service.rules.kernel import AnyRuleset, Measure
from service.rules.shared_events import ActionTakenBack
from service.rules.svg import Look, Svg, element, group, line_of, picture
from service.rules.text_width import width_of
from service.texts.games import in_language, unit_name

# Measures of a finished game, turn by turn.

SEATS = ("orange", "blue", "green", "purple", "red", "black")
"""Colours of the seats' lines."""


def measure_named(ruleset: AnyRuleset, name: str) -> Measure | None:
    """Return the measure of this name, None if the ruleset has none."""
    return next((each for each in ruleset.measures if each.name == name), None)


def measure_title(measure: Measure, language: str) -> str:
    """Return the title of a measure in the language, or in the measure's first language."""
    return in_language(measure.title, language)


def nonzero_measures(timeline: Timeline) -> list[Measure]:
    """Return the measures that are not zero throughout the game."""
    measures = timeline.ruleset.measures
    return [each for each in measures if any(any(values) for _, values in counts_by_turn(timeline, each))]


def counts_by_turn(timeline: Timeline, measure: Measure) -> list[tuple[int, Sequence[int]]]:
    """Return each turn (0 for the setup) with the counts at its end, by line.

    Actions that were taken back do not count.
    """
    ends = {step.turn: timeline.after(step).state for step in timeline.steps if not (step.undone or _takes_back(step))}
    return [(turn, tuple(measure.count(state))) for turn, state in sorted(ends.items())]


def plot(timeline: Timeline, measure: Measure, language: str, everybody: Sequence[str], at: int | None = None) -> str:
    """Return the chart of a measure as SVG; `everybody`: names of the seats, then of the automaton.

    `at` is the turn to mark.
    """
    points = counts_by_turn(timeline, measure)
    names = everybody if measure.lines is None else in_language(measure.lines, language)
    colours = measure.colours or SEATS
    lines = [
        Curve(name, colours[number % len(colours)], [(turn, values[number]) for turn, values in points])
        for number, name in enumerate(names)
    ]
    return str(chart(Chart(measure_title(measure, language), unit_name(timeline.ruleset, language), lines, at)))


def _takes_back(step: TimelineStep) -> bool:
    return isinstance(step.facts[0].event, ActionTakenBack)


# Line chart; lines differ in colour, dashes and marks, with names at their ends.

WIDTH, HEIGHT = 480, 320
LEFT, TOP, BOTTOM = 44, 48, 44
NAMES_WIDTH: Final = 132
TEXT: Final = 15
STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
MOST_TICKS: Final = 8
MARKS_APART: Final = 26

COLOURS: Final = {
    "red": "#b3202c",
    "black": "#1d1d1b",
    "blue": "#1f5fae",
    "white": "#857c69",
    "orange": "#b65a00",
    "green": "#1d7a46",
    "purple": "#7a3fa0",
}
"""Colours of lines in light mode; stylesheets override them by class `drawn-COLOUR`. White is darkened."""

DASHES: Final = ("none", "8 4", "2 4", "12 3 2 3", "5 2", "1 6")

_INK: Final[Look] = {"class_": "ink", "fill": "#1d1d1b"}
_FAINT: Final[Look] = {"class_": "faint", "fill": "#5a5548"}
_RULE: Final[Look] = {"class_": "line", "stroke": "#b5ac98"}


@dataclass(frozen=True, slots=True)
class Curve:
    """A line: its name, its colour's name, and its points `(turn, number)` from left to right."""

    name: str
    colour: str
    points: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart to draw; `axis` is the label of the turns, `at` the turn to mark."""

    title: str
    axis: str
    lines: Sequence[Curve]
    at: int | None = None


def chart(it: Chart) -> Svg:
    """Return the chart as a complete SVG picture; its title has the last value of each line."""
    ends = ", ".join(f"{line.name} {line.points[-1][1]}" for line in it.lines)
    frame = _Frame(it)
    return picture(
        f"{it.title}: {ends}",
        (0, 0, WIDTH, HEIGHT),
        element("rect", x=0, y=0, width=WIDTH, height=HEIGHT, class_="paper", fill="#f4f0e6"),
        line_of(it.title, 12, 26, size=18, width=WIDTH - 24, looks={**_INK, "font_weight": "bold"}),
        *frame.axes(),
        *frame.marker(),
        *(frame.line(number, line) for number, line in enumerate(it.lines)),
        *frame.names(),
    )


class _Frame:
    """Layout of a chart: turns and numbers to coordinates."""

    def __init__(self, it: Chart) -> None:
        self.it = it
        turns = [turn for line in it.lines for turn, _ in line.points]
        numbers = [number for line in it.lines for _, number in line.points]
        self.first, self.last = min(turns), max(*turns, min(turns) + 1)
        self.least, self.most = min(0, *numbers), max(1, *numbers)
        self.right = WIDTH - NAMES_WIDTH

    def x(self, turn: float) -> float:
        return round(LEFT + (turn - self.first) / (self.last - self.first) * (self.right - LEFT), 1)

    def y(self, number: float) -> float:
        height = HEIGHT - TOP - BOTTOM
        return round(TOP + (self.most - number) / (self.most - self.least) * height, 1)

    def axes(self) -> Iterator[Svg]:
        """Yield the grid lines and the numbers of both axes."""
        floor = HEIGHT - BOTTOM
        for number in _ticks(self.least, self.most):
            y = self.y(number)
            yield element("path", d=f"M{LEFT} {y:g}H{self.right}", fill="none", stroke_width=1, **_RULE)
            yield line_of(str(number), LEFT - 8, y + 5, size=TEXT, looks={**_FAINT, "text_anchor": "end"})
        for turn in _ticks(self.first, self.last):
            looks: Look = {**_FAINT, "text_anchor": "middle"}
            yield line_of(str(turn), self.x(turn), floor + 18, size=TEXT, looks=looks)
        yield line_of(
            self.it.axis, (LEFT + self.right) / 2, HEIGHT - 8, size=TEXT, looks={**_FAINT, "text_anchor": "middle"}
        )

    def marker(self) -> Iterator[Svg]:
        """Yield the mark of turn `at`."""
        if self.it.at is not None:
            x = self.x(min(max(self.it.at, self.first), self.last))
            looks: Look = {"class_": "marked", "stroke": "#a34a00", "stroke_width": 2, "fill": "none"}
            yield element("path", d=f"M{x:g} {TOP - 6}V{HEIGHT - BOTTOM}", **looks)

    def line(self, number: int, line: Curve) -> Svg:
        """Return a line with its marks; dashes keep overlapping lines visible."""
        places = [(self.x(turn), self.y(value)) for turn, value in line.points]
        stroke: Look = {"class_": f"drawn-{line.colour}", "stroke": COLOURS[line.colour], "fill": "none"}
        path = "M" + "L".join(f"{x:g} {y:g}" for x, y in places)
        dashes: Look = (
            {} if DASHES[number % len(DASHES)] == "none" else {"stroke_dasharray": DASHES[number % len(DASHES)]}
        )
        drawn = element("path", d=path, stroke_width=2.5, stroke_linejoin="round", **dashes)
        return group([drawn, *(_mark(number, *place) for place in _apart(places))], **stroke)

    def names(self) -> Iterator[Svg]:
        """Yield the name of each line at its end, with its mark, without overlaps."""
        ends = sorted((self.y(line.points[-1][1]), number) for number, line in enumerate(self.it.lines))
        places = _spread([y for y, _ in ends], TEXT + 5, TOP, HEIGHT - BOTTOM)
        for (_, number), y in zip(ends, places, strict=True):
            line, x = self.it.lines[number], self.right + 14
            stroke: Look = {"class_": f"drawn-{line.colour}", "stroke": COLOURS[line.colour], "fill": "none"}
            yield group([_mark(number, x, y)], stroke_width=2.5, **stroke)
            text = f"{line.points[-1][1]} {line.name}"
            size = TEXT if width_of(text, TEXT) <= NAMES_WIDTH else TEXT - 1
            yield line_of(text, x + 10, y + 5, size=size, width=WIDTH - x - 16, looks=_INK)


def _ticks(least: int, most: int) -> Iterator[int]:
    step = next((each for each in STEPS if (most - least) / each < MOST_TICKS), STEPS[-1])
    return iter(range(-(-least // step) * step, most + 1, step))


def _apart(places: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yield the points with a mark: the last, and earlier ones at least MARKS_APART apart."""
    before = float("inf")
    for x, y in reversed(places):
        if before - x >= MARKS_APART:
            before = x
            yield x, y


def _mark(number: int, x: float, y: float) -> Svg:
    """Return the mark of a line: disc, square, triangle, diamond, cross or plus."""
    shapes = (
        f"M{x - 4:g} {y:g}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
        f"M{x - 4:g} {y - 4:g}h8v8h-8z",
        f"M{x:g} {y - 5:g}l5 9h-10z",
        f"M{x:g} {y - 5:g}l5 5l-5 5l-5 -5z",
        f"M{x - 4:g} {y - 4:g}l8 8m0 -8l-8 8",
        f"M{x - 5:g} {y:g}h10m-5 -5v10",
    )
    return element("path", d=shapes[number % len(shapes)], stroke_width=2)


def _spread(places: Sequence[float], gap: float, least: float, most: float) -> list[float]:
    """Return ascending places at least `gap` apart, none above `most`."""
    spread: list[float] = []
    for place in places:
        spread.append(max(place, spread[-1] + gap if spread else least))
    for index in reversed(range(len(spread))):
        ceiling = most if index == len(spread) - 1 else spread[index + 1] - gap
        spread[index] = min(spread[index], ceiling)
    return spread
