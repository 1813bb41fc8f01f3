"""Draws docs/architecture.svg: the rooms on their floors, and the imports between them.

Run by `make architecture`. An arrow is left out where other arrows lead to the same room anyway.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from tests.docs.layered import Drawing, lay_out
from tests.docs.rooms import ROOT, arrows, floors, pure, thinned

PAGE = ROOT / "docs" / "architecture.md"
WIDTH, BOX, HIGH, PITCH, TOP = 800.0, 196.0, 38.0, 62.0, 18.0

_STYLE = """
text { font-family: "DejaVu Sans", Verdana, sans-serif; text-anchor: middle }
.sheet { fill: #fbfaf7 } .floor { fill: #f1efe8 } .line { fill: none; stroke: #8a8577; stroke-width: 1.4 }
.head { fill: #8a8577 } .room { fill: #ffffff; stroke: #5d5a50; stroke-width: 1.2 }
.pure { fill: #e3f1e6; stroke: #3f7a4f; stroke-width: 1.2 }
.name { fill: #1d1c19; font-size: 14px; font-weight: bold } .use { fill: #55524a; font-size: 10.5px }
@media (prefers-color-scheme: dark) {
.sheet { fill: #16171a } .floor { fill: #1d1f23 } .line { stroke: #8b8f99 } .head { fill: #8b8f99 }
.room { fill: #26282e; stroke: #9aa0ab } .pure { fill: #1d3326; stroke: #79b88a }
.name { fill: #f3f2ee } .use { fill: #c3c5cb }
}
"""
_ROW = re.compile(r"^\| `(?:service/)?(\w+)(?:/|\.py)` \| ([^|]+?) \|", re.MULTILINE)


def uses() -> dict[str, str]:
    """Return what each room is for, in the order of the table of docs/architecture.md."""
    return {room: use.replace("`", "") for room, use in _ROW.findall(PAGE.read_text(encoding="utf-8"))}


def draw(rows: Sequence[Sequence[str]], drawing: Drawing, said: Mapping[str, str], green: set[str]) -> str:
    """Return the picture as a whole SVG document."""
    level = {room: number for number, row in enumerate(rows) for room in row}
    height = TOP + PITCH * len(rows) + 34
    floor = [
        f'<rect class="floor" x="8" y="{_y(number) - 8:g}" width="{WIDTH - 16:g}" height="{HIGH + 16:g}" rx="6"/>'
        for number in range(len(rows))
    ]
    lines = [_line(chain, drawing, level) for chain in drawing.chains.values()]
    boxes = [_box(room, drawing.x[room], _y(level[room]), said[room], room in green) for row in rows for room in row]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" role="img">',
            "<title>The rooms of the code, and which of them imports which</title>",
            f"<style>{_STYLE}</style>",
            f'<rect class="sheet" width="{WIDTH:g}" height="{height:g}"/>',
            *floor,
            *lines,
            *boxes,
            *_legend(height - 26),
            "</svg>\n",
        ]
    )


def _y(floor: int) -> float:
    return TOP + PITCH * floor


def _box(room: str, centre: float, y: float, use: str, green: bool) -> str:
    kind = "pure" if green else "room"
    return (
        f'<rect class="{kind}" x="{centre - BOX / 2:.1f}" y="{y:g}" width="{BOX:g}" height="{HIGH:g}" rx="5"/>'
        f'<text class="name" x="{centre:.1f}" y="{y + 16:g}">{escape(room)}</text>'
        f'<text class="use" x="{centre:.1f}" y="{y + 31:g}">{escape(use)}</text>'
    )


def _line(chain: Sequence[str], drawing: Drawing, level: Mapping[str, int]) -> str:
    """Return an arrow: curves between the floors, straight down past the boxes of a floor."""
    here, there = chain[0], chain[-1]
    start = _port(drawing, here, chain[1], [each[1] for each in drawing.chains.values() if each[0] == here])
    end = _port(drawing, there, chain[-2], [each[-2] for each in drawing.chains.values() if each[-1] == there])
    points = [start, *(drawing.x[bend] for bend in chain[1:-1]), end]
    path = [f"M{start:.1f} {_y(level[here]) + HIGH:g}"]
    for number, (left, right) in enumerate(pairwise(points), level[here]):
        top, bottom = _y(number) + HIGH, _y(number + 1)
        last = number + 1 == level[there]
        bottom -= 6 if last else 0
        middle = (top + bottom) / 2
        path.append(f"C{left:.1f} {middle:g} {right:.1f} {middle:g} {right:.1f} {bottom:g}")
        if not last:
            path.append(f"V{bottom + HIGH:g}")
    tip = _y(level[there])
    head = f'<path class="head" d="M{end:.1f} {tip:g}l-4 -8h8z"/>'
    return f'<path class="line" d="{"".join(path)}"/>{head}'


def _port(drawing: Drawing, room: str, neighbour: str, neighbours: Sequence[str]) -> float:
    """Return where an arrow touches a box: all of its arrows side by side, in the order of where they come from."""
    ordered = sorted(neighbours, key=lambda node: (drawing.x[node], node))
    step = min(24.0, (BOX - 24) / max(1, len(ordered)))
    return drawing.x[room] + (ordered.index(neighbour) - (len(ordered) - 1) / 2) * step


def _legend(y: float) -> list[str]:
    told = "pure: no SQL, no web, no mail. An arrow is an import; one that others imply is left out."
    return [
        f'<rect class="pure" x="22" y="{y:g}" width="22" height="14" rx="3"/>',
        f'<text class="use" style="text-anchor: start" x="52" y="{y + 11:g}">{told}</text>',
    ]


def picture() -> str:
    """Return the picture of the code as it is now."""
    rows = floors()
    return draw(rows, lay_out(rows, thinned(arrows()), BOX, WIDTH), uses(), pure())


if __name__ == "__main__":
    print(picture(), end="")
