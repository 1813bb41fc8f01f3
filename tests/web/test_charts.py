"""The result of a game that is over: ranks, points by source, the curve, and key moments."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from flask import Flask
from msgspec import structs

from service.app import create_app
from service.audit.inspect import whole_record
from service.handlers.play import resign
from service.log.folding import Timeline, unroll
from service.players.analysis import Point
from service.record.verify import verify
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.web.play.charts import (
    CURVE_WIDTH,
    MAX_FONT_SIZE,
    MAX_KEY_MOMENTS,
    CurveLine,
    draw_curve,
    gains_in_chances,
    gains_in_points,
    key_moments,
    points_measure,
)
from tests.builders import finished, later, started
from tests.dropping import with_dropping
from tests.e2e.mail_game import seeded
from tests.letters import letters
from tests.people import Person, alice, bob, carol, register
from tests.sample_games import Sample, sample
from tests.web.test_table import Visit
from workers.relay import Relay


def test_a_game_that_is_over_shows_ranks_points_by_source_and_the_curve(app: Flask, games: Games) -> None:
    people = [register(games, name, None, "en") for name in ("Alice", "Bob", "Carol")]
    # In one game of many hundreds no turn brings its winner forward.
    with seeded(2_000):
        dealt = started(games, "new-corp-order", people)
    position = later(games, dealt, 4_000, 0)
    outcome = position.outcome
    assert outcome is not None and outcome["scores"] is not None
    for person in (*people, None):
        page = Visit(app, games, position, person).look()
        over = page.partition('<section id="over"')[2].partition('<section id="felt"')[0]
        podium = re.findall(r'<li class="rank-(\d)">', over)
        assert len(podium) == 3 and podium.count("1") == len(outcome["winners"])
        points = [int(each) for each in re.findall(r'<b class="vp">(-?\d+)</b>', over)]
        assert points == sorted(outcome["scores"], reverse=True)
        bars = re.findall(r'<svg class="bar".*?</svg>', over, re.DOTALL)
        sums = [sum(map(int, re.findall(r">(-?\d+)</text>", bar))) for bar in bars]
        assert sums == [each for each in points if each]
        key = re.findall(r"</svg>([^<]+)</span>", over.partition('<p class="key">')[2].partition("</p>")[0])
        listed = [each.label for each in position.ruleset.contributions.sources("en")]
        assert len(key) > 1 and key == [each for each in listed if each in key]
        assert page.count('class="emblem"') >= 2 * len(people), "everybody's objectives are shown"
        assert 'class="curve"' in over and ("decided it" in over or len(outcome["winners"]) > 1)
        assert ("/play-again" in over) == (person is not None)
        assert '<section id="act" class="act wait" hidden' in page


def test_a_game_whose_ruleset_measures_points_alone_has_a_curve_too(app: Flask, games: Games) -> None:
    people = [alice(games, None), bob(games), carol(games)]
    position = finished(games, started(games, "sealed-bids", people))
    page = Visit(app, games, position, people[0]).look()
    assert 'class="curve"' in page and 'class="bar"' in page


def test_the_service_plays_for_nobody_once_a_resignation_has_ended_a_game(app: Flask, games: Games) -> None:
    people: list[Person] = [alice(games, None), bob(games)]
    position = started(games, "new-corp-order", people)
    resign(games, position.game.id, people[1].id, "web", clock.now())
    page = Visit(app, games, position, people[0]).look()
    panels = page.partition('<div id="panels"')[2].partition("</section>\n</div>")[0]
    assert "has resigned" in panels
    assert "the computer plays for this seat" not in panels


def test_a_running_game_shows_no_end(app: Flask, games: Games) -> None:
    people: list[Person] = [alice(games, None), bob(games)]
    page = Visit(app, games, started(games, "new-corp-order", people), people[0]).look()
    assert re.search(r'<section id="over"[^>]* hidden>\s*</section>', page)


def test_the_band_of_a_last_turn_that_decided_leaves_the_names_free() -> None:
    drawn = draw_curve("Points", [CurveLine("s1", "Ada", [0, 3, 9])], 2, "turn 2")
    band = re.search(r'<rect x="([\d.]+)"[^>]* width="([\d.]+)"', drawn)
    name = re.search(r'<text x="([\d.]+)"[^>]* class="name"', drawn)
    assert band is not None and name is not None
    assert float(band[1]) + float(band[2]) < float(name[1])


def test_a_curve_stays_in_its_frame_and_its_names_do_not_cover_each_other() -> None:
    lines = [CurveLine("s1", "Ada", [0, 3, 9]), CurveLine("s2", "Ben", [0, 4, 9]), CurveLine("s3", "Cleo", [0, -2, 8])]
    drawn = draw_curve("Points", lines, 2, "turn 2")
    assert 'aria-label="Points: Ada 9, Ben 9, Cleo 8"' in drawn
    names = [float(y) for y in re.findall(r'y="([-\d.]+)" class="name"', drawn)]
    assert len(names) == 3
    assert all(below - above >= 24 for above, below in pairwise(names))
    numbers = [float(each) for each in re.findall(r"[ML ](-?\d+\.?\d*) -?\d", drawn)]
    assert all(0 <= each <= 560 for each in numbers)
    assert drawn.count('class="band"') == 1 and "turn 2" in drawn
    assert 'class="band"' not in draw_curve("Points", lines, None, "")


def test_a_game_that_nobody_has_won_says_so_everywhere(runtime: Runtime, mailbox: Path) -> None:
    house = with_dropping(runtime)
    people = [alice(house.games), bob(house.games), carol(house.games)]
    position = finished(house.games, started(house.games, "sealed-bids", people))
    assert position.outcome is not None and position.outcome["winners"] == []
    page = Visit(create_app(house), house.games, position, people[0]).look()
    over = page.partition('<section id="over"')[2].partition('<section id="felt"')[0]
    assert "The game is over." in over and 'class="podium"' not in over and " winner" not in page
    relay = Relay(replace(house, redis=None))
    while relay.drain():
        pass
    ends = [letter for letter in letters(mailbox, position.game.id) if letter.kind == "over"]
    assert "None of the players wins." in ends[0].text and "Von den Spielern gewinnt niemand." in ends[1].text
    assert len(ends) == 3 and all("wins" not in str(letter.message["Subject"]) for letter in ends)
    with house.engine.connect() as db:
        record = whole_record(db, house.games, position.game.id).text()
    assert verify(record, house.games.rulesets).holds


def test_the_longest_names_stand_whole_below_a_curve_and_its_ends_in_the_picture() -> None:
    names = ["Computer (hard)", "Ordinateur 2 (très difficile)", "W" * 60]
    lines = [CurveLine(f"s{seat}", name, [0, 130 - seat]) for seat, name in enumerate(names, 1)]
    drawn = draw_curve("Points", lines, 1, "The turning point was round 7")
    picture, legend = drawn.split("</svg>")
    assert all(name in legend for name in names)
    texts = re.findall(r'<text x="([\d.]+)"[^>]* text-anchor="(\w+)"[^>]*>([^<]+)<', picture)
    assert len(texts) >= 5
    for x, anchor, words in texts:
        wide = 0.62 * MAX_FONT_SIZE * len(words)
        left = float(x) - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        assert left >= 0 and left + wide <= CURVE_WIDTH, words


# The moments of a finished game: of each player's actions in a turn the one that gained most.


def timeline_of(found: Sample) -> Timeline:
    """The steps of a game, each with the action that a player sent."""
    log, first = list(found.recorded), len(found.played.setup)
    for step in found.played.steps:
        log[first] = structs.replace(log[first], action={})
        first += len(step.facts)
    return unroll(found.position.ruleset, log)


def test_a_moment_is_the_action_that_gained_its_player_most_in_a_turn() -> None:
    found = sample("bastards-inc", 4, 3_000, seed=3)
    timeline, measure = timeline_of(found), points_measure(found.position.ruleset)
    assert measure is not None and found.position.outcome is not None
    points = [measure.count(timeline.after(step).state) for step in timeline.steps]
    gains = {
        step.last: after[step.seat] - before[step.seat]
        for step, before, after in zip(timeline.steps[1:], points, points[1:], strict=False)
        if step.seat is not None
    }
    winners = found.position.outcome["winners"]
    shown = key_moments(gains_in_points(timeline), winners, 4)
    told = [each.gained for each in shown]
    assert len(told) == MAX_KEY_MOMENTS
    assert [each.gain for each in told] == [gains[each.seq] for each in told]
    assert [each.gained.seat for each in shown if each.deciding] == winners
    for each in told:
        theirs = [step for step in timeline.steps if (step.turn, step.seat) == (each.turn, each.seat)]
        assert each.gain == max(gains[step.last] for step in theirs)
    assert max(gains.values()) == max(each.gain for each in told)


def test_with_an_analysis_a_moment_is_what_an_action_did_for_the_chance_of_its_own_player() -> None:
    timeline = timeline_of(sample("bastards-inc", 4, 3_000, seed=3))
    first, raising, lowering = (next(step for step in timeline.steps[at:] if step.seat == 0) for at in (1, 20, 40))
    chances = ((first, 0.2), (raising, 0.554), (lowering, 0.3))
    points = [Point(timeline.steps[0].last, (0.25,) * 4, (0.25,) * 4)]
    points += [Point(step.last, (own, *[(1 - own) / 3] * 3), (0.25,) * 4) for step, own in chances]
    told = [each.gained for each in key_moments(gains_in_chances(timeline, points), (), None)]
    assert [(each.seq, each.turn, each.seat, each.gain) for each in told] == [(raising.last, raising.turn, 0, 35)]
