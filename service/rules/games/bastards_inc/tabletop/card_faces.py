"""The faces of cards, 64 units wide and 88 high: what they ask for and bring, in icons, numbers and ids of regions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from service.rules.games.bastards_inc.edition.action_cards import CARD_DATA, CardData
from service.rules.games.bastards_inc.edition.businesses import BUSINESS_DATA, BusinessData
from service.rules.games.bastards_inc.tabletop.icons import icon
from service.rules.games.bastards_inc.tabletop.looks import INK, filled
from service.rules.svg import Look, Svg, element, said

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
