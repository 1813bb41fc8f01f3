"""The records of games that have been over for some days are in the archive, whole and verified, and stay there."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from service.commands.cli import main
from service.runtime import Runtime
from service.shared import clock
from tests.archiving import LATER, archive, archive_of, archiving, file_of, over, record_of
from tests.superuser import Tamper
from workers import proof as job
from workers.hourly_jobs import Upkeep
from workers.proof import Archiving

__all__ = ["archiving"]


@pytest.fixture
def copying(archiving: Runtime) -> Runtime:
    """The service with an archive of copies."""
    return replace(archiving, settings=replace(archiving.settings, archive_only=False))


def files(folder: Path) -> list[Path]:
    """All files of an archive."""
    return sorted(each for each in folder.rglob("*") if each.is_file())


def test_a_game_is_archived_some_days_after_its_end_and_not_before(copying: Runtime, tmp_path: Path) -> None:
    game = over(copying)
    upkeep, archive = Upkeep(copying), archive_of(copying)
    upkeep.go_on(clock.now())
    assert files(tmp_path / "archive") == []
    while upkeep.go_on(clock.now() + LATER):
        pass
    assert files(tmp_path / "archive") == [file_of(copying, game)]
    assert archive.read(game) == record_of(copying, game)


def test_an_archived_game_is_verified_from_its_file_alone(
    copying: Runtime, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESET_PACKAGES", copying.settings.environment()["RULESET_PACKAGES"])
    game = over(copying)
    Archiving(copying).go_on(clock.now() + LATER)
    assert main(["verify", str(file_of(copying, game))]) == 0
    assert str(game) in capsys.readouterr().out


def test_what_is_there_is_not_written_again_and_what_is_missing_is(copying: Runtime, tmp_path: Path) -> None:
    kept, lost = over(copying), over(copying)
    archive = archive_of(copying)
    Archiving(copying).go_on(clock.now() + LATER)
    before = file_of(copying, kept).stat()
    file_of(copying, lost).unlink()
    # when another process begins
    Archiving(copying).go_on(clock.now() + LATER)
    after = file_of(copying, kept).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert archive.read(lost) == record_of(copying, lost)


def test_all_are_archived_a_few_at_a_time(copying: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = {over(copying) for _ in range(3)}
    monkeypatch.setattr(job, "RECORDS", 1)
    monkeypatch.setattr(job, "ARCHIVE_PAGE", 2)
    archiving_of_one_process, steps = Archiving(copying), 1
    while archiving_of_one_process.go_on(clock.now() + LATER):
        steps += 1
    assert steps == 4
    assert files(tmp_path / "archive") == sorted(file_of(copying, each) for each in games)


def test_a_step_ends_after_a_second_also_where_nothing_has_to_be_written(
    copying: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        over(copying)
    archive(copying)
    # given an archive that takes a second for each answer
    monkeypatch.setattr(job, "monotonic", count().__next__)
    archiving_of_another_process, steps = Archiving(copying), 0
    while archiving_of_another_process.go_on(clock.now() + LATER):
        steps += 1
    assert steps == 3


def test_an_altered_game_is_not_archived_and_the_others_are(
    copying: Runtime, tmp_path: Path, as_superuser: Tamper
) -> None:
    altered, sound = over(copying), over(copying)
    as_superuser("update event set decision = decision + 1 where game_id = %s and seq = 5", (altered,))
    with capture_logs() as logs:
        Archiving(copying).go_on(clock.now() + LATER)
    assert files(tmp_path / "archive") == [file_of(copying, sound)]
    assert [each["game"] for each in logs if each["log_level"] == "error"] == [str(altered)]


def test_a_record_that_reads_back_otherwise_is_not_kept(
    copying: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a disk that loses a byte of what it is given
    game, archive = over(copying), archive_of(copying)
    with monkeypatch.context() as broken, capture_logs() as logs:
        broken.setattr("service.archive.folder.read_file", lambda path: b"less")
        going_on = Archiving(copying)
        assert not going_on.go_on(clock.now() + LATER)
    # then there is no file, and an hour later it is tried again
    assert (files(tmp_path / "archive"), [each["event"] for each in logs]) == ([], ["a record could not be archived"])
    going_on.go_on(clock.now() + LATER)
    assert archive.read(game) == record_of(copying, game)


def test_without_an_archive_nothing_is_read(copying: Runtime) -> None:
    over(copying)
    without = replace(copying, settings=replace(copying.settings, archive=None))
    assert not Archiving(without).go_on(clock.now() + LATER)
