"""Symbols: agents, signs, cards, drawings of company types, portraits, icons of actions, and their colours."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from service.rules.games.new_corp_order.terms import ALL_TYPES, COLOURS, Colour, Consultant
from service.rules.games.new_corp_order.words import speak
from service.rules.svg import Look, Svg, element, group, said

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
    looks = on_colour(colour) | {"font_size": 14, "font_weight": 700, "text_anchor": "middle"}
    # "Schwarz" would touch the edges.
    fit: Look = {"textLength": 50, "lengthAdjust": "spacingAndGlyphs"} if len(name) > LONGEST_COLOUR else {}
    named = looks | fit | {"class_": f"c-name {looks['class_']}"}
    return _symbol(
        f"card-{colour}",
        "0 0 64 88",
        _rim(),
        element("rect", x=4, y=4, width=56, height=80, rx=4, **in_colour(colour)),
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


# Agents, signs and stars: each conglomerate has its own sign on cards and tiles, and its own head for agents.

SIGNS: Mapping[Colour, str] = {
    # A ring and a pupil.
    "red": "M0-1A1 1 0 1 1 0 1A1 1 0 1 1 0-1ZM0-.72A.72 .72 0 1 0 0 .72A.72 .72 0 1 0 0-.72Z"
    "M0-.5A.5 .5 0 1 1 0 .5A.5 .5 0 1 1 0-.5ZM0-.22A.22 .22 0 1 0 0 .22A.22 .22 0 1 0 0-.22Z",
    # Four bars.
    "black": "M-.9-.9H.9V-.62H-.9ZM-.9-.4H.9V-.12H-.9ZM-.9 .12H.9V.4H-.9ZM-.9 .62H.9V.9H-.9Z",
    # Nested chevrons.
    "blue": "M0-1L1.05 .85H.66L0-.3L-.66 .85H-1.05ZM0 .0L.5 .85H-.5Z",
    # A diamond in a diamond.
    "white": "M0-1.15L1.15 0L0 1.15L-1.15 0ZM0-.72L-.72 0L0 .72L.72 0ZM0-.44L.44 0L0 .44L-.44 0Z",
}
_HEADS: Mapping[Colour, str] = {
    "red": "M0-10.6A5.6 5.6 0 1 1 0 .6A5.6 5.6 0 1 1 0-10.6Z",
    "black": "M-5.2-10.4H5.2V0H-5.2Z",
    "blue": "M0-12.2L7.2 .4H-7.2Z",
    "white": "M0-12.4L7.2-5.2L0 2L-7.2-5.2Z",
}
_BODY = "M-8.5 13V8.6A5 5 0 0 1-3.5 3.6H3.5A5 5 0 0 1 8.5 8.6V13Z"
_TIE = "M0 4.6L1.8 7.2L0 12L-1.8 7.2Z"
STAR = "M0 -1L.26 -.36L.95 -.31L.42 .14L.59 .81L0 .45L-.59 .81L-.42 .14L-.95 -.31L-.26 -.36Z"
INK = "#15181a"
FADED = 0.28
"""Opacity of an agent that is about to leave."""


@cache
def agent(colour: Colour) -> Svg:
    """Return an agent around the origin, 17 units wide and 25 high."""
    edge = INK if colour == "white" else "#ffffff"
    line: Look = {"stroke": edge, "stroke_width": 1.5, "stroke_linejoin": "round"}
    body = element("path", d=_BODY + _HEADS[colour], **line, **in_colour(colour))
    return group([body, element("path", d=_TIE, **on_colour(colour))])


def agent_at(colour: Colour, x: float, y: float, faded: bool = False) -> Svg:
    """Return an agent around a point; a faded one is about to leave."""
    more: dict[str, str | float] = {"opacity": FADED} if faded else {}
    return group([agent(colour)], transform=f"translate({x:g} {y:g})", **more)


@cache
def sign(colour: Colour, x: float, y: float, radius: float, shine: bool = False) -> Svg:
    """Return a conglomerate's sign around a point, on its own colour; as a watermark with `shine`."""
    more: dict[str, str | float] = {"opacity": WATERMARK[colour]} if shine else {}
    place = f"translate({x:g} {y:g}) scale({radius:g})"
    return element("path", d=SIGNS[colour], transform=place, fill_rule="evenodd", **on_colour(colour), **more)


