"""An audit reads the logs of archived games from the archive, and tells what is missing or altered there."""

from __future__ import annotations

import gzip
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from service.audit.derived_tables import discrepancies
from service.audit.external_heads import compare_external_heads
from service.audit.inspect import examine
from service.audit.log import Altered
from service.commands.audit import _wanted
from service.commands.cli import main
from service.commands.doctor import look_at_archive
from service.record.external_heads import ExternalHead
from service.runtime import Runtime
from service.shared import clock
from service.store.proof import ArchiveUnreadable
from tests.archiving import archive, archiving, file_of, forgetful, hot, over, record_of
from tests.builders import now_at
from tests.superuser import Tamper

__all__ = ["archiving"]


@pytest.fixture
def game(archiving: Runtime) -> UUID:
    """An archived game."""
    game = over(archiving)
    archive(archiving)
    assert hot(archiving, game) == (0, True)
    return game


def examined(runtime: Runtime, game: UUID) -> int:
    """Examine a game in a process that has never seen it."""
    later = forgetful(runtime)
    with later.engine.connect() as db:
        return examine(db, later.games, game)


def told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], runtime: Runtime, *words: str
) -> tuple[int, str]:
    """Run a command on the database with the archive; its exit code and what it says."""
    for name, value in runtime.settings.variables().items():
        monkeypatch.setenv(name, value)
    code = main([str(word) for word in words])
    said = capsys.readouterr()
    return code, said.out + said.err


def test_an_archived_game_holds(archiving: Runtime, game: UUID) -> None:
    assert examined(archiving, game) == now_at(archiving.games, game).version
    with archiving.engine.connect() as db:
        assert discrepancies(db, [game]) == {}


def test_a_whole_audit_counts_its_events(
    archiving: Runtime, game: UUID, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    version = now_at(archiving.games, game).version
    assert told(monkeypatch, capsys, archiving, "audit", str(game)) == (
        0,
        f"games that hold: 1, with {version} events\n",
    )
    # also where only games are checked in which something has happened since
    with archiving.engine.connect() as db:
        assert game in _wanted(db, clock.now() - timedelta(days=1), None)
        assert game not in _wanted(db, clock.now(), None)


def test_a_record_that_is_missing_or_another_one_is_told(
    archiving: Runtime, game: UUID, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file_of(archiving, game)
    kept = path.read_bytes()
    path.write_bytes(gzip.compress(gzip.decompress(kept).replace(b'"door":"api"', b'"door":"web"')))
    with pytest.raises(Altered, match="another one"):
        examined(archiving, game)
    path.unlink()
    with pytest.raises(Altered, match="in the archive"):
        examined(archiving, game)
    code, said = told(monkeypatch, capsys, archiving, "audit", str(game))
    assert (code, "its log is in the archive" in said) == (1, True)


def test_an_archive_that_does_not_answer_accuses_nobody(
    archiving: Runtime, game: UUID, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    away = replace(archiving, settings=replace(archiving.settings, archive=None, archive_only=False))
    with pytest.raises(ArchiveUnreadable, match="ARCHIVE is not set"):
        examined(away, game)
    code, said = told(monkeypatch, capsys, away, "audit", str(game))
    assert (code, "look at ARCHIVE" in said) == (2, True)


def test_what_is_kept_beside_the_log_is_compared_with_the_archive(
    archiving: Runtime, game: UUID, as_superuser: Tamper
) -> None:
    as_superuser("update game set fork_of = %s, fork_seq = 1 where id = %s", (game, game))
    with pytest.raises(Altered, match="than its row says"):
        examined(archiving, game)
    as_superuser("update game set fork_of = null, fork_seq = null where id = %s", (game,))
    # events that came back by no proper way, and a game that is gone
    as_superuser("insert into event select * from kept_event where game_id = %s and seq = 1", (game,))
    with archiving.engine.connect() as db:
        assert "events of it are here as well" in discrepancies(db, [game])[game].wrong
    as_superuser("delete from event where game_id = %s", (game,))


def test_heads_that_are_known_elsewhere_are_compared(archiving: Runtime, game: UUID) -> None:
    position = now_at(forgetful(archiving).games, game)
    assert position.head is not None
    right = ExternalHead(game, position.version, position.head.hex(), "a mail")
    with archiving.engine.connect() as db:
        assert compare_external_heads(db, [right]) == {}
        assert compare_external_heads(db, [replace(right, head="00" * 8)]).keys() == {game}


def test_an_archived_game_comes_back(
    archiving: Runtime, game: UUID, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = record_of(archiving, game)
    code, said = told(monkeypatch, capsys, archiving, "unarchive", str(game))
    assert (code, "in the database again" in said) == (0, True)
    assert hot(archiving, game) == (now_at(archiving.games, game).version, False)
    assert record_of(forgetful(archiving), game) == record
    # and needs no archive
    file_of(archiving, game).unlink()
    assert examined(archiving, game)
    assert "already" in told(monkeypatch, capsys, archiving, "unarchive", str(game))[1]


def test_the_doctor_looks_whether_the_archive_has_the_newest_record(archiving: Runtime, game: UUID) -> None:
    settings = archiving.settings
    assert look_at_archive(settings) == ("ok", f"{settings.archive} has the logs of 1 games", "")
    for wrong, why in ((None, "ARCHIVE is not set"), ("/nowhere", "has no record")):
        found = look_at_archive(replace(settings, archive=wrong))
        assert found is not None
        assert (found[0], why in found[1]) == ("fail", True)
