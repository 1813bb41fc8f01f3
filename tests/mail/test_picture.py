"""Pictures in mails: drawing, marks of what has changed, one picture for all readers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from io import BytesIO
from unicodedata import normalize

import pytest
import resvg_py
from PIL import Image, ImageChops, ImageDraw, ImageFont

from service.mail import compose, game_blocks
from service.mail.blocks import BoardPicture
from service.mail.compose import Addressee, address_game_mail
from service.mail.game_blocks import first_board
from service.mail.picture import BOLD, REGULAR, png
from service.mail.play import recap_blocks
from service.rules.games.new_corp_order.terms import NAMES
from service.rules.games.new_corp_order.words import LANGUAGES
from service.rules.table_parts import Mark
from service.rules.tabletop.drawing import small_look
from service.rules.tabletop.picture import MARGIN, NumberedMark, board_picture
from service.rules.text_width import width_of
from tests.games.sealed_bids.words import TEXTS
from tests.rules.playouts import RULESETS, names_of, random_game
from tests.sample_games import GAME, STAMP, Sample, later
from tests.sample_games import LANGUAGES as SAMPLE_LANGUAGES

NOWHERE = "\uffff"
"""A character that no font has: what is drawn for it is drawn for all that are missing."""


@cache
def font(path: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, 40, layout_engine=ImageFont.Layout.BASIC)


def opened(picture: bytes) -> Image.Image:
    image = Image.open(BytesIO(picture))
    image.load()
    return image


def sheet(inside: str) -> str:
    paper = '<rect x="-8" y="-8" width="200" height="60" fill="#fff"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 200 60">{paper}{inside}</svg>'


def painted(name: str, seats: int, step: int, language: str = "en", names: list[str] | None = None) -> str:
    ruleset, states = RULESETS[name], random_game(name, seats, 2).states
    return ruleset.paint(ruleset.view(states[step], 0), language, names or names_of(seats))


def drawn_by_resvg(svg: str) -> Image.Image:
    """The whole picture as the strictest of the renderers draws it, in all its colours."""
    fonts = [REGULAR, BOLD]
    drawn = resvg_py.svg_to_bytes(svg_string=svg, font_files=fonts, skip_system_fonts=True, font_family="DejaVu Sans")
    return opened(drawn).convert("RGB")


def words(value: object) -> Iterator[str]:
    """All texts in tables of texts."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from (key, *words(each))
    elif isinstance(value, tuple | list):
        for each in value:
            yield from words(each)


def said() -> list[str]:
    """Everything that the games may have to write."""
    spoken = [getattr(language, field.name) for language in LANGUAGES for field in fields(language)]
    metas = [(ruleset.meta.title, ruleset.meta.summary) for ruleset in RULESETS.values()]
    return [*words([*spoken, NAMES, TEXTS, *metas]), "★ × – … @0123456789"]


@pytest.mark.parametrize(
    ("name", "seats", "step"),
    [("new-corp-order", 4, 60), ("new-corp-order", 1, -1), ("bastards-inc", 6, 200), ("sealed-bids", 3, 2)],
)
def test_a_picture_is_opaque_small_and_always_the_same(name: str, seats: int, step: int) -> None:
    drawn = png(painted(name, seats, step))
    image = opened(drawn)
    assert image.mode == "P" and "transparency" not in image.info
    assert image.width <= 700 and len(drawn) <= 60_000
    assert png(painted(name, seats, step)) == drawn


def test_a_picture_has_a_margin() -> None:
    image = opened(png(painted("new-corp-order", 4, 60, "fr"))).convert("RGB")
    paper = image.getpixel((0, 0))
    for box in ((0, 0, image.width, 6), (0, 0, 6, image.height)):
        assert image.crop(box).getcolors() == [((box[2] - box[0]) * (box[3] - box[1]), paper)]


def test_whatever_is_written_is_seen() -> None:
    blank = png(sheet(""))
    text = '<text x="10" y="30" font-size="20">{}</text>'
    seen = [png(sheet(text.format(word))) for word in ("Alice", "Alicf", "אבג", "محمد")]
    turned = png(sheet(f'<g transform="rotate(10)">{text.format("Alice")}</g>'))
    assert len({blank, turned, *seen}) == 6


def test_a_text_of_several_parts_and_one_over_several_lines_are_drawn_too() -> None:
    drawn = [
        png(sheet(f'<text x="10" y="30" font-size="20">{inside}</text>'))
        for inside in ("Al &amp; Bo", "Al\n  &amp;\tBo", "Al <tspan>&amp; Bo</tspan>", "", "Al Bo")
    ]
    assert drawn[0] == drawn[1] and len(set(drawn)) == 4 and drawn[3] == png(sheet(""))
    assert png(sheet('<text y="30">no size, no place</text>')) != drawn[3]


