"""Build SVG pictures: elements, escaped texts, and texts that fit a width."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import NamedTuple

from service.rules.characters import interchangeable
from service.rules.text_width import fitted

Look = dict[str, str | float]
"""Attributes of an element by name, as `element` takes them."""

PLAIN: Look = {}
BOLD: Look = {"font_weight": "bold"}


class Svg(str):
    """Text that is markup already; any other text is escaped before it gets into a picture."""

    __slots__ = ()


class PicturePart(NamedTuple):
    """A part of a picture, drawn from y = 0 downwards, and its height."""

    svg: Svg
    height: float


def said(text: str) -> Svg:
    """Return a text escaped for markup."""
    return Svg(escape(interchangeable(text)))


def element(name: str, *children: Svg, **attributes: str | float) -> Svg:
    """Return an element; `class_` and `stroke_width` are the attributes class and stroke-width."""
    written = "".join([_attribute(key, value) for key, value in attributes.items()])
    return Svg(f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>")


@lru_cache(4096)
def _attribute(key: str, value: str | float) -> str:
    # A picture has more than a thousand, and most of them are in every picture. -0 equals 0 and is written like it.
    text = said(value) if isinstance(value, str) else f"{value + 0:g}"
    return f' {key.strip("_").replace("_", "-")}="{text}"'


def group(children: Iterable[Svg], **attributes: str | float) -> Svg:
    """Return elements as one group."""
    return element("g", *children, **attributes)


def moved(x: float, y: float, *children: Svg) -> Svg:
    """Return elements moved by `x` and `y`."""
    return element("g", *children, transform=f"translate({x:g} {y:g})")


def place(name: str, title: str, *children: Svg) -> Svg:
    """Return elements that an action can name: `name` is as in the notation, the title is shown on pointing at them."""
    return element("g", element("title", said(title)), *children, class_="square", data_place=name)


def line_of(text: str, x: float, y: float, *, size: float, width: float = 0, looks: Look = PLAIN) -> Svg:
    """Return a line of text on a baseline at `y`, made smaller or shortened to fit a width (0 = any)."""
    if width:
        text, size = fitted(text, width, size, BOLD.items() <= looks.items())
    return element("text", said(text), x=x, y=y, font_size=size, **looks)


def stacked(parts: Iterable[PicturePart], gap: float) -> PicturePart:
    """Return parts below each other; a part without height takes no room."""
    drawn, y = [], 0.0
    for part in parts:
        if part.height:
            drawn.append(moved(0, y, part.svg))
            y += part.height + gap
    return PicturePart(Svg("".join(drawn)), max(0, y - gap))


def flowing(items: Iterable[tuple[Svg, float]], width: float, row: float, gap: float) -> PicturePart:
    """Return elements of given widths side by side, in as many rows of the height `row` as it takes."""
    drawn, x, y = [], 0.0, 0.0
    for thing, wide in items:
        if x and x + wide > width:
            x, y = 0, y + row
        drawn.append(moved(x, y, thing))
        x += wide + gap
    return PicturePart(Svg("".join(drawn)), y + row if drawn else 0)


def picture(title: str, box: tuple[float, float, float, float], *children: Svg) -> Svg:
    """Return a whole SVG document with its title; the box is left, top, width, height."""
    return element(
        "svg",
        element("title", said(title)),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(f"{number:g}" for number in box),
        role="img",
        font_family="DejaVu Sans, Verdana, sans-serif",
    )