@cache
def star(x: float, y: float, radius: float) -> Svg:
    """Return the star of an objective around a point."""
    place = f"translate({x:g} {y:g}) scale({radius:g})"
    looks: Look = {"class_": "star", "fill": "#f6b42c", "stroke": INK, "stroke_width": 1.4 / radius}
    return element("path", d=STAR, transform=place, **looks)


# Classes of colours, and their values by day and by night.

COLOUR_CLASSES: Mapping[Colour, str] = {"red": "c1", "black": "c2", "blue": "c3", "white": "c4"}
LOOKS: Mapping[str, tuple[str, str]] = {
    "c1": ("#be1e2d", "#b01b29"),
    "on-c1": ("#ffffff", "#ffffff"),
    "c2": ("#191a1d", "#0b0c0d"),
    "on-c2": ("#ffffff", "#ffffff"),
    "c3": ("#164a94", "#154688"),
    "on-c3": ("#ffffff", "#ffffff"),
    "c4": ("#faf7ee", "#ddd8c9"),
    "on-c4": ("#15181a", "#15181a"),
    "c5": ("#d9783a", "#d9783a"),
    "on-c5": ("#15181a", "#15181a"),
    "c6": ("#3f7f73", "#3a756a"),
    "on-c6": ("#ffffff", "#ffffff"),
    "c7": ("#6f5c93", "#6a588c"),
    "on-c7": ("#ffffff", "#ffffff"),
    "c8": ("#6b7240", "#676e3e"),
    "on-c8": ("#ffffff", "#ffffff"),
}
"""The four conglomerates, then the backgrounds of the book's four consultants."""

WATERMARK: Mapping[Colour, float] = {"red": 0.17, "black": 0.2, "blue": 0.22, "white": 0.13}
"""Opacity of the sign on the tile of a conglomerate."""


@cache
def filled(name: str) -> Look:
    """Return the attributes of a thing in the colour of a class."""
    return {"class_": name, "fill": LOOKS[name][0]}


def in_colour(colour: Colour) -> Look:
    """Return the attributes of a thing in a conglomerate's colour."""
    return filled(COLOUR_CLASSES[colour])


def on_colour(colour: Colour) -> Look:
    """Return the attributes of a thing that lies on a conglomerate's colour."""
    return filled(f"on-{COLOUR_CLASSES[colour]}")


# One drawing per company type, 24 units wide and high, filled by the even-odd rule.

ICON = 24

