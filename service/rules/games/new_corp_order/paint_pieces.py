"""Agents, cards and consultants: every conglomerate has a shape of its own besides its colour."""

from __future__ import annotations

from service.rules.games.new_corp_order.letters import COLOUR_LETTERS, CONSULTANT_LETTERS
from service.rules.games.new_corp_order.paint_look import LEGIBLE, coloured, look
from service.rules.games.new_corp_order.terms import Colour, Consultant
from service.rules.lettering import width_of
from service.rules.svg import BOLD, Look, Svg, element, group, line_of

MIDDLE: Look = {"text_anchor": "middle"}
END: Look = {"text_anchor": "end"}
CRISP: Look = {"shape_rendering": "crispEdges"}
CARD = (46.0, 58.0)
"""Width and height of a card that lies open."""
BADGE = 23.0
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
    return shape(colour, x, y, radius, coloured(colour))


def stock(colour: Colour, number: int) -> Svg:
    """Return an agent with its letter, and how many there are."""
    low = 26 if colour == "blue" else 24.5
    return group(
        [
            agent(colour, 17, 18, 14),
            line_of(COLOUR_LETTERS[colour], 17, low, size=LEGIBLE, looks=BOLD | MIDDLE | look(f"on-{colour}")),
            line_of(str(number), 37, 25, size=LEGIBLE, looks=BOLD | look("ink")),
        ]
    )


def agents(colour: Colour, number: int, x: float, y: float, width: float) -> Svg:
    """Return agents side by side from `x` on, closer to each other where there are many."""
    drawn = min(number, FAN)
    step = min(21, (width - 20) / max(1, drawn - 1))
    return group((agent(colour, x + 10 + step * place, y) for place in range(drawn)), stroke_width=1.2)


def card(colour: Colour) -> Svg:
    """Return an open card: the conglomerate's colour, shape and letter."""
    width, height = CARD
    on = look(f"on-{colour}")
    return group(
        [
            _face(coloured(colour)),
            line_of(COLOUR_LETTERS[colour], 6, 20, size=LEGIBLE, looks=BOLD | on),
            shape(colour, width / 2, height * 0.6, width * 0.24, on),
        ]
    )


def card_back() -> Svg:
    """Return a face-down card."""
    width, height = CARD
    looks = CRISP | look("line")
    inner = element("rect", x=5, y=5, width=width - 10, height=height - 10, fill="none", **looks)
    return group([_face(look("ods", "outline")), inner])


def card_gap() -> Svg:
    """Return the place of a card that is not there."""
    return _face(look("line") | {"fill": "none", "stroke_dasharray": "4 4"})


def pile(colour: Colour, number: int, rotated: bool) -> Svg:
    """Return a number of cards in an HQ; rotated ones lie on their side."""
    width, height = (32, 23) if rotated else (27, 34)
    looks = CRISP | coloured(colour)
    cards = [
        element("rect", x=3 * step, y=-3 * step, width=width, height=height, **looks)
        for step in range(min(number, 3) - 1, -1, -1)
    ]
    count = line_of(str(number), width / 2, height / 2 + 6.5, size=LEGIBLE, looks=BOLD | MIDDLE | look(f"on-{colour}"))
    return group([*cards, count])


def hand_of(number: int) -> Svg:
    """Return face-down cards held in a hand, and their number; 42 units wide."""
    looks = CRISP | look("ods", "outline")
    cards = [element("rect", x=x, width=30, height=28, **looks) for x in (0, 6, 12)]
    return group([*cards, line_of(str(number), 27, 21, size=LEGIBLE, looks=BOLD | MIDDLE | look("on-black"))])


def badge(consultant: Consultant) -> Svg:
    """Return a consultant's letter in a dark square."""
    square = element("rect", width=BADGE, height=BADGE, **CRISP, **look("ink"))
    letter = line_of(CONSULTANT_LETTERS[consultant], BADGE / 2, 18, size=LEGIBLE, looks=BOLD | MIDDLE | look("paper"))
    return group([square, letter])


def consultant_named(consultant: Consultant, name: str, number: int, width: float) -> tuple[Svg, float]:
    """Return a consultant's letter, name and number, and how wide that is; at most `width`."""
    text = name if number == 1 else f"{number} × {name}"
    room = width - BADGE - 6
    line = line_of(text, BADGE + 6, 18, size=LEGIBLE, width=room, looks=look("ink"))
    return group([badge(consultant), line]), BADGE + 6 + min(room, width_of(text, LEGIBLE))


def _face(looks: Look) -> Svg:
    width, height = CARD
    return element("rect", width=width, height=height, **CRISP, **looks)
