"""Deals of a day for tests: committed to the day before, and tried by people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import pytest
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory
from sqlalchemy import text

from service.handlers import daily_deals as handlers
from service.handlers.play import play_automaton
from service.rules.chance import commit as commitment
from service.runtime import Runtime
from service.store import daily_deals
from service.store.daily_deals import DealRow
from service.store.games import Games, Position
from tests.builders import act, now_at
from tests.people import Person
from tests.superuser import UNCHAINED, Tamper
from workers import competition as workers
from workers.jobs import carry_out

RULESET: Final = "new-corp-order"
DAY: Final = datetime(2026, 3, 4, tzinfo=UTC)
"""The day of the deal, a Wednesday."""
NOON: Final = DAY + timedelta(hours=12)
EVENING: Final = DAY + timedelta(hours=18)
AFTER: Final = DAY + timedelta(days=1, hours=2)
"""Moment after the end of the day."""
FORGET: Final = "truncate deal_standing, deal_tally, deal_try, deal_seed, deal"


@contextmanager
def at(moment: datetime) -> Iterator[FrozenDateTimeFactory]:
    """Let it be a moment."""
    with freeze_time(moment, ignore=["psycopg"]) as clock:
        yield clock


def commit(runtime: Runtime, day: datetime = DAY) -> None:
    """Let upkeep commit to the deal of a day at noon of the day before."""
    with at(day - timedelta(hours=12)):
        workers.commit_ahead(runtime, day - timedelta(hours=12))


def unsigned(games: Games, day: datetime) -> str:
    """Write the deal of a day, unless there is one, whose signature is nobody's; return the day."""
    seed, options = bytes(32), {option.name: option.default for option in games.rulesets[RULESET].meta.options}
    with games.engine.begin() as db:
        if not daily_deals.is_committed(db, day.date()):
            made = DealRow(
                day.date(), RULESET, 1, options, commitment(seed), day - timedelta(days=1), bytes(32), bytes(64)
            )
            daily_deals.commit(db, made, seed)
    return day.date().isoformat()


def tried(games: Games, person: Person, moment: datetime = NOON) -> Position:
    """Let a person begin to try the deal."""
    with at(moment):
        return now_at(games, handlers.begin_try(games, person.id, moment).game)


def played(games: Games, position: Position, choice: int = 0, moment: datetime = NOON) -> Position:
    """Play a try to its end, always by the same of the legal actions."""
    with at(moment):
        while position.to_act:
            if position.ruleset.automaton(position.state) is not None:
                play_automaton(games, position.game.id)
                position = now_at(games, position.game.id)
                continue
            legal = position.ruleset.legal(position.state, 0)
            position = act(games, position, 0, legal[min(choice, len(legal) - 1)]).position
    return position


def counted(runtime: Runtime, games: Games, game: UUID) -> None:
    """Let a worker count what a try has come to."""
    with runtime.engine.connect() as db:
        found = text("select id from outbox where kind = 'deal-result' and game_id = :game")
        row = int(db.execute(found, {"game": game}).scalar_one())
    carry_out(runtime, row)


def today() -> datetime:
    """The day that it really is: sessions of browsers are looked up by the clock of the database."""
    return datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


@pytest.fixture
def dealing(runtime: Runtime, as_superuser: Tamper) -> Iterator[Runtime]:
    """The house with the deal of DAY, and no other."""
    as_superuser(FORGET)
    commit(runtime)
    yield runtime
    # Others take the first game with a log of its lobby for the beginning of such logs.
    for (game,) in as_superuser("select id from game where deal < current_date - 1").fetchall():
        as_superuser(UNCHAINED, {"game": game})
    as_superuser(FORGET)
