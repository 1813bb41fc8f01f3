"""The points of a game over its turns as lines in the colours of the seats, with the turn that decided it.

At the end of a line stand the player's initial and last number, which always fit. Names, which are as long as players
like, are in the legend below the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from service.rules.svg import Look, Svg, element, group, said
from service.web.panels import initial_of

WIDTH, HEIGHT = 560, 264
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 466, 34, 236
_STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_TICKS: Final = 4
_APART: Final = 24
"""What stands at the ends of lines is at least this far apart."""
LARGEST: Final = 22
"""The size of the letters on phones (table.css)."""
_ADVANCE: Final = 0.62 * LARGEST
"""The most that a letter of a text takes on average, in the largest size."""


class CurveLine(NamedTuple):
    """A line: the class of its colour, the name at its end, and its numbers from turn 0 on."""

    colour: str
    name: str
    values: Sequence[int]


def curve(label: str, lines: Sequence[CurveLine], turn: int | None, told: str, shown: int | None = None) -> Svg:
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
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
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
        half = min(len(told) * _ADVANCE, WIDTH) / 2
        middle = min(max(x + wide / 2, half), WIDTH - half)
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
