"""The board with its vice presidents, and the zones beside it: piles, event, hand, portfolios, instructions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from service.rules.games.bastards_inc.edition import CAMPAIGN_INFLUENCE, PITY_CAMPAIGN_INFLUENCE
from service.rules.games.bastards_inc.tabletop.symbols import (
    ASIDE,
    BOXES,
    HEIGHT,
    INK,
    PYRAMID,
    SQUARE,
    TILE,
    WIDTH,
    Lettering,
    Pawn,
    icon,
    numbered,
    on_place,
    pawns,
    place_fill,
    seat_colour,
    stuff_bar,
    war_marker,
)
from service.rules.games.bastards_inc.tabletop.words import Speaker, lasting, named, speaker
from service.rules.games.bastards_inc.terms import LOUNGE, PITY, SETTINGS
from service.rules.kernel import Json
from service.rules.svg import Look, Svg, element, group, moved
from service.rules.table_parts import Board, Mark, Piece, Place, Zone
from service.rules.table_plugin import Sight
from service.rules.tabletop.drawing import AXIS, EDGE, ROLES, TRAY, lettered

_WIDE = 0.4
"""A letter of a name is about this wide, in units of its size; some names have more wide letters than others."""
_TRAY_ABOVE = 28.0
"""Height of the ends of arrows above the lower edge of a place."""


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


# The tiles of the board: a region, a media square, the Lounge.

_COLUMNS = (10.0, 61.0, 112.0, 163.0)
_BURST = 40.0
_ACROSS, _ROWS = 6, 3
"""So many rest in a row of the Lounge, and in so many rows; with more they stand closer."""


def region(told: Speaker, each: Json, crowd: Sequence[Pawn], lettering: Lettering) -> Svg:
    """Return a region: what it asks for and pays, its Stuff, who stands there, and whether it is at war."""
    name, (width, height) = each["id"], TILE
    looks = on_place(name)
    values = zip(("score-cor", "score-cri", "score-tec", "billions"), ("cor", "cri", "tec", "income"), strict=True)
    drawn = [
        *_plate(name, width, height, 50),
        lettering("sq", name, 10, 23, looks, 0),
        lettering("name", told.name(name), 60, 22, looks, 150),
        *(
            numbered(lettering, symbol, each[key], x, 47, looks)
            for x, (symbol, key) in zip(_COLUMNS, values, strict=True)
        ),
        moved(10, 54, stuff_bar(each["stuff"], each["legal_up_to"], tuple(looks.items()))),
        pawns(lettering, crowd, 8, height - 38, width - 14 - (_BURST if each["war"] else 0)),
    ]
    if each["war"]:
        drawn.append(war_marker(width - _BURST - 6, height - 52, _BURST))
    return group(drawn)


def square(told: Speaker, each: Json, crowd: Sequence[Pawn], lettering: Lettering, pity: bool) -> Svg:
    """Return a media square: the Media power that it asks for, what a campaign earns there, who stands there."""
    name, (width, height) = each["id"], SQUARE
    looks = on_place(name)
    drawn = [
        *_plate(name, width, height, 34),
        icon(f"place-{name.lower()}", 9, 5, 21, looks),
        lettering("sq", name, 38, 23, looks, 0),
        numbered(lettering, "score-med", each["med"], _COLUMNS[2], 23, looks),
        numbered(
            lettering,
            "influence",
            PITY_CAMPAIGN_INFLUENCE if pity and name == PITY else CAMPAIGN_INFLUENCE,
            _COLUMNS[3],
            23,
            looks,
        ),
        lettering("name", told.name(name), 10, 45, looks, 196),
        pawns(lettering, crowd, 8, height - 20, width - 14),
    ]
    return group(drawn)


def lounge(told: Speaker, crowd: Sequence[Pawn], lettering: Lettering) -> Svg:
    """Return the Lounge and who rests there, in rows."""
    looks = on_place(LOUNGE)
    across = max(_ACROSS, -(-len(crowd) // _ROWS))
    rows = [crowd[at : at + across] for at in range(0, len(crowd), across)]
    drawn = [
        *_plate(LOUNGE, *TILE, 90),
        icon("place-vip", 9, 5, 21, looks),
        lettering("sq", LOUNGE, 38, 23, looks, 0),
        lettering("name", told.word("lounge"), 86, 22, looks, 120),
        *(pawns(lettering, each, 8, 48 + 29 * row, TILE[0] - 16) for row, each in enumerate(rows)),
    ]
    return group(drawn)


def _plate(name: str, width: float, height: float, tray: float) -> list[Svg]:
    """The printed edge, the colour of the place, and the tray on which pieces stand."""
    right, top, bottom = width - 3, height - 3 - tray, height - 3
    shape = (
        f"M3 {top:g}H{right:g}V{bottom - 7.5:g}A7.5 7.5 0 0 1 {right - 7.5:g} {bottom:g}"
        f"H10.5A7.5 7.5 0 0 1 3 {bottom - 7.5:g}Z"
    )
    box: Look = {"x": 3, "y": 3, "width": width - 6, "height": height - 6, "rx": 7.5}
    return [
        element("rect", width=width, height=height, rx=10, **EDGE),
        element("rect", **box, **place_fill(name)),
        element("path", d=shape, **TRAY),
    ]


# The pieces beside the board: piles and the event in force, the reader's hand and instructions, portfolios.


def zones(sight: Sight) -> Sequence[Zone]:
    """Return all zones that have something in them."""
    made = [
        _piles(sight),
        _event(sight),
        *_hand(sight),
        *_portfolios(sight),
        *_shown_hands(sight),
        *_instructions(sight),
    ]
    return [zone for zone in made if zone.pieces]


def portfolio_place(sight: Sight, seat: int, card: str) -> str:
    """Return the name of the place of a business in a portfolio; the reader's own goes by its id, as in notation."""
    return card if seat == sight.viewer else f"@{seat}-{card}"


