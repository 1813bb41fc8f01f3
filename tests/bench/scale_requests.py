"""What requests and actions cost in a large database beside a small one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from random import Random
from statistics import median
from time import perf_counter
from typing import Final

from sqlalchemy import text

from service.commands.selfplay import draw
from service.handlers.play import Move, play
from service.handlers.transaction import statements
from tests.bench.figures import figure, percentile
from tests.bench.scale_side import Person, Side, in_turn

GAMES: Final = 40
"""Games in which actions are made, and how many in each; the first of each is not counted."""
ACTIONS: Final = 8
ROUNDS: Final = 240
AGAIN: Final = 3
SLOWER: Final = 1.3
_RUNNING = text("select id from game where status = 'running' and pace is null order by random() limit :most")
PATHS: Final = {
    "games": "/api/v1/games",
    "games_open_to_me": "/api/v1/games?open_to_me=true",
    "games_running": "/api/v1/games?mine=false&status=running",
    "games_imported": "/api/v1/games?origin=import",
    "games_by_deadline": "/api/v1/games?sort=deadline",
    "me_turns": "/api/v1/me/turns",
    "table": "/api/v1/games/{game}",
    "table_page": "/games/{game}",
    "long_poll": "/api/v1/games/{game}/events?after=20&wait=5",
    "replay": "/api/v1/games/{game}/replay",
}
"""The poll is one that has something to tell at once."""


def main(large: Side, small: Side) -> None:
    """Print the ratios."""
    for name, path in PATHS.items():
        _request(name, path, large, small)
    _actions(large, small)


def _actions(large: Side, small: Side) -> None:
    taken: list[tuple[list[float], list[float]]] = []
    acting = [(_acting(large), _acting(small)) for _ in range(AGAIN)]
    for one, other in acting:
        taken.append((one.taken, other.taken))
        in_turn(one.act, other.act, GAMES * ACTIONS)
    for name, share, most in (("append_p50_ratio", 0.5, 1.2), ("append_p99_ratio", 0.99, 1.5)):
        ratios = sorted(percentile(one, share) / percentile(other, share) for one, other in taken)
        one, other = (percentile(list(chain(*each)), share) * 1000 for each in zip(*taken, strict=True))
        ms = {large.name: one, small.name: other}
        figure(name, one / other, "1", most, 1.0, lowest=ratios[0], highest=ratios[-1], ms=ms)


class _Acting:
    """Random actions in running games, one game after the other; how long all but the first in each took."""

    def __init__(self, each: Side, seed: str) -> None:
        self.taken: list[float] = []
        self._games, self._random = each.runtime.games, Random(seed)
        with each.runtime.engine.connect() as db:
            self._ids = list(db.execute(_RUNNING, {"most": GAMES}).scalars())

    def act(self, number: int) -> None:
        """Make the action of a number."""
        game = self._ids[number // ACTIONS % len(self._ids)]
        with statements(self._games.engine) as db:
            position = self._games.open(db, game)
        if position.game.status != "running":
            return
        seat = min(position.awaited)
        action = draw(position.ruleset.legal(position.state, seat), self._random)
        begun = perf_counter()
        play(self._games, Move(game, seat, position.decision, action, "api"))
        if number % ACTIONS:
            self.taken.append(perf_counter() - begun)


def _acting(each: Side) -> _Acting:
    return _Acting(each, "bench:scale")


def _request(name: str, path: str, large: Side, small: Side) -> None:
    # As many here as there, or one process would remember all of its games, and the other would not.
    people = min(len(each.people) for each in (large, small))
    assert people > 4, "a database has too few games for a comparison"
    asking = [_asking(each, path, people) for each in (large, small)]
    one, other = in_turn(*asking, ROUNDS)
    ms = {each.name: median(taken) * 1000 for each, taken in ((large, one), (small, other))}
    ratios = {"p99_ratio": percentile(one, 0.99) / percentile(other, 0.99), "people": people}
    figure(f"{name}_ratio", median(one) / median(other), "1", SLOWER, 1.0, ms=ms, **ratios)


def _asking(each: Side, path: str, people: int) -> Callable[[int], object]:
    def ask(number: int) -> None:
        who: Person = each.people[number % people]
        signed_in = (
            {"Authorization": f"Bearer {who.token}"} if "/api/" in path else {"Cookie": f"boardroom={who.cookie}"}
        )
        answer = each.client.get(path.format(game=who.game), headers=signed_in)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[:300])

    return ask
