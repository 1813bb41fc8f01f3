"""`boardroom migrate` and `up` on a database of any age: it is brought up to date, or one sentence says why not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, NullPool, create_engine, text

from service.commands.cli import main
from service.store.revision import NEWEST

REVISION = text("select version_num from alembic_version")


@contextmanager
def connected(database_url: str) -> Iterator[Connection]:
    with create_engine(database_url, poolclass=NullPool).begin() as db:
        yield db


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
def test_a_database_of_a_newer_version_is_left_alone_and_one_line_says_what_to_do(
    command: str, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with connected(database) as db:
        db.execute(text("update alembic_version set version_num = '9999'"))
    monkeypatch.delenv("RULESET_PACKAGES", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main([command, *(["--data", str(tmp_path / "data")] if command == "up" else [])]) == 1
    told = capsys.readouterr().err
    assert told.startswith("boardroom: The database ") and told.count("\n") == 1
    assert f"is at revision 9999, and this version of boardroom knows none after {NEWEST}" in told
    assert "Install that one, or name another database" in told
    with connected(database) as db:
        assert db.execute(REVISION).scalar_one() == "9999"


def test_the_doctor_says_so_too(
    database: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with connected(database) as db:
        db.execute(text("update alembic_version set version_num = '9999'"))
    assert main(["doctor"]) == 1
    said = f"fail  database: is at revision 9999, and this code needs {NEWEST}. Install the newer version"
    assert said in capsys.readouterr().out
