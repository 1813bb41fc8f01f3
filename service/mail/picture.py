"""Pictures for mails: SVG drawn as an opaque PNG of few colours, with the fonts of the package.

Shapes are drawn by resvg, plain texts by FreeType on top of them: resvg takes nearly twice as long for the texts of a
board as for all its shapes (65 and 35 ms), and opens the fonts again and again for them. Texts that FreeType
would not draw right (turned, or written from right to left) are drawn by resvg, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from unicodedata import bidirectional, combining

import resvg_py
from PIL import Image, ImageDraw, ImageFont

FONTS = Path(__file__).with_name("fonts")
REGULAR, BOLD = (str(FONTS / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))
COLOURS = 64

_TAG = re.compile(r"<(?:(/g)|(g|text)\b([^>]*?)(/?))>")
_ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')
_MOVED = re.compile(r"translate\((-?[\d.]+) (-?[\d.]+)\)")
_BOX = re.compile(r'viewBox="(-?[\d.]+) (-?[\d.]+)')
_NEEDED = {"x", "y", "font-size"}
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


class TextLine(NamedTuple):
    """A line of text in a picture: its place in the SVG source, its markup, and its position and style."""

    begin: int
    end: int
    text: str
    x: float
    y: float
    look: Mapping[str, str]


def png(svg: str) -> bytes:
    """Return a picture as PNG, one pixel for each unit of the SVG."""
    lines = [line for line in _lines(svg) if _plain(line.text)]
    with Image.open(BytesIO(_shapes(svg, lines))) as drawn:
        image = drawn.convert("RGB")
    box = _BOX.search(svg)
    left, top = (float(box[1]), float(box[2])) if box else (0.0, 0.0)
    draw = ImageDraw.Draw(image)
    for line in lines:
        font = _font(line.look.get("font-weight") == "bold", float(line.look["font-size"]))
        anchor = _ANCHORS[line.look.get("text-anchor", "start")]
        draw.text((line.x - left, line.y - top), unescape(line.text), line.look.get("fill", "black"), font, anchor)
    return _packed(image)


def _shapes(svg: str, lines: list[TextLine]) -> bytes:
    """Return the PNG of the picture without these lines, drawn by resvg."""
    ends = [0, *(line.end for line in lines)]
    begins = [*(line.begin for line in lines), len(svg)]
    rest = "".join(svg[end:begin] for end, begin in zip(ends, begins, strict=True))
    return resvg_py.svg_to_bytes(
        svg_string=rest, font_files=[REGULAR, BOLD], skip_system_fonts=True, font_family="DejaVu Sans"
    )


def _lines(svg: str) -> Iterator[TextLine]:
    """Yield the texts that are only translated, with the attributes that they inherit from their groups."""
    groups: list[tuple[float, float, bool, dict[str, str]]] = [(0, 0, True, {})]
    for tag in _TAG.finditer(svg):
        closing, name, written, empty = tag.groups()
        if closing:
            groups.pop()
            continue
        x, y, upright, inherited = groups[-1]
        look = inherited | dict(_ATTRIBUTE.findall(written))
        if transform := look.pop("transform", ""):
            moved = _MOVED.fullmatch(transform)
            x, y = (x + float(moved[1]), y + float(moved[2])) if moved else (x, y)
            upright = upright and moved is not None
        if name == "g" and not empty:
            groups.append((x, y, upright, look))
        elif name == "text" and upright and not empty and look.keys() >= _NEEDED:
            end = svg.index("</text>", tag.end())
            text = " ".join(svg[tag.end() : end].split())
            yield TextLine(tag.start(), end + 7, text, x + float(look["x"]), y + float(look["y"]), look)


def _plain(text: str) -> bool:
    return "<" not in text and not any(combining(each) or bidirectional(each) in {"R", "AL"} for each in unescape(text))


@lru_cache(64)
def _font(bold: bool, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(BOLD if bold else REGULAR, size, layout_engine=ImageFont.Layout.BASIC)


def _packed(image: Image.Image) -> bytes:
    # The palette comes from every ninth pixel, which is faster than all of them and looks the same.
    ninth = image.resize((-(-image.width // 3), -(-image.height // 3)), Image.Resampling.NEAREST)
    palette = ninth.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)
    out = BytesIO()
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", compress_level=4)
    return out.getvalue()
