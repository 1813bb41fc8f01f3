"""Measure the page of a game in play: the server's time, and the amount that a browser has to fetch."""

from __future__ import annotations

import re
from gzip import decompress
from http.client import HTTPConnection
from random import Random
from statistics import median
from time import perf_counter

from service.commands.selfplay import draw
from service.handlers import lobby
from service.handlers.lobby import Plan
from service.handlers.people import Arrival, register_player
from service.handlers.play import Move, play
from service.handlers.sessions import let_in
from service.rules.registry import find_rulesets
from service.shared import clock
from service.store.engine import build_engine
from service.store.game_row import Terms
from service.store.games import Games, Position
from tests.bench.figures import figure, percentile
from tests.bench.http import bench_servers, cpu_of, web_server

PLAYERS = 4
STAGES = 12
MOVES = 4
AGAIN = 8
KILOBYTE = 1024
_PART = re.compile(r'(?:href|src)="(/(?:look|rules)/[^"]+\.(?:css|js|svg|woff2))"')


def main() -> None:
    """Print how long a page takes, seen first since a move and once more, and what it weighs with all its parts."""
    with bench_servers() as servers:
        games = Games(build_engine(servers.database_url), find_rulesets())
        position, cookies = _table(games)
        path, random = f"/games/{position.game.id}", Random("bench:pages")
        first: list[float] = []
        again: list[float] = []
        weights: list[int] = []
        with web_server(servers) as (port, web):
            connection = HTTPConnection("127.0.0.1", port)
            used = cpu_of(web)
            for _ in range(STAGES):
                position = _moved(games, position, random)
                for cookie in cookies:
                    taken = [_fetched(connection, path, cookie) for _ in range(AGAIN)]
                    first.append(taken[0][0])
                    again += [seconds for seconds, _ in taken[1:]]
                    weights.append(taken[0][1])
            used = cpu_of(web) - used
            parts = sum(_fetched(connection, part, "")[1] for part in _parts(connection, path, cookies[0]))
        games.engine.dispose()
    cpu = used * 1000 / len(first + again)
    more = {
        "cpu_ms": cpu,
        "first_ms": median(first) * 1000,
        "p99_ms": percentile(first + again, 0.99) * 1000,
        "pages": len(again),
    }
    figure("table_page_ms", median(again) * 1000, "ms", 15, 10, **more)
    figure("table_page_kb", (max(weights) + parts) / KILOBYTE, "KiB", 120, 80, page_kb=max(weights) / KILOBYTE)


def _table(games: Games) -> tuple[Position, list[str]]:
    """Return a game for four, and the cookie of each of them."""
    people = [register_player(games, Arrival("en", name), clock.now())[0] for name in ("Ada", "Ben", "Cleo", "Dan")]
    plan = Plan("new-corp-order", PLAYERS, terms=Terms(access="public"))
    game = lobby.create(games, people[0], plan, clock.now()).game.id
    for guest in people[1:]:
        lobby.join(games, game, guest, clock.now())
    with games.engine.begin() as db:
        cookies = [f"boardroom={let_in(db, player, clock.now())}" for player in people]
    return lobby.start(games, game, people[0], clock.now()), cookies


def _moved(games: Games, position: Position, random: Random) -> Position:
    """Return the game some moves later."""
    for _ in range(MOVES):
        seat = min(position.awaited)
        action = draw(position.ruleset.legal(position.state, seat), random)
        position = play(games, Move(position.game.id, seat, position.decision, action, "web")).position
    return position


def _parts(connection: HTTPConnection, path: str, cookie: str) -> list[str]:
    page = decompress(_answered(connection, path, cookie)).decode()
    return _PART.findall(page)


def _fetched(connection: HTTPConnection, path: str, cookie: str) -> tuple[float, int]:
    """Return the seconds until all of it is here, and its bytes as they are sent, without the headers."""
    start = perf_counter()
    body = _answered(connection, path, cookie)
    return perf_counter() - start, len(body)


def _answered(connection: HTTPConnection, path: str, cookie: str) -> bytes:
    connection.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    body = answer.read()
    assert answer.status == 200, (path, answer.status)
    return body
