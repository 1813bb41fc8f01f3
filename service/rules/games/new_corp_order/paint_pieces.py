"""Agents, cards and consultants: every conglomerate has a shape of its own besides its colour."""

from __future__ import annotations

from service.rules.games.new_corp_order.letters import COLOUR_LETTERS, CONSULTANT_LETTERS
from service.rules.games.new_corp_order.paint_look import look
from service.rules.games.new_corp_order.terms import Colour, Consultant
from service.rules.lettering import width_of
from service.rules.svg import BOLD, Look, Svg, element, group, line_of, moved

CARD = (48.0, 64.0)
"""Width and height of a card that lies open."""
BADGE = 19.0
TEXT = 13.0
FAN = 8
"""No more agents than this are drawn side by side; the number says how many there are."""

TRIANGLE = ((0, -1.05), (1.08, 0.88), (-1.08, 0.88))
DIAMOND = ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0))


def shape(colour: Colour, x: float, y: float, radius: float, looks: Look) -> Svg:
    """Return a conglomerate's shape around a point: red a disc, black a square, blue a triangle, white a diamond."""
    r = radius
    if colour == "red":
        return element("circle", cx=x, cy=y, r=r, **looks)
    if colour == "black":
        return element("rect", x=x - 0.88 * r, y=y - 0.88 * r, width=1.76 * r, height=1.76 * r, **looks)
    corners = TRIANGLE if colour == "blue" else DIAMOND
    return element("polygon", points=" ".join(f"{x + r * dx:g},{y + r * dy:g}" for dx, dy in corners), **looks)


def agent(colour: Colour, x: float, y: float, radius: float = 8) -> Svg:
    """Return an agent around a point."""
    return shape(colour, x, y, radius, look(f"conglomerate-{colour}", "outline"))


def agents(colour: Colour, number: int, x: float, y: float, width: float) -> Svg:
    """Return agents side by side from `x` on, closer to each other where there are many."""
    drawn = min(number, FAN)
    step = min(21, (width - 20) / max(1, drawn - 1))
    return group((agent(colour, x + 10 + step * place, y) for place in range(drawn)), stroke_width=1.2)


def card(colour: Colour, width: float = CARD[0], height: float = CARD[1]) -> Svg:
    """Return an open card: the conglomerate's colour, shape and letter."""
    on = look(f"on-{colour}")
    return group(
        [
            _face(width, height, look(f"conglomerate-{colour}", "outline")),
            line_of(COLOUR_LETTERS[colour], 6, 17, size=14, looks=BOLD | on),
            shape(colour, width / 2, height * 0.6, width * 0.24, on),
        ]
    )


def card_back(width: float = CARD[0], height: float = CARD[1]) -> Svg:
    """Return a face-down card."""
    inner = element("rect", x=5, y=5, width=width - 10, height=height - 10, rx=3, fill="none", **look("line"))
    return group([_face(width, height, look("ods", "outline")), inner])


def card_gap(width: float = CARD[0], height: float = CARD[1]) -> Svg:
    """Return the place of a card that is not there."""
    return element("rect", width=width, height=height, rx=4, fill="none", stroke_dasharray="4 4", **look("line"))


def pile(colour: Colour, number: int, rotated: bool) -> Svg:
    """Return a number of cards in an HQ; rotated ones lie on their side."""
    width, height = (34, 25) if rotated else (25, 34)
    looks = look(f"conglomerate-{colour}", "outline")
    steps = range(min(number, 3) - 1, 0, -1)
    below = [moved(2.5 * step, -2.5 * step, _face(width, height, looks)) for step in steps]
    middle: Look = {"text_anchor": "middle", **look(f"on-{colour}")}
    count = line_of(str(number), width / 2, height / 2 + 5.5, size=15, looks=BOLD | middle)
    return group([*below, _face(width, height, looks), count])


def badge(consultant: Consultant) -> Svg:
    """Return a consultant's letter in a dark square."""
    letter = CONSULTANT_LETTERS[consultant]
    middle: Look = {"text_anchor": "middle", **look("paper")}
    return group(
        [
            element("rect", width=BADGE, height=BADGE, rx=4, **look("ink")),
            line_of(letter, BADGE / 2, 14.5, size=TEXT, looks=BOLD | middle),
        ]
    )


def consultant_named(consultant: Consultant, name: str, number: int, width: float) -> tuple[Svg, float]:
    """Return a consultant's letter, name and number, and how wide that is; at most `width`."""
    text = name if number == 1 else f"{number} × {name}"
    room = width - BADGE - 6
    line = line_of(text, BADGE + 6, 14.5, size=TEXT, width=room, looks=look("ink"))
    return group([badge(consultant), line]), BADGE + 6 + min(room, width_of(text, TEXT))


def _face(width: float, height: float, looks: Look) -> Svg:
    return element("rect", width=width, height=height, rx=4, **looks)
