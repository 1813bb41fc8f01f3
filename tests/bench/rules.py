"""Speed of the rules alone, in CPU time of one core, over random games of New Corp Order."""

from __future__ import annotations

from statistics import median
from time import process_time
from typing import Any

from service.commands.selfplay import play_out
from service.rules.games.new_corp_order import RULESET
from service.rules.kernel import fold
from tests.bench.figures import cpu_seconds, figure, percentile

GAMES = 20
NO_CHANCE: Any = None


def main() -> None:
    """Print the figures of the rules."""
    logs = [_log(4, number) for number in range(GAMES)]
    _fold(logs)
    _legal(logs)
    _decide(logs)
    _ods([_log(1, number) for number in range(GAMES)])
    games = [
        cpu_seconds(lambda n=number: play_out(RULESET, 3, {}, f"bench:{n}", recorded=False)) for number in range(GAMES)
    ]
    figure("games_per_second", 1 / median(games), "games/s", 15, 40)


def _log(seats: int, number: int) -> tuple[list[Any], list[tuple[Any, int, Any]]]:
    """Return a game's events, and (state, seat, action) of each of its decisions."""
    game = play_out(RULESET, seats, {}, f"bench:{seats}:{number}", recorded=False)
    state, decisions = fold(RULESET, game.opening), []
    for (_, seat, action), events in zip(game.actions, game.caused, strict=True):
        decisions.append((state, seat, action))
        state = fold(RULESET, events, state)
    return [*game.opening, *(event for events in game.caused for event in events)], decisions


def _fold(logs: list[Any]) -> None:
    seconds = cpu_seconds(lambda: [fold(RULESET, events) for events, _ in logs])
    total = sum(len(events) for events, _ in logs)
    figure("fold_events_per_second", total / seconds, "events/s", 150_000, 400_000)


def _legal(logs: list[Any]) -> None:
    taken = [_timed(RULESET.legal, state, seat) * 1000 for _, decisions in logs for state, seat, _ in decisions]
    figure("legal_ms", median(taken), "ms", 0.6, 0.3, p99=percentile(taken, 0.99), p99_at_least=20, p99_aim=8)


def _decide(logs: list[Any]) -> None:
    taken = [_timed(_act, state, seat, action) * 1e6 for _, decisions in logs for state, seat, action in decisions]
    figure("decide_us", median(taken), "us", 80, 40)


def _ods(logs: list[Any]) -> None:
    turns = [each for _, decisions in logs for each in decisions if RULESET.automaton(each[0])]
    figure("ods_us", median(_timed(_act, *turn) * 1e6 for turn in turns), "us", 400, 200)


def _act(state: Any, seat: int, action: Any) -> Any:
    return fold(RULESET, RULESET.decide(state, seat, action, NO_CHANCE), state)


def _timed(work: Any, *arguments: Any) -> float:
    start = process_time()
    work(*arguments)
    return process_time() - start
