"""A picture for a mail: SVG drawn with the fonts that come along, as an opaque PNG of few colours."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image

FONTS = [str(path) for path in sorted(Path(__file__).with_name("fonts").glob("*.ttf"))]
COLOURS = 64


def png(svg: str) -> bytes:
    """Return a picture as PNG, as wide as it says in units."""
    drawn = resvg_py.svg_to_bytes(svg_string=svg, font_files=FONTS, skip_system_fonts=True, font_family="DejaVu Sans")
    with Image.open(BytesIO(drawn)) as image:
        few = image.convert("RGB").quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = BytesIO()
    few.save(out, "PNG")
    return out.getvalue()
