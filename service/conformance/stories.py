"""What a game tells of its log on the page of a table: lines, marks, turns, who comes next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from service.conformance.check import Checks, Trial, ensure, same
from service.conformance.tables import table
from service.conformance.words import check_typeset
from service.rules.table_parts import Seat
from service.rules.tabletop.story import numbers

STORIES = Checks()


@STORIES.games(1, "Let each mark be at a place that is there, and belong to one line of `story`.")
def marks_are_at_places_that_exist_and_belong_to_lines_of_the_log(trial: Trial) -> None:
    """Check marks and lines."""
    game = trial.game
    for first in range(0, len(game.steps), 12):
        events = game.happened(first, first + 12)
        for viewer in trial.viewers:
            page = table(trial, game.states[min(first + 12, len(game.steps))], viewer)
            marks, lines, places = page.changes(events), page.story(events), page.places()
            at = {each for mark in marks for each in (mark.at, mark.origin or mark.at)}
            ensure(at <= places, f"marks at places that are not there: {sorted(at - places)}")
            told = [line for line in lines for mark in marks if line.first <= mark.event <= line.last]
            ensure(len(told) == len(marks), "a mark belongs to no line, or to two")
            same([line.first for line in lines], sorted(line.first for line in lines), "the order of the lines")
            ensure({line.icon for line in lines} <= set(page.symbols), "a line has an icon that is no symbol")
            given = numbers(lines, marks).values()
            ensure(sorted(given) == list(range(1, len(given) + 1)) and len(given) <= 9, f"numbers of lines: {given}")


@STORIES.games(1, "Name in `turns` all events with which `turn` rises, or none.")
def every_event_has_the_number_of_its_turn(trial: Trial) -> None:
    """Check the turns of the log."""
    ruleset, events = trial.ruleset, trial.game.happened(0, None)
    told = table(trial, trial.game.states[-1], None).turns(events)
    if not ruleset.contributions.turns:
        same(told, (), "turns")
        return
    state, counted = trial.game.start, []
    for event, _ in events:
        state = ruleset.evolve(state, event)
        counted.append(ruleset.turn(state))
    same(list(told), counted, "turns")


@STORIES.games(1, "Let `upcoming` name seats of players that do not have to act now, each once.")
def who_comes_next_is_somebody_else_than_who_is_to_act(trial: Trial) -> None:
    """Check who comes next."""
    for state in [*trial.game.states[::9], trial.game.states[-1]]:
        for viewer in trial.viewers:
            coming = table(trial, state, viewer).upcoming()
            others = not set(coming) & trial.ruleset.to_act(state) and len(coming) == len(set(coming))
            ensure(others and all(0 <= seat < trial.seats for seat in coming), f"seats {coming} come next")


@STORIES.games(1, "Let `story` and `describe` use of an event what `redact` tells the viewer, and nothing else.")
def what_is_told_of_the_log_is_the_same_for_whoever_sees_the_same(trial: Trial) -> None:
    """Check that sentences tell no more than redacted events."""
    ruleset, game = trial.ruleset, trial.game
    for viewer in trial.viewers:
        page = table(trial, game.states[-2], viewer)
        for fact, seat in game.happened(0, None)[:60]:
            told = ruleset.redact(fact, viewer)
            alike = [
                other
                for other, _ in game.happened(0, None)
                if type(other) is type(fact) and ruleset.redact(other, viewer) == told
            ]
            ensure(len({repr(page.story([(other, seat)])) for other in alike[:3]}) == 1, f"{told} is told in two ways")


@STORIES.games(1, "Give each of `headlines` the index of an event, a weight from 1 to 100, and a sentence in one line.")
def a_headline_is_of_an_event_and_weighs_something(trial: Trial) -> None:
    """Check the subjects of mails."""
    for number, state, events in _stretches(trial):
        language = trial.ruleset.meta.languages[number % len(trial.ruleset.meta.languages)]
        for reader in range(trial.seats):
            for each in table(trial, state, None, language).headlines(events, reader):
                ensure(0 <= each.event < len(events), f"{each} is of no event")
                ensure(1 <= each.weight <= 100, f"{each} weighs too little or too much")
                whole = each.sentence.splitlines() == [each.sentence.strip()] and not each.sentence.endswith(".")
                ensure(whole, f"{each} is empty, of several lines, or ends in a full stop")
                check_typeset(language, each.sentence)


@STORIES.games(1, "Let `headlines` use nothing but the Sight of a spectator and what `redact` shows a spectator.")
def a_headline_tells_nothing_that_a_spectator_may_not_know(trial: Trial) -> None:
    """Check that headlines are the same for all that looks alike to a spectator."""
    ruleset = trial.ruleset
    for _, state, events in _stretches(trial):
        told = table(trial, state, None).headlines(events, 0)
        for other in list(ruleset.imagine(state, None))[1:3]:
            same(table(trial, other, None).headlines(events, 0), told, "what a subject tells")


def _stretches(trial: Trial) -> Iterator[tuple[int, Any, Sequence[tuple[Any, Seat | None]]]]:
    """Yield the number of each stretch of a game, the state after it, and what happened in it."""
    game = trial.game
    for first in range(0, len(game.steps), 12):
        yield first // 12, game.states[min(first + 12, len(game.steps))], game.happened(first, first + 12)
