"""A company as a plate of the picture: who runs it, what it is worth, its scores, its businesses."""

from __future__ import annotations

from collections.abc import Iterator

from service.rules.games.bastards_inc.paint_look import CARD, DARK, FAINT, SIZE, letter
from service.rules.games.bastards_inc.tabletop.icons import icon
from service.rules.games.bastards_inc.tabletop.layout import WIDTH
from service.rules.games.bastards_inc.tabletop.looks import seat_colour
from service.rules.games.bastards_inc.tabletop.pieces import Pawn, numbered, pawns
from service.rules.games.bastards_inc.tabletop.words import Speaker
from service.rules.games.bastards_inc.terms import SCORES
from service.rules.kernel import Json
from service.rules.shapes import Seat
from service.rules.svg import BOLD, PicturePart, Svg, element, group, line_of

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
