"""Speed of the proof: records of random games of New Corp Order, checked on all levels by one core."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from statistics import median

from service.audit.seal import Signer
from service.audit.verify import verify
from service.rules.games.new_corp_order import RULESET
from service.selfplay import play_out
from tests.bench.figures import cpu_seconds, figure

GAMES = 20
RULESETS = {RULESET.meta.name: RULESET}


def main() -> None:
    """Print the figures of the record and its proof."""
    records = [_record(3, number) for number in range(GAMES)]
    seconds = [cpu_seconds(lambda data=data: verify(data, RULESETS)) for data, _ in records]
    figure("verify_games_per_second", 1 / median(seconds), "games/s", 15, 40)
    sizes = [len(gzip.compress(data)) / events for data, events in records]
    figure("record_bytes_per_event", median(sizes), "bytes, gzipped", 60, 60)


def _record(seats: int, number: int) -> tuple[bytes, int]:
    """Return the sealed record of a game, and the number of its events."""
    game = play_out(RULESET, seats, {}, f"bench:audit:{number}")
    assert game.record is not None
    game.record.seal(Signer(bytes(32)), datetime(2026, 1, 1, tzinfo=UTC))
    return game.record.text(), len(game.opening) + sum(map(len, game.caused))
