"""Finished games whose logs leave the database for an archive, and come back into it after the test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text

from service.archive.archive import Archive, open_archive
from service.messages.keys import new_key
from service.record.seal import signer
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.store.proof import use_archive
from service.views.record import record_text
from tests.builders import finished, sealed_bids
from tests.superuser import Tamper
from workers.jobs import carry_out
from workers.proof import Archiving

DAYS = 30
LATER = timedelta(days=DAYS, minutes=1)
_SEAL = text("select id from outbox where kind = 'seal' and game_id = :game")
_UNSEALED = "truncate seal, seal_day, seal_key, deal_standing, deal_tally, deal_try, deal_seed, deal"
_KEEP = """
create table kept_event (like event);
create function keep_removed() returns trigger language plpgsql security definer as
$$ begin insert into kept_event select * from removed; return null; end $$;
create trigger kept_for_tests after delete on event referencing old table as removed
  for each statement execute function keep_removed();
"""
_RESTORE = """
drop trigger kept_for_tests on event;
drop function keep_removed;
insert into event select * from kept_event on conflict do nothing;
delete from archived;
drop table kept_event;
truncate seal, seal_day, seal_key, deal_standing, deal_tally, deal_try, deal_seed, deal;
"""


@pytest.fixture
def archiving(runtime: Runtime, tmp_path: Path, as_superuser: Tamper) -> Iterator[Runtime]:
    """The service with a key and an archive that takes logs out of the database; nothing is sealed, as it is left too.

    It remembers no state of a game. In the end all logs are in the database, whatever has happened to the archive.
    """
    as_superuser(_UNSEALED)
    as_superuser(_KEEP)
    key, folder = new_key(), tmp_path / "archive"
    settings = replace(
        runtime.settings, seal_key=key, archive=str(folder), archive_days=DAYS, archive_only=True, part="relay"
    )
    use_archive(runtime.engine, open_archive(str(folder)))
    yield forgetful(replace(runtime, signer=signer(key), settings=settings))
    use_archive(runtime.engine, None)
    as_superuser(_RESTORE)


def forgetful(runtime: Runtime) -> Runtime:
    """The same service in a process that has not seen any game yet."""
    archive = runtime.settings.archive
    use_archive(runtime.engine, None if archive is None else open_archive(archive))
    return replace(runtime, games=Games(runtime.engine, runtime.games.rulesets))


def over(runtime: Runtime) -> UUID:
    """A game that is over and sealed."""
    return seal(runtime, finished(runtime.games, sealed_bids(runtime.games)).game.id)


def seal(runtime: Runtime, game: UUID) -> UUID:
    """Seal a game that is over, and return it."""
    with runtime.engine.connect() as db:
        row = db.execute(_SEAL, {"game": game}).scalar_one()
    carry_out(runtime, row)
    return game


def archive(runtime: Runtime) -> None:
    """Do what relays do to finished games after some days."""
    going_on = Archiving(runtime)
    while going_on.go_on(clock.now() + LATER):
        pass


def archive_of(runtime: Runtime) -> Archive:
    """The archive of the settings."""
    assert runtime.settings.archive
    return open_archive(runtime.settings.archive)


def file_of(runtime: Runtime, game: UUID) -> Path:
    """The file of a game in an archive that is a folder."""
    return Path(str(archive_of(runtime))) / game.hex[-2:] / f"{game}.jsonl.gz"


def record_of(runtime: Runtime, game: UUID) -> bytes:
    """The record of a game, as it can be downloaded."""
    with runtime.engine.begin() as db:
        return record_text(db, runtime.games, game)


def hot(runtime: Runtime, game: UUID) -> tuple[int, bool]:
    """Return the number of a game's events in the database, and whether the game is noted as archived."""
    found = (
        "select (select count(*) from event where game_id = :game), exists (select from archived where game_id = :game)"
    )
    with runtime.engine.connect() as db:
        events, noted = db.execute(text(found), {"game": game}).one()
        return int(events), bool(noted)
