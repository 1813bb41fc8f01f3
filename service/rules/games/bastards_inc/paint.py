"""The table as a picture for a mail or a page, drawn from a view alone: position, board, hand, companies."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.games.bastards_inc.caption import caption
from service.rules.games.bastards_inc.paint_company import company_plate
from service.rules.games.bastards_inc.paint_look import FELT, LIGHT, SIZE, letter
from service.rules.games.bastards_inc.tabletop.board import drawings, label_of, round_drawn
from service.rules.games.bastards_inc.tabletop.effects import lasting, named
from service.rules.games.bastards_inc.tabletop.layout import ASIDE, BOXES, HEIGHT, PYRAMID, WIDTH
from service.rules.games.bastards_inc.tabletop.words import Speaker, speaker_in
from service.rules.kernel import Json
from service.rules.lettering import wrapped
from service.rules.shapes import Seat
from service.rules.svg import BOLD, PicturePart, Svg, element, group, line_of, moved, picture, place, stacked

_MARGIN = 10.0
_GAP = 10.0
_LINE = 25.0


def paint(view: Json, language: str, names: Sequence[str]) -> str:
    """Return what a view shows as SVG: position, board, own hand, companies; 700 units wide, as high as it takes.

    `names` are the players' display names by seat. Each region, media square and the Lounge is a group of class
    `square` whose `data-place` is its id in the notation.
    """
    told, viewer = speaker_in(language, names), reader_of(view)
    told_at_large = caption(view, language, names)
    plates = [company_plate(told, view, viewer, company["seat"]) for company in view["companies"]]
    whole = stacked(
        [
            _lines([told_at_large, *event_told(told, view)]),
            _board(told, view, viewer),
            _hand(told, view, viewer),
            *plates,
        ],
        _GAP,
    )
    box = (-_MARGIN, -_MARGIN, WIDTH + 2 * _MARGIN, whole.height + 2 * _MARGIN)
    felt = element("rect", x=box[0], y=box[1], width=box[2], height=box[3], **FELT)
    return picture(told_at_large, box, felt, whole.svg)


def event_told(told: Speaker, view: Json) -> list[str]:
    """Return the event in force with what lasts of it as a sentence; none before the first."""
    event = view["event"]
    return [] if event is None else [" · ".join(said for _, said in lasting(told, event))]


def reader_of(view: Json) -> Seat | None:
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
