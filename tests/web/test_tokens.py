"""The colours of the pages: every pair that is read or has to be seen has enough contrast, by day and by night."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import service.web

STYLE = (Path(service.web.__file__).parent / "static" / "style.css").read_text()
TEXT, EDGE = 4.5, 3.0
"""The least contrast of text, and of edges and signs (WCAG 2.2, 1.4.3 and 1.4.11)."""
COLOURS = ("red", "black", "blue", "white")
TEXTS = [
    *((text, ground) for text in ("ink", "soft", "link") for ground in ("ground", "surface", "sunken")),
    *((text, ground) for text in ("good", "bad", "accent-ink") for ground in ("ground", "surface")),
    *((text, ground) for text in ("on-table", "on-table-soft") for ground in ("table", "table-deep")),
    *((f"on-{each}", each) for each in (*COLOURS, "tray", "accent")),
    *(("on-accent", f"seat-{number}") for number in range(1, 7)),
    ("on-accent", "accent-2"),
    ("good", "good-wash"),
    ("bad", "bad-wash"),
    ("ink", "accent-wash"),
    ("soft", "accent-wash"),
]
"""What is written, and on what, wherever the two are named in different rules."""
EDGES = [
    *(("edge", ground) for ground in ("ground", "surface", "sunken")),
    *(("ink", ground) for ground in ("ground", "surface", "sunken")),
    *(("card-edge", ground) for ground in ("table", "table-deep", "red", "black", "blue")),
    ("line-white", "white"),
    ("accent", "table"),
    ("accent", "table-deep"),
]


def declared(block: str) -> dict[str, str]:
    """Return the colours that a block declares, by their names."""
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})\b", block))


def blocks() -> list[str]:
    """Return the blocks of the tokens: by day, and what is another by night."""
    return re.findall(r":root \{(.*?)\n\s*\}", STYLE, re.DOTALL)


def themes() -> dict[str, dict[str, str]]:
    """Return all colours by their names, by day and by night."""
    day, night = (declared(block) for block in blocks())
    return {"day": day, "night": day | night}


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def pairs_of_rules() -> Iterator[tuple[str, str]]:
    """Yield the pairs of text and ground that one and the same rule names."""
    for rule in re.findall(r"\{([^{}]*)\}", STYLE):
        text, ground = (re.search(rf"(?<![\w-]){name}: var\(--([\w-]+)\)", rule) for name in ("color", "background"))
        if text and ground:
            yield text[1], ground[1]


@pytest.mark.parametrize("theme", ["day", "night"])
def test_what_is_written_can_be_read(theme: str) -> None:
    colours, pairs = themes()[theme], [*TEXTS, *pairs_of_rules()]
    assert len(pairs) > len(TEXTS) + 5
    found = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
    assert {pair: round(seen, 2) for pair, seen in found.items() if seen < TEXT} == {}


@pytest.mark.parametrize("theme", ["day", "night"])
def test_edges_and_signs_can_be_seen(theme: str) -> None:
    colours = themes()[theme]
    found = {(edge, ground): contrast(colours[edge], colours[ground]) for edge, ground in EDGES}
    assert {pair: round(seen, 2) for pair, seen in found.items() if seen < EDGE} == {}


def test_no_rule_names_a_colour_of_its_own() -> None:
    rules = STYLE
    for block in blocks():
        rules = rules.replace(block, "")
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch)a?\([^)]*\)", rules) == []


def test_black_on_white_has_the_contrast_that_wcag_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
