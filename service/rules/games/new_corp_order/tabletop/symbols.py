"""Symbols that are drawn once a page: cards, agents, signs, company types, consultants, icons of actions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from service.rules.games.new_corp_order.paint_icons import drawing
from service.rules.games.new_corp_order.tabletop.looks import of, on
from service.rules.games.new_corp_order.tabletop.pieces import INK, agent, sign, star
from service.rules.games.new_corp_order.tabletop.portraits import ODS, PORTRAITS, PORTRAITS_OF_HOUSE
from service.rules.games.new_corp_order.terms import ALL_TYPES, COLOURS, Colour
from service.rules.games.new_corp_order.words import speak
from service.rules.svg import Look, Svg, element, said

LONGEST_COLOUR = 6
"""The most letters of a colour that fit on a card."""
ICONS: Mapping[str, str] = {
    "icon-plot": "M7 3h10v14H7zM4 7v14h10",
    "icon-infiltrate": "M12 3v11M7.5 10l4.5 4.5 4.5-4.5M4 19h16",
    "icon-take-over": "M3 12h14M12 6.5l6 5.5-6 5.5M21 5v14",
    "icon-fails": "M6 6l12 12M18 6L6 18",
    "icon-ability": "M13 2L5 14h6l-1 8 8-12h-6z",
    "icon-discard": "M4 6h16M9 6V3h6v3M6 6l1 15h10l1-15",
    "icon-turn": "M12 3a9 9 0 1 0 9 9M21 4v8h-8",
    "icon-end": "M6 3v18M6 4h12l-3 4 3 4H6",
}


@cache
def symbols(language: str) -> Mapping[str, str]:
    """Return all symbols by their ids; cards have the names of their colours in the language."""
    names = speak(language).colours
    found = {f"card-{each}": _card(each, names[each]) for each in COLOURS}
    found |= {"card-back": _back(), "card-gap": _gap()}
    found |= {f"agent-{each}": _symbol(f"agent-{each}", "-9 -14 18 28", agent(each)) for each in COLOURS}
    found |= {f"sign-{each}": _sign(each) for each in COLOURS}
    found |= {f"type-{kind}": _icon(f"type-{kind}", drawing(kind), filled=True) for kind in ALL_TYPES}
    portraits = {f"consultant-{each}": svg for each, svg in (PORTRAITS | PORTRAITS_OF_HOUSE).items()}
    found |= {name: _symbol(name, "0 0 48 48", svg) for name, svg in portraits.items()}
    found["automaton"] = _symbol("automaton", "0 0 48 48", ODS)
    found["star"] = _symbol("star", "-14 -14 28 28", star(0, 0, 12))
    return found | {name: _icon(name, path) for name, path in ICONS.items()}


def _symbol(name: str, box: str, *drawn: Svg) -> str:
    return element("symbol", *drawn, id=name, viewBox=box)


def _icon(name: str, path: str, filled: bool = False) -> str:
    if filled:
        return _symbol(name, "0 0 24 24", element("path", d=path, fill="currentColor", fill_rule="evenodd"))
    line: Look = {"stroke_width": 2, "stroke_linecap": "round", "stroke_linejoin": "round"}
    return _symbol(name, "0 0 24 24", element("path", d=path, fill="none", stroke="currentColor", **line))


def _sign(colour: Colour) -> str:
    return _symbol(f"sign-{colour}", "-12 -12 24 24", sign(colour, 0, 0, 10))


def _card(colour: Colour, name: str) -> str:
    inner: Look = {"class_": "inner", "fill": "none", "stroke": INK}
    edge = [element("rect", x=5, y=5, width=54, height=78, rx=3.4, **inner)] if colour == "white" else []
    looks = on(colour) | {"font_size": 14, "font_weight": 700, "text_anchor": "middle"}
    # "Schwarz" would touch the edges.
    fit: Look = {"textLength": 50, "lengthAdjust": "spacingAndGlyphs"} if len(name) > LONGEST_COLOUR else {}
    named = looks | fit | {"class_": f"c-name {looks['class_']}"}
    return _symbol(
        f"card-{colour}",
        "0 0 64 88",
        _rim(),
        element("rect", x=4, y=4, width=56, height=80, rx=4, **of(colour)),
        *edge,
        sign(colour, 32, 36, 19),
        element("text", said(name.capitalize()), x=32, y=78, **named),
    )


def _rim() -> Svg:
    looks: Look = {"class_": "t-edge", "fill": "#fdfbf4", "stroke": INK, "stroke_opacity": 0.35}
    return element("rect", x=0.75, y=0.75, width=62.5, height=86.5, rx=6.5, **looks)


def _back() -> str:
    lines = element("path", d="M12 20H52M12 26H52M12 62H52M12 68H52", stroke="#8fa3ad", stroke_width=2)
    face = element("rect", x=4, y=4, width=56, height=80, rx=4, class_="back", fill="#3a4a52")
    return _symbol("card-back", "0 0 64 88", _rim(), face, lines)


def _gap() -> str:
    looks: Look = {"class_": "gap", "fill": "none", "stroke": "#3d7467", "stroke_width": 1.5, "stroke_dasharray": "4 4"}
    return _symbol("card-gap", "0 0 64 88", element("rect", x=1, y=1, width=62, height=86, rx=6.5, **looks))
