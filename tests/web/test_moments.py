"""The moments of a finished game: of each player's actions in a turn the one that gained most points."""

from __future__ import annotations

from msgspec import structs

from service.log.timeline import unroll
from service.web.moments import MOST, moments
from service.web.points import points_measure
from tests.sample_games import sample


def test_a_moment_is_the_action_that_gained_its_player_most_in_a_turn() -> None:
    found = sample("bastards-inc", 4, 3_000)
    played, log = found.played, list(found.recorded)
    first = len(played.setup)
    for step in played.steps:
        log[first] = structs.replace(log[first], action={})
        first += len(step.facts)
    timeline, measure = unroll(found.position.ruleset, log), points_measure(found.position.ruleset)
    assert measure is not None and found.position.outcome is not None
    points = [measure.count(timeline.after(step).state) for step in timeline.steps]
    gains = {
        step.last: after[step.seat] - before[step.seat]
        for step, before, after in zip(timeline.steps[1:], points, points[1:], strict=False)
        if step.seat is not None
    }
    winners = found.position.outcome["winners"]
    told = moments(timeline, winners, 4)
    assert len(told) == MOST
    assert [each.gain for each in told] == [gains[each.seq] for each in told]
    assert [each.seat for each in told if each.deciding] == winners
    for each in told:
        theirs = [step for step in timeline.steps if (step.turn, step.seat) == (each.turn, each.seat)]
        assert each.gain == max(gains[step.last] for step in theirs)
    assert max(gains.values()) == max(each.gain for each in told)
