"""Events leave the database by one way alone: the log of a finished game, with the row that says where it is now."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import pytest
from sqlalchemy import Connection, NullPool, create_engine, text
from sqlalchemy.exc import IntegrityError, ProgrammingError

from service.runtime import Runtime
from service.store.events import rows
from service.store.proof import archive_log, archived_log, unarchive_log
from tests.archiving import archiving, hot, over
from tests.builders import sealed_bids
from tests.superuser import Tamper

__all__ = ["archiving"]
STATEMENTS = {
    "delete from event where game_id = :game": "",
    "update event set seq = seq where game_id = :game": "",
    "truncate event": "",
    "insert into archived (game_id, sha256, bytes, ended_at) values (:game, '', 0, now())": "application",
    "update archived set sha256 = ''": "application",
    "delete from archived": "application",
}
"""Refused statements, and `application` for those refused to the application alone."""
RECORD = b"the record of the game"


@pytest.fixture
def owner(owner_url: str) -> Iterator[Connection]:
    """The database as its owner, in a transaction that is taken back."""
    engine = create_engine(owner_url, poolclass=NullPool)
    with engine.connect() as db:
        yield db
        db.rollback()
    engine.dispose()


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_application_changes_nothing_of_a_log(archiving: Runtime, statement: str) -> None:
    game = over(archiving)
    with archiving.engine.connect() as db, pytest.raises(ProgrammingError, match="InsufficientPrivilege"):
        db.execute(text(statement), {"game": game})


@pytest.mark.parametrize("statement", [each for each, who in STATEMENTS.items() if not who])
def test_the_owner_changes_nothing_of_a_log_either(archiving: Runtime, owner: Connection, statement: str) -> None:
    game = over(archiving)
    with pytest.raises(ProgrammingError, match="append-only"):
        owner.execute(text(statement), {"game": game})


def test_the_log_of_a_game_that_is_not_over_or_not_sealed_stays(archiving: Runtime, as_superuser: Tamper) -> None:
    running, unsealed, sealed = sealed_bids(archiving.games).game, over(archiving), over(archiving)
    as_superuser("delete from seal where game_id = %s", (unsealed,))
    with archiving.engine.begin() as db:
        assert not archive_log(db, running.id, running.version, RECORD)
        assert not archive_log(db, unsealed, len(rows(db, unsealed)), RECORD)
        # nor is it removed at another version, or twice
        version = len(rows(db, sealed))
        assert not archive_log(db, sealed, version - 1, RECORD)
        assert archive_log(db, sealed, version, RECORD)
        assert not archive_log(db, sealed, version, RECORD)
        noted = db.execute(text("select sha256, bytes from archived where game_id = :game"), {"game": sealed}).one()
        assert noted == (sha256(RECORD).digest(), len(RECORD))
        db.rollback()
    assert [hot(archiving, each.id if each is running else each)[1] for each in (running, unsealed, sealed)] == [
        False
    ] * 3


def test_a_log_of_which_an_event_is_missing_is_not_removed(archiving: Runtime, as_superuser: Tamper) -> None:
    game = over(archiving)
    with archiving.engine.connect() as db:
        version = len(rows(db, game))
    as_superuser("create table missing as select * from event where game_id = %s and seq = 2", (game,))
    as_superuser("delete from event where game_id = %s and seq = 2", (game,))
    try:
        with archiving.engine.connect() as db, pytest.raises(ProgrammingError, match="were removed"):
            archive_log(db, game, version, RECORD)
    finally:
        as_superuser("insert into event select * from missing")
        as_superuser("drop table missing")


def test_a_log_comes_back_only_as_a_whole(archiving: Runtime) -> None:
    game = over(archiving)
    with archiving.engine.begin() as db:
        log = list(rows(db, game))
        assert archive_log(db, game, len(log), RECORD)
    with archiving.engine.connect() as db:
        assert not unarchive_log(db, game, [])
        assert not unarchive_log(db, game, log[:-1])
        db.rollback()
        assert unarchive_log(db, game, log)
        assert list(rows(db, game)) == log
        assert archived_log(db, game) is None
        # and never twice
        with pytest.raises(IntegrityError):
            unarchive_log(db, game, log)
