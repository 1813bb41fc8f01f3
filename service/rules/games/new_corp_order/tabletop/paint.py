"""Paint the table as an SVG picture for a mail or a page, from a view alone (classes: README.md)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache

from service.rules.games.new_corp_order.grid import COLUMNS
from service.rules.games.new_corp_order.notation import COLOUR_LETTERS, CONSULTANT_LETTERS, DECK
from service.rules.games.new_corp_order.tabletop.draw import (
    LONGEST_NAME,
    caption,
    final_round,
    label,
    listener,
    named,
    objectives,
    state_of_play,
)
from service.rules.games.new_corp_order.tabletop.symbols import ICON, STAR, drawing
from service.rules.games.new_corp_order.terms import ALL_CONSULTANTS, COLOURS, SLOTS, Colour, CompanyType, Consultant
from service.rules.games.new_corp_order.words.language import Voice, fill, of_colour
from service.rules.kernel import Json
from service.rules.svg import (
    BOLD,
    Look,
    PicturePart,
    Svg,
    element,
    flowing,
    group,
    line_of,
    moved,
    picture,
    place,
    stacked,
)
from service.rules.text_width import width_of, wrapped

LEGIBLE = 18.5
"""The size of text that has to be readable: 11 pixels on a screen of 360 pixels, where the picture has 600 units."""

_FILLS = {
    "paper": "#f4f0e6",
    "panel": "#fffdf7",
    "ink": "#1d1d1b",
    "faint": "#5a5548",
    "mark": "#a34a00",
    "ods": "#6a6a6a",
    "conglomerate-red": "#b3202c",
    "conglomerate-black": "#2b2b2e",
    "conglomerate-blue": "#1f5fae",
    "conglomerate-white": "#ffffff",
    "tint-red": "#f8dcd8",
    "tint-black": "#d6d4d0",
    "tint-blue": "#d6e5f7",
    "tint-white": "#fdfcf8",
    "on-red": "#ffffff",
    "on-black": "#ffffff",
    "on-blue": "#ffffff",
    "on-white": "#1d1d1b",
}
_STROKES = {"outline": "#1d1d1b", "edge": "#fffdf7", "line": "#b5ac98", "marked": "#a34a00"}


@cache
def _look(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    written = {"class_": " ".join(names)}
    for name in names:
        if name in _FILLS:
            written["fill"] = _FILLS[name]
        else:
            written["stroke"] = _STROKES[name]
    return tuple(written.items())


def coloured(colour: str) -> Look:
    """Return the attributes of a thing in a conglomerate's colour, with an outline visible on the same colour."""
    return look(f"conglomerate-{colour}", "edge" if colour == "black" else "outline")


def look(*names: str) -> Look:
    """Return the attributes of looks: one that fills, one that is a line, or both."""
    return dict(_look(names))


# Agents, cards and consultants: each conglomerate has its own shape besides its colour.

MIDDLE: Look = {"text_anchor": "middle"}
END: Look = {"text_anchor": "end"}
CRISP: Look = {"shape_rendering": "crispEdges"}
CARD_SIZE = (46.0, 58.0)
"""Width and height of a card that lies open."""
BADGE_SIZE = 23.0
MOST_AGENTS_DRAWN = 8
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
    drawn = min(number, MOST_AGENTS_DRAWN)
    step = min(21, (width - 20) / max(1, drawn - 1))
    return group((agent(colour, x + 10 + step * place, y) for place in range(drawn)), stroke_width=1.2)


def card(colour: Colour) -> Svg:
    """Return an open card: the conglomerate's colour, shape and letter."""
    width, height = CARD_SIZE
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
    width, height = CARD_SIZE
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
    square = element("rect", width=BADGE_SIZE, height=BADGE_SIZE, **CRISP, **look("ink"))
    letter = line_of(
        CONSULTANT_LETTERS[consultant], BADGE_SIZE / 2, 18, size=LEGIBLE, looks=BOLD | MIDDLE | look("paper")
    )
    return group([square, letter])