_DRAWINGS: Mapping[str, str] = {
    # A pointer.
    "online-marketing": "M5 1V20L9.7 15.7L12.9 22.8L16.3 21.3L13.2 14.4H19.6Z",
    # A spray can.
    "guerrilla-marketing": "M5 11H15V21A2 2 0 0 1 13 23H7A2 2 0 0 1 5 21ZM7 14V19H13V14ZM7 6H13V9.6H7Z"
    "M8.6 2.6H11.4V5H8.6Z"
    "M14.4 2.8H16.8V5.2H14.4ZM18.4 .6H20.8V3H18.4ZM18.4 5H20.8V7.4H18.4ZM21.4 2.8H23.8V5.2H21.4Z",
    # A mast that sends.
    "broadcast-network": "M12 11.5L16.2 23H13.6L12 17.6L10.4 23H7.8ZM12 5.8A2.4 2.4 0 1 0 12 10.6A2.4 2.4 0 1 0 12 5.8Z"
    "M4.6 .8A10.4 10.4 0 0 0 4.6 15.6L6.3 13.9A8 8 0 0 1 6.3 2.5ZM19.4 .8A10.4 10.4 0 0 1 19.4 15.6L17.7 13.9"
    "A8 8 0 0 0 17.7 2.5Z"
    "M7.8 4A6 6 0 0 0 7.8 12.4L9.2 11A4 4 0 0 1 9.2 5.4ZM16.2 4A6 6 0 0 1 16.2 12.4L14.8 11A4 4 0 0 0 14.8 5.4Z",
    # A newspaper.
    "print-media": "M2 3H18V21H4A2 2 0 0 1 2 19ZM19.4 8H22V19A2 2 0 0 1 19.4 21ZM4.6 5.6H15.4V9H4.6Z"
    "M4.6 11.2H9.2V17.6H4.6Z"
    "M11 11.2H15.4V13H11ZM11 15.8H15.4V17.6H11Z",
    # A speech bubble.
    "social-media": "M4 2H20A2.5 2.5 0 0 1 22.5 4.5V14A2.5 2.5 0 0 1 20 16.5H12L6 22.5V16.5H4A2.5 2.5 0 0 1 1.5 14V4.5"
    "A2.5 2.5 0 0 1 4 2ZM12 14L16.4 9.4A2.6 2.6 0 0 0 12 6.4A2.6 2.6 0 0 0 7.6 9.4Z",
    # A billboard.
    "ambient-advertising": "M1 2H23V15.5H1ZM3 4V13.5H21V4ZM6 15.5H8.4V23H6Z"
    "M15.6 15.5H18V23H15.6ZM4.6 12.2L9 6.4L12 10L14.4 7.6L19.4 12.2Z",
    # A virus with its spikes.
    "viral-marketing": "M12 5.6A6.4 6.4 0 1 1 12 18.4A6.4 6.4 0 1 1 12 5.6ZM10.8 .6H13.2V4.6H10.8Z"
    "M10.8 19.4H13.2V23.4H10.8ZM.6 10.8H4.6V13.2H.6ZM19.4 10.8H23.4V13.2H19.4Z"
    "M3.1 4.8L4.8 3.1L7.6 5.9L5.9 7.6ZM16.4 18.1L18.1 16.4L20.9 19.2L19.2 20.9Z"
    "M19.2 3.1L20.9 4.8L18.1 7.6L16.4 5.9ZM5.9 16.4L7.6 18.1L4.8 20.9L3.1 19.2Z"
    "M9.8 8.4A1.7 1.7 0 1 0 9.8 11.8A1.7 1.7 0 1 0 9.8 8.4ZM14.2 12.2A1.7 1.7 0 1 0 14.2 15.6A1.7 1.7 0 1 0 14.2 12.2Z",
    # A bottle with its label to the front, under a star.
    "product-placement": "M6.2 .8H10.8V6.2L13 9.4V21A2 2 0 0 1 11 23H6A2 2 0 0 1 4 21V9.4L6.2 6.2ZM5.8 12V19H11.2V12Z"
    "M18.5 2L19.6 5.1H22.8L20.2 7.1L21.2 10.3L18.5 8.4L15.8 10.3L16.8 7.1L14.2 5.1H17.4Z",
    # A thumb that points down.
    "negative-campaigning": "M1.5 2.5H6V13.5H1.5ZM7.5 3.2C9.5 2.3 11.5 1.8 14 1.8H18.6C20 1.8 21 2.9 20.8 4.2L21.6 8"
    "C22 9.4 21.4 10.6 20.4 11C20.6 12.6 19.4 13.8 18 13.8H14.4C15.2 16.4 15.2 19.2 14.2 21.4C13.4 23 11 22.6 10.8 20.8"
    "C10.4 17.4 9.2 15.2 7.5 13.6Z",
}


def drawing(kind: str) -> str:
    """Return a type's drawing as the `d` of a path."""
    return _DRAWINGS[kind]


# Portraits of the consultants, told apart by their outlines, and of ODS: 48 units wide and high.

