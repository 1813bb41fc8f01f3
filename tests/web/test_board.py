"""Drawings of a board: marks over it, thumbnails in lists, and the contrast of colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from flask import Flask
from sqlalchemy import text

import service.web
from service.handlers.play import resign
from service.handlers.transaction import transaction
from service.mail.game_blocks import table_of
from service.rules.svg import Svg
from service.rules.table_parts import Choice, Mark, Place, Prospect
from service.rules.tabletop.picture import NumberedMark
from service.shared import clock
from service.store.games import Games
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
from tests.browsing import browser
from tests.builders import opened, started
from tests.people import alice, bob, carol
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


# A game in a list is seen at a glance: a small picture of its board, for those who may see the game.

CELL = "{http://www.w3.org/2000/svg}rect"


@pytest.mark.parametrize(("ruleset", "cells"), [("new-corp-order", 12), ("sealed-bids", 3)])
def test_my_games_show_the_board_of_each_game_that_has_begun(
    app: Flask, games: Games, ruleset: str, cells: int
) -> None:
    people = [alice(games), bob(games), carol(games)]
    wanted = people if ruleset == "sealed-bids" else people[:2]
    game, waiting = started(games, ruleset, wanted).game.id, opened(games, ruleset, wanted)
    web = browser(app, games, people[0])
    drawn = re.findall(r'<img class="glimpse" src="([^"]+)" alt="[^"]+"', web.get("/games").text)
    assert drawn == [f"/games/{game}/glimpse.svg"] and str(waiting) not in drawn[0]
    picture = web.get(drawn[0])
    assert picture.content_type == "image/svg+xml; charset=utf-8"
    ground, *squares = fromstring(picture.text).iter(CELL)
    assert len(squares) == cells
    assert {ground.get("fill")}.isdisjoint(each.get("fill") for each in squares)
    again = web.get(drawn[0], headers={"If-None-Match": picture.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_nobody_sees_a_game_at_a_glance_who_may_not_see_it(app: Flask, games: Games) -> None:
    person = alice(games)
    position = started(games, "new-corp-order", [person])
    resign(games, position.game.id, person.id, "web", clock.now())
    path, waiting = f"/games/{position.game.id}/glimpse.svg", opened(games, "new-corp-order", [person, bob(games)])
    assert browser(app, games, person).get(path).status_code == 200
    assert browser(app, games, bob(games)).get(path).status_code == 404
    assert browser(app, games, person).get(f"/games/{waiting}/glimpse.svg").status_code == 404


def test_the_start_page_shows_the_board_of_a_game_that_runs(app: Flask, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    started(games, "new-corp-order", people[:2])
    newer = started(games, "sealed-bids", people).game.id
    page = app.test_client().get("/?language=en").text
    live = page.partition('<section class="card" aria-labelledby="live">')[2].partition("</section>")[0]
    # A board that can be seen at a glance goes before a newer game that has none.
    (shown,) = re.findall(r'href="/games/([0-9a-f-]{36})"', live)
    with transaction(games.engine) as db:
        ruleset = db.execute(text("select ruleset from game where id = :shown"), {"shown": shown}).scalar_one()
    assert ruleset == "new-corp-order" and shown != str(newer)
    assert live.count('class="t-sq') == 12
    shelf = page.partition('<section class="shelf"')[2].partition("</section>")[0]
    assert [each.count("t-edge") for each in shelf.split("<li")[1:]] == [12, 3, 4, 10]


# The colours of the pages: every pair that is read or has to be seen has enough contrast, by day and by night.

STYLE = (Path(service.web.__file__).parent / "static" / "style.css").read_text()
TEXT, EDGE = 4.5, 3.0
"""The least contrast of text, and of edges and signs (WCAG 2.2, 1.4.3 and 1.4.11)."""
COLOURS = ("red", "black", "blue", "white")
TEXTS = [
    *((text, ground) for text in ("ink", "soft", "link") for ground in ("ground", "surface", "sunken")),
    *((text, ground) for text in ("good", "bad", "accent-ink") for ground in ("ground", "surface")),
    *((text, ground) for text in ("on-table", "on-table-soft") for ground in ("table", "table-deep")),
    *((f"on-{each}", each) for each in (*COLOURS, "tray", "accent")),
    *(("on-accent", f"seat-{number}") for number in range(1, 7)),
    ("on-accent", "accent-2"),
    ("good", "good-wash"),
    ("bad", "bad-wash"),
    ("ink", "accent-wash"),
    ("soft", "accent-wash"),
]
"""Texts and their grounds, wherever the two are named in different rules."""
EDGES = [
    *(("edge", ground) for ground in ("ground", "surface", "sunken")),
    *(("ink", ground) for ground in ("ground", "surface", "sunken")),
    *(("card-edge", ground) for ground in ("table", "table-deep", "red", "black", "blue")),
    ("line-white", "white"),
    ("accent", "table"),
    ("accent", "table-deep"),
]


def declared(block: str) -> dict[str, str]:
    """Return the colours that a block declares, by their names."""
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})\b", block))


def blocks() -> list[str]:
    """Return the blocks of the tokens: by day, and what is another by night."""
    return re.findall(r":root \{(.*?)\n\s*\}", STYLE, re.DOTALL)


def themes() -> dict[str, dict[str, str]]:
    """Return all colours by their names, by day and by night."""
    day, night = (declared(block) for block in blocks())
    return {"day": day, "night": day | night}


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def pairs_of_rules() -> Iterator[tuple[str, str]]:
    """Yield the pairs of text and ground that one and the same rule names."""
    for rule in re.findall(r"\{([^{}]*)\}", STYLE):
        text, ground = (re.search(rf"(?<![\w-]){name}: var\(--([\w-]+)\)", rule) for name in ("color", "background"))
        if text and ground:
            yield text[1], ground[1]


@pytest.mark.parametrize("theme", ["day", "night"])
def test_what_is_written_can_be_read(theme: str) -> None:
    colours, pairs = themes()[theme], [*TEXTS, *pairs_of_rules()]
    assert len(pairs) > len(TEXTS) + 5
    found = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
    assert {pair: round(seen, 2) for pair, seen in found.items() if seen < TEXT} == {}


@pytest.mark.parametrize("theme", ["day", "night"])
def test_edges_and_signs_can_be_seen(theme: str) -> None:
    colours = themes()[theme]
    found = {(edge, ground): contrast(colours[edge], colours[ground]) for edge, ground in EDGES}
    assert {pair: round(seen, 2) for pair, seen in found.items() if seen < EDGE} == {}


def test_no_rule_names_a_colour_of_its_own() -> None:
    rules = STYLE
    for block in blocks():
        rules = rules.replace(block, "")
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch)a?\([^)]*\)", rules) == []


def test_black_on_white_has_the_contrast_that_wcag_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
