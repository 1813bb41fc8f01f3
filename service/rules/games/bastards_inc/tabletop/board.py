"""The board: the pyramid of regions, the media circus and the Lounge, with the vice presidents that stand there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from service.rules.contributions import Sight
from service.rules.games.bastards_inc.tabletop.icons import icon
from service.rules.games.bastards_inc.tabletop.layout import ASIDE, BOXES, HEIGHT, PYRAMID, WIDTH
from service.rules.games.bastards_inc.tabletop.looks import INK, seat_colour
from service.rules.games.bastards_inc.tabletop.pieces import Lettering, Pawn, pawns
from service.rules.games.bastards_inc.tabletop.tiles import lounge, region, square
from service.rules.games.bastards_inc.tabletop.words import Speaker, speaker
from service.rules.games.bastards_inc.terms import LOUNGE
from service.rules.kernel import Json
from service.rules.shapes import Board, Mark, Place
from service.rules.svg import Look, Svg, element, group, moved
from service.rules.tabletop.drawing import AXIS, ROLES, lettered

_WIDE = 0.4
"""A letter of a name is about this wide, in units of its size; some names have more wide letters than others."""
_TRAY_ABOVE = 28.0
"""How far above the lower edge of a place arrows begin and end."""


def board(sight: Sight, _: Sequence[Mark]) -> Board:
    """Return the board as the reader sees it."""
    told, view = speaker(sight), sight.view
    aside = moved(ASIDE.x, ASIDE.y, *round_drawn(view, sight.viewer, letter))
    ground = group([element("path", d=PYRAMID, class_="pyramid", fill="#ffffff", fill_opacity=0.06), aside])
    places = {name: _place(told, view, name, drawn) for name, drawn in drawings(told, view, sight.viewer, letter)}
    return Board(label=told.word("board"), width=WIDTH, height=HEIGHT, ground=ground, places=places)


def letter(role: str, text: str, x: float, y: float, looks: Look, room: float) -> Svg:
    """Return a line of text of a board in the size of its role, shortened to its room; a wide name is narrowed."""
    most = int(room / (0.38 * ROLES[role].large)) if room else len(text)
    if len(text) > most:
        text = f"{text[: most - 1].rstrip()}…"
    elif role == "name" and _WIDE * ROLES[role].medium * len(text) > room:
        looks = {**looks, "textLength": room, "lengthAdjust": "spacingAndGlyphs"}
    return lettered(role, text, x, y, looks)


def drawings(told: Speaker, view: Json, viewer: int | None, lettering: Lettering) -> Iterator[tuple[str, Svg]]:
    """Yield the drawing of each place, in reading order."""
    crowds = standing(view, viewer)
    pity = any(each["war"] for each in view["regions"]) or _troubled(view)
    for each in view["regions"]:
        yield each["id"], region(told, each, crowds.get(each["id"], ()), lettering)
    for each in view["squares"]:
        yield each["id"], square(told, each, crowds.get(each["id"], ()), lettering, pity)
    yield LOUNGE, lounge(told, crowds.get(LOUNGE, ()), lettering)


def standing(view: Json, viewer: int | None) -> Mapping[str, list[Pawn]]:
    """Return the vice presidents by place; one that arrives is faint on its field, one that rests in the Lounge."""
    found: dict[str, list[Pawn]] = {}
    arrival, placing = view["arrival"], view["phase"] in {"place", "challenge", "push"}
    for company in view["companies"]:
        seat = company["seat"]
        for vp in company["vps"]:
            arrives = arrival is not None and (arrival["seat"], arrival["vp"]) == (seat, vp["vp"])
            at = arrival["field"] if arrives else vp["at"]
            faint = arrives or (placing and vp["at"] == LOUNGE and not vp["free"])
            found.setdefault(at, []).append(Pawn(seat, seat_colour(viewer, seat), vp["black"], faint))
    return found


def _troubled(view: Json) -> bool:
    event = view["event"]
    return event is not None and (event["famine"] or event["disaster"])


def _place(told: Speaker, view: Json, name: str, drawn: Svg) -> Place:
    box = BOXES[name]
    anchor = (box.x + box.width / 2, box.y + box.height - _TRAY_ABOVE)
    return Place(*box, anchor, label_of(told, view, name), moved(box.x, box.y, drawn))


def label_of(told: Speaker, view: Json, name: str) -> str:
    """Return a place in words: what it asks for and gives, and who stands there."""
    parts = [told.name(name)]
    for each in view["regions"]:
        if each["id"] == name:
            parts.append(
                told.word("label.region", **{key: each[key] for key in ("cor", "cri", "tec", "income", "stuff")})
            )
            parts += [told.word("label.war")] if each["war"] else []
    parts += [told.word("label.square", med=each["med"]) for each in view["squares"] if each["id"] == name]
    for company in view["companies"]:
        here = [vp for vp in company["vps"] if vp["at"] == name]
        black = sum(vp["black"] for vp in here)
        if here:
            who = told.counted("label.vps", len(here), name=told.player(company["seat"]))
            parts.append(who if not black else told.word("label.black", who=who, black=told.counted("billions", black)))
    return f"{name} {', '.join(parts)}"


def round_drawn(view: Json, viewer: int | None, lettering: Lettering) -> Iterator[Svg]:
    """Yield the number of the round, and who holds prize and Bunker."""
    yield icon("icon-round", 112, 4, 26, AXIS)
    yield lettering("n", f"{view['round']}/{view['rounds']}", 146, 27, AXIS, 0)
    y = 42.0
    for name, seat in (("prize", view["laureate"]), ("bunker", view["bunker"])):
        if seat is not None:
            yield icon(name, 110, y, 32, {"fill": "#f6b42c", "stroke": INK, "stroke_width": 0.6})
            yield pawns(lettering, [Pawn(seat, seat_colour(viewer, seat))], 152, y + 16, 40)
            y += 42