def consultant_named(consultant: Consultant, name: str, number: int, width: float) -> tuple[Svg, float]:
    """Return a consultant's letter, name and number, and how wide that is; at most `width`."""
    text = name if number == 1 else f"{number} × {name}"
    room = width - BADGE_SIZE - 6
    line = line_of(text, BADGE_SIZE + 6, 18, size=LEGIBLE, width=room, looks=look("ink"))
    return group([badge(consultant), line]), BADGE_SIZE + 6 + min(room, width_of(text, LEGIBLE))


def _face(looks: Look) -> Svg:
    width, height = CARD_SIZE
    return element("rect", width=width, height=height, **CRISP, **looks)


def icon(kind: CompanyType, x: float, y: float, colours: str, size: float = ICON) -> Svg:
    """Return a type's drawing with its upper left corner there."""
    scale = "" if size == ICON else f" scale({size / ICON:g})"
    return element(
        "path", d=drawing(kind), transform=f"translate({x:g} {y:g}){scale}", fill_rule="evenodd", **look(colours)
    )


def star(x: float, y: float, radius: float) -> Svg:
    """Return the star of an objective around a point."""
    return element("path", d=STAR, transform=f"translate({x:g} {y:g}) scale({radius:g})", **look("mark"))


# The whole picture.

PICTURE_WIDTH = 584.0
PART_GAP = 12.0
LINE_HEIGHT = 24.0


def paint(view: Json, language: str, names: Sequence[str]) -> str:
    """Return what a view shows as SVG: state of play, grid, cards, own hand, HQs; 600 units wide, as high as it takes.

    `names` are the players' display names by seat. All that the notation names is a group of class `square` whose
    `data-place` is that name: a company, a display slot, the deck, an HQ.
    """
    voice = listener(view, language, names)
    whole = stacked(
        [
            _state_of_play(voice, view),
            _grid(voice, view, objectives(view) or ()),
            _display_and_supply(voice, view),
            _hand_and_objectives(voice, view),
            _hqs(voice, view),
        ],
        PART_GAP,
    )
    paper = element("rect", x=-8, y=-8, width=PICTURE_WIDTH + 16, height=whole.height + 16, **CRISP, **look("paper"))
    return picture(caption(view, language, names), (-8, -8, PICTURE_WIDTH + 16, whole.height + 16), paper, whole.svg)


def _state_of_play(voice: Voice, view: Json) -> PicturePart:
    final = final_round(voice, view)
    drawn, y = [], 0.0
    for sentence in state_of_play(voice, view)[: 1 if view["result"] else None]:
        heavy = view["result"] is not None or sentence == final
        looks = BOLD | look("mark") if heavy else look("ink")
        for line in wrapped(sentence, PICTURE_WIDTH, LEGIBLE, heavy):
            y += LINE_HEIGHT
            drawn.append(line_of(line, 0, y - 5, size=LEGIBLE, looks=looks))
    return PicturePart(group(drawn), y)


# The grid, with the names of its columns and rows.

GRID_LEFT, GRID_TOP = 24.0, 23.0
TILE_WIDTH, TILE_HEIGHT, TILE_GAP = 137.0, 124.0, 4.0
TILE_HEAD = 31.0
NAME_SIZES = (LEGIBLE, 17.0, 16.0, 15.0, 14.0, 13.0)
SPACES = re.compile(" ")
BREAKS = re.compile(r" |(?<=[a-z])(?=[A-Z])")
"""Places at which a name may continue on a second line; within a word only if it would be too small otherwise."""


def _grid(voice: Voice, view: Json, scored: Collection[str]) -> PicturePart:
    """Return the grid; companies of the types scored have a star, the company just taken over a frame."""
    marked = view["turn"]["taken_over"] if view["turn"]["phase"] == "ability" else None
    rows = view["grid"]["rows"]
    drawn = [_labels(voice, view, rows)]
    # The frame overlaps the companies around it, so the company that has it is drawn last.
    for company in sorted(view["grid"]["companies"], key=lambda each: each["square"] == marked):
        x, y = _corner(company["square"])
        square = company["square"]
        parts = [_tile(voice, company, company["type"] in scored), *([_tile_frame()] if square == marked else [])]
        drawn.append(moved(x, y, place(square, _tile_label(voice, company), *parts)))
    return PicturePart(group(drawn), GRID_TOP + rows * (TILE_HEIGHT + TILE_GAP) - TILE_GAP)


