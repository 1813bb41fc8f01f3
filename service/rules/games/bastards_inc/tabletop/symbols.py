"""Symbols and their colours: icons, pieces, card faces, and where the places of the board lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from service.rules.games.bastards_inc.edition import BUSINESS_DATA, CARD_DATA, MAX_STUFF, BusinessData, CardData
from service.rules.svg import Look, Svg, element, group, moved, said

INK: Final = "#15181a"
PAPER: Final = "#fdfbf4"
PLACE_CLASS: Mapping[str, str] = {
    "SUP": "c1",
    "RST": "c2",
    "TIG": "c3",
    "KOR": "c4",
    "ROG": "c5",
    "POO": "c6",
    "TLK": "c7",
    "PTY": "c7",
    "NWS": "c7",
    "VIP": "c8",
}
"""The class of each place."""
LOOKS: Mapping[str, tuple[str, str]] = {
    "c1": ("#1d4e89", "#1b487f"),
    "on-c1": ("#ffffff", "#ffffff"),
    "c2": ("#3b5b5f", "#375457"),
    "on-c2": ("#ffffff", "#ffffff"),
    "c3": ("#9c4a10", "#91450f"),
    "on-c3": ("#ffffff", "#ffffff"),
    "c4": ("#4a6426", "#455d24"),
    "on-c4": ("#ffffff", "#ffffff"),
    "c5": ("#8e1d2c", "#841b29"),
    "on-c5": ("#ffffff", "#ffffff"),
    "c6": ("#6d5039", "#664b36"),
    "on-c6": ("#ffffff", "#ffffff"),
    "c7": ("#5c3f8f", "#563b86"),
    "on-c7": ("#ffffff", "#ffffff"),
    "c8": ("#f2ead2", "#ddd5bf"),
    "on-c8": ("#15181a", "#15181a"),
}
"""The six regions, the media circus, and what is printed on paper: the Lounge and cards."""
SEAT_COLOURS: Final = ("#f6b42c", "#c9a6ff", "#6fe0d6", "#ffa9c6", "#b9e069", "#8fc4ff")
"""The pieces of the reader, then those of the others in the order of their seats."""


def filled(name: str) -> Look:
    """Return the attributes of a thing in the colour of a class."""
    return {"class_": name, "fill": LOOKS[name][0]}


def place_fill(place: str) -> Look:
    """Return the attributes of a thing in the colour of a place."""
    return filled(PLACE_CLASS[place])


def on_place(place: str) -> Look:
    """Return the attributes of a thing that lies on the colour of a place."""
    return filled(f"on-{PLACE_CLASS[place]}")


def seat_colour(viewer: int | None, seat: int) -> str:
    """Return the colour of a seat's pieces: the reader's is the first, as on the pages."""
    if viewer is None or seat > viewer:
        return SEAT_COLOURS[seat % len(SEAT_COLOURS)]
    return SEAT_COLOURS[0] if seat == viewer else SEAT_COLOURS[seat + 1]


# Icons as filled paths, 24 units wide and high.

ICONS: Final[Mapping[str, str]] = {
    # An envelope, a mask, a television set, a gear.
    "score-cor": "M2 5H22V19H2ZM4 7V8.2L12 13.5L20 8.2V7ZM4 10.6V17H20V10.6L12 15.9Z",
    "score-cri": "M1 8C5 6.5 9 7 12 9C15 7 19 6.5 23 8C23 13 21 17 17 17C14.5 17 13.5 14.5 12 14.5C10.5 14.5 9.5 17"
    " 7 17C3 17 1 13 1 8ZM5 10.5C5 12.5 9 13.5 10 12C9 10.5 7 10 5 10.5Z"
    "M19 10.5C17 10 15 10.5 14 12C15 13.5 19 12.5 19 10.5Z",
    "score-med": "M7.4 1.6L12 6.2L16.6 1.6L18 3L15 6H22V21H2V6H9L6 3ZM4.5 8.5V18.5H15.5V8.5ZM17.5 9H20V11.5H17.5Z"
    "M17.5 13H20V15.5H17.5Z",
    "score-tec": "M9.8 4.7L10.1 1.7L13.9 1.7L14.2 4.7L15.5 5.3L18 3.4L20.6 6L18.7 8.5L19.3 9.8L22.3 10.1L22.3 13.9"
    "L19.3 14.2L18.7 15.5L20.6 18L18 20.6L15.5 18.7L14.2 19.3L13.9 22.3L10.1 22.3L9.8 19.3L8.5 18.7L6 20.6L3.4 18"
    "L5.3 15.5L4.7 14.2L1.7 13.9L1.7 10.1L4.7 9.8L5.3 8.5L3.4 6L6 3.4L8.5 5.3Z"
    "M12 8.5A3.5 3.5 0 1 1 12 15.5A3.5 3.5 0 1 1 12 8.5Z",
    # A banknote, a crown, a bomb, a burst, a case.
    "billions": "M1 5H23V19H1ZM3 7V17H21V7ZM12 8.5A3.5 3.5 0 1 1 12 15.5A3.5 3.5 0 1 1 12 8.5ZM5 11H7V13H5Z"
    "M17 11H19V13H17Z",
    "influence": "M2 6.5L7.5 11L12 3.5L16.5 11L22 6.5L19.8 17H4.2ZM4.2 18.8H19.8V21H4.2Z",
    "stuff": "M14.6 6.2L16.6 4.2L19.8 7.4L17.8 9.4A8 8 0 1 1 14.6 6.2ZM18.6 3.4L20.8 1.2L22.8 3.2L20.6 5.4Z",
    "war": "M12 .5L14.2 5.9L19.4 3.2L17.6 8.8L23.3 10L18.4 13.1L22 17.7L16.2 17L15.9 22.8L12 18.5L8.1 22.8L7.8 17"
    "L2 17.8L5.6 13.1L.7 10L6.4 8.8L4.6 3.2L9.8 5.9Z",
    "black-money": "M8.5 3.5H15.5V7H22V20H2V7H8.5ZM10.5 5.5V7H13.5V5.5Z",
    # A halo over a head, a bunker, a flag, a die.
    "prize": "M12 1C16.5 1 19.5 2.8 19.5 5C19.5 7.2 16.5 9 12 9C7.5 9 4.5 7.2 4.5 5C4.5 2.8 7.5 1 12 1Z"
    "M12 3C9 3 6.8 4 6.8 5C6.8 6 9 7 12 7C15 7 17.2 6 17.2 5C17.2 4 15 3 12 3Z"
    "M12 10.5A3.8 3.8 0 1 1 12 18.1A3.8 3.8 0 1 1 12 10.5ZM3.5 23C4 19.5 7 18.6 9 18.6H15C17 18.6 20 19.5 20.5 23Z",
    "bunker": "M1.5 20V16A10.5 10.5 0 0 1 22.5 16V20H15.5V14.5H8.5V20ZM5 11.5H8V13H5ZM16 11.5H19V13H16Z",
    "start-player": "M5 2H7V3H20L16.5 7.5L20 12H7V22H5Z",
    "icon-round": "M3 3H21V21H3ZM6.5 6.5V9.5H9.5V6.5ZM14.5 6.5V9.5H17.5V6.5ZM6.5 14.5V17.5H9.5V14.5Z"
    "M14.5 14.5V17.5H17.5V14.5ZM10.5 10.5V13.5H13.5V10.5Z",
    # Two balloons of speech, a tear, a magnifying glass, a cocktail.
    "place-tlk": "M2 3H17V13H9L5 17V13H2ZM19 8H22V18H20V22L16 18H9.5L12 15.5H19Z",
    "place-pty": "M12 1.5C12 1.5 4.5 11 4.5 15.5A7.5 7.5 0 0 0 19.5 15.5C19.5 11 12 1.5 12 1.5Z",
    "place-nws": "M10 2A8 8 0 0 1 16.4 14.8L22 20.4L20.4 22L14.8 16.4A8 8 0 1 1 10 2Z"
    "M10 4.3A5.7 5.7 0 1 0 10 15.7A5.7 5.7 0 1 0 10 4.3Z",
    "place-vip": "M2.5 3H21.5L13.2 12.7V19.5H17.5V22H6.5V19.5H10.8V12.7ZM7.4 5.2L9.2 7.3H14.8L16.6 5.2Z",
    # Kinds of action.
    "icon-draw": "M3 4H13V19H3ZM5 6V17H11V6ZM15 6H21V21H7.5V20.8H15Z",
    "icon-drop": "M4 6H9V3H15V6H20V8H18.5L17.5 21H6.5L5.5 8H4ZM11 5V6H13V5ZM8.5 10V18H10.5V10ZM13.5 10V18H15.5V10Z",
    "icon-collect": "M11 3H13V12H17.5L12 18L6.5 12H11ZM3 19H21V21.5H3Z",
    "icon-place": "M12 2A6.5 6.5 0 0 1 18.5 8.5C18.5 13 12 22 12 22C12 22 5.5 13 5.5 8.5A6.5 6.5 0 0 1 12 2Z"
    "M12 6A2.5 2.5 0 1 0 12 11A2.5 2.5 0 1 0 12 6Z",
    "icon-let": "M4 2H16V22H4ZM6 4V20H14V4ZM10.5 11H12.5V13H10.5ZM18 11H23V13H18Z",
    "icon-fight": "M12 1.5L21 4.5V11C21 17 17.5 20.5 12 22.5C6.5 20.5 3 17 3 11V4.5ZM11 6V18H13V6Z",
    "icon-push": "M2 10H13V5L22 12L13 19V14H2Z",
    "icon-yield": "M4 2H6V3C10 1 13 6 20 3V12C13 15 10 10 6 12V22H4ZM6 5V10C10 8 13 12.5 18 10.7V5.8C13 7 10 3.5 6 5Z",
    "icon-launder": "M4 2H20V22H4ZM6 4V6H9V4ZM12 8A6 6 0 1 1 12 20A6 6 0 1 1 12 8Z"
    "M12 10.5A3.5 3.5 0 1 0 12 17.5A3.5 3.5 0 1 0 12 10.5Z",
    "icon-hire": "M9 3A4.5 4.5 0 1 1 9 12A4.5 4.5 0 1 1 9 3ZM1 21C1 15.5 5 14 9 14C13 14 17 15.5 17 21ZM18 6H20V9H23V11"
    "H20V14H18V11H15V9H18Z",
    "icon-play": "M5 2H19V22H5ZM12 6L9 13H11.5L10.5 18L15 10.5H12.5L14 6Z",
    "icon-pass": "M3 10.5H16V6L22 12L16 18V13.5H3Z",
    "icon-done": "M2 6L9 12L2 18ZM10 6L17 12L10 18ZM19 6H22V18H19Z",
    "icon-give": "M12 2A5 5 0 1 1 12 12A5 5 0 1 1 12 2ZM2 15H8L12 17H17V19H12V20.5H18L22 17V19.5L18 23H2Z",
    "icon-invite": "M7 3A3.5 3.5 0 1 1 7 10A3.5 3.5 0 1 1 7 3ZM17 3A3.5 3.5 0 1 1 17 10A3.5 3.5 0 1 1 17 3Z"
    "M1 20C1 14.5 4 12 7 12C9 12 10.8 13 12 15C13.2 13 15 12 17 12C20 12 23 14.5 23 20Z",
    "icon-agree": "M3 12.5L5.5 10L10 14.5L18.5 5L21 7.2L10 19.5Z",
    "icon-decline": "M5.5 3.5L12 10L18.5 3.5L20.5 5.5L14 12L20.5 18.5L18.5 20.5L12 14L5.5 20.5L3.5 18.5L10 12L3.5 5.5Z",
    "icon-instruct": "M3 4H21V7H3ZM3 10.5H21V13.5H3ZM3 17H14V20H3Z",
    "icon-expose": "M8 4H16L17.5 7H22V20H2V7H6.5ZM12 9.5A4 4 0 1 0 12 17.5A4 4 0 1 0 12 9.5Z",
    "icon-event": "M3 4H18V20H5A2 2 0 0 1 3 18ZM20 8H22V18A2 2 0 0 1 20 20ZM5.5 6.5V10H15.5V6.5ZM5.5 12V13.5H15.5V12Z"
    "M5.5 15.5V17H15.5V15.5Z",
    "icon-end": "M5 2H7V22H5ZM7 3H20V12H7ZM9 5V7.5H12V5ZM12 7.5V10H15V7.5ZM15 5V7.5H18V5Z",
}


def icon(name: str, x: float, y: float, size: float, looks: Look) -> Svg:
    """Return an icon as a drawing with its upper left corner at a point."""
    place = f"translate({x:g} {y:g}) scale({size / 24:g})"
    return element("path", d=ICONS[name], transform=place, fill_rule="evenodd", **looks)


# The layout of the board: the pyramid of regions, the media circus, the Lounge.


class Box(NamedTuple):
    """A rectangle of the board."""

    x: float
    y: float
    width: float
    height: float


WIDTH: Final = 680.0
TILE: Final = (216.0, 124.0)
SQUARE: Final = (216.0, 88.0)
_LEFT, _GAP, _TOP = 6.0, 10.0, 4.0
_ROW = TILE[1] + 8
_HALF = (TILE[0] + _GAP) / 2


def _region(row: int, number: float) -> Box:
    return Box(_LEFT + number * 2 * _HALF, _TOP + row * _ROW, *TILE)


BOXES: Final[Mapping[str, Box]] = {
    "SUP": _region(0, 1),
    "RST": _region(1, 0.5),
    "TIG": _region(1, 1.5),
    "KOR": _region(2, 0),
    "ROG": _region(2, 1),
    "POO": _region(2, 2),
    "TLK": Box(_LEFT, _TOP + 3 * _ROW, *SQUARE),
    "PTY": Box(_LEFT + 2 * _HALF, _TOP + 3 * _ROW, *SQUARE),
    "NWS": Box(_LEFT + 4 * _HALF, _TOP + 3 * _ROW, *SQUARE),
    "VIP": _region(0, 0),
}
HEIGHT: Final = BOXES["NWS"].y + SQUARE[1] + 4
ASIDE: Final = _region(0, 2)
"""Box for the round, and for the owners of prize and Bunker."""
PYRAMID: Final = f"M{WIDTH / 2:g} -6L{WIDTH + 2:g} {_TOP + 3 * _ROW - 2:g}H-2Z"
"""The shape that lies under the regions."""


# Pieces: vice presidents with their black money, the bar of Stuff, numbers beside icons.

Lettering = Callable[[str, str, float, float, Look, float], Svg]
"""(role, text, x, y, looks, room): draws a line of text that fits the room (0: any)."""

RADIUS = 13.0
STEP = 31.0
CASE = (27.0, 20.0)
_CELL = (27.0, 11.0)
_MIDDLE: Look = {"text_anchor": "middle"}


class Pawn(NamedTuple):
    """A vice president as it is drawn: its seat, its colour, its black money; `faint` if it is not quite there."""

    seat: int
    colour: str
    black: int = 0
    faint: bool = False


def pawns(lettering: Lettering, crowd: Sequence[Pawn], x: float, y: float, width: float) -> Svg:
    """Return vice presidents side by side, closer where there are many; `y` is the middle of the discs."""
    step = min(STEP, (width - 2 * RADIUS) / max(1, len(crowd) - 1))
    return group([_pawn(lettering, each, x + RADIUS + step * number, y) for number, each in enumerate(crowd)])


def _pawn(lettering: Lettering, pawn: Pawn, x: float, y: float) -> Svg:
    line: Look = {"stroke": INK, "stroke_width": 1.8}
    disc = element("circle", cx=x, cy=y, r=RADIUS, fill=pawn.colour, **line)
    number = lettering("tag", str(pawn.seat + 1), x, y + 6.5, {"fill": INK, **_MIDDLE}, 0)
    drawn = [disc, number]
    if pawn.black:
        left, top = x - CASE[0] / 2, y + RADIUS + 1.5
        drawn += [
            element("path", d=f"M{x - 5:g} {top:g}v-3h10v3", fill="none", stroke=INK, stroke_width=2),
            element("rect", x=left, y=top, width=CASE[0], height=CASE[1], rx=3, fill=INK),
            lettering("tag", str(pawn.black), x, top + 16.5, {"fill": PAPER, **_MIDDLE}, 0),
        ]
    more: Look = {"opacity": 0.5} if pawn.faint else {}
    return group(drawn, **more)


@lru_cache(256)
def stuff_bar(stuff: int, legal_up_to: int, looks: tuple[tuple[str, str | float], ...]) -> Svg:
    """Return the Stuff of a region as cells, 200 units wide; those that are illegal to fill lie on grey."""
    on: Look = dict(looks)
    wide, high = _CELL
    grey = legal_up_to * (wide + 2)
    end = MAX_STUFF * (wide + 2) - grey
    cells = [
        element("rect", x=22 + grey - 1, y=0, width=end, height=high + 4, rx=2, fill="#9aa09d"),
        icon("stuff", 0, -1.5, 18, on),
    ]
    for number in range(MAX_STUFF):
        box: Look = {"x": 22 + number * (wide + 2), "y": 2, "width": wide - 2, "height": high, "rx": 2}
        full: Look = {"fill": INK if number >= legal_up_to else PAPER, "stroke": PAPER, "stroke_width": 1.2}
        empty: Look = {"fill": "none", "stroke": INK if number >= legal_up_to else PAPER, "stroke_width": 1.2}
        cells.append(element("rect", **box, **(full if number < stuff else empty)))
    return group(cells)


def numbered(lettering: Lettering, name: str, number: int, x: float, y: float, looks: Look) -> Svg:
    """Return an icon with a number on its right, about 48 units wide; `y` is the baseline."""
    return group([icon(name, x, y - 16, 19, looks), lettering("tag", str(number), x + 22, y, looks, 0)])


def war_marker(x: float, y: float, size: float) -> Svg:
    """Return the marker of a war with its upper left corner at a point."""
    fire = icon("war", 0, 0, size, {"fill": "#ffd23f", "stroke": INK, "stroke_width": 1.4})
    return moved(x, y, fire, icon("stuff", size * 0.27, size * 0.27, size * 0.46, {"fill": "#8e1d2c"}))


# Faces of cards, 64 units wide and 88 high: icons, numbers and ids of regions.

SCORE_CLASS: Final[Mapping[str, str]] = {"cor": "c3", "cri": "c5", "med": "c7", "tec": "c1"}
_PICTURE: Final[Mapping[str, str]] = {
    "haven": "place-vip",
    "money": "billions",
    "influence": "influence",
    "war": "war",
    "peace": "icon-yield",
    "stuff": "stuff",
    "evict": "icon-push",
    "sue": "icon-give",
    "extort": "black-money",
    "draw": "icon-draw",
    "bunker": "bunker",
    "skeleton": "prize",
    "nepotism": "icon-hire",
    "again": "icon-done",
    "papers": "icon-let",
    "telethon": "place-pty",
    "jet": "icon-place",
    "immunity": "icon-fight",
    "smear": "icon-expose",
    "improve": "icon-agree",
}
"""The icon of an action card by its kind; one that improves a given score has the icon of the score."""
_LINE: Final = 12.5
_BOTTOM: Look = {"class_": "on-c8", "fill": INK}


def faces() -> dict[str, str]:
    """Return the symbols of all cards by id (`card-b01`), and of the backs of both piles."""
    found = {f"card-{card}": _symbol(f"card-{card}", *_business(card, data)) for card, data in BUSINESS_DATA.items()}
    found |= {f"card-{card}": _symbol(f"card-{card}", *_action(card, data)) for card, data in CARD_DATA.items()}
    backs = {"card-back": ("black-money", "c7"), "event-back": ("icon-event", "c2"), "discards": ("icon-drop", "c6")}
    return found | {name: _symbol(name, *_back(symbol, look)) for name, (symbol, look) in backs.items()}


def _symbol(name: str, *drawn: Svg) -> str:
    rim: Look = {"class_": "t-edge", "fill": "#fdfbf4", "stroke": INK, "stroke_opacity": 0.35}
    edge = element("rect", x=0.75, y=0.75, width=62.5, height=86.5, rx=6.5, **rim)
    return element("symbol", edge, *drawn, id=name, viewBox="0 0 64 88")


def _face(band: str) -> list[Svg]:
    return [
        element("rect", x=4, y=4, width=56, height=80, rx=4, **filled("c8")),
        element("path", d="M4 8A4 4 0 0 1 8 4H56A4 4 0 0 1 60 8V24H4Z", **filled(band)),
    ]


def _text(words: str, x: float, y: float, size: float, looks: Look) -> Svg:
    return element("text", said(words), x=x, y=y, font_size=size, font_weight=800, **looks)


def _business(card: str, data: BusinessData) -> list[Svg]:
    band = SCORE_CLASS[data.score]
    on = filled(f"on-{band}")
    drawn = [
        *_face(band),
        icon(f"score-{data.score}", 6.5, 6, 16, on),
        _text(str(data.least), 25, 20, 17, on),
        _text(card, 58, 19, 11, on | {"text_anchor": "end"}),
    ]
    y = 26.0
    for slot in data.slots:
        lines = [" ".join(slot[at : at + 2]) for at in range(0, len(slot), 2)]
        drawn += _slot(lines, y)
        y += _LINE * len(lines) + 2
    drawn += [icon("black-money", 8, 67, 15, _BOTTOM), _text(str(data.income), 26, 80, 16, _BOTTOM)]
    return [*drawn, *_illegal(data.illegal)]


def _slot(lines: list[str], y: float) -> list[Svg]:
    """One vice president, and the regions where it may stand."""
    box: Look = {"fill": "none", "stroke": INK, "stroke_width": 1.2}
    frame = element("rect", x=7, y=y, width=50, height=_LINE * len(lines), rx=3, **box)
    middle: Look = {**_BOTTOM, "text_anchor": "middle"}
    return [frame, *(_text(line, 32, y + 10 + _LINE * row, 11, middle) for row, line in enumerate(lines))]


def _illegal(illegal: bool) -> list[Svg]:
    return [icon("score-cri", 41, 67, 16, {"fill": "#a51b2a"})] if illegal else []


def _action(card: str, data: CardData) -> list[Svg]:
    band = "c4" if data.timing == "action" else "c2"
    on = filled(f"on-{band}")
    drawn = [*_face(band), _text(card, 58, 19, 11, on | {"text_anchor": "end"})]
    if data.cost:
        drawn += [icon("billions", 6.5, 6, 16, on), _text(str(data.cost), 25, 20, 17, on)]
    given = data.kind == "improve" and data.score != "any"
    picture = f"score-{data.score}" if given else _PICTURE[data.kind]
    drawn.append(icon(picture, 17, 29, 30, _BOTTOM))
    number = data.number or {"improve": 1, "smear": -1}.get(data.kind, 0)
    if number:
        sign = "+" if number > 0 else "−"
        drawn.append(_text(f"{sign}{abs(number)}", 32, 79, 18, {**_BOTTOM, "text_anchor": "middle"}))
    return [*drawn, *_illegal(data.illegal)]


def _back(picture: str, look: str) -> list[Svg]:
    face = element("rect", x=4, y=4, width=56, height=80, rx=4, **filled(look))
    return [face, icon(picture, 14, 26, 36, filled(f"on-{look}") | {"opacity": 0.22})]


# All symbols of a page.

PARTS: Mapping[str, str] = {"billions": "c4", "influence": "c2"}
"""Parts of a worth, each with the class of its bar, on which its icon has to be seen."""


@cache
def symbols(_: str) -> Mapping[str, str]:
    """Return all symbols by their ids; there are no words on them, so they are the same in every language."""
    icons = {
        name: element(
            "symbol",
            element("path", d=path, fill="currentColor", fill_rule="evenodd"),
            id=name,
            viewBox="0 0 24 24",
        )
        for name, path in ICONS.items()
    }
    parts = {f"part-{name}": _coloured(f"part-{name}", ICONS[name], look) for name, look in PARTS.items()}
    return icons | parts | faces()


def _coloured(name: str, path: str, look: str) -> str:
    drawn = element("path", d=path, fill_rule="evenodd", **filled(f"on-{look}"))
    return element("symbol", drawn, id=name, viewBox="0 0 24 24")
