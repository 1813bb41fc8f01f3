"""What holds for what every game tells of its log on the page of a table: lines, marks, turns, who comes next."""

from __future__ import annotations

from service.rules.tabletop.telling import numbers
from tests.rules.playouts import (
    every_table,
    fewest,
    played,
    seeds,
    viewers,
)
from tests.rules.test_every_table import happened, table


@every_table
@fewest
@seeds
def test_marks_are_at_places_that_exist_and_belong_to_lines_of_the_log(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for first in range(0, len(game.steps), 12):
        events = happened(game, first, first + 12)
        state = game.states[min(first + 12, len(game.steps))]
        for viewer in viewers(seats):
            page = table(ruleset, state, seats, viewer)
            marks, lines, places = page.changes(events), page.story(events), page.places()
            assert all({mark.at, mark.origin or mark.at} <= places for mark in marks)
            told = [line for line in lines for mark in marks if line.first <= mark.event <= line.last]
            assert len(told) == len(marks), "a mark belongs to no line, or to two"
            assert [line.first for line in lines] == sorted(line.first for line in lines)
            assert {line.icon for line in lines} <= set(page.symbols)
            assert sorted(numbers(lines, marks).values()) == list(range(1, len(numbers(lines, marks)) + 1))
            assert len(numbers(lines, marks)) <= 9


@every_table
@fewest
@seeds
def test_every_event_has_the_number_of_its_turn(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    events = happened(game, 0, None)
    told = table(ruleset, game.states[-1], seats, None).turns(events)
    if not ruleset.contributions.turns:
        assert told == ()
        return
    state, numbers_of_turns = game.start, []
    for event, _ in events:
        state = ruleset.evolve(state, event)
        numbers_of_turns.append(ruleset.turn(state))
    assert list(told) == numbers_of_turns


@every_table
@fewest
@seeds
def test_who_comes_next_is_somebody_else_than_who_is_to_act(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state in [*game.states[::9], game.states[-1]]:
        for viewer in viewers(seats):
            coming = table(ruleset, state, seats, viewer).upcoming()
            assert not set(coming) & ruleset.to_act(state) and len(coming) == len(set(coming))
            assert all(0 <= seat < seats for seat in coming)


@every_table
@fewest
@seeds
def test_what_is_told_of_the_log_is_the_same_for_whoever_sees_the_same(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    state = game.states[-2]
    for viewer in viewers(seats):
        page = table(ruleset, state, seats, viewer)
        for fact, seat in happened(game, 0, None)[:60]:
            told = ruleset.redact(fact, viewer)
            alike = [
                other
                for other, _ in happened(game, 0, None)
                if ruleset.redact(other, viewer) == told and type(other) is type(fact)
            ]
            assert len({repr(page.story([(other, seat)])) for other in alike[:3]}) == 1
