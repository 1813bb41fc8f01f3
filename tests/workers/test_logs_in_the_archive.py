"""The logs of games that have been over for some days leave the database for the archive, and nothing is ever lost."""

from __future__ import annotations

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from service.handlers.lobby import Fork, fork
from service.handlers.refusals import Unavailable
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from tests.archive.buckets import bucket
from tests.archiving import archive, archive_of, archiving, file_of, forgetful, hot, over, record_of
from tests.builders import now_at
from tests.killed_archiving import STEPS
from tests.people import alice
from tests.superuser import Tamper
from workers.proof import Archiving

__all__ = ["archiving", "bucket"]


def test_the_log_of_a_finished_game_leaves_the_database_some_days_after_its_end(archiving: Runtime) -> None:
    game = over(archiving)
    record, events = record_of(archiving, game), hot(archiving, game)[0]
    # when it is not old enough yet
    assert not Archiving(archiving).go_on(clock.now())
    assert hot(archiving, game) == (events, False)
    # and when it is
    archive(archiving)
    assert hot(archiving, game) == (0, True)
    # then the game is as it was, for a process that has never seen it
    later = forgetful(archiving)
    assert now_at(later.games, game).outcome == now_at(archiving.games, game).outcome
    assert record_of(later, game) == record == archive_of(archiving).read(game)


def test_copies_leave_the_database_as_soon_as_that_is_wished(archiving: Runtime) -> None:
    copying = replace(archiving, settings=replace(archiving.settings, archive_only=False))
    game = over(archiving)
    archive(copying)
    events, noted = hot(archiving, game)
    assert events and not noted
    before = file_of(archiving, game).stat()
    archive(archiving)
    after = file_of(archiving, game).stat()
    assert hot(archiving, game) == (0, True)
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


BETWEEN = {"kept", "verified"}
"""Steps of which the one before them and the one after them are tried in any case."""


@pytest.mark.parametrize(
    "step", [pytest.param(each, marks=[pytest.mark.slow] if each in BETWEEN else []) for each in STEPS]
)
def test_whenever_the_process_is_killed_the_whole_log_is_somewhere(archiving: Runtime, step: str) -> None:
    game = over(archiving)
    record, events = record_of(archiving, game), hot(archiving, game)[0]
    # when the process that archives it is killed
    killed = subprocess.run(
        [sys.executable, "-m", "tests.killed_archiving", step], env=archiving.settings.environment(), check=False
    )
    assert killed.returncode == -signal.SIGKILL
    # then its log is in the database, or in the archive
    assert hot(archiving, game) == ((0, True) if step == "committed" else (events, False))
    assert record_of(forgetful(archiving), game) == record
    # and the next process does what is left
    archive(archiving)
    assert hot(archiving, game) == (0, True)
    assert record_of(forgetful(archiving), game) == record


def test_many_processes_at_once_archive_each_game_once(archiving: Runtime) -> None:
    games = [over(archiving) for _ in range(3)]
    records = [record_of(archiving, game) for game in games]
    with ThreadPoolExecutor(4) as threads, capture_logs() as logs:
        list(threads.map(archive, [archiving] * 4))
    assert [hot(archiving, game) for game in games] == [(0, True)] * 3
    assert [record_of(forgetful(archiving), game) for game in games] == records
    assert [each for each in logs if each["log_level"] == "error"] == []


def test_a_record_that_was_damaged_before_is_written_anew(archiving: Runtime) -> None:
    copying = replace(archiving, settings=replace(archiving.settings, archive_only=False))
    damaged, other = over(archiving), over(archiving)
    archive(copying)
    # given a file that is cut off, and one of another game
    file_of(archiving, other).write_bytes(file_of(archiving, damaged).read_bytes())
    file_of(archiving, damaged).write_bytes(file_of(archiving, damaged).read_bytes()[:100])
    records = [record_of(archiving, damaged), record_of(archiving, other)]
    archive(archiving)
    assert [hot(archiving, damaged), hot(archiving, other)] == [(0, True)] * 2
    assert [record_of(forgetful(archiving), each) for each in (damaged, other)] == records


def test_a_record_of_another_log_keeps_the_game_in_the_database(archiving: Runtime, as_superuser: Tamper) -> None:
    copying = replace(archiving, settings=replace(archiving.settings, archive_only=False))
    game = over(archiving)
    archive(copying)
    # given a log that was altered after its record was written
    as_superuser("update event set at = at + interval '1 second' where game_id = %s and seq = 1", (game,))
    with capture_logs() as logs:
        archive(archiving)
    assert hot(archiving, game)[1] is False
    assert {each["log_level"] for each in logs} == {"error"}
    as_superuser("update event set at = at - interval '1 second' where game_id = %s and seq = 1", (game,))


def test_a_game_without_a_seal_and_one_that_runs_stay(archiving: Runtime, as_superuser: Tamper) -> None:
    game = over(archiving)
    as_superuser("delete from seal where game_id = %s", (game,))
    archive(archiving)
    assert hot(archiving, game)[1] is False


def test_a_lost_record_is_an_answer_that_says_what_to_do_and_no_fault(archiving: Runtime) -> None:
    lost, altered = over(archiving), over(archiving)
    archive(archiving)
    kept = file_of(archiving, lost).read_bytes()
    file_of(archiving, lost).unlink()
    file_of(archiving, altered).write_bytes(kept)
    for game, why in ((lost, "No such file"), (altered, "another one")):
        with pytest.raises(Unavailable) as refused, capture_logs() as logs:
            now_at(forgetful(archiving).games, game)
        assert refused.value.case == "archive"
        assert why in str(refused.value)
        assert [(each["log_level"], each["game"]) for each in logs] == [("error", str(game))]
    # and when the file is there again, the game is
    file_of(archiving, lost).write_bytes(kept)
    assert now_at(forgetful(archiving).games, lost).game.status == "finished"


def test_a_bucket_does_as_well_as_a_folder(archiving: Runtime, bucket: str) -> None:
    remote = forgetful(replace(archiving, settings=replace(archiving.settings, archive=bucket)))
    game = over(remote)
    record = record_of(remote, game)
    archive(remote)
    assert hot(remote, game) == (0, True)
    assert record_of(forgetful(remote), game) == record == archive_of(remote).read(game)


def test_a_game_goes_on_from_an_archived_one(archiving: Runtime) -> None:
    game, host = over(archiving), alice(archiving.games)
    seq = now_at(archiving.games, game).version - 3
    before = fork(archiving.games, host.id, Fork(game, seq, Terms()), clock.now())
    archive(archiving)
    later = forgetful(archiving)
    after = fork(later.games, host.id, Fork(game, seq, Terms()), clock.now())
    assert (after.game.forked_from, after.game.options) == (before.game.forked_from, before.game.options)
