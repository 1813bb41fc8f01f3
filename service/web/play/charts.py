"""Charts of a game as SVG: points over the turns, chances to win over the steps, and the key moments in them.

At the end of a line of points stand the player's initial and last number, which always fit. Names, which are as long as
players like, are in the legend below the picture.
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
"""What stands at the ends of lines is at least this far apart."""
MAX_FONT_SIZE: Final = 22
"""The size of the letters on phones (table.css)."""
_ADVANCE: Final = 0.62 * MAX_FONT_SIZE
"""The most that a letter of a text takes on average, in the largest size."""


class CurveLine(NamedTuple):
    """A line: the class of its colour, the name at its end, and its numbers from turn 0 on."""

    colour: str
    name: str
    values: Sequence[int]


def draw_curve(label: str, lines: Sequence[CurveLine], turn: int | None, told: str, shown: int | None = None) -> Svg:
    """Return the lines as an SVG element, and their names below it.

    The turn that decided the game is a band with words above it; the turn that is looked at (`shown`) is a rule.
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
        """Yield a rule for each step of points, with its number."""
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
        """Return a line with a dark edge, so that it is seen on any ground."""
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
    """Return the names in the order of the seats; screen readers have them from the label of the picture."""
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
"""The points by seat at the end of each turn, from turn 0 on."""
CACHED_GAMES: Final = 64
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


@lru_cache(maxsize=CACHED_GAMES)
def finished_points(game: FinishedGame) -> Points:
    """Return what `points_by_turn` returns for a game that is over."""
    return points_by_turn(game.timeline)


@lru_cache(maxsize=CACHED_GAMES)
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
    return Markup(draw_curve(say(language, "table-over-turns"), lines, turn, told, shown))  # noqa: S704 # drawn here


# Chances to win, as areas that lie on each other in the colours of the seats.

CHANCES_WIDTH, CHANCES_HEIGHT, STRIP = 440, 120, 16
"""`STRIP` is what lies below the areas: a tick for each step, and a dot for each moment."""

_HALF: Final = 0.5
_MIDDLE: Final = CHANCES_HEIGHT + STRIP // 2


class ChanceArea(NamedTuple):
    """The chances of a seat after each step, from 0 to 1, and the class of its colour."""

    colour: str
    chances: Sequence[float]


def draw_chances(label: str, areas: Sequence[ChanceArea], shown: int, moments: Sequence[int]) -> Svg:
    """Return the areas as an SVG element, the first one at the bottom, with a rule at the step that is looked at.

    There are at least two steps, counted from 0; `moments` are those that get a dot. What the chances do not add up to
    is left free: it is that of an automaton.
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
    """Return marks as lines without a length: their ends are round, however much the picture is stretched."""
    return element("path", d="".join(f"M{_x(each, steps)} {_MIDDLE}h0" for each in at), class_=name)


def _x(step: int, steps: int) -> int:
    return round(step / (steps - 1) * CHANCES_WIDTH)


def _y(chance: float) -> int:
    return round((1 - min(1.0, chance)) * CHANCES_HEIGHT)


# Key moments: the actions with which players gained most, in chances to win or in points.

MAX_KEY_MOMENTS: Final = 4


class ActionGain(NamedTuple):
    """What an action gained its seat: the number of its last event, its turn, and points or per cent of the chance."""

    seq: int
    turn: int
    seat: int
    gain: int


class KeyMoment(NamedTuple):
    """An action that gained its player much, and whether it decided the game."""

    gained: ActionGain
    deciding: bool


def key_moments(gains: Iterable[ActionGain], winners: Collection[int], deciding: int | None) -> list[KeyMoment]:
    """Return at most four moments in their order: the one that decided the game, and those of the largest gains.

    `deciding` is the turn that decided it. Of a player's actions in a turn the one that gained most is a moment.
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
    """Yield what each action that was not taken back gained its seat in points; nothing in a game without points."""
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
    """Yield what each analysed action gained its seat, in per cent of the chance to win as all could know it."""
    for before, after in pairwise(points):
        step = timeline.steps[timeline.place(after.seq)]
        if (seat := _player(step, len(after.public))) is not None:
            yield ActionGain(step.last, step.turn, seat, round(100 * (after.public[seat] - before.public[seat])))


def _player(step: TimelineStep, seats: int) -> int | None:
    """Return the seat of the player who acted, None if that was nobody or an automaton."""
    acted = step.seat is not None and step.seat < seats and step.facts[0].action is not None
    return step.seat if acted else None
