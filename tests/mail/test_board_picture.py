"""The board in a mail: what has changed is marked, every text can be read, and all readers of it share one picture."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from service.mail import game_blocks, message
from service.mail.blocks import BoardPicture
from service.mail.game_blocks import first_board
from service.mail.message import Addressee, address_game_mail
from service.mail.picture import png
from service.mail.play import recap_blocks
from service.rules.table_parts import Mark
from service.rules.tabletop.drawing import small_look
from service.rules.tabletop.picture import MARGIN, NumberedMark, board_picture
from tests.rules.playouts import RULESETS
from tests.sample_games import GAME, LANGUAGES, STAMP, Sample, later

SHARP = 24
"""The smallest text of a board of 680 units, which a phone shows about half as large."""


def boards(found: Sample) -> list[BoardPicture]:
    return [block for block in found.turn().blocks if isinstance(block, BoardPicture)]


@pytest.mark.parametrize(
    ("name", "seats", "steps"), [("new-corp-order", 4, 40), ("bastards-inc", 6, 200), ("sealed-bids", 3, 4)]
)
@pytest.mark.parametrize("language", LANGUAGES)
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
    message.board_png.cache_clear()
    found = later("sealed-bids", 3, 0)
    for seat, row in enumerate(found.position.seats):
        address_game_mail(found.turn(seat), "turn", Addressee(GAME, row), STAMP)
    assert message.board_png.cache_info().misses == 1
    other = replace(found.position.seats[0], language="de")
    shown = replace(found, position=replace(found.position, seats=(other, *found.position.seats[1:])))
    address_game_mail(shown.turn(0), "turn", Addressee(GAME, other), STAMP)
    assert message.board_png.cache_info().misses == 2


@pytest.mark.parametrize(
    ("name", "seats"), [("new-corp-order", 4), ("new-corp-order", 1), ("bastards-inc", 6), ("sealed-bids", 3)]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guest_sees_the_board_of_any_game_before_it_begins(name: str, seats: int, language: str) -> None:
    board = first_board(RULESETS[name], seats, {}, language)
    assert board.svg == first_board(RULESETS[name], seats, {}, language).svg
    assert Image.open(BytesIO(png(board.svg))).width > 600
    assert 0 < len(board.caption) <= 250