def _corner(square: str) -> tuple[float, float]:
    return GRID_LEFT + COLUMNS.index(square[0]) * (TILE_WIDTH + TILE_GAP), GRID_TOP + (int(square[1:]) - 1) * (
        TILE_HEIGHT + TILE_GAP
    )


def _labels(voice: Voice, view: Json, rows: int) -> Svg:
    columns = [line_of(name, _corner(f"{name}1")[0] + TILE_WIDTH / 2, 17, size=LEGIBLE, looks=BOLD) for name in COLUMNS]
    numbers = [
        line_of(str(row), GRID_LEFT / 2, _corner(f"A{row}")[1] + TILE_HEIGHT / 2 + 6, size=LEGIBLE, looks=BOLD)
        for row in range(1, rows + 1)
    ]
    marker = [_marker(voice, view["solo"]["marker"])] if view["solo"] else []
    return group([group([*columns, *numbers], text_anchor="middle", **look("faint")), *marker])


def _marker(voice: Voice, column: str) -> Svg:
    middle = _corner(f"{column}1")[0] + TILE_WIDTH / 2
    # Behind the last column's name the word would reach over the edge of the picture.
    cube_x, word_x, anchor = (middle - 27, -30, "end") if column == COLUMNS[-1] else (middle + 12, 30, "start")
    cube = element("rect", x=cube_x, y=3, width=15, height=15, rx=2, **look("ods", "outline"))
    looks = BOLD | look("ink") | {"text_anchor": anchor}
    return group([cube, line_of(voice.language.ods, middle + word_x, 17, size=LEGIBLE, looks=looks)])


def _tile(voice: Voice, company: Json, scored: bool) -> Svg:
    colour, number = company["colour"], company["agents"]
    on = look(f"on-{colour}")
    kind = voice.language.short_types[company["type"]]
    return group(
        [
            *_tile_box(colour),
            line_of(company["square"], 7, 22, size=LEGIBLE, looks=BOLD | on),
            line_of(kind, 8, 50, size=LEGIBLE, width=TILE_WIDTH - 14, looks=BOLD | look("ink")),
            icon(company["type"], TILE_WIDTH - ICON - 5, 3.5, f"on-{colour}"),
            _company_name(company["name"]),
            *_tile_agents(colour, number, TILE_WIDTH - 32 if scored else TILE_WIDTH - 8),
            *([star(TILE_WIDTH - 16, TILE_HEIGHT - 16, 11)] if scored else []),
        ]
    )


def _tile_agents(colour: Colour, number: int, end: float) -> list[Svg]:
    """Return the number of agents, and the agents, up to `end`."""
    begin = 14 + width_of(str(number), 20, bold=True)
    count = line_of(str(number), 9, TILE_HEIGHT - 8, size=20, looks=BOLD | look("ink"))
    return [count, agents(colour, number, begin, TILE_HEIGHT - 16, end - begin)]


def _tile_box(colour: str) -> list[Svg]:
    lines = f"M0 0H{TILE_WIDTH:g}V{TILE_HEIGHT:g}H0ZM0 {TILE_HEAD:g}H{TILE_WIDTH:g}"
    return [
        element("rect", width=TILE_WIDTH, height=TILE_HEIGHT, **CRISP, **look(f"tint-{colour}")),
        element("rect", width=TILE_WIDTH, height=TILE_HEAD, **CRISP, **look(f"conglomerate-{colour}")),
        element("path", d=lines, fill="none", stroke_width=2, **CRISP, **look("outline")),
    ]


def _company_name(name: str) -> Svg:
    """A company's whole name, in two lines where it has to be."""
    room = TILE_WIDTH - 14
    size, lines = next(
        (size, lines)
        for breaks, sizes in ((SPACES, NAME_SIZES[:-2]), (BREAKS, NAME_SIZES))
        for size in sizes
        for lines in _name_lines(name, breaks)
        if size == NAME_SIZES[-1] or all(width_of(line, size) <= room for line in lines)
    )
    first = 77.0 if len(lines) == 1 else 70.0
    ink: Look = look("ink")
    return group(line_of(line, 8, first + 17 * row, size=size, width=room, looks=ink) for row, line in enumerate(lines))


