"""Time a finished game for four, shown as of any event, over HTTP."""

from __future__ import annotations

from http.client import HTTPConnection
from random import Random
from time import perf_counter

from service.commands.selfplay import draw
from service.handlers import lobby
from service.handlers.lobby import Plan
from service.handlers.people import Arrival, register_player
from service.handlers.play import Move, play
from service.rules.registry import find_rulesets
from service.shared import clock
from service.store.engine import build_engine
from service.store.game_row import Terms
from service.store.games import Games, Position
from tests.bench.figures import figure, percentile
from tests.bench.http import bench_servers, web_server

PLAYERS = 4
GAMES = 3


def main() -> None:
    """Print how long the table at an event takes; the events are asked for in no order, so nobody can read ahead."""
    with bench_servers() as servers:
        games, random = Games(build_engine(servers.database_url), find_rulesets()), Random("bench:replay")
        played = [_finished(games, random) for _ in range(GAMES)]
        games.engine.dispose()
        moments = [(position, token, seq + 1) for position, token in played for seq in range(position.version)]
        random.shuffle(moments)
        with web_server(servers) as (port, _):
            connection = HTTPConnection("127.0.0.1", port)
            taken = [_asked(connection, *moment, random.randrange(PLAYERS)) for moment in moments]
    events = percentile([float(position.version) for position, _ in played], 0.5)
    more = {"p99_ms": percentile(taken, 0.99) * 1000, "events_of_a_game": events, "asked": len(taken)}
    figure("replay_step_ms", percentile(taken, 0.5) * 1000, "ms", 8, 4, **more)


def _finished(games: Games, random: Random) -> tuple[Position, str]:
    """Return a game that was played to its end, and the token of its host."""
    people = [register_player(games, Arrival("en", name), clock.now()) for name in ("Ada", "Ben", "Cleo", "Dan")]
    plan = Plan("new-corp-order", PLAYERS, terms=Terms(access="public"))
    game = lobby.create(games, people[0][0], plan, clock.now()).game.id
    for guest, _ in people[1:]:
        lobby.join(games, game, guest, clock.now())
    position = lobby.start(games, game, people[0][0], clock.now())
    while position.awaited:
        seat = min(position.awaited)
        action = draw(position.ruleset.legal(position.state, seat), random)
        position = play(games, Move(game, seat, position.decision, action, "api")).position
    return position, people[0][1]


def _asked(connection: HTTPConnection, position: Position, token: str, seq: int, seat: int) -> float:
    path = f"/api/v1/games/{position.game.id}/replay/{seq}?seat={seat}"
    start = perf_counter()
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    body = answer.read()
    seconds = perf_counter() - start
    assert answer.status == 200, body
    return seconds
