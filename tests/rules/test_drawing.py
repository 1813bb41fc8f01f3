"""Arrows on a board touch their target, and cover nothing that matters there."""

from __future__ import annotations

from math import cos, hypot, pi, sin

import pytest

from service.rules.svg import Svg
from service.rules.table_parts import Place
from service.rules.tabletop.drawing import way

LENGTH = 50.0


def place(x: float, y: float) -> Place:
    """A place of a hundred by eighty units."""
    return Place(x, y, 100, 80, (x + 50, y + 60), "", Svg(""))


@pytest.mark.parametrize("target", [(120, 0), (400, 0), (400, 300), (0, 300), (-300, -200), (90, 200)])
def test_the_tip_of_an_arrow_is_just_inside_its_target(target: tuple[float, float]) -> None:
    origin, there = place(0, 0), place(*target)
    x, y, turn = way(origin, there, LENGTH)
    tip = (x + LENGTH / 2 * cos(turn), y + LENGTH / 2 * sin(turn))
    inside = min(tip[0] - there.x, there.x + 100 - tip[0], tip[1] - there.y, there.y + 80 - tip[1])
    assert 0 < inside <= 8.01
    to_anchor = hypot(there.anchor[0] - tip[0], there.anchor[1] - tip[1])
    assert hypot(there.anchor[0] - x, there.anchor[1] - y) == pytest.approx(to_anchor + LENGTH / 2)


def test_between_two_rows_it_lies_over_the_gap() -> None:
    for origin, target, turn in ((place(0, 0), place(0, 96), pi / 2), (place(0, 96), place(0, 0), -pi / 2)):
        assert way(origin, target, LENGTH) == pytest.approx((50, 76, turn))
