"""Charts of a game as SVG: points by turn, win probabilities by step, and key moments.

A line of points ends with the player's initial and last number, which always fit. Names are of any length, so they are
in the legend below the picture.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple
from uuid import UUID

from markupsafe import Markup

from service.log.folding import Timeline, TimelineStep
from service.players.analysis import Point
from service.rules.kernel import AnyRuleset, Measure
from service.rules.shared_events import ActionTakenBack
from service.rules.svg import Look, Svg, element, group, said
from service.rules.table_parts import Turning
from service.texts.catalog import say
from service.views.charts import counts_by_turn, measure_title, nonzero_measures, plot
from service.web.play.panels import ShownPanel, initial_of

CURVE_WIDTH, CURVE_HEIGHT = 560, 264
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 466, 34, 236
_STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_TICKS: Final = 4
_APART: Final = 24
"""Minimum distance between labels at the ends of lines."""
MAX_FONT_SIZE: Final = 22
"""Font size on phones (table.css)."""
_ADVANCE: Final = 0.62 * MAX_FONT_SIZE
"""Maximum average width of a letter, in the largest size."""


class CurveLine(NamedTuple):
    """Line: the class of its colour, the name at its end, and its numbers from turn 0 on."""

    colour: str
    name: str
    values: Sequence[int]


def draw_curve(label: str, lines: Sequence[CurveLine], turn: int | None, told: str, shown: int | None = None) -> Svg:
    """Return the lines as an SVG element, with a legend below.

    The turn that decided the game is a band labelled `told`; the turn being viewed (`shown`) is a rule.
    """
    drawn = _Frame(lines)
    ends = ", ".join(f"{line.name} {line.values[-1]}" for line in lines)
    drawing = element(
        "svg",
        *drawn.ground(),
        *(() if turn is None else drawn.band(turn, told)),
        *(() if shown is None else drawn.moment(min(shown, drawn.turns))),
        *(drawn.line(line) for line in lines),
        *drawn.names(),
        class_="curve",
        viewBox=f"0 0 {CURVE_WIDTH} {CURVE_HEIGHT}",
        role="img",
        aria_label=f"{label}: {ends}",
    )
    return Svg(drawing + _legend(lines))


class _Frame:
    def __init__(self, lines: Sequence[CurveLine]) -> None:
        self.lines = lines
        values = [each for line in lines for each in line.values]
        self.turns = max(1, *(len(line.values) - 1 for line in lines))
        self.least, most = min(0, *values), max(1, *values)
        self.step = next((each for each in _STEPS if (most - self.least) / each <= _TICKS), _STEPS[-1])
        self.most = -(-most // self.step) * self.step

    def x(self, turn: float) -> float:
        return round(_LEFT + turn / self.turns * (_RIGHT - _LEFT), 1)

    def y(self, number: float) -> float:
        return round(_BOTTOM - (number - self.least) / (self.most - self.least) * (_BOTTOM - _TOP), 1)

    def ground(self) -> Iterator[Svg]:
        """Yield a numbered rule for each step of points."""
        for number in range(-(-self.least // self.step) * self.step, self.most + 1, self.step):
            y = self.y(number)
            yield element("path", d=f"M{_LEFT} {y:g}H{_RIGHT}", class_="rule")
            yield _text(_LEFT - 8, y + 5, str(number), "soft", "end")

    def band(self, turn: int, told: str) -> Iterator[Svg]:
        wide = max(14.0, self.x(1) - self.x(0))
        x = min(self.x(turn - 0.5), _RIGHT - wide)
        half = min(len(told) * _ADVANCE, CURVE_WIDTH) / 2
        middle = min(max(x + wide / 2, half), CURVE_WIDTH - half)
        yield element("rect", x=x, y=_TOP, width=wide, height=_BOTTOM - _TOP, class_="band")
        yield _text(middle, _TOP - 12, told, "told", "middle")

    def moment(self, turn: int) -> Iterator[Svg]:
        """Yield a rule at a turn, with a dot on each line."""
        x = self.x(turn)
        yield element("path", d=f"M{x:g} {_TOP - 6}V{_BOTTOM + 6}", class_="moment")
        yield _text(min(max(x, _LEFT + 6), _RIGHT - 6), _BOTTOM + 24, str(turn), "name", "middle")
        for line in self.lines:
            dot = element("circle", cx=x, cy=self.y(line.values[turn]), r=6)
            yield group([dot], class_=line.colour)

    def line(self, line: CurveLine) -> Svg:
        """Return a line with a dark edge, visible on any ground."""
        points = [(self.x(turn), self.y(value)) for turn, value in enumerate(line.values)]
        path = "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
        x, y = points[-1]
        shapes = [element("path", d=path, class_="under"), element("path", d=path, class_="over")]
        return group([*shapes, element("circle", cx=x, cy=y, r=7)], class_=line.colour)

    def names(self) -> Iterator[Svg]:
        """Yield the initials with the last numbers, moved apart where lines end close to each other."""
        ends = sorted(self.lines, key=lambda line: -line.values[-1])
        room = max(0, len(ends) - 1) * _APART
        y = float(_TOP - _APART)
        for place, line in enumerate(ends):
            y = min(max(self.y(line.values[-1]), y + _APART), _BOTTOM - room + place * _APART)
            yield _text(_RIGHT + 16, y + 5, f"{initial_of(line.name)} {line.values[-1]}", "name", "start")


def _legend(lines: Sequence[CurveLine]) -> Svg:
    """Return the names in seat order; screen readers read them in the label of the picture."""
    items = [
        element("li", element("span", said(initial_of(line.name)), class_=f"av sm {line.colour}"), said(line.name))
        for line in lines
    ]
    return element("ul", *items, class_="legend", aria_hidden="true")


def _text(x: float, y: float, text: str, name: str, anchor: str) -> Svg:
    looks: Look = {"class_": name, "text_anchor": anchor}
    return element("text", said(text), x=x, y=y, **looks)


# Points by turn of a finished game.

Points = Sequence[Sequence[int]]
"""Points by seat at the end of each turn, from turn 0 on."""
CACHED_GAMES: Final = 64
"""Number of finished games whose charts a process caches: each step of a replay needs them again."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """Whole game as a cache key; equal for the same version of the same game."""

    id: UUID
    version: int
    timeline: Timeline = field(compare=False, repr=False)


def points_measure(ruleset: AnyRuleset) -> Measure | None:
    """Return the first measure with a line for each seat (the points), None if the ruleset has none."""
    return next((each for each in ruleset.measures if each.lines is None), None)


def points_by_turn(timeline: Timeline) -> Points:
    """Return all seats' points at the end of each turn; empty if the ruleset measures none."""
    measure = points_measure(timeline.ruleset)
    if measure is None:
        return []
    known: Mapping[int, Sequence[int]] = dict(counts_by_turn(timeline, measure))
    values: list[Sequence[int]] = []
    for turn in range(max(known) + 1):
        # A turn whose actions were all taken back repeats the points of the turn before.
        values.append(known.get(turn, values[-1] if values else known[min(known)]))
    return values


