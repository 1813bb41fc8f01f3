"""Commands on a database: records of finished games are exported, and those from elsewhere become games."""

from __future__ import annotations

import gzip
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from service.audit.inspect import examine
from service.audit.log import NoChain
from service.commands.cli import main
from service.commands.selfplay import play_out
from service.handlers import lobby
from service.record.origin import game_id
from service.record.verify import verify
from service.settings import Settings
from service.shared import clock
from service.store.game_row import UnknownGame
from service.store.games import Games, Position, require_known
from service.views.games import GameFilter, games_known
from service.views.history import history
from service.views.record import record_text
from service.views.table import table
from tests.builders import finished, now_at, sealed_bids, started, table_for
from tests.people import alice, bob
from tests.record.records import RULESETS, SEALED_AT, SIGNER, record_of, with_byte
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
    lobby.cancel_game(games, off, host.id)
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
    lobby.cancel_game(games, off, host.id)
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


@pytest.fixture
def brought(tmp_path: Path) -> tuple[Path, bytes]:
    """The file of a sealed record from elsewhere, and its bytes without the seal."""
    name = str(uuid4())
    record = play_out(RULESETS["new-corp-order"], 2, {}, name).record
    assert record is not None
    unsealed = record.text()
    record.seal(SIGNER, SEALED_AT)
    path = tmp_path / f"{name}.jsonl"
    path.write_bytes(record.text())
    return path, unsealed


def imported(games: Games, path: Path, capsys: pytest.CaptureFixture[str]) -> Position:
    assert main(["import", str(path)]) == 0
    return now_at(games, UUID(capsys.readouterr().out.rpartition("game ")[2].strip()))


def listed(games: Games, wanted: GameFilter) -> list[UUID]:
    with games.engine.connect() as db:
        return [row.id for row in games_known(db, alice(games).id, wanted, 100, clock.now())]


def test_it_can_be_looked_at_by_everybody_and_is_marked(
    games: Games, brought: tuple[Path, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    position = imported(games, brought[0], capsys)
    shown = table(position, None, "de")
    assert (shown["id"], shown["status"], shown["origin"]) == (brought[0].stem, "finished", "import")
    assert [seat["name"] for seat in shown["seats"]] == ["Platz 1", "Platz 2"]
    assert shown["outcome"]["winners"]
    with games.engine.connect() as db:
        require_known(db, position, alice(games).id)
        told = history(db, position, None, 0, 500, "en")
    assert len(told) == position.version
    assert any("Seat 1" in each["text"] for each in told)


def test_it_is_in_lists_only_where_it_is_asked_for(
    games: Games, brought: tuple[Path, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    game = imported(games, brought[0], capsys).game.id
    assert game not in listed(games, GameFilter())
    assert game not in listed(games, GameFilter(status="finished"))
    assert game in listed(games, GameFilter(origin="import"))
    assert main(["import", str(brought[0])]) == 0
    assert "was here already" in capsys.readouterr().out


def test_it_proves_what_it_proved_before_but_we_do_not_vouch_for_it(
    games: Games, brought: tuple[Path, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position = imported(games, brought[0], capsys)
    with games.engine.connect() as db:
        assert examine(db, Games(games.engine, games.rulesets), position.game.id) == position.version
        assert record_text(db, games, position.game.id) == brought[1]
        waits = "select count(*) from outbox where game_id = %s"
        assert db.exec_driver_sql(waits, (position.game.id,)).scalar_one() == 0
    # There may be no public game at all, and then no file.
    public = tmp_path / "public.jsonl"
    main(["export", "--public", "--out", str(public)])
    assert not public.exists() or brought[0].stem not in public.read_text()


def test_the_lobby_of_a_record_comes_along(
    games: Games, as_superuser: Tamper, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, path = finished(games, sealed_bids(games)).game.id, tmp_path / "with-a-lobby.jsonl"
    with games.engine.connect() as db:
        path.write_bytes(record_text(db, games, game))
    for table_of_it in ("event", "lobby_event", "seat", "seed", "outbox"):
        as_superuser(f"delete from {table_of_it} where game_id = %s", (game,))
    as_superuser("delete from game where id = %s", (game,))
    fresh = Games(games.engine, games.rulesets)
    assert imported(fresh, path, capsys).game.id == game
    with games.engine.connect() as db:
        assert b'"kind":"lobby"' in path.read_bytes()
        assert record_text(db, fresh, game) == path.read_bytes()
        assert examine(db, fresh, game) > 0


def test_a_record_that_does_not_hold_is_refused_by_its_line_and_nothing_is_written(
    games: Games, brought: tuple[Path, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = brought
    data = path.read_bytes()
    place = data.index(b'"seat":1,"seq"') + 7
    path.write_bytes(with_byte(data, place, ord("0")).data)
    assert main(["import", str(path)]) == 1
    assert "line " in capsys.readouterr().err
    with pytest.raises(UnknownGame):
        now_at(games, UUID(path.stem))
    assert main(["import", str(path.with_name("nothing.jsonl"))]) == 2


def test_a_random_game_has_an_id_of_its_own_here_and_no_chain(
    games: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "random.jsonl"
    path.write_bytes(record_of("sealed-bids", 3).text())
    position = imported(games, path, capsys)
    assert position.game.id == game_id("audit-1")
    assert position.outcome is not None
    with pytest.raises(NoChain), games.engine.connect() as db:
        examine(db, games, position.game.id)
