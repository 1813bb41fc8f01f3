"""Speed of the rules alone, in CPU time of one core, over random games of each game that comes along."""

from __future__ import annotations

from functools import partial
from statistics import median
from time import process_time
from typing import Any

from service.commands.selfplay import play_out
from service.players.analysis import Chances, PlayedStep, analyse_step
from service.players.values import value_of
from service.rules.kernel import AnyRuleset, fold
from service.rules.lookahead import after
from service.rules.registry import find_rulesets
from tests.bench.figures import cpu_seconds, figure, percentile

GAMES = 20
NO_CHANCE: Any = None
Log = tuple[list[Any], list[tuple[Any, int, Any]]]
"""A game's events, and (state, seat, action) of each of its decisions."""


def main() -> None:
    """Print the figures of the rules of each game."""
    for ruleset in find_rulesets().values():
        logs = [_log(ruleset, 4, number) for number in range(GAMES)]
        _fold(ruleset, logs)
        _legal(ruleset, logs)
        _decide(ruleset, logs)
        _valuation(ruleset, logs)
        _automaton(ruleset)
        _analysis(ruleset, logs[0])
        _whole_games(ruleset)


def _log(ruleset: AnyRuleset, seats: int, number: int) -> Log:
    game = play_out(ruleset, seats, {}, f"bench:{seats}:{number}", recorded=False)
    state, decisions = fold(ruleset, game.opening), []
    for (_, seat, action), events in zip(game.actions, game.caused, strict=True):
        decisions.append((state, seat, action))
        state = fold(ruleset, events, state)
    return [*game.opening, *(event for events in game.caused for event in events)], decisions


def _fold(ruleset: AnyRuleset, logs: list[Log]) -> None:
    seconds = cpu_seconds(lambda: [fold(ruleset, events) for events, _ in logs])
    total = sum(len(events) for events, _ in logs)
    figure("fold_events_per_second", total / seconds, "events/s", 150_000, 400_000, game=ruleset.meta.name)


def _legal(ruleset: AnyRuleset, logs: list[Log]) -> None:
    taken = [_timed(ruleset.legal, state, seat) * 1000 for _, decisions in logs for state, seat, _ in decisions]
    p99 = percentile(taken, 0.99)
    figure("legal_ms", median(taken), "ms", 0.6, 0.3, p99=p99, p99_at_least=20, p99_aim=8, game=ruleset.meta.name)


def _decide(ruleset: AnyRuleset, logs: list[Log]) -> None:
    taken = [
        _timed(_act, ruleset, *decision) * 1e6
        for _, decisions in logs
        for decision in decisions
        if not _asks_chance(ruleset, *decision)
    ]
    figure("decide_us", median(taken), "us", 40, 20, game=ruleset.meta.name)


def _valuation(ruleset: AnyRuleset, logs: list[Log]) -> None:
    """Print how many positions a computer player values in a second of CPU time."""
    if ruleset.valuation is None:
        return
    value = value_of(ruleset, 4, "normal")
    taken = [_timed(value, state, seat) for _, decisions in logs for state, seat, _ in decisions]
    figure("values_per_second", 1 / median(taken), "positions/s", 5_000, 20_000, game=ruleset.meta.name)


def _analysis(ruleset: AnyRuleset, log: Log) -> None:
    _, decisions = log
    afterwards = [state for state, _, _ in decisions[1:]]
    steps = [
        PlayedStep(number, seat, action, state, then)
        for number, ((state, seat, action), then) in enumerate(zip(decisions, afterwards, strict=False))
    ]
    chances, begun = Chances(ruleset, 4), process_time()
    for step in steps:
        analyse_step(chances, "bench", step)
    figure("analyse_seconds", process_time() - begun, "s", 20, 5, game=ruleset.meta.name)


def _automaton(ruleset: AnyRuleset) -> None:
    for seats in ruleset.meta.automata:
        logs = [_log(ruleset, seats, number) for number in range(GAMES)]
        turns = [each for _, decisions in logs for each in decisions if ruleset.automaton(each[0])]
        taken = median(_timed(_act, ruleset, *turn) * 1e6 for turn in turns)
        figure("automaton_us", taken, "us", 400, 200, game=ruleset.meta.name)


def _whole_games(ruleset: AnyRuleset) -> None:
    """Random games of four, and how often each player of them is waited for in a turn or round."""

    def play(number: int) -> Any:
        return play_out(ruleset, 4, {}, f"bench:{number}", recorded=False)

    seconds = median(cpu_seconds(partial(play, number)) for number in range(GAMES))
    figure("games_per_second", 1 / seconds, "games/s", 4, 40, game=ruleset.meta.name)
    games = [play(number) for number in range(GAMES)]
    turns = sum(ruleset.turn(game.state) for game in games)
    waits = sum(game.waits.count for game in games) / 4
    figure("waits_per_round", waits / turns, "waits", 12, 10, game=ruleset.meta.name)


def _act(ruleset: AnyRuleset, state: Any, seat: int, action: Any) -> Any:
    return after(ruleset, state, seat, action, NO_CHANCE)


def _asks_chance(ruleset: AnyRuleset, state: Any, seat: int, action: Any) -> bool:
    """Return whether the action needs chance, whose time is not that of the rules."""
    try:
        ruleset.decide(state, seat, action, NO_CHANCE)
    except AttributeError:
        return True
    return False


def _timed(work: Any, *arguments: Any) -> float:
    start = process_time()
    work(*arguments)
    return process_time() - start