@lru_cache(maxsize=CACHED_GAMES)
def finished_points(game: FinishedGame) -> Points:
    """Return `points_by_turn` of a finished game; cached."""
    return points_by_turn(game.timeline)


@lru_cache(maxsize=CACHED_GAMES)
def finished_plots(game: FinishedGame, language: str, everybody: tuple[str, ...]) -> Sequence[tuple[str, Markup]]:
    """Return title and chart of each measure except points; `everybody` as in `views.plots.plot`."""
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
    """Return the points as a curve; empty for fewer than two turns.

    `told` labels the turning point; `shown` is the turn being viewed.
    """
    if len(points) < 2:
        return Markup("")
    lines = [
        CurveLine(each.colour, each.name, [at[each.seat] for at in points])
        for each in panels
        if each.seat < len(points[0])
    ]
    turn = None if turning is None else turning.turn
    return Markup(draw_curve(say(language, "table-over-turns"), lines, turn, told, shown))  # noqa: S704 # drawn here


# Win probabilities, as stacked areas in the colours of the seats.

CHANCES_WIDTH, CHANCES_HEIGHT, STRIP = 440, 120, 16
"""`STRIP` is the height below the areas, with a tick for each step and a dot for each moment."""

_HALF: Final = 0.5
_MIDDLE: Final = CHANCES_HEIGHT + STRIP // 2


