"""Pictures for mails: SVG drawn as an opaque PNG of few colours, with the fonts of the package.

Texts of a board whose role is narrow are squeezed, since the fonts have one width only.

Shapes are drawn by LunaSVG, plain texts by FreeType on top of them. A picture with texts that FreeType would not draw
right (turned, or written from right to left) is drawn by resvg but for its plain texts: resvg sets all texts right, but
hands its pixels over as a PNG of its own, which takes ten times as long as drawing them.
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
from pillow_lunasvg import SvgImageFile

from service.rules.tabletop.drawing import ROLES

FONTS = Path(__file__).with_name("fonts")
REGULAR, BOLD = (str(FONTS / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))
COLOURS = 64

_TAG = re.compile(r"<(?:(/g)|(g|text)\b([^>]*?)(/?))>")
_ATTRIBUTE = re.compile(r'(?<![a-z-])([a-z-]+)="([^"]*)"')
_MOVED = re.compile(r"translate\((-?[\d.]+) (-?[\d.]+)\)")
_BOX = re.compile(r'viewBox="(-?[\d.]+) (-?[\d.]+)')
_TITLE = re.compile(r"<title>[^<]*</title>")
_CRISP_EDGES = 'shape-rendering="crispEdges"'
_ELEMENT = re.compile("<[^<>]*>")
_NEEDED = {"x", "y", "font-size"}
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
_BOLD = {"bold", "700", "800"}
_NARROWER = 0.9
"""How wide the font of boards is, compared with those of pictures."""


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
    image = _shapes(svg, lines)
    box = _BOX.search(svg)
    left, top = (float(box[1]), float(box[2])) if box else (0.0, 0.0)
    draw = ImageDraw.Draw(image)
    for line in lines:
        look = (line.look.get("font-weight") in _BOLD, float(line.look["font-size"]), _stretch(line.look))
        (x, shift), (y, drop) = divmod(line.x - left, 1), divmod(line.y - top, 1)
        mask, at, above = _mask(line.text, look, line.look.get("text-anchor", "start"), (shift, drop))
        draw.bitmap((int(x) + at, int(y) + above), mask, line.look.get("fill", "black"))
    return _packed(image)


def _shapes(svg: str, lines: list[TextLine]) -> Image.Image:
    """Return the picture without these lines."""
    ends = [0, *(line.end for line in lines)]
    begins = [*(line.begin for line in lines), len(svg)]
    # Titles are not drawn, and what players have written is nothing for a parser in C++.
    rest = _TITLE.sub("", "".join(svg[end:begin] for end, begin in zip(ends, begins, strict=True)))
    drawn = _by_resvg(rest) if "<text" in rest else SvgImageFile(BytesIO(_ELEMENT.sub(_on_pixels, rest).encode()))
    with drawn:
        return drawn.convert("RGB")


def _by_resvg(svg: str) -> Image.Image:
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg, font_files=[REGULAR, BOLD], skip_system_fonts=True, font_family="DejaVu Sans"
    )
    return Image.open(BytesIO(drawn))


def _on_pixels(element: re.Match[str]) -> str:
    """Return an element with crisp edges so that its lines cover whole pixels, if they are an odd number wide.

    LunaSVG smooths all edges: a line of width 1 at a whole coordinate would be two pixels of half the colour.
    """
    markup = element[0]
    if _CRISP_EDGES not in markup or ' stroke="' not in markup:
        return markup
    look = dict(_ATTRIBUTE.findall(markup))
    if "transform" in look or float(look.get("stroke-width", 1)) % 2 != 1:
        return markup
    return markup.replace(_CRISP_EDGES, 'transform="translate(.5 .5)"')


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
    if "<" in text:
        return False
    return text.isascii() or not any(combining(each) or bidirectional(each) in {"R", "AL"} for each in unescape(text))


def _stretch(look: Mapping[str, str]) -> float:
    """Return how wide a text is drawn, 1 for the font's own width."""
    role = ROLES.get(look.get("class", "").split(" ")[0].removeprefix("t-"))
    return 1 if role is None or role.stretch == 100 else role.stretch / 100 * _NARROWER


@lru_cache(1024)
def _mask(
    markup: str, look: tuple[bool, float, float], anchor: str, shift: tuple[float, float]
) -> tuple[Image.Image, int, int]:
    """Return a text as a mask, and where its left and upper edges are as seen from its anchor.

    Most texts of a picture are those of the one before. `look` is whether the text is bold, its size and how much it
    is stretched. The shift is the anchor's fraction of a pixel.
    """
    bold, size, stretch = look
    text, font, place = unescape(markup), _font(bold, size), _ANCHORS[anchor]
    left, top, right, bottom = (round(edge) for edge in font.getbbox(text, anchor=place))
    mask = Image.new("L", (right - left + 2, bottom - top + 2))
    ImageDraw.Draw(mask).text((1 - left + shift[0], 1 - top + shift[1]), text, 255, font, place)
    if stretch != 1:
        mask = mask.resize((max(1, round(mask.width * stretch)), mask.height), Image.Resampling.BOX)
        left = round(left * stretch)
    return mask, left - 1, top - 1


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
