"""The moments of a finished game: of each player's actions in a turn the one that gained most."""

from __future__ import annotations

from msgspec import structs

from service.log.folding import Timeline, unroll
from service.players.analysis import Point
from service.web.play.charts import MAX_KEY_MOMENTS, gains_in_chances, gains_in_points, key_moments, points_measure
from tests.sample_games import Sample, sample


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
