"""`boardroom migrate` and `up` on a database of any age: it is brought up to date, or one sentence says why not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, NullPool, create_engine, text

from service.commands.cli import main
from service.store.revision import NEWEST, OLDEST, OLDEST_CODE

REVISION = text("select version_num from alembic_version")


@contextmanager
def connected(database_url: str) -> Iterator[Connection]:
    with create_engine(database_url, poolclass=NullPool).begin() as db:
        yield db


def changed_by_a_newer_version(db: Connection, oldest_code: str) -> None:
    """Have the database say that a newer version has changed it, and which code can still work with it."""
    db.execute(text("update alembic_version set version_num = '9999'"))
    db.execute(text(f"comment on table alembic_version is '{OLDEST_CODE}={oldest_code}'"))


@pytest.fixture
def database(empty_database: Callable[[], tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> str:
    """A database of our newest revision, which the environment names; its owner's address."""
    owner, _ = empty_database()
    monkeypatch.setenv("DATABASE_URL", owner)
    assert main(["migrate"]) == 0
    return owner


def test_an_empty_database_is_brought_up_to_date_and_stays_so(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["migrate"]) == 0
    with connected(database) as db:
        assert db.execute(REVISION).scalar_one() == NEWEST
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "")


@pytest.mark.parametrize("command", ["migrate", "up"])
def test_a_database_that_this_version_no_longer_fits_is_left_alone_and_one_line_says_what_to_do(
    command: str, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with connected(database) as db:
        changed_by_a_newer_version(db, oldest_code="9998")
    monkeypatch.delenv("RULESET_PACKAGES", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main([command, *(["--data", str(tmp_path / "data")] if command == "up" else [])]) == 1
    told = capsys.readouterr().err
    assert told.startswith("boardroom: The database ") and told.count("\n") == 1
    assert f"is at revision 9999, and this version of boardroom knows none after {NEWEST}" in told
    assert "Install that one, or name another database" in told
    with connected(database) as db:
        assert db.execute(REVISION).scalar_one() == "9999"


def test_a_database_of_a_newer_version_that_this_one_fits_is_left_as_it_is(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with connected(database) as db:
        changed_by_a_newer_version(db, oldest_code=NEWEST)
    assert main(["migrate"]) == 0
    with connected(database) as db:
        assert db.execute(REVISION).scalar_one() == "9999"
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "")


def test_the_doctor_warns_of_a_database_of_a_newer_or_older_version_that_this_one_fits(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with connected(database) as db:
        changed_by_a_newer_version(db, oldest_code=NEWEST)
    main(["doctor"])
    said = "warn  database: is at revision 9999 of a newer version, with which this code can work."
    assert said in capsys.readouterr().out
    if OLDEST != NEWEST:
        with connected(database) as db:
            db.execute(text("update alembic_version set version_num = :oldest"), {"oldest": OLDEST})
        main(["doctor"])
        said = f"warn  database: is at revision {OLDEST}, and this code brings {NEWEST}; it can work with both. Run"
        assert said in capsys.readouterr().out


def test_the_doctor_says_so_too(
    database: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with connected(database) as db:
        changed_by_a_newer_version(db, oldest_code="9998")
    assert main(["doctor"]) == 1
    said = f"fail  database: is at revision 9999, and this code needs {NEWEST}. Install the newer version"
    assert said in capsys.readouterr().out
