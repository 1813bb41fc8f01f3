"""A database as it is after a year: so many games, of which 5 % run, with their events, players and what goes along."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from multiprocessing import get_context
from random import Random
from typing import Final
from uuid import UUID

import psycopg

from service.record.seal import Signer, signer
from service.rules.registry import find_rulesets
from service.store.access import SCOPES
from tests.bench.made_games import COLUMNS, EVENT_COLUMNS, Made, Wanted, in_time
from tests.bench.whole_games import LAST, Playing, fork, play

YEAR: Final = timedelta(days=365)
RUNNING: Final = 0.05
GAMES_EACH: Final = 10
"""Number of games that a player sits in."""
PROCESSES: Final = 2
BATCH: Final = 200
FORKS: Final = 10
"""Share of finished games played from their beginning: one in so many; the others are forks."""
SEAL_KEY: Final = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
KEPT: Final = timedelta(days=90)
LINKS: Final = """
insert into action_link (hash, game_id, seat, decision, created_at, expires_at, player_id)
select sha256(convert_to(e.game_id || ':' || e.seq, 'UTF8')), e.game_id, e.seat, e.decision, e.at, e.at, s.player_id
  from event e join seat s on (s.game_id, s.seat) = (e.game_id, e.seat) where e.action is not null and e.at > %(since)s
"""
"""A link for each action of the last three months, as if its player had been asked by mail."""
RULESET: Final = "new-corp-order"


def player_of(number: int) -> UUID:
    """Return the id of a player by a number from 0 on."""
    return UUID(bytes=sha256(f"player:{number}".encode()).digest()[:16], version=4)


def players_for(games: int) -> int:
    """Return how many players there are for so many games."""
    return max(10, games * 2 // GAMES_EACH)


def fill(conninfo: str, games: int, now: datetime, first: int = 0) -> None:
    """Fill an empty database, reached as a superuser, and let PostgreSQL count what is there.

    The games before the number `first` are left out: those are the oldest.
    """
    with psycopg.connect(conninfo, autocommit=True) as db:
        _people(db, players_for(games), now - YEAR)
        key: Signer = signer(SEAL_KEY)
        db.execute("insert into seal_key values (%s, %s, %s)", (key.id, key.public, now - YEAR))
        batches = [(conninfo, games, begin, now) for begin in range(first, games, BATCH)]
        with get_context("spawn").Pool(PROCESSES) as pool:
            for _ in pool.imap(fill_batch, batches, chunksize=1):
                pass
        db.execute(LINKS, {"since": now - KEPT})
        db.execute("vacuum analyze")


def fill_batch(batch: tuple[str, int, int, datetime]) -> int:
    """Play the games of a batch, and copy them into the database in one transaction; return how many events."""
    # What is made lives until it is written: nothing of it is garbage before that.
    gc.disable()
    conninfo, games, first, now = batch
    ruleset, key = find_rulesets()[RULESET], signer(SEAL_KEY)
    made: list[Made] = []
    finished: list[Playing] = []
    for number in range(first, min(first + BATCH, games)):
        each = wanted(number, games, now)
        if each.ends and number % FORKS:
            playing = fork(ruleset, finished[-1], later(each), key, now)
        else:
            playing = play(ruleset, each, key, now)
            finished.append(playing)
        made.append(playing.made)
    with psycopg.connect(conninfo) as db:
        # What triggers would do is done already, and none could be found missing.
        db.execute("set session_replication_role = replica")
        for table in COLUMNS:
            _copy(db, table, made)
        with db.cursor().copy(f"copy event ({EVENT_COLUMNS}) from stdin") as copy:
            copy.write("".join(in_time(made)))
    written = sum(len(each.events) for each in made)
    made.clear()
    gc.collect()
    return written


def wanted(number: int, games: int, now: datetime) -> Wanted:
    """Return what game a number stands for: games begin at equal distances in a year, and the last ones run."""
    random, people = Random(f"people:{number}"), players_for(games)
    opened_at = now - YEAR + YEAR * ((number + 0.5) / games)
    ends = number < games * (1 - RUNNING)
    until = min(opened_at + LAST, now - timedelta(minutes=1 + random.random() * 600))
    seated = [player_of(each) for each in random.sample(range(people), 2)]
    return Wanted(number, seated, min(opened_at, until - timedelta(hours=1)), until, ends)


def later(then: Wanted) -> Wanted:
    """Return a game that is opened when those of its time have ended."""
    return replace(then, opened_at=then.until, until=then.until + timedelta(seconds=20))


def _people(db: psycopg.Connection, people: int, at: datetime) -> None:
    with db.cursor().copy("copy player (id, name, language, created_at) from stdin") as copy:
        for number in range(people):
            copy.write_row((player_of(number), f"Player {number}", ("en", "de", "fr")[number % 3], at))
    columns = "hash, player_id, created_at, id, label, scopes, last_four"
    with db.cursor().copy(f"copy token ({columns}) from stdin") as copy:
        for number in range(people):
            player = player_of(number)
            copy.write_row((sha256(player.bytes).digest(), player, at, player, "first token", " ".join(SCOPES), "0000"))


def _copy(db: psycopg.Connection, table: str, made: Sequence[Made]) -> None:
    with db.cursor().copy(f"copy {table} ({COLUMNS[table]}) from stdin") as copy:
        for game in made:
            for row in game.rows.get(table, ()):
                copy.write_row(row)


def at_present() -> datetime:
    """Return the moment for which a database is filled."""
    return datetime.now(UTC).replace(microsecond=0)
