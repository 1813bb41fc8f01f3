"""The picture of the rooms shows the rooms and imports that there are."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from service.rules.text_width import width_of
from tests.docs.architecture import BOX, PAGE, WIDTH, picture, uses
from tests.docs.layered import lay_out
from tests.docs.rooms import arrows, floors, pure, thinned

ROWS = [["top"], ["left", "right"], ["middle"], ["bottom"]]
DRAWN = {("top", "left"), ("top", "right"), ("left", "bottom"), ("right", "middle"), ("middle", "bottom")}


def test_the_committed_picture_is_what_the_command_draws_now():
    committed = PAGE.with_suffix(".svg").read_text(encoding="utf-8")
    assert committed == picture(), "run make architecture, and look at the picture"


def test_the_table_of_rooms_has_every_room_in_the_order_of_the_floors():
    assert list(uses()) == [room for floor in floors() for room in floor]


@pytest.mark.parametrize("use", uses().values())
def test_what_a_room_is_for_fits_into_its_box(use: str):
    assert width_of(use, 10.5) < BOX


def test_every_room_with_an_import_stands_on_a_floor_and_imports_only_below():
    level = {room: number for number, floor in enumerate(floors()) for room in floor}
    assert all(level[here] < level[there] for here, there in arrows())


def test_rooms_without_sql_web_and_mail_are_told_from_the_contracts():
    assert pure() == {"rules", "log", "players", "competition", "record", "texts"}


def test_an_arrow_that_others_imply_is_left_out_and_nothing_else():
    assert thinned({*DRAWN, ("top", "bottom"), ("right", "bottom")}) == DRAWN


def test_boxes_stand_apart_on_the_sheet_and_the_drawing_is_the_same_each_time():
    drawing = lay_out(ROWS, DRAWN, BOX, WIDTH)
    assert abs(drawing.x["left"] - drawing.x["right"]) > BOX
    assert all(BOX / 2 < drawing.x[room] < WIDTH - BOX / 2 for floor in ROWS for room in floor)
    assert drawing == lay_out(ROWS, set(DRAWN), BOX, WIDTH)


def test_no_box_of_the_picture_touches_another_or_lies_on_an_arrow():
    rows = floors()
    drawing = lay_out(rows, thinned(arrows()), BOX, WIDTH)
    for floor in rows:
        assert all(abs(drawing.x[one] - drawing.x[other]) > BOX for one, other in combinations(floor, 2))
    bends = [
        (int(bend.rpartition("@")[2]), drawing.x[bend]) for chain in drawing.chains.values() for bend in chain[1:-1]
    ]
    assert all(abs(at - drawing.x[room]) > BOX / 2 for floor, at in bends for room in rows[floor])


def test_an_arrow_goes_down_floor_by_floor():
    drawing = lay_out(ROWS, DRAWN, BOX, WIDTH)
    assert drawing.chains["left", "bottom"] == ["left", "left>bottom@2", "bottom"]
    assert all(here != there for chain in drawing.chains.values() for here, there in pairwise(chain))
