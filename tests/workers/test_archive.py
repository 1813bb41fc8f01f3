"""The records of games that have been over for some days are in the archive, whole and verified, and stay there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from service.audit.archive import Archive
from service.commands.cli import main
from service.record.seal import signer
from service.runtime import Runtime
from service.shared import clock
from service.views.record import record_text
from service.webhooks.secrets import new_key
from tests.builders import finished, sealed_bids
from tests.superuser import Tamper
from workers import archive as job
from workers.archive import Archiving
from workers.jobs import carry_out
from workers.upkeep import Upkeep

DAYS = 30
LATER = timedelta(days=DAYS, minutes=1)
SEAL = text("select id from outbox where kind = 'seal' and game_id = :game")


@pytest.fixture
def archiving(runtime: Runtime, tmp_path: Path, as_superuser: Tamper) -> Iterator[Runtime]:
    """The service with a key and an archive, and nothing sealed, as it is left too."""
    empty = "truncate seal, seal_day, seal_key"
    as_superuser(empty)
    settings = replace(runtime.settings, archive=tmp_path, archive_days=DAYS)
    yield replace(runtime, signer=signer(new_key()), settings=settings)
    as_superuser(empty)


def over(runtime: Runtime) -> UUID:
    """A game that is over and sealed."""
    game = finished(runtime.games, sealed_bids(runtime.games)).game.id
    with runtime.engine.connect() as db:
        row = db.execute(SEAL, {"game": game}).scalar_one()
    carry_out(runtime, row)
    return game


def record_of(runtime: Runtime, game: UUID) -> bytes:
    """Its record, as it can be downloaded."""
    with runtime.engine.begin() as db:
        return record_text(db, runtime.games, game)


def files(folder: Path) -> list[Path]:
    """All files of an archive."""
    return sorted(each for each in folder.rglob("*") if each.is_file())


def test_a_game_is_archived_some_days_after_its_end_and_not_before(archiving: Runtime, tmp_path: Path) -> None:
    game = over(archiving)
    upkeep, archive = Upkeep(archiving), Archive(tmp_path)
    upkeep.go_on(clock.now())
    assert files(tmp_path) == []
    while upkeep.go_on(clock.now() + LATER):
        pass
    assert files(tmp_path) == [archive.path(game)]
    assert archive.read(game) == record_of(archiving, game)


def test_an_archived_game_is_verified_from_its_file_alone(
    archiving: Runtime, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESET_PACKAGES", archiving.settings.environment()["RULESET_PACKAGES"])
    game = over(archiving)
    Archiving(archiving).go_on(clock.now() + LATER)
    assert main(["verify", str(Archive(tmp_path).path(game))]) == 0
    assert str(game) in capsys.readouterr().out


def test_what_is_there_is_not_written_again_and_what_is_missing_is(archiving: Runtime, tmp_path: Path) -> None:
    kept, lost = over(archiving), over(archiving)
    archive = Archive(tmp_path)
    Archiving(archiving).go_on(clock.now() + LATER)
    before = archive.path(kept).stat()
    archive.path(lost).unlink()
    # when another process begins
    Archiving(archiving).go_on(clock.now() + LATER)
    after = archive.path(kept).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert archive.read(lost) == record_of(archiving, lost)


def test_all_are_archived_a_few_at_a_time(archiving: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = {over(archiving) for _ in range(3)}
    monkeypatch.setattr(job, "RECORDS", 1)
    monkeypatch.setattr(job, "PAGE", 2)
    archiving_of_one_process, steps = Archiving(archiving), 1
    while archiving_of_one_process.go_on(clock.now() + LATER):
        steps += 1
    assert steps == 4
    assert files(tmp_path) == sorted(map(Archive(tmp_path).path, games))


def test_an_altered_game_is_not_archived_and_the_others_are(
    archiving: Runtime, tmp_path: Path, as_superuser: Tamper
) -> None:
    altered, sound = over(archiving), over(archiving)
    as_superuser("update event set decision = decision + 1 where game_id = %s and seq = 5", (altered,))
    with capture_logs() as logs:
        Archiving(archiving).go_on(clock.now() + LATER)
    assert files(tmp_path) == [Archive(tmp_path).path(sound)]
    assert [each["game"] for each in logs if each["log_level"] == "error"] == [str(altered)]


def test_a_record_that_reads_back_otherwise_is_not_kept(
    archiving: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a disk that loses a byte of what it is given
    game, archive = over(archiving), Archive(tmp_path)
    with monkeypatch.context() as broken, capture_logs() as logs:
        broken.setattr("service.audit.archive.records_in", lambda path: [(1, record_of(archiving, game)[:-1])])
        going_on = Archiving(archiving)
        assert not going_on.go_on(clock.now() + LATER)
    # then there is no file, and an hour later it is tried again
    assert (files(tmp_path), [each["event"] for each in logs]) == ([], ["a record could not be archived"])
    going_on.go_on(clock.now() + LATER)
    assert archive.read(game) == record_of(archiving, game)


def test_without_an_archive_nothing_is_read(archiving: Runtime) -> None:
    over(archiving)
    without = replace(archiving, settings=replace(archiving.settings, archive=None))
    assert not Archiving(without).go_on(clock.now() + LATER)
