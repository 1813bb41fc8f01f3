"""The table as a picture for a mail or a page, drawn from a view alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from service.rules.games.bastards_inc.tabletop.board import drawings, label_of, round_drawn
from service.rules.games.bastards_inc.tabletop.draw import caption
from service.rules.games.bastards_inc.tabletop.symbols import (
    ASIDE,
    BOXES,
    HEIGHT,
    INK,
    PYRAMID,
    WIDTH,
    Pawn,
    icon,
    numbered,
    pawns,
    seat_colour,
)
from service.rules.games.bastards_inc.tabletop.words import Speaker, lasting, named, speaker_in
from service.rules.games.bastards_inc.terms import SCORES
from service.rules.kernel import Json
from service.rules.svg import (
    BOLD,
    PLAIN,
    Look,
    PicturePart,
    Svg,
    element,
    group,
    line_of,
    moved,
    picture,
    place,
    stacked,
)
from service.rules.table_parts import Seat
from service.rules.tabletop.drawing import ROLES
from service.rules.text_width import wrapped

_MARGIN = 10.0
_GAP = 10.0
_LINE = 25.0


def paint(view: Json, language: str, names: Sequence[str]) -> str:
    """Return what a view shows as SVG: position, board, own hand, companies; 700 units wide, as high as it takes.

    `names` are the players' display names by seat. Each region, media square and the Lounge is a group of class
    `square` whose `data-place` is its id in the notation.
    """
    told, viewer = speaker_in(language, names), viewer_of(view)
    told_at_large = caption(view, language, names)
    plates = [company_plate(told, view, viewer, company["seat"]) for company in view["companies"]]
    whole = stacked(
        [
            _lines([told_at_large, *event_sentences(told, view)]),
            _board(told, view, viewer),
            _hand(told, view, viewer),
            *plates,
        ],
        _GAP,
    )
    box = (-_MARGIN, -_MARGIN, WIDTH + 2 * _MARGIN, whole.height + 2 * _MARGIN)
    felt = element("rect", x=box[0], y=box[1], width=box[2], height=box[3], **FELT)
    return picture(told_at_large, box, felt, whole.svg)


def event_sentences(told: Speaker, view: Json) -> list[str]:
    """Return the event in force with what lasts of it as a sentence; none before the first."""
    event = view["event"]
    return [] if event is None else [" · ".join(said for _, said in lasting(told, event))]


def viewer_of(view: Json) -> Seat | None:
    """Return the seat that a view is for, None for a spectator's."""
    seat: Seat | None = None if view["own"] is None else view["own"]["seat"]
    return seat


def _lines(paragraphs: Sequence[str]) -> PicturePart:
    lines = [line for text in paragraphs for line in wrapped(text, WIDTH, SIZE)]
    drawn = [line_of(line, 0, _LINE * row + 18, size=SIZE, looks=LIGHT) for row, line in enumerate(lines)]
    return PicturePart(group(drawn), _LINE * len(lines))


def _board(told: Speaker, view: Json, viewer: Seat | None) -> PicturePart:
    ground = [element("path", d=PYRAMID, fill="#ffffff", fill_opacity=0.06)]
    ground.append(moved(ASIDE.x, ASIDE.y, *round_drawn(view, viewer, letter)))
    places = [_place(told, view, name, drawn) for name, drawn in drawings(told, view, viewer, letter)]
    return PicturePart(group([*ground, *places]), HEIGHT)


def _place(told: Speaker, view: Json, name: str, drawn: Svg) -> Svg:
    return moved(BOXES[name].x, BOXES[name].y, place(name, label_of(told, view, name), drawn))


def _hand(told: Speaker, view: Json, viewer: Seat | None) -> PicturePart:
    if viewer is None:
        return PicturePart(Svg(), 0)
    cards = view["companies"][viewer]["hand"]
    listed = _lines([f"{card}: {named(told, card)}" for card in cards])
    title = line_of(told.word("hand"), 0, 18, size=SIZE, looks=BOLD | LIGHT)
    return PicturePart(group([title, moved(0, _LINE, listed.svg)]), _LINE + listed.height) if cards else listed


# Plates of the companies: player, worth, scores, businesses.

_STEP = 62.0
_ROW = 30.0


def company_plate(told: Speaker, view: Json, viewer: Seat | None, seat: Seat) -> PicturePart:
    """Return what everybody may know of a company, in two lines, or in three if it has businesses."""
    company = view["companies"][seat]
    height = 74.0 + (_ROW if company["portfolio"] else 0)
    plate = element("rect", width=WIDTH, height=height, rx=10, **CARD)
    drawn = [plate, *_heading(told, view, viewer, company), *_numbers(company), *_emblems(view, seat)]
    return PicturePart(group([*drawn, *_businesses(told, company)]), height)


def _heading(told: Speaker, view: Json, viewer: Seat | None, company: Json) -> Iterator[Svg]:
    seat, result = company["seat"], view["result"]
    worth = company["worth"] if result is None else result["worths"][seat]
    yield pawns(letter, [Pawn(seat, seat_colour(viewer, seat))], 10, 22, 30)
    yield line_of(told.player(seat), 46, 28, size=SIZE, width=230, looks=BOLD | DARK)
    yield line_of(told.name(company["plan"]), 288, 28, size=SIZE, width=290, looks=FAINT)
    yield line_of(str(worth), WIDTH - 14, 32, size=26, looks=BOLD | DARK | {"text_anchor": "end"})


def _numbers(company: Json) -> Iterator[Svg]:
    black = sum(vp["black"] for vp in company["vps"])
    shown = [("billions", company["billions"]), ("influence", company["influence"])]
    shown += [(f"score-{each}", company["scores"][each]) for each in SCORES]
    shown += [("icon-draw", company["cards"]), ("black-money", black)]
    for number, (name, n) in enumerate(shown):
        yield numbered(letter, name, n, 14 + _STEP * number, 62, DARK)


def _emblems(view: Json, seat: Seat) -> Iterator[Svg]:
    held = (("start-player", "start_player"), ("prize", "laureate"), ("bunker", "bunker"))
    names = [name for name, key in held if view[key] == seat]
    for number, name in enumerate(names):
        yield icon(name, 530 + 36 * number, 44, 24, DARK)


def _businesses(told: Speaker, company: Json) -> Iterator[Svg]:
    if company["portfolio"]:
        listed = (f"{each['card']} {told.name(each['card'])}" for each in company["portfolio"])
        yield line_of(" · ".join(listed), 14, 92, size=SIZE, width=WIDTH - 28, looks=DARK)


# Looks. A picture in a mail has no fonts of its own, so texts may be wide.

SIZE: Final = 18.5
"""The size of text that has to be readable: 9.5 pixels on a screen of 360 pixels, where the picture has 700 units."""
FELT: Look = {"class_": "felt", "fill": "#24594e"}
LIGHT: Look = {"class_": "on-felt", "fill": "#f5f2e7"}
DARK: Look = {"class_": "on-card", "fill": INK}
FAINT: Look = {"class_": "on-card", "fill": "#4b4a43"}
CARD: Look = {"class_": "card", "fill": "#fdfbf4"}


def letter(role: str, text: str, x: float, y: float, looks: Look, room: float) -> Svg:
    """Return a line of text of the board in the size of its role, made smaller to fit its room."""
    weight = BOLD if ROLES[role].weight > 500 else PLAIN
    return line_of(text, x, y, size=ROLES[role].large, width=room, looks={**looks, **weight})