def _name_lines(name: str, breaks: re.Pattern[str]) -> list[list[str]]:
    """A name in one line and in two, the fullest first line first."""
    twice = [[name[: each.start()], name[each.end() :]] for each in breaks.finditer(name)]
    return [[name], *reversed(twice)]


def _tile_frame() -> Svg:
    looks = CRISP | look("marked")
    return element(
        "rect", x=-3, y=-3, width=TILE_WIDTH + 6, height=TILE_HEIGHT + 6, fill="none", stroke_width=5, **looks
    )


def _tile_label(voice: Voice, company: Json) -> str:
    held = voice.coloured("agents-listed", company["agents"], company["colour"])
    what = f"{company['name']} ({voice.type(company['type'])}), {held}"
    return voice.phrase("held-by", name=company["square"], what=what)


# Beside the grid: display, deck, supply, and the viewer's hand.

HEADING_HEIGHT = 24.0
CARD_STEP = 50.0
ASIDE_LEFT = 316.0
"""Left edge of the right-hand part of a row."""
ASIDE_WIDTH = 268.0


def _heading(text: str, width: float = 0) -> Svg:
    """Return the heading of a part of the table."""
    return line_of(text.replace("(*)", "★"), 0, 16, size=LEGIBLE, width=width, looks=BOLD | look("faint"))


def _display_and_supply(voice: Voice, view: Json) -> PicturePart:
    """Return display and deck, and beside them the supply."""
    supply = _supply(voice, view)
    drawn = group([*_display(voice, view["display"]), _deck(voice, view["deck"]), moved(ASIDE_LEFT, 0, supply.svg)])
    return PicturePart(drawn, max(HEADING_HEIGHT + CARD_SIZE[1] + 22, supply.height))


def _hand_and_objectives(voice: Voice, view: Json) -> PicturePart:
    """Return the viewer's hand and objectives; alone, the objectives of both sides."""
    solo, you = view["solo"], view["you"]
    if solo is not None:
        return _shared_objectives(voice, solo["objectives"])
    if you is None:
        return PicturePart(Svg(), 0)
    held = of_colour(you["hand"])
    step = min(CARD_STEP - 3, (ASIDE_LEFT - 20 - CARD_SIZE[0]) / max(1, len(held) - 1))
    hand = (moved(number * step, HEADING_HEIGHT, card(colour)) for number, colour in enumerate(held))
    objectives = [_objective(voice, kind, HEADING_HEIGHT + 30 * row) for row, kind in enumerate(you["objectives"])]
    aside = [_heading(label(voice, "objectives"), width=ASIDE_WIDTH), *objectives]
    return PicturePart(
        group([_heading(label(voice, "hand")), *hand, moved(ASIDE_LEFT, 0, *aside)]), HEADING_HEIGHT + CARD_SIZE[1]
    )


def _display(voice: Voice, display: Sequence[Colour | None] | None) -> Iterable[Svg]:
    yield _heading(label(voice, "display"), width=3 * CARD_STEP)
    if display is None:
        yield line_of(label(voice, "hidden"), 0, 44, size=LEGIBLE, width=5 * CARD_STEP, looks=look("ink"))
    for number, (slot, colour) in enumerate(zip(SLOTS, display or (), strict=False)):
        told = voice.phrase(
            "held-by", name=f"{label(voice, 'display')} {slot}", what=voice.colour(colour) if colour else "–"
        )
        what = card(colour) if colour else card_gap()
        yield moved(number * CARD_STEP, HEADING_HEIGHT, place(slot, told, what, _below(slot)))


def _deck(voice: Voice, size: int) -> Svg:
    count = line_of(str(size), CARD_SIZE[0] / 2, 40, size=20, looks=BOLD | MIDDLE | look("on-black"))
    told = voice.phrase("held-by", name=label(voice, "deck"), what=voice.number("cards", size))
    # The title ends where the deck ends: on its left there is room.
    title = line_of(
        label(voice, "deck"), CARD_SIZE[0], 16, size=LEGIBLE, width=2.5 * CARD_STEP, looks=BOLD | END | look("faint")
    )
    pile = moved(
        0,
        HEADING_HEIGHT,
        place(DECK, told, card_back() if size else card_gap(), *([count] if size else []), _below(DECK)),
    )
    return moved(5 * CARD_STEP + 8, 0, title, pile)


