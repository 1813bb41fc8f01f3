"""Plots of a finished game's measures, as pictures from the API."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from PIL import Image

from service.log.folding import unroll
from service.log.recorded import Recorded
from service.shared import clock
from service.store.games import Games
from service.views.charts import Chart, Curve, chart, counts_by_turn, nonzero_measures, plot
from tests.builders import finished, now_at, started
from tests.people import alice, bob, carol
from tests.rest import Caller, refused
from tests.rules.playouts import RULESETS, RandomGame, random_game

SVG = "{http://www.w3.org/2000/svg}"


def test_points_are_counted_at_the_end_of_each_turn(games: Games) -> None:
    position = finished(games, started(games, "sealed-bids", [alice(games), bob(games), carol(games)]))
    with games.engine.connect() as db:
        timeline = games.timeline(db, position)
    points, hands = (counts_by_turn(timeline, measure) for measure in position.ruleset.measures)
    assert [turn for turn, _ in points] == [0, 1, 2, 3]
    assert points[-1][1] == position.state.points
    assert [values for _, values in hands] == [(3, 3, 3), (2, 2, 2), (1, 1, 1), (0, 0, 0)]


def test_the_pictures_of_a_finished_game_say_the_same_in_words(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = finished(games, started(games, "sealed-bids", people))
    path, caller = f"/games/{position.game.id}/plots", api.by(people[1])
    names = caller.get(f"/games/{position.game.id}/replay").json["plots"]
    assert names == ["points", "hands"]
    answer = caller.get(f"{path}/points.svg?language=de")
    assert (answer.mimetype, answer.headers["Content-Language"]) == ("image/svg+xml", "de")
    scores = position.state.points
    told = fromstring(answer.text).find(f"{SVG}title")
    assert told is not None
    assert told.text == f"Punkte: Alice {scores[0]}, Bob {scores[1]}, Carol {scores[2]}"
    image = Image.open(BytesIO(caller.get(f"{path}/points.png").data))
    assert (image.format, image.size) == ("PNG", (480, 320))
    colours = image.convert("RGB").getcolors(maxcolors=10_000)
    assert colours is not None and len(colours) > 20


def test_nothing_is_drawn_while_the_game_runs_nor_what_is_not_counted(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    path, caller = f"/games/{position.game.id}/plots", api.by(people[0])
    for kind in ("svg", "png"):
        refused(caller.get(f"{path}/hands.{kind}"), 409, "game-not-over")
        refused(caller.get(f"{path}/luck.{kind}"), 404, "not-found")
    assert caller.get(f"/games/{position.game.id}/replay").json["plots"] == []
    assert now_at(games, position.game.id).version == position.version


@pytest.mark.parametrize(
    ("name", "seats"), [("new-corp-order", 1), ("new-corp-order", 4), ("bastards-inc", 6), ("sealed-bids", 5)]
)
def test_every_game_is_drawn_from_end_to_end(name: str, seats: int) -> None:
    ruleset, game = RULESETS[name], random_game(name, seats, 1)
    log = [
        Recorded(seq, each, 0, "api", 0, {} if first else None, clock.now(), "x")
        for seq, (each, first) in enumerate(_with_begins(game), 1)
    ]
    timeline = unroll(ruleset, log)
    names = [f"Player <{seat}>" for seat in range(seats + (seats in ruleset.meta.automata))]
    assert nonzero_measures(timeline)
    for measure in nonzero_measures(timeline):
        for language in ruleset.meta.languages:
            points = counts_by_turn(timeline, measure)
            assert points[-1][0] == timeline.steps[-1].turn
            drawn = fromstring(plot(timeline, measure, language, names, at=2))
            count = len(names) if measure.lines is None else len(measure.lines[language])
            dashes = [each.get("stroke-dasharray") for each in drawn.iter(f"{SVG}path") if each.get("stroke-linejoin")]
            assert len(dashes) == len(set(dashes)) == count == len(points[0][1])
            assert measure.title[language] in "".join(drawn.itertext())
    outcome = ruleset.outcome(game.states[-1])
    assert outcome is not None
    assert list(counts_by_turn(timeline, ruleset.measures[0])[-1][1]) == outcome["scores"]


def test_a_game_that_ended_in_its_first_turn_is_drawn_and_no_name_lies_upon_another() -> None:
    lines = [Curve(f"Somebody {n}", "red", [(1, 0)]) for n in range(6)]
    drawn = fromstring(chart(Chart("Points", "Turn", lines, at=9)))
    heights = sorted(float(each.get("y", "0")) for each in drawn.iter(f"{SVG}text") if "Somebody" in (each.text or ""))
    assert len(heights) == 6
    assert all(below - above >= 14 for above, below in pairwise(heights))
    assert 0 < heights[0] and heights[-1] <= 320


def _with_begins(game: RandomGame) -> Iterator[tuple[Any, bool]]:
    """Every event of a game, and whether an action begins with it."""
    yield from ((each, False) for each in game.setup)
    for step in game.steps:
        yield from ((each, not place) for place, each in enumerate(step.facts))
