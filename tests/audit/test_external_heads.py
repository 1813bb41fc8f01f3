"""Find lost moves by heads kept elsewhere (`boardroom audit --against`): the database itself shows no trace of them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from service.commands.cli import main
from service.log.chain import check
from service.settings import Settings
from service.shared import clock
from service.store.games import Games, Position
from service.views.proof import proof
from service.views.record import record_text, view_text
from tests.builders import act, finished, sealed_bids
from tests.games.sealed_bids.actions import Bid, Hold
from tests.set_back import SetBack


@pytest.fixture(autouse=True)
def there(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of an operator."""
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "kept.jsonl"


def heads(*positions: Position) -> bytes:
    """Return a list of heads, as an operator takes it from a database."""
    lines = [{"game": str(each.game.id), "version": each.version, "head": each.game.head} for each in positions]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def mailed(position: Position) -> bytes:
    """Return the line for the end of a mail, which shows the first bytes of the head."""
    assert position.head
    line = {"game": str(position.game.id), "version": position.version, "head": check(position.head)}
    return json.dumps(line).encode()


def seen(games: Games, position: Position) -> bytes:
    """Return what Carol gets of the game while it is under way."""
    with games.engine.connect() as db:
        return view_text(db, position, 2)


def proved(games: Games, position: Position) -> bytes:
    """Return the answer of /games/{id}/proof."""
    with games.engine.connect() as db:
        return json.dumps(proof(db, position, clock.now())).encode()


def recorded(games: Games, position: Position) -> bytes:
    with games.engine.connect() as db:
        return record_text(db, games, position.game.id)


def audited(capsys: pytest.CaptureFixture[str], position: Position, *files: Path) -> tuple[int, list[dict[str, Any]]]:
    """Audit the game alone; return the exit code, and what was altered."""
    words = [word for each in files for word in ("--against", str(each))]
    code = main(["audit", str(position.game.id), *words, "--json"])
    return code, json.loads(capsys.readouterr().out)["altered"]


def bid(position: Position, seat: int) -> Bid:
    return next(each for each in position.ruleset.legal(position.state, seat) if isinstance(each, Bid))


def test_moves_that_the_database_has_lost_are_missing_by_whatever_was_kept(
    games: Games, set_back: SetBack, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sealed_bids(games)
    lose = set_back(before)
    lost = act(games, before, 0, Hold()).position
    # given what an operator, a player and an auditor have kept of the game with the move, which hold against it
    all_kept = [heads(lost), mailed(lost), seen(games, lost), proved(games, lost), gzip.compress(heads(lost))]
    for each in all_kept:
        kept.write_bytes(each)
        assert audited(capsys, lost, kept) == (0, [])
    # when the database is as it was before the move
    lose()
    # then nothing in it is wrong, and each of them tells what is missing
    assert audited(capsys, before) == (0, [])
    for each in all_kept:
        kept.write_bytes(each)
        code, (found,) = audited(capsys, before, kept)
        assert (code, found["game"], found["event"]) == (1, str(before.game.id), before.version + 1)
        assert f"of {kept} knows the game up to event {lost.version}" in found["wrong"]


def test_a_game_that_went_on_in_another_way_has_another_head(
    games: Games, set_back: SetBack, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere, before = Games(games.engine, games.rulesets), sealed_bids(games)
    lose = set_back(before)
    lost = act(games, before, 0, Hold()).position
    all_kept = [heads(lost), mailed(lost), seen(games, lost), proved(games, lost)]
    lose()
    other = act(elsewhere, before, 0, bid(before, 0)).position
    further = act(elsewhere, other, 1, Hold()).position
    for each in all_kept:
        kept.write_bytes(each)
        code, (found,) = audited(capsys, further, kept)
        assert (code, found["event"]) == (1, lost.version)
        assert "went on in another way" in found["wrong"]
    # and what was kept before, or of this run, holds
    kept.write_bytes(heads(before, other) + seen(elsewhere, further))
    assert audited(capsys, further, kept) == (0, [])


def test_two_whole_records_of_one_game_tell_where_they_part(
    games: Games, set_back: SetBack, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # given the record of a game to its end, which then went to its end in another way
    elsewhere, before = Games(games.engine, games.rulesets), sealed_bids(games)
    lose = set_back(before)
    first = act(games, before, 0, Hold()).position
    kept.write_bytes(recorded(games, finished(games, first)))
    lose()
    other = finished(elsewhere, act(elsewhere, before, 0, bid(before, 0)).position)
    code, (found,) = audited(capsys, other, kept)
    assert (code, found["event"]) == (1, first.version)
    kept.write_bytes(recorded(elsewhere, other))
    assert audited(capsys, other, kept) == (0, [])


def test_a_game_that_is_not_there_at_all_is_missing(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = uuid4()
    kept.write_text(json.dumps({"game": str(game), "version": 7, "head": 32 * "ab"}))
    assert main(["audit", "--since", "2999-01-01", "--against", str(kept)]) == 1
    assert f"game {game}: event 0: the game is missing" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("nonsense", "is none of a record"),
        ('{"version": 3, "head": "ab"}', "names no game"),
        ('{"kind": "view-step", "seq": 3, "events": [], "head": "ab"}', "names no game"),
        ('{"game": "019aaf00-0000-7000-8000-000000000000", "head": "ab"}', "names no event"),
        ('{"game": "019aaf00-0000-7000-8000-000000000000", "version": 3, "head": "AB"}', "lower-case hex"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_with_its_line(
    text: str, wrong: str, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.write_text(text)
    assert main(["audit", "--against", str(kept)]) == 2
    said = capsys.readouterr().err
    assert f"line 1 of {kept}" in said
    assert wrong in said