def test_texts_stand_where_the_groups_around_them_are_moved() -> None:
    dot = '<text x="1" y="2" font-size="20" fill="#ff0000" font-weight="bold">|</text>'
    moved = png(sheet(f'<g transform="translate(30 10)"><g/><g transform="translate(9 18)">{dot}</g></g>'))
    assert moved == png(sheet(dot.replace('x="1" y="2"', 'x="40" y="30"')))
    plain = dot.replace(' fill="#ff0000"', "")
    aside = png(sheet(f'<g text-anchor="middle" fill="#00f">{plain}</g>'))
    assert aside == png(sheet(plain.replace("<text", '<text text-anchor="middle" fill="#00f"')))


@pytest.mark.parametrize(
    ("name", "seats", "step"), [("new-corp-order", 4, 60), ("new-corp-order", 2, -1), ("new-corp-order", 1, 30)]
)
def test_shapes_look_as_another_renderer_draws_them(name: str, seats: int, step: int) -> None:
    shapes = re.sub("<text.*?</text>", "", painted(name, seats, step))
    mine, other = opened(png(shapes)).convert("RGB"), drawn_by_resvg(shapes)
    assert mine.size == other.size
    counts = ImageChops.difference(mine, other).convert("L").histogram()
    pixels = mine.width * mine.height
    # Curves and slopes are smoothed a little differently; no line is elsewhere, or of another width.
    assert sum(counts[33:]) <= 0.002 * pixels and sum(counts[97:]) <= 0.0001 * pixels


def test_a_line_with_crisp_edges_is_as_wide_as_it_says() -> None:
    look = 'shape-rendering="crispEdges" fill="none" stroke="#000000"'
    for width in (1, 2, 3):
        box = f'<rect x="10" y="10" width="50" height="20" {look} stroke-width="{width}"/>'
        image = opened(png(sheet(box))).convert("L")
        across = [image.getpixel((x, 28)) for x in range(image.width)]
        assert [across.count(0), across.count(255)] == [2 * width, image.width - 2 * width]


def test_titles_are_not_drawn() -> None:
    told = ["", "<title>Alice</title>", "<title>&lt;b&gt;\nBob 🎉</title>"]
    dot = '<circle cx="20" cy="20" r="9" fill="#f00"/>'
    assert len({png(sheet(f"<g>{title}{dot}</g>")) for title in told}) == 1


def test_a_text_looks_the_same_wherever_it_was_drawn_before() -> None:
    for x, y, anchor, code in ((10, 30, "start", "ls"), (70.25, 30.5, "middle", "ms"), (150.75, 12.3, "end", "rs")):
        for _ in range(2):
            line = f'<text x="{x}" y="{y}" font-size="20" font-weight="bold" text-anchor="{anchor}">Jägerin</text>'
            expected = Image.new("L", (200, 60), 255)
            font = ImageFont.truetype(BOLD, 20, layout_engine=ImageFont.Layout.BASIC)
            ImageDraw.Draw(expected).text((x + 8, y + 8), "Jägerin", 0, font, code)
            seen = ImageChops.difference(opened(png(sheet(line))).convert("L"), expected)
            # The picture has few colours.
            assert seen.getextrema()[1] <= 32


@pytest.mark.parametrize("path", [REGULAR, BOLD])
def test_the_font_has_every_letter_that_the_games_write(path: str) -> None:
    missing = bytes(font(path).getmask(NOWHERE))
    assert bytes(font(path).getmask("A")) != missing
    letters = {letter for text in said() for letter in text if letter.isprintable() and not letter.isspace()}
    assert len(letters) > 80
    assert not {letter for letter in letters if bytes(font(path).getmask(letter)) == missing}


@pytest.mark.parametrize("path", [REGULAR, BOLD])
def test_a_text_never_needs_more_room_than_was_reckoned_with(path: str) -> None:
    for text in [*said(), *(normalize("NFD", word) for word in ("Übernahme", "Négociatrice"))]:
        assert font(path).getlength(text.split("\n")[0]) <= width_of(text.split("\n")[0], 40, path == BOLD) + 1, text


def test_names_that_the_font_cannot_write_do_no_harm() -> None:
    names = ["李小龙", "🎉🎉", "محمد", "A\u0301\u0301"]
    assert png(painted("new-corp-order", 4, 30, names=names)) != png(painted("new-corp-order", 4, 30))


