"""The table as a picture, and in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.kernel import Json
from service.rules.svg import Look, element, line_of, picture

from .texts import TEXTS
from .words import draw

LINE = 24
INK: Look = {"class_": "ink"}


def paint(view: Json, language: str, names: Sequence[str]) -> str:
    """Return the lines of the table as SVG."""
    lines = draw(view, language, names).splitlines()
    height = LINE * (len(lines) + 1)
    paper = element("rect", width=640, height=height, class_="paper", fill="#ffffff")
    drawn = [line_of(line, 16, LINE * (row + 1), size=16, width=600, looks=INK) for row, line in enumerate(lines)]
    return picture(caption(view, language, names), (0, 0, 640, height), paper, *drawn)


def caption(view: Json, language: str, names: Sequence[str]) -> str:
    """Return the lot, and each player's points."""
    texts = TEXTS[language]
    seats = [texts["points"].format(name=name[:30], points=view["points"][seat]) for seat, name in enumerate(names)]
    return f"{texts['table'].format(lot=view['lot'])}: {', '.join(seats)}."