def _below(name: str) -> Svg:
    return line_of(name, CARD_SIZE[0] / 2, CARD_SIZE[1] + 18, size=LEGIBLE, looks=BOLD | MIDDLE | look("ink"))


def _supply(voice: Voice, view: Json) -> PicturePart:
    supply = view["supply"]
    agents = (
        moved(67 * n, HEADING_HEIGHT, stock(colour, supply["agents"][colour])) for n, colour in enumerate(COLOURS)
    )
    held = [] if view["solo"] else [each for each in ALL_CONSULTANTS if supply["consultants"].get(each)]
    consultants = [
        moved(
            0,
            HEADING_HEIGHT + 40 + 26 * row,
            consultant_named(each, voice.consultant(each), supply["consultants"][each], ASIDE_WIDTH)[0],
        )
        for row, each in enumerate(held)
    ]
    drawn = group([_heading(label(voice, "supply"), width=ASIDE_WIDTH), *agents, *consultants])
    return PicturePart(drawn, HEADING_HEIGHT + 36 + 26 * len(held))


def _objective(voice: Voice, kind: CompanyType, y: float) -> Svg:
    name = line_of(voice.type(kind), 32, 19, size=LEGIBLE, width=ASIDE_WIDTH - 34, looks=look("ink"))
    return moved(0, y, icon(kind, 0, 0, "ink"), name)


def _shared_objectives(voice: Voice, kinds: Sequence[CompanyType] | None) -> PicturePart:
    title = _heading(label(voice, "shared-objectives"))
    if kinds is None:
        return PicturePart(group([title, line_of(label(voice, "hidden"), 0, 44, size=LEGIBLE, looks=look("ink"))]), 50)
    listed = flowing([_objective_named(voice, kind) for kind in kinds], PICTURE_WIDTH, 28, 16)
    return PicturePart(group([title, moved(0, HEADING_HEIGHT, listed.svg)]), HEADING_HEIGHT + listed.height)


def _objective_named(voice: Voice, kind: CompanyType) -> tuple[Svg, float]:
    """Return an objective as a small drawing with its name, and how wide that is."""
    name = voice.type(kind)
    drawn = group([icon(kind, 0, 0, "ink", 22), line_of(name, 28, 17, size=LEGIBLE, looks=look("ink"))])
    return drawn, 28 + width_of(name, LEGIBLE)


# The HQs: cards, rotated cards, agents and consultants of each player, and at the end their points.

HQ_WIDTH = 287.0
HQ_GAP = 10.0
HQ_PADDING = 10.0
PILE_STEP = 66.0
HQ_TITLE = 46.0
SMALLEST_NAME_SIZE = 15.0
"""A name is shortened before it gets smaller than this."""
SHORTEST_NAME = 4
CARDS_HEIGHT, PILES_HEIGHT = 46.0, 76.0
"""Heights of cards, and of cards with agents below them."""


def _hqs(voice: Voice, view: Json) -> PicturePart:
    """Return all HQs, two beside each other."""
    players = view["players"]
    return stacked((_hq_row(voice, view, players[start : start + 2]) for start in range(0, len(players), 2)), HQ_GAP)


def _hq_row(voice: Voice, view: Json, players: Sequence[Json]) -> PicturePart:
    piles = PILES_HEIGHT if any(sum(player["hq"]["agents"].values()) for player in players) else CARDS_HEIGHT
    inside = [_hq_content(voice, view, player, piles) for player in players]
    height = max(part.height for part in inside) + HQ_PADDING
    drawn = []
    for column, (player, part) in enumerate(zip(players, inside, strict=True)):
        title = named(voice, player["seat"])
        hq = place(f"@{player['seat']}", title, _hq_panel(view, player["seat"], height), part.svg)
        drawn.append(moved(column * (HQ_WIDTH + HQ_GAP), 0, hq))
    return PicturePart(group(drawn), height)


