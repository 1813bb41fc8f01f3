"""What holds for every game, checked on random games of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.inbound.grammar import read_reply
from service.log.codec import Codec, encode
from service.rules.kernel import AnyRuleset, GameStarted, by_name, fold
from service.rules.outcome import Outcome
from service.rules.tabletop.table import Table
from service.rules.typeset import LOOSE
from tests.rules.playouts import (
    TRIED,
    chance_of,
    every_table,
    few,
    fewest,
    names_of,
    plain,
    played,
    refusal_of,
    seeds,
    viewers,
)

every_ruleset = pytest.mark.parametrize("ruleset", TRIED.values(), ids=TRIED)


@every_ruleset
def test_the_lobby_is_told_what_it_needs(ruleset: AnyRuleset) -> None:
    meta = ruleset.meta
    assert meta.seats == tuple(sorted(set(meta.seats))) and min(meta.seats) >= 1
    assert meta.revision >= 1 and meta.title and "en" in meta.languages
    for texts in (meta.summary, *(option.describe for option in meta.options)):
        assert set(meta.languages) == set(texts) and all(texts.values())
    for option in meta.options:
        assert isinstance(option.default, bool) if option.type == "boolean" else option.default is None
    assert len(meta.options) == len({option.name for option in meta.options})


@every_ruleset
def test_the_guide_says_the_same_in_every_language_of_the_game(ruleset: AnyRuleset) -> None:
    guides = [ruleset.guide(language) for language in ruleset.meta.languages]
    for language, guide in zip(ruleset.meta.languages, guides, strict=True):
        assert [each.name for each in guide.chapters] == [each.name for each in guides[0].chapters]
        assert set(guide.terms) == set(guides[0].terms)
        assert guide.actions == guides[0].actions and set(guide.actions) <= set(guide.terms)
        assert guide.chapters and all(each.title and each.paragraphs for each in guide.chapters)
        for example in (guide.example, *(each for chapter in guide.chapters for each in chapter.examples)):
            table = Table(ruleset, example.state, len(example.names), example.viewer, language, example.names)
            assert example.text and table.board().places and table.board(table.changes(example.happened)).places


@every_ruleset
def test_events_and_actions_go_by_their_names(ruleset: AnyRuleset) -> None:
    for types in (ruleset.event_types, ruleset.action_types):
        assert by_name(types.values()) == dict(types)
    assert "game-started" not in ruleset.event_types


@every_table
@few
@seeds
def test_the_log_folds_to_the_state_that_was_reached_step_by_step(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    assert fold(ruleset, game.log()) == game.states[-1]
    assert [GameStarted] == [type(event) for event in game.log() if isinstance(event, GameStarted)]
    assert isinstance(game.setup[0], GameStarted)


@every_table
@few
@seeds
def test_every_event_survives_the_codec(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    codec = Codec(ruleset)
    for event in game.log():
        assert event == codec.decode(*encode(event))
        assert type(event) in {GameStarted, *ruleset.event_types.values()}


@every_table
@few
@seeds
def test_a_log_that_was_stored_folds_to_the_same_state(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    codec = Codec(ruleset)
    assert fold(ruleset, (codec.decode(*encode(event)) for event in game.log())) == game.states[-1]


@every_table
@few
@seeds
def test_views_standings_and_redacted_events_are_json(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for viewer in viewers(seats):
        for state in game.states[::5] + game.states[-1:]:
            check_json(ruleset.view(state, viewer))
            check_json(ruleset.standings(state, viewer))
            check_json(ruleset.outcome(state))
        for event in game.log()[1:]:
            check_json(ruleset.redact(event, viewer))


@every_table
@few
@seeds
def test_somebody_has_to_act_until_there_is_an_outcome(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state in game.states:
        assert bool(ruleset.to_act(state)) == (ruleset.outcome(state) is None)
    outcome = ruleset.outcome(game.states[-1])
    assert outcome is not None and {"winners", "scores"} <= outcome.keys() <= Outcome.__annotations__.keys()
    assert len(outcome["scores"]) >= seats
    assert set(outcome["winners"]) <= set(range(len(outcome["scores"])))


@every_table
@few
@seeds
def test_decisions_are_numbered_upwards(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    numbers = [ruleset.decision(state) for state in game.states[:-1]]
    assert numbers == sorted(numbers)
    for step in game.steps:
        before, after = ruleset.to_act(step.before), ruleset.to_act(step.after)
        answered = ruleset.decision(step.after) > ruleset.decision(step.before)
        assert answered or step.seat not in after or (after == before and ruleset.automaton(step.before) is None)


@every_table
@fewest
@seeds
def test_what_is_played_for_a_seat_leaves_nothing_of_its_answer_owing(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state in game.states[:-1:3]:
        for seat in ruleset.to_act(state) & frozenset(range(seats)):
            after = fold(ruleset, ruleset.decide(state, seat, ruleset.on_timeout(state, seat), chance_of(seed)), state)
            assert ruleset.decision(after) > ruleset.decision(state) or seat not in ruleset.to_act(after)


@every_table
@few
@seeds
def test_chance_is_never_asked_twice_by_the_same_label(name: str, seats: int, seed: int) -> None:
    _, game = played(name, seats, seed)
    assert sorted(game.labels) == sorted(set(game.labels))


@every_table
@few
@seeds
def test_whoever_is_not_to_act_is_refused(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for step in game.steps:
        for seat in set(range(seats)) - ruleset.to_act(step.before):
            assert [] == list(ruleset.legal(step.before, seat))
            assert refusal_of(ruleset, step.before, seat, step.action)
        for seat in range(seats):
            assert refusal_of(ruleset, game.states[-1], seat, step.action)


@every_table
@fewest
@seeds
def test_every_legal_action_is_accepted_and_no_two_come_to_the_same(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state in game.states[::4]:
        for seat in ruleset.to_act(state):
            outcomes = set()
            actions = ruleset.legal(state, seat)
            for action in actions:
                facts = ruleset.decide(state, seat, action, chance_of(seed))
                assert facts, "an action without consequences"
                after = fold(ruleset, facts, state)
                outcomes.add((frozenset(map(plain, facts)), plain(after)))
            assert len(actions) == len(outcomes)


@every_table
@few
@seeds
def test_everybody_who_is_to_act_has_a_legal_action(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state in game.states[:-1]:
        assert all(ruleset.legal(state, seat) for seat in ruleset.to_act(state))


@every_table
@few
@seeds
def test_notation_can_be_read_again(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state in game.states[::3]:
        for seat in ruleset.to_act(state):
            for action in ruleset.legal(state, seat):
                line = ruleset.notate(action)
                assert action == ruleset.parse(line), line
                assert len(line) <= 60 and line.isprintable()


@every_table
@fewest
@seeds
def test_every_event_and_action_is_told_in_every_language(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for language in ruleset.meta.languages:
        for viewer in viewers(seats):
            told = [*game.log()[1:], *(step.action for step in game.steps)]
            for thing in told:
                sentence = ruleset.describe(thing, viewer, language, names_of(seats))
                assert sentence.strip() == sentence and sentence, thing
                assert language != "fr" or not LOOSE.search(sentence), sentence


@every_table
@fewest
@seeds
def test_refusals_are_told_in_every_language(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for step in game.steps[::7]:
        for seat in range(seats):
            refusal = refusal_of(ruleset, game.states[-1], seat, step.action)
            assert refusal is not None
            for language in ruleset.meta.languages:
                assert ruleset.describe(refusal, seat, language, names_of(seats)).strip()


@every_table
@fewest
@seeds
def test_the_table_is_drawn_in_72_columns(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state in game.states[::9] + game.states[-1:]:
        for viewer in viewers(seats):
            for language in ruleset.meta.languages:
                drawn = ruleset.draw(ruleset.view(state, viewer), language, names_of(seats))
                assert drawn and max(map(len, drawn.splitlines())) <= 72
                assert language != "fr" or not LOOSE.search(drawn), drawn


@every_table
@fewest
@seeds
def test_no_line_of_the_table_can_be_taken_for_a_reply(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, state in enumerate(game.states[::3]):
        # Where a line is broken depends on how long the names are.
        names = [each[:2] * (1 + number % 8) for each in names_of(seats)]
        for language in ruleset.meta.languages:
            drawn = ruleset.draw(ruleset.view(state, number % seats), language, names)
            assert [line for line in drawn.splitlines() if read_reply(ruleset, line).found] == []


@every_table
@fewest
@seeds
def test_the_standings_explain_themselves_in_every_language(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state in (game.states[0], game.states[len(game.states) // 2], game.states[-1]):
        for viewer in viewers(seats):
            for language in ruleset.meta.languages:
                totals, *others = ruleset.explain(ruleset.standings(state, viewer), viewer, language, names_of(seats))
                assert len(totals.rows) >= seats and all(name in str(totals.rows) for name in names_of(seats))
                for part in (totals, *others):
                    assert part.title and (part.rows or part.lines) and all(part.lines)
                    assert {len(row) for row in part.rows} <= {len(part.head)}


@every_table
@few
@seeds
def test_what_is_done_for_a_seat_whose_time_is_up_is_legal(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state in game.states[:-1]:
        for seat in ruleset.to_act(state) & set(range(seats)):
            assert ruleset.decide(state, seat, ruleset.on_timeout(state, seat), chance_of(seed))


@every_table
@few
@seeds
def test_imagined_tables_are_alike_in_all_that_the_viewer_may_know_and_follow_from_that_alone(
    name: str, seats: int, seed: int
) -> None:
    ruleset, game = played(name, seats, seed)
    for state in game.states[::9]:
        for viewer in viewers(seats):
            tables = ruleset.imagine(state, viewer)
            for table in tables[::3]:
                assert ruleset.view(state, viewer) == ruleset.view(table, viewer)
                assert ruleset.standings(state, viewer) == ruleset.standings(table, viewer)
                assert viewer is None or list(ruleset.legal(state, viewer)) == list(ruleset.legal(table, viewer))
            assert list(tables) == list(ruleset.imagine(tables[-1], viewer))


def check_json(value: Any) -> None:
    """Check that a value is made of nothing but what JSON has, and that its keys are texts."""
    if isinstance(value, dict):
        assert all(isinstance(key, str) for key in value), value
        for item in value.values():
            check_json(item)
    elif isinstance(value, list | tuple):
        for item in value:
            check_json(item)
    else:
        assert value is None or isinstance(value, str | int), value
        json.dumps(value)