def _piles(sight: Sight) -> Zone:
    told, view = speaker(sight), sight.view
    piles = (("cards", "card-back", view["cards"]), ("events", "event-back", view["events"]))
    pieces = [
        Piece(symbol=symbol, label=told.counted(f"pile.{name}", n), count=n, states=("back", "pile"))
        for name, symbol, n in piles
    ]
    if view["discards"]:
        last = view["discards"][-1]
        label = told.counted("pile.discards", len(view["discards"]), card=told.name(last))
        pieces.append(Piece(symbol=f"card-{last}", label=label, count=len(view["discards"]), states=("pile",)))
    return Zone(id="piles", title=told.word("piles"), owner="shared", pieces=tuple(pieces))


def _event(sight: Sight) -> Zone:
    """The event in force, and what lasts of it."""
    told, event = speaker(sight), sight.view["event"]
    pieces = () if event is None else tuple(Piece(symbol=icon, label=said) for icon, said in lasting(told, event))
    return Zone(id="event", title=told.word("event"), owner="shared", pieces=pieces)


def _shown_hands(sight: Sight) -> Iterator[Zone]:
    """Yield the hands of the others, which are shown when the game is over."""
    told = speaker(sight)
    for company in sight.view["companies"] if sight.outcome is not None else ():
        seat = company["seat"]
        if seat != sight.viewer:
            pieces = tuple(Piece(symbol=f"card-{card}", label=named(told, card)) for card in company["hand"] or ())
            title = told.word("hand-of", name=told.player(seat))
            yield Zone(id=f"hand-{seat}", title=title, owner="seat", pieces=pieces, seat=seat)


def _hand(sight: Sight) -> Iterator[Zone]:
    if sight.viewer is None or sight.view["own"] is None:
        return
    told, dropped = speaker(sight), sight.view["own"]["dropped"]
    pieces = tuple(
        Piece(symbol=f"card-{card}", label=named(told, card), place=card, states=("used",) if card in dropped else ())
        for card in sight.view["companies"][sight.viewer]["hand"] or ()
    )
    yield Zone(id="hand", title=told.word("hand"), owner="own", pieces=pieces)


def _portfolios(sight: Sight) -> Iterator[Zone]:
    told = speaker(sight)
    for company in sight.view["companies"]:
        seat = company["seat"]
        mine = seat == sight.viewer
        title = told.word("own-portfolio") if mine else told.word("portfolio", name=told.player(seat))
        pieces = tuple(_folder(sight, told, seat, each) for each in company["portfolio"])
        yield Zone(id=f"portfolio-{seat}", title=title, owner="own" if mine else "seat", pieces=pieces, seat=seat)


def _folder(sight: Sight, told: Speaker, seat: int, folder: Json) -> Piece:
    card, place = folder["card"], portfolio_place(sight, seat, folder["card"])
    label = named(told, card)
    if not folder["turned"]:
        return Piece(symbol=f"card-{card}", label=label, place=place)
    return Piece(symbol=f"card-{card}", label=told.word("turned", card=label), place=place, states=("rotated", "used"))


def _instructions(sight: Sight) -> Iterator[Zone]:
    own = sight.view["own"]
    if own is None or sight.viewer is None or sight.outcome is not None:
        return
    told = speaker(sight)
    now = {**own, "venture": sight.view["companies"][sight.viewer]["venture"]}
    icons = {"guard": "icon-fight", "watch": "place-nws", "venture": "icon-invite"}
    pieces = tuple(Piece(symbol=icons[each], label=told.word(f"set.{each}.{now[each]}")) for each in SETTINGS)
    yield Zone(id="instructions", title=told.word("instructions"), owner="own", pieces=pieces)