SHARP = 24
"""The smallest text of a board of 680 units, which a phone shows about half as large."""


def boards(found: Sample) -> list[BoardPicture]:
    return [block for block in found.turn().blocks if isinstance(block, BoardPicture)]


@pytest.mark.parametrize(
    ("name", "seats", "steps"), [("new-corp-order", 4, 40), ("bastards-inc", 6, 200), ("sealed-bids", 3, 4)]
)
@pytest.mark.parametrize("language", SAMPLE_LANGUAGES)
def test_no_text_of_a_picture_is_too_small_for_a_phone(name: str, seats: int, steps: int, language: str) -> None:
    (board,) = boards(later(name, seats, steps, language))
    sizes = [float(size) for size in re.findall(r'<text[^>]* font-size="([\d.]+)"', board.svg)]
    assert sizes and min(sizes) >= SHARP
    assert board.url is not None


def test_each_number_of_a_sentence_stands_once_on_the_board() -> None:
    numbered = 0
    for steps in range(6, 60, 6):
        found = later("new-corp-order", 3, steps)
        table = game_blocks.table_of(found.position, found.seat)
        told, marks = recap_blocks(found.position, found.seat, table, found.lately(found.seat))
        numbers = [str(each.number) for block in told for each in block.items if each.number]
        svg = board_picture(table.board(), marks, found.seat)
        assert re.findall(r'<circle[^>]*r="17"[^>]*/><text[^>]*>(\d+)</text>', svg) == numbers
        numbered += len(numbers)
    assert numbered > 5


def test_marks_of_other_places_are_left_out_and_marks_are_seen() -> None:
    found = later("new-corp-order", 3, 20)
    board = game_blocks.table_of(found.position, 0).board()
    first, second = list(board.places)[:2]
    plain = board_picture(board, (), 0)
    assert board_picture(board, [NumberedMark(Mark(kind="turn", at="@1"), 1)], 0) == plain
    kinds = [
        Mark(kind="gain", at=first, count=2, actor=1),
        Mark(kind="loss", at=first, actor=1),
        Mark(kind="move", at=first, origin=second, actor=2),
        Mark(kind="new", at=first, actor=0),
        Mark(kind="new", at=first),
    ]
    drawn = {png(board_picture(board, [NumberedMark(mark, 1)], 0)) for mark in kinds}
    assert len(drawn | {png(plain)}) == len(kinds) + 1


def test_neither_agents_nor_stars_lie_under_the_number_of_agents_that_came() -> None:
    found = later("new-corp-order", 4, 40)
    place = game_blocks.table_of(found.position, 0).board([Mark(kind="gain", at="A3", count=2)]).places["A3"]
    middles = [float(x) for x in re.findall(r"translate\(([\d.]+) 93\)", place.svg)]
    assert len(middles) > 2
    assert max(middles) + 12 <= place.width - 28 - 22
    (board,) = boards(found)
    assert small_look(place.svg) in board.svg


def test_the_picture_has_the_green_of_the_table_around_the_board() -> None:
    (board,) = boards(later("new-corp-order", 4, 40))
    image = Image.open(BytesIO(png(board.svg))).convert("RGB")
    assert image.width == 680 + 2 * MARGIN
    margin = image.crop((0, 0, image.width, int(MARGIN) - 4)).getcolors()
    assert margin is not None and len(margin) == 1


def test_a_picture_is_drawn_once_for_all_who_see_the_same() -> None:
    compose.board_png.cache_clear()
    found = later("sealed-bids", 3, 0)
    for seat, row in enumerate(found.position.seats):
        address_game_mail(found.turn(seat), "turn", Addressee(GAME, row), STAMP)
    assert compose.board_png.cache_info().misses == 1
    other = replace(found.position.seats[0], language="de")
    shown = replace(found, position=replace(found.position, seats=(other, *found.position.seats[1:])))
    address_game_mail(shown.turn(0), "turn", Addressee(GAME, other), STAMP)
    assert compose.board_png.cache_info().misses == 2


@pytest.mark.parametrize(
    ("name", "seats"), [("new-corp-order", 4), ("new-corp-order", 1), ("bastards-inc", 6), ("sealed-bids", 3)]
)
@pytest.mark.parametrize("language", SAMPLE_LANGUAGES)
def test_a_guest_sees_the_board_of_any_game_before_it_begins(name: str, seats: int, language: str) -> None:
    board = first_board(RULESETS[name], seats, {}, language)
    assert board.svg == first_board(RULESETS[name], seats, {}, language).svg
    assert Image.open(BytesIO(png(board.svg))).width > 600
    assert 0 < len(board.caption) <= 250
