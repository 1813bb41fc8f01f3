"""Speed of the proof: records of random games of New Corp Order, checked on all levels by one core."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from random import Random
from statistics import median
from time import perf_counter
from uuid import UUID

from service.audit.inspect import examine
from service.commands.selfplay import draw, play_out
from service.handlers.play import Move, play
from service.record.seal import Signer
from service.record.verify import verify
from service.rules.games.new_corp_order import RULESET
from service.store.engine import build_engine
from service.store.games import Games
from tests.bench.figures import cpu_seconds, figure
from tests.bench.store import servers, started_game

GAMES, PLAYED = 20, 5
RULESETS = {RULESET.meta.name: RULESET}


def main() -> None:
    """Print the figures of the record and its proof."""
    records = [_record(3, number) for number in range(GAMES)]
    seconds = [cpu_seconds(lambda data=data: verify(data, RULESETS)) for data, _ in records]
    figure("verify_games_per_second", 1 / median(seconds), "games/s", 15, 40)
    sizes = [len(gzip.compress(data)) / events for data, events in records]
    figure("record_bytes_per_event", median(sizes), "bytes, gzipped", 60, 60)
    figure("audit_events_per_second", _audited(), "events/s", 5000, 15000)


def _audited() -> float:
    """Return how many events of games in a database `boardroom audit` checks in a second."""
    with servers() as running:
        games = Games(build_engine(running.database_url), RULESETS)
        ids = [_played(games, number) for number in range(PLAYED)]
        events, seconds = [], []
        for game in ids:
            cold = Games(games.engine, RULESETS)
            start = perf_counter()
            with cold.engine.connect() as db:
                events.append(examine(db, cold, game))
            seconds.append(perf_counter() - start)
        games.engine.dispose()
    return sum(events) / sum(seconds)


def _played(games: Games, number: int) -> UUID:
    """Play a random game to its end, in the database."""
    random, game = Random(number), started_game(games, seats=4)
    while True:
        with games.engine.connect() as db:
            position = games.open(db, game)
        if not position.to_act:
            return game
        seat = min(position.to_act)
        action = draw(position.ruleset.legal(position.state, seat), random)
        play(games, Move(game, seat, position.decision, action, "api"))


def _record(seats: int, number: int) -> tuple[bytes, int]:
    """Return the sealed record of a game, and the number of its events."""
    game = play_out(RULESET, seats, {}, f"bench:audit:{number}")
    assert game.record is not None
    game.record.seal(Signer(bytes(32)), datetime(2026, 1, 1, tzinfo=UTC))
    return game.record.text(), len(game.opening) + sum(map(len, game.caused))
