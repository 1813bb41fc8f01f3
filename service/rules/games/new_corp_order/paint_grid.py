"""The grid of companies as a picture, with the names of its columns and rows."""

from __future__ import annotations

from collections.abc import Collection

from service.rules.games.new_corp_order.grid import COLUMNS
from service.rules.games.new_corp_order.paint_icons import ICON, icon, star
from service.rules.games.new_corp_order.paint_look import look
from service.rules.games.new_corp_order.paint_pieces import agents
from service.rules.games.new_corp_order.terms import COLOURS
from service.rules.games.new_corp_order.words.voice import Voice
from service.rules.kernel import Json
from service.rules.lettering import width_of, wrapped
from service.rules.svg import BOLD, Look, Part, Svg, element, group, line_of, moved, place

LEFT, TOP = 26.0, 24.0
WIDTH, HEIGHT, GAP = 149.0, 106.0, 5.0
HEAD = 32.0
NAME_SIZES = (17.0, 16.0, 15.0, 14.0, 13.0)


def grid(voice: Voice, view: Json, scored: Collection[str]) -> Part:
    """Return the grid; companies of the types scored have a star, the company just taken over a frame."""
    marked = view["turn"]["taken_over"] if view["turn"]["phase"] == "ability" else None
    rows = view["grid"]["rows"]
    drawn = [_labels(voice, view, rows)]
    for company in view["grid"]["companies"]:
        x, y = _corner(company["square"])
        square = company["square"]
        parts = [_tile(voice, company, company["type"] in scored), *([_frame()] if square == marked else [])]
        drawn.append(moved(x, y, place(square, _told(voice, company), *parts)))
    return Part(group(drawn), TOP + rows * (HEIGHT + GAP) - GAP)


def _corner(square: str) -> tuple[float, float]:
    return LEFT + COLUMNS.index(square[0]) * (WIDTH + GAP), TOP + (int(square[1:]) - 1) * (HEIGHT + GAP)


def _labels(voice: Voice, view: Json, rows: int) -> Svg:
    columns = [line_of(name, _corner(f"{name}1")[0] + WIDTH / 2, 17, size=16, looks=BOLD) for name in COLUMNS]
    numbers = [
        line_of(str(row), LEFT / 2, _corner(f"A{row}")[1] + HEIGHT / 2 + 6, size=16, looks=BOLD)
        for row in range(1, rows + 1)
    ]
    marker = [_marker(voice, view["solo"]["marker"])] if view["solo"] else []
    return group([group([*columns, *numbers], text_anchor="middle", **look("faint")), *marker])


def _marker(voice: Voice, column: str) -> Svg:
    x = _corner(f"{column}1")[0] + WIDTH / 2 + 18
    cube = element("rect", x=x, y=3, width=16, height=16, rx=2, **look("ods", "outline"))
    return group([cube, line_of(voice.language.ods, x + 21, 17, size=14, looks=BOLD | look("ink"))])


def _tile(voice: Voice, company: Json, scored: bool) -> Svg:
    colour, number = company["colour"], company["agents"]
    on = look(f"on-{colour}")
    head = f"M0 {HEAD:g}V6A6 6 0 0 1 6 0H{WIDTH - 6:g}A6 6 0 0 1 {WIDTH:g} 6V{HEAD:g}Z"
    kind = voice.language.short_types[company["type"]]
    return group(
        [
            element("rect", width=WIDTH, height=HEIGHT, rx=6, **look(f"tint-{colour}")),
            element("path", d=head, **look(f"conglomerate-{colour}")),
            element("rect", width=WIDTH, height=HEIGHT, rx=6, fill="none", stroke_width=1.5, **look("outline")),
            element("path", d=f"M0 {HEAD:g}H{WIDTH:g}", **look("outline")),
            line_of(company["square"], 8, 22, size=17, looks=BOLD | on),
            line_of(kind, 39, 21.5, size=13, width=WIDTH - 39 - ICON - 10, looks=on),
            icon(company["type"], WIDTH - ICON - 6, 4, f"on-{colour}"),
            _name(company["name"]),
            line_of(str(number), 9, HEIGHT - 9, size=20, looks=BOLD | look("ink")),
            agents(
                colour, number, 12 + width_of(str(number), 20, True), HEIGHT - 16, WIDTH - 64 if scored else WIDTH - 40
            ),
            *([star(WIDTH - 16, HEIGHT - 16, 11)] if scored else []),
        ]
    )


def _name(name: str) -> Svg:
    """A company's whole name, in two lines where it has to be."""
    room = WIDTH - 14
    for size in NAME_SIZES:
        lines = list(wrapped(name, room, size))
        if len(lines) <= 2 and all(width_of(line, size) <= room for line in lines):
            break
    first = 59.0 if len(lines) == 1 else 50.0
    ink: Look = look("ink")
    return group(line_of(line, 8, first + 18 * row, size=size, width=room, looks=ink) for row, line in enumerate(lines))


def _frame() -> Svg:
    return element(
        "rect", x=-2, y=-2, width=WIDTH + 4, height=HEIGHT + 4, rx=8, fill="none", stroke_width=4, **look("marked")
    )


def _told(voice: Voice, company: Json) -> str:
    held = voice.coloured("agents-listed", company["agents"], company["colour"])
    what = f"{company['name']} ({voice.type(company['type'])}), {held}"
    return voice.phrase("held-by", name=company["square"], what=what)


def control(view: Json) -> dict[str, int]:
    """Return how many companies each colour controls."""
    held = [company["colour"] for company in view["grid"]["companies"]]
    return {colour: held.count(colour) for colour in COLOURS}
