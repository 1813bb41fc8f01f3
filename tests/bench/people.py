"""Measure pages about people among 100,000 of them: leaderboards, a profile, friends, games with an opponent."""

from __future__ import annotations

import tempfile
from hashlib import md5
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final
from uuid import UUID

import psycopg
from sqlalchemy import text

from service.app import create_app
from service.handlers import people, tokens
from service.handlers.people import Arrival
from service.local.servers import LocalServers
from service.runtime import Runtime
from service.shared import clock
from service.store.access import SCOPES
from service.store.migrations import upgrade
from tests.bench.figures import figure, percentile
from tests.house import settings_on
from tests.rest import Caller

PLAYERS: Final = 100_000
ROUNDS: Final = 200
MOST_MS: Final = 15.0
BUSY: Final = UUID(md5(b"player1", usedforsecurity=False).hexdigest())
"""A player with some 300 games that are over, and 100 friends."""
BOARD: Final = "/leaderboards/new-corp-order/2"
_FILL = f"""
insert into player (id, name, language, created_at, handle, handle_skeleton)
select md5('player' || n)::uuid, 'Player ' || n, 'en', now(), 'player-' || n, 'player-' || n
  from generate_series(1, {PLAYERS}) n;
insert into rating (player_id, ruleset, seats, mu, sigma, games)
select md5('player' || n)::uuid, 'new-corp-order', 2, 10 + n * 30.0 / {PLAYERS}, 3, 10
  from generate_series(1, {PLAYERS}) n;
insert into game (id, ruleset, seats, options, commitment, host, status, access, created_at, version, awaited, since,
                  name)
select md5('game' || n)::uuid, 'new-corp-order', 2, '{{}}', 'c', md5('player' || n)::uuid, 'finished', 'public',
       now() - n * interval '1 minute', 10, '{{}}', now(), 'Table ' || n from generate_series(1, {PLAYERS}) n;
insert into seat (game_id, seat, player_id, nonce, joined_at)
select md5('game' || n)::uuid, seat, md5('player' || 1 + mod(n * (1 + seat), {PLAYERS}))::uuid, '00', now()
  from generate_series(1, {PLAYERS}) n, generate_series(0, 1) seat where seat = 0 or n < {PLAYERS};
insert into seat (game_id, seat, player_id, nonce, joined_at)
select md5('game' || n)::uuid, 2, md5('player1')::uuid, '00', now()
  from generate_series({PLAYERS} / 2 + 1, {PLAYERS} / 2 + 300) n;
insert into played_game (game_id, player_id, ruleset, seats, people, began_at, ended_at, place, won, "left", points,
                         moves, asked, lapsed, waits, scores, sources)
select game_id, player_id, 'new-corp-order', 2, 2, now(), now(), 1 + seat, seat = 0, false, 20, 30, 30, 0,
       array_fill(3600, array[30]), array[20, 18, 20],
       '{{"sign-red": 6, "sign-black": 4, "sign-blue": 3, "sign-white": 2, "star": 4, "consultant-dealmaker": 1}}'
  from seat;
insert into result (game_id, ruleset, seats, ended_at) select id, ruleset, seats, since from game;
insert into rating_step (player_id, ruleset, seats, number, before, mu, sigma)
select s.player_id, r.ruleset, r.seats, r.number, 25, 25.5, 3 from result r join seat s on s.game_id = r.game_id;
insert into friendship (id, sender, recipient, state, created_at, answered_at)
select md5('friend' || n)::uuid, md5('player1')::uuid, md5('player' || n)::uuid, 'accepted', now(), now()
  from generate_series(2, 101) n;
"""
_OWN = text(
    "insert into rating (player_id, ruleset, seats, mu, sigma, games) values (:player, 'new-corp-order', 2, :mu, 3, 10)"
)


def main() -> None:
    """Fill a database, and print the figures."""
    with (
        tempfile.TemporaryDirectory(prefix="boardroom-") as folder,
        LocalServers(Path(folder), wanted=frozenset({"postgres"}), durable=False) as servers,
    ):
        Path(folder).chmod(0o711)
        upgrade(servers.owner_url)
        with psycopg.connect(servers.owner_url.replace("+psycopg", ""), autocommit=True) as db:
            db.execute(_FILL)
            db.execute("vacuum analyze")
        runtime = Runtime.build(settings_on(servers))
        _measure(runtime)
        runtime.engine.dispose()


def _measure(runtime: Runtime) -> None:
    player, token = people.register_player(runtime.games, Arrival("en", "Alice"), clock.now())
    with runtime.engine.begin() as db:
        db.execute(_OWN, {"player": player, "mu": 12.0})
        busy = tokens.issue(db, BUSY, "bench", SCOPES, None, clock.now())[1]
    app = create_app(runtime)
    api, deep = Caller(app.test_client(), token), BOARD
    for _ in range(20):
        deep = f"{BOARD}?limit=100&after={api.get(deep).json['next']}"
    for name, path in (
        ("leaderboard_first_page", f"{BOARD}?limit=100"),
        ("leaderboard_far_down", deep),
        ("profile", "/players/player-1"),
        ("games_with_opponent", "/games?opponent=player-1&status=finished"),
    ):
        _time(name, api, path)
    _time("friends", Caller(app.test_client(), busy), "/me/friends")


def _time(name: str, api: Caller, path: str) -> None:
    taken = []
    for _ in range(ROUNDS):
        begun = perf_counter()
        answer = api.get(path)
        taken.append((perf_counter() - begun) * 1000)
        assert answer.status_code == 200, answer.text
    figure(f"people_{name}_ms", median(taken), "ms", MOST_MS, 5.0, p5=percentile(taken, 0.05))


if __name__ == "__main__":
    main()