PORTRAITS: dict[Consultant, Svg] = {
    "media-advisor": Svg(
        '<rect width="48" height="48" rx="8" class="c5" fill="#d9783a"/>'
        '<path d="M6 48V44C6 36 14 33 24 33S42 36 42 44V48Z" fill="#15181a"/>'
        '<path d="M18 30H30V36H18Z" fill="#15181a"/>'
        '<circle cx="24" cy="20" r="11" fill="#f0d3b4"/>'
        '<path d="M12 19C11 8 19 5 25 6C33 6 37 12 36 20C34 15 31 13 24 13C17 13 14 15 12 19Z" fill="#7a3d1d"/>'
        '<g fill="#fff" fill-opacity=".75" stroke="#15181a" stroke-width="2">'
        '<circle cx="19" cy="21" r="4.6"/>'
        '<circle cx="29" cy="21" r="4.6"/>'
        "</g>"
    ),
    "dealmaker": Svg(
        '<rect width="48" height="48" rx="8" class="c6" fill="#3f7f73"/>'
        '<path d="M5 48V44C5 37 13 33 24 33S43 37 43 44V48Z" fill="#e9e4d4"/>'
        '<path d="M19 33L24 40L29 33L26 31H22Z" fill="#fff"/>'
        '<path d="M24 37L27 41L24 48L21 41Z" fill="#be1e2d"/>'
        '<circle cx="24" cy="20" r="11" fill="#f0d3b4"/>'
        '<path d="M13 18C13 9 18 6 25 6S36 10 35 17C30 17 27 12 22 12C19 14 15 15 13 18Z" fill="#15181a"/>'
        '<path d="M35 13C40 14 41 28 36 30L33 28L34 24L36 23C37 21 37 20 36 19L34 18L33 14Z" fill="#15181a"/>'
        '<path d="M20 26Q24 29 28 26" stroke="#15181a" stroke-width="2" fill="none"/>'
    ),
    "corporate-lawyer": Svg(
        '<rect width="48" height="48" rx="8" class="c7" fill="#6f5c93"/>'
        '<path d="M5 48V44C5 37 13 33 24 33S43 37 43 44V48Z" fill="#23293a"/>'
        '<path d="M17 33L24 44L31 33Z" fill="#fff"/>'
        '<path d="M17.5 34L24 37.5L30.5 34V41L24 37.5L17.5 41Z" fill="#f6b42c"/>'
        '<circle cx="24" cy="20" r="11" fill="#a8754f"/>'
        '<path d="M12 26C9 12 15 5 24 5S39 12 36 26C36 20 34 15 31 13C26 16 18 15 15 13C13 17 12 21 12 26Z"'
        ' fill="#d8d4c8"/>'
        '<path d="M19 26H29" stroke="#15181a" stroke-width="2"/>'
    ),
    "military-contractor": Svg(
        '<rect width="48" height="48" rx="8" class="c8" fill="#6b7240"/>'
        '<path d="M4 48V44C4 37 13 33 24 33S44 37 44 44V48Z" fill="#3d4424"/>'
        '<path d="M9 38H15V41H9ZM33 38H39V41H33Z" fill="#f6b42c"/>'
        '<path d="M20 33L24 39L28 33Z" fill="#d9d4b8"/>'
        '<circle cx="24" cy="21" r="11" fill="#f0d3b4"/>'
        '<path d="M9 13C11 5 18 3 24 3S37 5 39 13L35 16H13Z" fill="#2a3018"/>'
        '<path d="M12 15H36L37 18.5H11Z" fill="#15181a"/>'
        '<path d="M24 6L25.5 9.5L29 10L26 12H22L19 10L22.5 9.5Z" fill="#f6b42c"/>'
        '<path d="M14 20H34V24C34 27 26 27 24.5 22H23.5C22 27 14 27 14 24Z" fill="#15181a"/>'
        '<path d="M20 29H28" stroke="#15181a" stroke-width="2"/>'
    ),
}
PORTRAITS_OF_HOUSE: dict[Consultant, Svg] = {
    "corporate-accountant": Svg(
        '<rect width="48" height="48" rx="8" fill="#4d6a8f"/>'
        '<path d="M5 48V44C5 37 13 33 24 33S43 37 43 44V48Z" fill="#8b8f86"/>'
        '<path d="M18 33L24 41L30 33Z" fill="#fff"/>'
        '<path d="M22 37H26L27 48H21Z" fill="#15181a"/>'
        '<circle cx="24" cy="22" r="11" fill="#f0d3b4"/>'
        '<path d="M12 24C11 20 12 18 14 17L15 24ZM36 24C37 20 36 18 34 17L33 24Z" fill="#8b8f86"/>'
        '<path d="M7 15H41L37 11C33 8 15 8 11 11Z" fill="#2f7a4f" stroke="#15181a" stroke-width="1.500"/>'
        '<path d="M15 21H22V25H15ZM26 21H33V25H26ZM22 22H26" fill="#fff" stroke="#15181a" stroke-width="1.800"/>'
        '<path d="M20 29.500H28" stroke="#15181a" stroke-width="2"/>'
    ),
    "spin-doctor": Svg(
        '<rect width="48" height="48" rx="8" fill="#a6486c"/>'
        '<path d="M4 48V44C4 37 13 33 24 33S44 37 44 44V48Z" fill="#fff"/>'
        '<path d="M19 33L24 48L29 33Z" fill="#3f7f73"/>'
        '<circle cx="24" cy="21" r="11" fill="#c79a6f"/>'
        '<path d="M13 19C12 9 18 5 25 5S37 9 35 19C33 13 30 11 24 11S15 13 13 19Z" fill="#3b2416"/>'
        '<circle cx="24" cy="9" r="6" fill="#d9d9d4" stroke="#15181a" stroke-width="1.500"/>'
        '<path d="M24 5.500A3.500 3.500 0 1 1 20.500 9" fill="none" stroke="#15181a" stroke-width="1.500"/>'
        '<path d="M19 27Q24 32 29 27Z" fill="#fff"/>'
        '<path d="M18 21H21M27 21H30" stroke="#15181a" stroke-width="2.200"/>'
    ),
    "headhunter": Svg(
        '<rect width="48" height="48" rx="8" fill="#8a6a2f"/>'
        '<path d="M4 48V44C4 37 13 33 24 33S44 37 44 44V48Z" fill="#5a3b22"/>'
        '<path d="M18 33L24 39L30 33L27 48H21Z" fill="#e9e4d4"/>'
        '<circle cx="24" cy="22" r="11" fill="#f0d3b4"/>'
        '<path d="M3 17C9 12 39 12 45 17C38 20 10 20 3 17Z" fill="#6b4a25"/>'
        '<path d="M13 15C13 4 18 6 24 5S35 4 35 15C30 17 18 17 13 15Z" fill="#8c6536"/>'
        '<path d="M13 14.500C18 17 30 17 35 14.500V12C30 14 18 14 13 12Z" fill="#2a1a0c"/>'
        '<path d="M18 22H21M27 22H30" stroke="#15181a" stroke-width="2.200"/>'
        '<path d="M17 28C20 26 22 27 24 28C26 27 28 26 31 28C28 31 26 30 24 29C22 30 20 31 17 28Z" fill="#2a1a0c"/>'
    ),
}
"""Portraits of the consultants of the house rules (R-71, R-77)."""
ODS = Svg(
    '<rect width="48" height="48" rx="8" fill="#5f6664"/>'
    '<rect x="7" y="8" width="34" height="27" rx="6" fill="#cfd2cb"/>'
    '<rect x="11" y="12" width="26" height="19" rx="4" fill="#15181a"/>'
    '<ellipse cx="24" cy="21.5" rx="9" ry="6" fill="#fff"/>'
    '<circle cx="24" cy="21.5" r="4.300" fill="#be1e2d"/>'
    '<circle cx="25.5" cy="20" r="1.300" fill="#fff"/>'
    '<path d="M14 39H34M18 43H30" stroke="#cfd2cb" stroke-width="3"/>'
)
