"""Checks of the course of games: events, decisions, legal actions, chance, the outcome."""

from __future__ import annotations

from service.conformance.check import Checks, Trial, ensure, same
from service.conformance.playouts import chance_of, plain, refusal_of
from service.log.codec import Codec, encode
from service.rules.kernel import GameStarted, fold, state_after
from service.rules.lookahead import worth_trying
from service.rules.outcome import Outcome

COURSE = Checks()


@COURSE.games(3, "Let `evolve` depend on state and event alone, and begin the events of a game with GameStarted once.")
def the_log_folds_to_the_state_that_was_reached_step_by_step(trial: Trial) -> None:
    """Check the fold of the whole log."""
    log = trial.game.log()
    ensure(fold(trial.ruleset, log) == trial.game.states[-1], "the log folds to another state")
    ensure([isinstance(event, GameStarted) for event in log].count(True) == 1, "GameStarted is there more than once")


@COURSE.games(3, "Use str, int, bool, None, Literal, tuples, NamedTuples and frozen dataclasses as fields of events.")
def every_event_survives_the_codec(trial: Trial) -> None:
    """Check that each event is the same after it was stored."""
    codec, known = Codec(trial.ruleset), {GameStarted, *trial.ruleset.event_types.values()}
    for event in trial.game.log():
        ensure(type(event) in known, f"{type(event).__name__} is not among `event_types`")
        same(codec.decode(*encode(event)), event, "an event that was stored")


@COURSE.games(3, "Let `evolve` use values of events, not which objects they are.")
def a_log_that_was_stored_folds_to_the_same_state(trial: Trial) -> None:
    """Check the fold of the stored log."""
    codec = Codec(trial.ruleset)
    stored = fold(trial.ruleset, (codec.decode(*encode(event)) for event in trial.game.log()))
    ensure(stored == trial.game.states[-1], "the stored log folds to another state")


@COURSE.games(
    3, "Let `outcome` be None as long as `to_act` has seats, and then have winners and a score for each seat."
)
def somebody_has_to_act_until_there_is_an_outcome(trial: Trial) -> None:
    """Check `to_act` against `outcome`."""
    ruleset, seats = trial.ruleset, trial.seats
    for state in trial.game.states:
        acts = sorted(ruleset.to_act(state))
        ensure(bool(acts) == (ruleset.outcome(state) is None), f"to_act is {acts}, outcome {ruleset.outcome(state)}")
    outcome = ruleset.outcome(trial.game.states[-1])
    ensure(outcome is not None, "the last state has no outcome")
    if outcome is not None:
        ensure({"winners", "scores"} <= outcome.keys() <= Outcome.__annotations__.keys(), f"the outcome is {outcome}")
        ensure(len(outcome["scores"] or ()) >= seats, f"{outcome['scores']} is no score for each of {seats} seats")
        ensure(set(outcome["winners"]) <= set(range(len(outcome["scores"] or ()))), "a winner without a seat")


@COURSE.games(
    3,
    "Let `decision` never fall, and rise when a seat has to act again, unless its unseen answer goes on.",
)
def decisions_are_numbered_upwards(trial: Trial) -> None:
    """Check the numbers of decisions."""
    ruleset, game = trial.ruleset, trial.game
    numbers = [ruleset.decision(state) for state in game.states[:-1]]
    same(numbers, sorted(numbers), "the numbers of the decisions")
    for step in game.steps:
        before, after = ruleset.to_act(step.before), ruleset.to_act(step.after)
        answered = ruleset.decision(step.after) > ruleset.decision(step.before)
        goes_on = after == before and ruleset.automaton(step.before) is None
        wrong = f"seat {step.seat} has to act again, and the decision has the same number"
        ensure(answered or goes_on or step.seat not in after, wrong)


@COURSE.games(3, "Put the number of the round, or what else is new, into the labels of `roll` and `shuffle`.")
def chance_is_never_asked_twice_by_the_same_label(trial: Trial) -> None:
    """Check the labels of chance."""
    labels = trial.game.labels
    same(sorted(labels), sorted(set(labels)), "the labels")


