"""The grid of companies as a picture, with the names of its columns and rows."""

from __future__ import annotations

import re
from collections.abc import Collection

from service.rules.games.new_corp_order.grid import COLUMNS
from service.rules.games.new_corp_order.paint_icons import ICON, icon, star
from service.rules.games.new_corp_order.paint_look import LEGIBLE, look
from service.rules.games.new_corp_order.paint_pieces import CRISP, agents
from service.rules.games.new_corp_order.terms import COLOURS, Colour
from service.rules.games.new_corp_order.words.voice import Voice
from service.rules.kernel import Json
from service.rules.lettering import width_of
from service.rules.svg import BOLD, Look, PicturePart, Svg, element, group, line_of, moved, place

LEFT, TOP = 24.0, 23.0
WIDTH, HEIGHT, GAP = 137.0, 124.0, 4.0
HEAD = 31.0
NAME_SIZES = (LEGIBLE, 17.0, 16.0, 15.0, 14.0, 13.0)
SPACES = re.compile(" ")
BREAKS = re.compile(r" |(?<=[a-z])(?=[A-Z])")
"""Where a name may continue on a second line; within a word only if it would be too small to read otherwise."""


def grid(voice: Voice, view: Json, scored: Collection[str]) -> PicturePart:
    """Return the grid; companies of the types scored have a star, the company just taken over a frame."""
    marked = view["turn"]["taken_over"] if view["turn"]["phase"] == "ability" else None
    rows = view["grid"]["rows"]
    drawn = [_labels(voice, view, rows)]
    # The frame overlaps the companies around it, so the company that has it is drawn last.
    for company in sorted(view["grid"]["companies"], key=lambda each: each["square"] == marked):
        x, y = _corner(company["square"])
        square = company["square"]
        parts = [_tile(voice, company, company["type"] in scored), *([_frame()] if square == marked else [])]
        drawn.append(moved(x, y, place(square, _told(voice, company), *parts)))
    return PicturePart(group(drawn), TOP + rows * (HEIGHT + GAP) - GAP)


def _corner(square: str) -> tuple[float, float]:
    return LEFT + COLUMNS.index(square[0]) * (WIDTH + GAP), TOP + (int(square[1:]) - 1) * (HEIGHT + GAP)


def _labels(voice: Voice, view: Json, rows: int) -> Svg:
    columns = [line_of(name, _corner(f"{name}1")[0] + WIDTH / 2, 17, size=LEGIBLE, looks=BOLD) for name in COLUMNS]
    numbers = [
        line_of(str(row), LEFT / 2, _corner(f"A{row}")[1] + HEIGHT / 2 + 6, size=LEGIBLE, looks=BOLD)
        for row in range(1, rows + 1)
    ]
    marker = [_marker(voice, view["solo"]["marker"])] if view["solo"] else []
    return group([group([*columns, *numbers], text_anchor="middle", **look("faint")), *marker])


def _marker(voice: Voice, column: str) -> Svg:
    middle = _corner(f"{column}1")[0] + WIDTH / 2
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
            *_box(colour),
            line_of(company["square"], 7, 22, size=LEGIBLE, looks=BOLD | on),
            line_of(kind, 8, 50, size=LEGIBLE, width=WIDTH - 14, looks=BOLD | look("ink")),
            icon(company["type"], WIDTH - ICON - 5, 3.5, f"on-{colour}"),
            _name(company["name"]),
            *_held(colour, number, WIDTH - 32 if scored else WIDTH - 8),
            *([star(WIDTH - 16, HEIGHT - 16, 11)] if scored else []),
        ]
    )


def _held(colour: Colour, number: int, end: float) -> list[Svg]:
    """How many agents there are, and the agents, up to `end`."""
    begin = 14 + width_of(str(number), 20, bold=True)
    count = line_of(str(number), 9, HEIGHT - 8, size=20, looks=BOLD | look("ink"))
    return [count, agents(colour, number, begin, HEIGHT - 16, end - begin)]


def _box(colour: str) -> list[Svg]:
    lines = f"M0 0H{WIDTH:g}V{HEIGHT:g}H0ZM0 {HEAD:g}H{WIDTH:g}"
    return [
        element("rect", width=WIDTH, height=HEIGHT, **CRISP, **look(f"tint-{colour}")),
        element("rect", width=WIDTH, height=HEAD, **CRISP, **look(f"conglomerate-{colour}")),
        element("path", d=lines, fill="none", stroke_width=2, **CRISP, **look("outline")),
    ]


def _name(name: str) -> Svg:
    """A company's whole name, in two lines where it has to be."""
    room = WIDTH - 14
    size, lines = next(
        (size, lines)
        for breaks, sizes in ((SPACES, NAME_SIZES[:-2]), (BREAKS, NAME_SIZES))
        for size in sizes
        for lines in _lines(name, breaks)
        if size == NAME_SIZES[-1] or all(width_of(line, size) <= room for line in lines)
    )
    first = 77.0 if len(lines) == 1 else 70.0
    ink: Look = look("ink")
    return group(line_of(line, 8, first + 17 * row, size=size, width=room, looks=ink) for row, line in enumerate(lines))


def _lines(name: str, breaks: re.Pattern[str]) -> list[list[str]]:
    """A name in one line and in two, the fullest first line first."""
    twice = [[name[: each.start()], name[each.end() :]] for each in breaks.finditer(name)]
    return [[name], *reversed(twice)]


def _frame() -> Svg:
    looks = CRISP | look("marked")
    return element("rect", x=-3, y=-3, width=WIDTH + 6, height=HEIGHT + 6, fill="none", stroke_width=5, **looks)


def _told(voice: Voice, company: Json) -> str:
    held = voice.coloured("agents-listed", company["agents"], company["colour"])
    what = f"{company['name']} ({voice.type(company['type'])}), {held}"
    return voice.phrase("held-by", name=company["square"], what=what)


def control(view: Json) -> dict[str, int]:
    """Return how many companies each colour controls."""
    held = [company["colour"] for company in view["grid"]["companies"]]
    return {colour: held.count(colour) for colour in COLOURS}
