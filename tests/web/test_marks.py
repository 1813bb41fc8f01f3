"""The marks over a board: drawn from the rectangles of places, numbered as the log is, told apart without colour."""

from __future__ import annotations

import re

from service.mail.game_blocks import table_of
from service.rules.svg import Svg
from service.rules.table_parts import Choice, Mark, Place, Prospect
from service.rules.tabletop.picture import NumberedMark
from service.web.play.board_overlays import (
    draw_changes,
    draw_numbers,
    draw_order,
    draw_outcomes,
    draw_preview,
    outcome_text,
)
from service.web.play.board_view import Overlay, view_board
from service.web.play.panels import colour_of
from tests.sample_games import later

PLACES = {
    "A1": Place(0, 0, 100, 80, (50, 60), "A1", Svg("")),
    "B1": Place(120, 0, 100, 80, (170, 60), "B1", Svg("")),
}


def choice(place: str, prospect: Prospect, gain: int | None, chosen: bool = False) -> Choice:
    """A target."""
    return Choice(
        part="target", value=place, label=place, place=place, prospect=prospect, gain=gain, picks={}, chosen=chosen
    )


def test_each_change_has_a_ring_in_the_colour_of_its_actor_and_its_number_once() -> None:
    move = Mark(kind="move", at="B1", origin="A1", count=2, actor=1)
    gain = Mark(kind="gain", at="B1", count=3, actor=2)
    elsewhere = Mark(kind="turn", at="@1", actor=1)
    marks = [NumberedMark(move, 1), NumberedMark(gain, 2), NumberedMark(elsewhere, 3)]
    drawn = "".join(draw_changes(marks, PLACES, lambda seat: f"s{seat}"))
    assert re.findall(r'class="line (s\d)"', drawn) == ["s1", "s2"]
    assert drawn.count('class="arrow"') == 1
    assert "+3" in drawn
    numbered = "".join(draw_numbers(marks, PLACES))
    assert re.findall(r'data-n="(\d)"', numbered) == ["1", "2"]
    left, right = (float(x) for x in re.findall(r'<circle cx="([\d.]+)"', numbered))
    assert abs(left - right) >= 28, "two discs of a place do not cover each other"


def test_a_board_makes_room_for_the_number_of_agents_that_came() -> None:
    found = later("new-corp-order", 4, 40)
    table, gain = table_of(found.position, 0), Mark(kind="gain", at="A3", count=2)
    shown = view_board(table, None, Overlay([NumberedMark(gain, 1)]), lambda seat: f"s{seat}", "en").board
    drawn = str(shown).replace("</text> ", "</text>")
    assert table.board([gain]).places["A3"].svg in drawn
    assert table.board().places["A3"].svg not in drawn


def test_what_fails_has_a_cross_and_no_ring_and_what_succeeds_says_its_gain() -> None:
    drawn = "".join(draw_outcomes({"A1": choice("A1", "good", 8), "B1": choice("B1", "bad", 0)}, PLACES))
    assert drawn.count('class="ring"') == 1
    assert "✓ +8" in drawn
    assert "✕" in drawn


def test_where_all_choices_come_to_the_same_there_are_rings_alone() -> None:
    drawn = "".join(draw_outcomes({"A1": choice("A1", "good", 0), "B1": choice("B1", "good", 0)}, PLACES))
    assert drawn.count('class="ring"') == 2
    assert "✓" not in drawn


def test_a_preview_shows_from_where_how_many_and_what_comes_of_it() -> None:
    move = Mark(kind="fails", at="B1", origin="A1", count=3, actor=0)
    drawn = "".join(draw_preview([move], "Fails 3 : 4", "bad", PLACES))
    assert drawn.count('class="ring fails"') == 2
    assert "×3" in drawn
    assert "✕ Fails 3 : 4" in drawn


def test_an_order_is_a_pale_arrow_with_words_and_one_without_a_place_is_not_drawn() -> None:
    drawn = "".join(draw_order([Mark(kind="move", at="B1", origin="A1", count=3)], PLACES, "Your order"))
    assert drawn.count('class="arrow"') == 1 and 'class="plain"' in drawn and "Your order" in drawn
    ringed = "".join(draw_order([Mark(kind="gain", at="A1")], PLACES, "Your order"))
    assert 'class="line plain"' in ringed and "arrow" not in ringed
    assert draw_order([Mark(kind="new", at="@1")], PLACES, "Your order") == []


def test_outcomes_are_signs_and_numbers() -> None:
    told = [
        outcome_text("good", 8),
        outcome_text("good", -2),
        outcome_text("good", 0),
        outcome_text("bad", 4),
        outcome_text("open", None),
    ]
    assert told == ["✓ +8", "✓ −2", "✓", "✕", "•"]


def test_the_reader_has_the_first_colour_and_all_others_have_one_of_their_own() -> None:
    for reader in range(6):
        assert colour_of(reader, reader) == "s1"
        assert len({colour_of(reader, seat) for seat in range(6)}) == 6
    assert len({colour_of(None, seat) for seat in range(6)}) == 6
    assert colour_of(0, None) == "s0"