@COURSE.games(3, "Let `decide` raise Illegal, and `legal` be empty, for a seat that is not in `to_act`.")
def whoever_is_not_to_act_is_refused(trial: Trial) -> None:
    """Check that seats which are not asked can do nothing."""
    ruleset, game = trial.ruleset, trial.game
    for step in game.steps:
        for seat in set(range(trial.seats)) - ruleset.to_act(step.before):
            same(list(ruleset.legal(step.before, seat)), [], f"legal for seat {seat}, which is not to act")
            refusal = refusal_of(ruleset, step.before, seat, step.action)
            ensure(refusal, f"{step.action} of seat {seat}, which is not to act, is accepted")
        for seat in range(trial.seats):
            refusal = refusal_of(ruleset, game.states[-1], seat, step.action)
            ensure(refusal, f"{step.action} of seat {seat} is accepted after the end")


@COURSE.games(1, "Let `legal` list one action for each distinct outcome that `decide` accepts.")
def every_legal_action_is_accepted_and_no_two_come_to_the_same(trial: Trial) -> None:
    """Check each legal action."""
    ruleset = trial.ruleset
    for state in trial.game.states[::4]:
        for seat in ruleset.to_act(state):
            outcomes = set()
            actions = ruleset.legal(state, seat)
            for action in actions:
                facts = ruleset.decide(state, seat, action, chance_of(trial.seed))
                ensure(facts, f"{action} has no consequences")
                outcomes.add((frozenset(map(plain, facts)), plain(fold(ruleset, facts, state))))
            ensure(len(actions) == len(outcomes), f"of {len(actions)} legal actions only {len(outcomes)} are distinct")


@COURSE.games(3, "Let `legal` have an action for each seat of `to_act`, if only to pass.")
def everybody_who_is_to_act_has_a_legal_action(trial: Trial) -> None:
    """Check that nobody is stuck."""
    for state in trial.game.states[:-1]:
        for seat in trial.ruleset.to_act(state):
            ensure(trial.ruleset.legal(state, seat), f"seat {seat} has to act and cannot")


@COURSE.games(3, "Let `on_timeout` return a legal action for each seat that has to act.")
def what_is_done_for_a_seat_whose_time_is_up_is_legal(trial: Trial) -> None:
    """Check the action of a seat whose player is gone."""
    ruleset = trial.ruleset
    for state in trial.game.states[:-1]:
        for seat in ruleset.to_act(state) & set(range(trial.seats)):
            action = ruleset.on_timeout(state, seat)
            ensure(type(action) in ruleset.action_types.values(), f"{action} is none of `action_types`")
            refusal = refusal_of(ruleset, state, seat, action)
            ensure(refusal is None, f"{action} of seat {seat} is refused as {refusal}")


@COURSE.games(1, "Let `on_timeout` return the action that ends the answer of the seat.")
def what_is_played_for_a_seat_leaves_nothing_of_its_answer_owing(trial: Trial) -> None:
    """Check that the action of a seat whose player is gone is its whole answer."""
    ruleset = trial.ruleset
    for state in trial.game.states[:-1:2]:
        for seat in ruleset.to_act(state) & set(range(trial.seats)):
            action = ruleset.on_timeout(state, seat)
            after = fold(ruleset, ruleset.decide(state, seat, action, chance_of(trial.seed)), state)
            owes = seat in ruleset.to_act(after) and ruleset.decision(after) == ruleset.decision(state)
            ensure(not owes, f"after {action} seat {seat} still owes a part of its answer")


@COURSE.games(1, "If `decide` returns Caused, let its `state` be what `evolve` makes of all its events.")
def the_state_that_comes_with_events_is_the_one_that_they_fold_to(trial: Trial) -> None:
    """Check what `decide` returns, if it says what its events lead to."""
    ruleset = trial.ruleset
    for step in trial.game.steps:
        caused = ruleset.decide(step.before, step.seat, step.action, chance_of(trial.seed))
        wanted = fold(ruleset, caused, step.before)
        ensure(state_after(ruleset, step.before, caused) == wanted, f"{step.action} comes to another state")


@COURSE.games(1, "Let `candidates` have some of the legal actions, each once, and one at least for who has to act.")
def what_a_computer_player_thinks_about_is_legal(trial: Trial) -> None:
    """Check `candidates`, if the game has them."""
    ruleset = trial.ruleset
    for state in trial.game.states[::3] if ruleset.candidates is not None else ():
        for seat in range(trial.seats):
            legal, tried = ruleset.legal(state, seat), worth_trying(ruleset, state, seat)
            ensure(bool(tried) == bool(legal), f"{len(tried)} candidates of {len(legal)} legal actions")
            ensure(len(set(tried)) == len(tried), "a candidate is there more than once")
            ensure(set(tried) <= set(legal), f"{set(tried) - set(legal)} is not legal")