def _hq_panel(view: Json, seat: int, height: float) -> Svg:
    result = view["result"]
    ahead = _is_due(view, seat) or (result is not None and seat in result["winners"])
    line: Look = {"stroke_width": 3, **look("panel", "marked")} if ahead else look("panel", "line")
    return element("rect", width=HQ_WIDTH, height=height, **CRISP, **line)


def _is_due(view: Json, seat: int) -> bool:
    return view["result"] is None and view["turn"]["seat"] == seat


def _hq_content(voice: Voice, view: Json, player: Json, piles: float) -> PicturePart:
    hq = player["hq"]
    lying = (
        moved(HQ_PADDING + number * PILE_STEP, HQ_TITLE, _hq_piles(colour, hq)) for number, colour in enumerate(COLOURS)
    )
    drawn = [*_hq_title(voice, view, player["seat"], player["hand"]), *lying]
    height = HQ_TITLE + piles
    for items in (_hq_consultants(voice, view, hq), _hq_objectives(voice, view, player)):
        flow = flowing(items, HQ_WIDTH - 2 * HQ_PADDING, 28, 12)
        drawn.append(moved(HQ_PADDING, height, flow.svg))
        height += flow.height
    return PicturePart(group(drawn), height)


def _hq_title(voice: Voice, view: Json, seat: int, hand: int) -> list[Svg]:
    due = [element("path", d="M10 11L21 17.5L10 24Z", **look("mark"))] if _is_due(view, seat) else []
    x = 27 if due else HQ_PADDING
    aside, wide = _title_aside(voice, view, seat, hand)
    room = HQ_WIDTH - HQ_PADDING - x - wide - 8
    names = (f"@{seat} {named(voice, seat, longest)}" for longest in range(LONGEST_NAME, SHORTEST_NAME, -1))
    name = next(
        (each for each in names if width_of(each, SMALLEST_NAME_SIZE) <= room),
        f"@{seat} {named(voice, seat, SHORTEST_NAME)}",
    )
    looks = BOLD | look("ink") if width_of(name, LEGIBLE, bold=True) <= room else look("ink")
    return [
        *due,
        line_of(name, x, 23, size=LEGIBLE, width=room, looks=looks),
        moved(HQ_WIDTH - HQ_PADDING - wide, 0, aside),
    ]


def _title_aside(voice: Voice, view: Json, seat: int, hand: int) -> tuple[Svg, float]:
    """Return the right end of a title, and its width: points, the colours played, or the cards in the hand."""
    if view["result"] is not None:
        points = fill(label(voice, "short-points"), {"points": view["result"]["scores"][seat]})
        wide = width_of(points, LEGIBLE, bold=True)
        return line_of(points, wide, 23, size=LEGIBLE, looks=BOLD | END | look("ink")), wide
    if view["solo"] is None:
        return moved(0, 6, hand_of(hand)), 42
    colours = (view["solo"]["colours"] or ((), ()))[seat]
    return group(agent(colour, 10 + 26 * number, 17.5, 9) for number, colour in enumerate(colours)), 46


def _hq_piles(colour: Colour, hq: Json) -> Svg:
    cards, rotated, agents = (hq[kind][colour] for kind in ("cards", "rotated", "agents"))
    drawn = [pile(colour, cards, rotated=False)] if cards else []
    if rotated:
        drawn.append(moved(31, 11, pile(colour, rotated, rotated=True)))
    if agents:
        drawn.append(agent(colour, 12, 52, 9))
        drawn.append(line_of(str(agents), 28, 58, size=LEGIBLE, looks=BOLD | look("ink")))
    return group(drawn)


def _hq_consultants(voice: Voice, view: Json, hq: Json) -> list[tuple[Svg, float]]:
    held = [] if view["solo"] else [each for each in ALL_CONSULTANTS if hq["consultants"].get(each)]
    return [
        consultant_named(each, voice.consultant(each), hq["consultants"][each], HQ_WIDTH - 2 * HQ_PADDING)
        for each in held
    ]


def _hq_objectives(voice: Voice, view: Json, player: Json) -> list[tuple[Svg, float]]:
    known = player["objectives"]
    hidden = view["solo"] or known is None or player["seat"] == voice.viewer
    return [] if hidden else [_objective_named(voice, kind) for kind in known]
