"""Whoever runs the house writes records to files: some games, all of them, or those that anybody may look at."""

from __future__ import annotations

import gzip
from pathlib import Path
from uuid import uuid4

import pytest

from service.commands.cli import main
from service.handlers import seats
from service.record.verify import verify
from service.settings import Settings
from service.store.games import Games
from service.store.position import Position
from tests.builders import finished, sealed_bids, started, table_for
from tests.people import alice, bob
from tests.record.records import RULESETS
from tests.superuser import ALL_UNCHAINED, Tamper


@pytest.fixture(autouse=True)
def there(settings: Settings, monkeypatch: pytest.MonkeyPatch, as_superuser: Tamper) -> None:
    """The environment of somebody who runs the house, in which there are no games yet."""
    as_superuser(ALL_UNCHAINED)
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def two(games: Games) -> tuple[Position, Position]:
    return finished(games, sealed_bids(games)), finished(games, sealed_bids(games))


def test_each_game_has_a_file_of_its_own_in_a_folder(
    games: Games, two: tuple[Position, Position], tmp_path: Path
) -> None:
    host = alice(games)
    off = table_for(games, "sealed-bids", host, 3)
    seats.cancel(games, off, host.id)
    assert main(["export", "--all", "--out", str(tmp_path / "records")]) == 0
    files = {path.stem: path.read_bytes() for path in (tmp_path / "records").iterdir()}
    assert set(files) == {str(off), *(str(position.game.id) for position in two)}
    assert all(verify(data, RULESETS).holds for data in files.values())


@pytest.mark.parametrize("words", [["listing"], ["plot", "--out", "."]])
def test_the_record_of_a_game_that_was_called_off_holds_but_has_nothing_to_show(
    words: list[str], games: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = alice(games)
    off = table_for(games, "sealed-bids", host, 3)
    seats.cancel(games, off, host.id)
    file = str(tmp_path / "off.jsonl")
    assert main(["export", str(off), "--out", file]) == 0
    assert main(["verify", file]) == 0
    capsys.readouterr()
    assert main([*words, file]) == 2
    said = f"boardroom: {file} has nothing to show: its game was called off before it began\n"
    assert capsys.readouterr().err == said


def test_the_public_ones_go_into_one_file_that_names_nobody(
    two: tuple[Position, Position], tmp_path: Path, as_superuser: Tamper
) -> None:
    public, private = two
    as_superuser("update game set access = 'invitation' where id = %s", (private.game.id,))
    out = tmp_path / "games.jsonl.gz"
    assert main(["export", "--public", "--out", str(out)]) == 0
    data = gzip.decompress(out.read_bytes())
    assert verify(data, RULESETS).game == str(public.game.id)
    assert str(private.game.id).encode() not in data
    for seat in public.seats:
        assert seat.name.encode() not in data
        assert str(seat.player_id).encode() not in data


def test_what_was_written_into_one_file_is_read_again_by_our_own_commands(
    games: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = alice(games), bob(games)
    two = [finished(games, started(games, "new-corp-order", people, **{"short-game": True})) for _ in people]
    for name in ("games.jsonl.gz", "games.jsonl"):
        out = str(tmp_path / name)
        assert main(["export", "--all", "--out", out]) == 0
        assert (main(["verify", out]), main(["import", out])) == (0, 0)
        told = capsys.readouterr().out
        assert "records: 2; of them do not hold: 0" in told
        assert all(f"game {position.game.id} was here already" in told for position in two)


def test_what_has_no_record_is_named(
    games: Games,
    two: tuple[Position, Position],
    tmp_path: Path,
    as_superuser: Tamper,
    capsys: pytest.CaptureFixture[str],
) -> None:
    wrong, running = two[0].game.id, sealed_bids(games).game.id
    as_superuser("update event set door = 'reply' where game_id = %s and seq = 3", (wrong,))
    out = str(tmp_path / "some.jsonl")
    assert main(["export", str(wrong), str(two[1].game.id), "--out", out]) == 1
    assert f"game {wrong}: event 3: " in capsys.readouterr().err
    assert verify(Path(out).read_bytes(), RULESETS).game == str(two[1].game.id)
    before = Path(out).read_bytes()
    assert main(["export", str(running), "--out", out]) == 2
    assert main(["export", str(uuid4()), "--out", out]) == 2
    assert Path(out).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["some.jsonl"]


def test_nothing_is_written_while_no_game_is_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--all", "--out", str(tmp_path / "all.jsonl")]) == 0
    assert "nothing was written" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())
