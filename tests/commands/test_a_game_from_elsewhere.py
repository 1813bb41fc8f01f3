"""Every tool works over a game that is not among ours, found by RULESET_PACKAGES; without it nobody is accused."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import UUID

import pytest

from service.api.document import main as print_document
from service.commands.cli import main
from service.runtime import Runtime
from service.settings import Settings
from service.store.games import Games
from tests.builders import finished, now_at, sealed_bids, started
from tests.live import listening
from tests.people import alice, bob, carol
from tests.record.records import RULESETS, record_of, sealed, without_line
from tests.record.test_revisions import NEW
from tests.superuser import ALL_UNCHAINED, Tamper

OFFLINE = ["verify", "listing", "plot"]
MISSING = "the rules of sealed-bids are not installed here"


@pytest.fixture
def installed(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of somebody who has the package of the game, and the database of the service."""
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def missing(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of somebody who has nothing but our own games."""
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("RULESET_PACKAGES")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.jsonl"
    file.write_bytes(sealed("sealed-bids", 3))
    return file


def run(name: str, *words: object) -> int:
    return main([name, *map(str, words)])


@pytest.mark.parametrize("database", [None, "postgresql://127.0.0.1:1/none"])
def test_offline_tools_take_it_without_a_database(
    tmp_path: Path, database: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULESET_PACKAGES", "service.rules.games, tests.games")
    if database is None:
        monkeypatch.delenv("DATABASE_URL", raising=False)
    else:
        monkeypatch.setenv("DATABASE_URL", database)

    assert run("selfplay", "--ruleset", "sealed-bids", "--players", 3, "--games", 2, "--out", tmp_path) == 0
    told = capsys.readouterr().out
    assert "wins by seat" in told and "decided by" not in told
    records = sorted(tmp_path.glob("sealed-bids-3p-1-*.jsonl"))
    assert len(records) == 2

    assert run("verify", *records) == 0
    assert capsys.readouterr().out.endswith("records: 2; of them do not hold: 0\n")
    assert run("listing", records[0], "--language", "de") == 0
    assert capsys.readouterr().out.startswith("Sealed Bids\nSpieler 1, Spieler 2, Spieler 3\n")
    assert run("plot", records[0], "--out", tmp_path / "pictures") == 0
    assert {each.suffix for each in (tmp_path / "pictures").iterdir()} == {".svg", ".png"}


def test_a_game_that_can_be_decided_in_several_ways_says_in_which(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("selfplay", "--ruleset", "new-corp-order", "--players", 2, "--games", 2) == 0
    assert "decided by         {'victory-points': " in capsys.readouterr().out


def test_games_are_played_with_the_options_asked_for_and_their_records_verified(tmp_path: Path) -> None:
    chosen = ("--option", "deluxe=true", "--option", "first-player=1")
    assert run("selfplay", "--ruleset", "new-corp-order", "--players", 2, *chosen, "--out", tmp_path) == 0
    [record] = tmp_path.iterdir()
    assert b'"corporate-accountant":false,"deluxe":true,"first-player":1' in record.read_bytes().splitlines()[0]
    assert run("verify", record) == 0


@pytest.mark.usefixtures("installed")
def test_tools_of_the_database_take_it(
    games: Games, tmp_path: Path, as_superuser: Tamper, capsys: pytest.CaptureFixture[str]
) -> None:
    as_superuser(ALL_UNCHAINED)
    game = finished(games, sealed_bids(games)).game.id
    assert run("audit", game) == 0
    assert run("export", game, "--out", tmp_path / "one.jsonl") == 0
    assert run("verify", tmp_path / "one.jsonl") == 0
    brought = tmp_path / "brought.jsonl"
    brought.write_bytes(record_of("sealed-bids", 3, seed="from elsewhere").text())
    capsys.readouterr()
    assert run("import", brought) == 0
    assert now_at(games, UUID(capsys.readouterr().out.rpartition("game ")[2].strip())).outcome is not None


@pytest.mark.slow
def test_it_is_played_in_a_terminal(runtime: Runtime, capsys: pytest.CaptureFixture[str]) -> None:
    with listening(runtime) as url:
        assert run("play", "--api", url, "--ruleset", "sealed-bids", "--seats", 3, "--random") == 0
    assert "Game over after " in capsys.readouterr().out


@pytest.mark.usefixtures("missing")
@pytest.mark.parametrize("name", OFFLINE)
def test_without_its_rules_a_record_is_not_checked_and_not_called_wrong(
    name: str, record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--out", tmp_path / "pictures"] if name == "plot" else []
    assert run(name, record, *more) == 3
    told = capsys.readouterr()
    assert MISSING in told.out + told.err
    assert "WRONG" not in told.out and "NOT hold" not in told.out + told.err
    assert not (tmp_path / "pictures").exists()


@pytest.mark.usefixtures("missing")
def test_verify_says_which_levels_it_has_checked_all_the_same(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", record) == 3
    first, *levels = capsys.readouterr().out.splitlines()
    assert first == f"{record}: the record of game audit-1 cannot be checked here"
    assert [line.split()[1] for line in levels] == ["ok", "ok", "ok", "ok", "not"]
    assert run("verify", "--json", record) == 3
    (report,) = json.loads(capsys.readouterr().out)
    assert report["holds"] is None
    assert [each["holds"] for each in report["levels"]] == [True, True, True, True, None]


@pytest.mark.usefixtures("missing")
def test_what_is_wrong_is_wrong_without_the_rules_too(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken, other = tmp_path / "broken.jsonl", tmp_path / "other.jsonl"
    broken.write_bytes(without_line(sealed("sealed-bids", 3), 6).data)
    other.write_bytes(sealed(seed="2"))
    assert run("verify", other, record) == 3
    assert capsys.readouterr().out.endswith("records: 2; of them do not hold: 0; cannot be checked here: 1\n")
    assert run("verify", record, broken) == 1
    assert capsys.readouterr().out.endswith("records: 2; of them do not hold: 1; cannot be checked here: 1\n")


@pytest.mark.usefixtures("missing")
def test_a_game_in_the_database_whose_rules_are_not_installed_is_not_called_altered(
    games: Games, record: Path, tmp_path: Path, as_superuser: Tamper, capsys: pytest.CaptureFixture[str]
) -> None:
    as_superuser(ALL_UNCHAINED)
    game = finished(games, sealed_bids(games)).game.id
    assert run("audit", game, "--json") == 3
    told = capsys.readouterr()
    assert f"game {game}: not checked, since {MISSING}" in told.err
    found = json.loads(told.out)
    assert (found["unchecked"], found["games"], found["altered"]) == (1, 0, [])
    assert run("audit", game) == 3
    assert capsys.readouterr().out == "games that hold: 0, with 0 events; not checked: 1\n"
    assert run("export", game, "--out", tmp_path / "none.jsonl") == 3
    assert "records written: 0" in capsys.readouterr().err
    assert run("import", record) == 3
    assert MISSING in capsys.readouterr().err


@pytest.mark.usefixtures("installed")
def test_a_game_in_the_database_whose_revision_is_not_installed_is_not_called_altered(
    games: Games, tmp_path: Path, as_superuser: Tamper, capsys: pytest.CaptureFixture[str]
) -> None:
    as_superuser(ALL_UNCHAINED)
    newer = Games(games.engine, NEW)
    game = finished(newer, started(newer, "sealed-bids", [alice(games), bob(games), carol(games)])).game.id
    said = f"game {game}: not checked, since revision 2 of the rules of sealed-bids is not installed here"
    assert run("audit", game) == 3
    told = capsys.readouterr()
    assert told.out == "games that hold: 0, with 0 events; not checked: 1\n" and said in told.err
    assert run("export", game, "--out", tmp_path / "none.jsonl") == 3
    assert said in capsys.readouterr().err


@pytest.mark.long
def test_the_document_of_the_api_has_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("RULESET_PACKAGES", "service.rules.games,tests.games")
    print_document([])
    assert "sealed-bids" in RULESETS and "SealedBids" in capsys.readouterr().out
