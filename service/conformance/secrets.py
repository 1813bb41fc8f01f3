"""Checks of secrets: views, redacted events, standings, imagined states, orders."""

from __future__ import annotations

import json
from typing import Any

from service.conformance.check import Checks, Trial, ensure
from service.rules.order_conditions import NOWHERE, conditions_of, value_at

SECRETS = Checks()


@SECRETS.games(3, "Build views of dicts with str keys, lists, str, int, bool and None.")
def views_standings_and_redacted_events_are_json(trial: Trial) -> None:
    """Check what goes out to clients."""
    ruleset, game = trial.ruleset, trial.game
    for viewer in trial.viewers:
        for state in game.states[::5] + game.states[-1:]:
            _json(ruleset.view(state, viewer))
            _json(ruleset.standings(state, viewer))
            _json(ruleset.outcome(state))
        for event in game.log()[1:]:
            _json(ruleset.redact(event, viewer))


@SECRETS.games(
    3, "Let `imagine` change what is hidden alone, and use nothing of the state that the viewer does not see."
)
def imagined_tables_are_alike_in_all_that_the_viewer_may_know_and_follow_from_that_alone(trial: Trial) -> None:
    """Check the states that a viewer cannot tell apart."""
    ruleset = trial.ruleset
    for state in trial.game.states[::9]:
        for viewer in trial.viewers:
            tables = ruleset.imagine(state, viewer)
            for table in tables[::3]:
                for seen in (ruleset.view, ruleset.standings):
                    ensure(seen(state, viewer) == seen(table, viewer), f"{seen.__name__} differs for viewer {viewer}")
                alike = viewer is None or list(ruleset.legal(state, viewer)) == list(ruleset.legal(table, viewer))
                ensure(alike, f"legal actions of seat {viewer} differ")
            again = list(ruleset.imagine(tables[-1], viewer))
            ensure(list(tables) == again, f"viewer {viewer} imagines something else in a state that looks the same")


@SECRETS.games(1, "Let `relies_on` name places that are in the view of the seat.")
def t31_what_a_legal_action_rests_on_is_in_the_view_of_its_seat(trial: Trial) -> None:
    """Check what orders rest on."""
    ruleset = trial.ruleset
    for step in trial.game.steps[::5]:
        if step.seat >= trial.seats:
            continue
        view = ruleset.view(step.before, step.seat)
        for action in ruleset.legal(step.before, step.seat)[:50]:
            for pointer in conditions_of(ruleset, view, step.seat, action):
                ensure(value_at(view, pointer) is not NOWHERE, f"{action} rests on {pointer}, which is not in the view")


@SECRETS.games(3, "Let an auto-answer return one of the legal actions or None, and describe it in every language.")
def t34_an_auto_answer_is_a_legal_action_of_a_decision_of_its_kind(trial: Trial) -> None:
    """Check the answers that players can choose ahead."""
    ruleset = trial.ruleset
    for each in ruleset.auto_answers:
        described = set(each.describe) == set(ruleset.meta.languages) and all(each.describe.values())
        ensure(described, f"{each.name} is not described in every language")
        for step in trial.game.steps:
            view, legal = ruleset.view(step.before, step.seat), ruleset.legal(step.before, step.seat)
            answer = each.answer(view, legal)
            ensure(answer is None or answer in legal, f"{each.name} answers {answer}, which is not legal")


def _json(value: Any) -> None:
    """Check that a value is made of nothing but what JSON has, and that its keys are texts."""
    if isinstance(value, dict):
        for key, item in value.items():
            ensure(isinstance(key, str), f"the key {key!r} is no text")
            _json(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _json(item)
    else:
        ensure(value is None or isinstance(value, str | int), f"{value!r} is nothing that JSON has")
        json.dumps(value)