class ChanceArea(NamedTuple):
    """Chances of a seat after each step, from 0 to 1, and the class of its colour."""

    colour: str
    chances: Sequence[float]


def draw_chances(label: str, areas: Sequence[ChanceArea], shown: int, moments: Sequence[int]) -> Svg:
    """Return the areas as an SVG element, the first at the bottom, with a rule at the step being viewed.

    There are at least two steps, counted from 0; `moments` are those that get a dot. The rest up to 1 is left free: it
    is the automaton's chance.
    """
    steps = len(areas[0].chances)
    return element(
        "svg",
        *_stacked(areas),
        element("path", d=f"M0 {_y(_HALF)}H{CHANCES_WIDTH}", class_="half"),
        element("path", d=f"M{_x(shown, steps)} 0V{CHANCES_HEIGHT}", class_="moment"),
        _marks(range(steps), steps, "ticks"),
        *([_marks(moments, steps, "dots")] if moments else []),
        class_="chances",
        viewBox=f"0 0 {CHANCES_WIDTH} {CHANCES_HEIGHT + STRIP}",
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
    """Draw marks as lines of zero length: their ends stay round however the picture is stretched."""
    return element("path", d="".join(f"M{_x(each, steps)} {_MIDDLE}h0" for each in at), class_=name)


def _x(step: int, steps: int) -> int:
    return round(step / (steps - 1) * CHANCES_WIDTH)


def _y(chance: float) -> int:
    return round((1 - min(1.0, chance)) * CHANCES_HEIGHT)


# Key moments: the actions with the largest gains, in win probability or in points.

MAX_KEY_MOMENTS: Final = 4


class ActionGain(NamedTuple):
    """Gain of an action: number of its last event, turn, seat, and gain in points or per cent of win probability."""

    seq: int
    turn: int
    seat: int
    gain: int


class KeyMoment(NamedTuple):
    """Action with a large gain, and whether the action decided the game."""

    gained: ActionGain
    deciding: bool


def key_moments(gains: Iterable[ActionGain], winners: Collection[int], deciding: int | None) -> list[KeyMoment]:
    """Return at most four moments in order of play: the deciding action, and those with the largest gains.

    `deciding` is the turn that decided the game. Only the best action of a player in a turn counts.
    """
    best: dict[tuple[int, int], ActionGain] = {}
    for each in gains:
        known = best.get((each.turn, each.seat))
        if each.gain > 0 and (known is None or each.gain > known.gain):
            best[each.turn, each.seat] = each
    found = [KeyMoment(each, each.turn == deciding and each.seat in winners) for each in best.values()]
    found.sort(key=lambda each: (not each.deciding, -each.gained.gain, each.gained.turn))
    return sorted(found[:MAX_KEY_MOMENTS])


def gains_in_points(timeline: Timeline) -> Iterator[ActionGain]:
    """Yield the gain in points of each action that was not taken back; nothing in a game without points."""
    measure = points_measure(timeline.ruleset)
    if measure is None:
        return
    before = measure.count(timeline.after(timeline.steps[0]).state)
    for step in timeline.steps[1:]:
        if step.undone or isinstance(step.facts[0].event, ActionTakenBack):
            continue
        after = measure.count(timeline.after(step).state)
        if (seat := _player(step, len(after))) is not None:
            yield ActionGain(step.last, step.turn, seat, after[seat] - before[seat])
        before = after


def gains_in_chances(timeline: Timeline, points: Sequence[Point]) -> Iterator[ActionGain]:
    """Yield the gain of each analysed action, in per cent of the win probability by public knowledge."""
    for before, after in pairwise(points):
        step = timeline.steps[timeline.place(after.seq)]
        if (seat := _player(step, len(after.public))) is not None:
            yield ActionGain(step.last, step.turn, seat, round(100 * (after.public[seat] - before.public[seat])))


def _player(step: TimelineStep, seats: int) -> int | None:
    """Return the acting player's seat, None for an automaton or an event without an actor."""
    acted = step.seat is not None and step.seat < seats and step.facts[0].action is not None
    return step.seat if acted else None
