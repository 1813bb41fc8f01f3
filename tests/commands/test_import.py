"""A record from elsewhere becomes a game that everybody can look at, marked, and that proves what it proved before."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID, uuid4

import pytest

from service.audit.inspect import examine
from service.audit.log import NoChain
from service.commands.cli import main
from service.commands.selfplay import play_out
from service.record.origin import game_id
from service.settings import Settings
from service.shared import clock
from service.store.game_row import UnknownGame
from service.store.games import Games
from service.store.position import Position
from service.store.visibility import require_known
from service.views.games import GameFilter, games_known
from service.views.history import history
from service.views.record import record_text
from service.views.table import table
from tests.builders import finished, now_at, sealed_bids
from tests.people import alice
from tests.record.records import RULESETS, SEALED_AT, SIGNER, record_of, with_byte
from tests.superuser import Tamper


@pytest.fixture(autouse=True)
def there(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of somebody who runs the house."""
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)


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
