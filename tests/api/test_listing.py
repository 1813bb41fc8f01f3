"""A whole game as a text, from the API and from a record."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.commands.cli import main
from service.store.games import Games
from tests.builders import act, finished, started
from tests.people import alice, bob, carol
from tests.record.records import sealed
from tests.rest import Caller, refused


def test_a_finished_game_is_listed_turn_by_turn_in_three_languages(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = finished(games, started(games, "sealed-bids", people))
    caller, path = api.by(people[0]), f"/games/{position.game.id}/listing"
    for language, turn in (("en", "Turn"), ("de", "Zug"), ("fr", "Tour")):
        answer = caller.get(f"{path}?language={language}")
        assert (answer.mimetype, answer.headers["Content-Language"]) == ("text/plain", language)
        lines = answer.text.splitlines()
        assert lines[:2] == ["Sealed Bids", "Alice, Bob, Carol"]
        assert [line for line in lines if line.startswith(turn)] == [f"{turn} {number}" for number in (1, 2, 3)]
        assert sum("  bid " in line for line in lines) == 9
        assert max(map(len, lines)) <= 72


def test_while_a_game_runs_the_notation_of_others_is_not_told(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    card = position.state.hands[0][0]
    act(games, position, 0, position.ruleset.parse(f"bid {card}"))
    path = f"/games/{position.game.id}/listing"
    mine, theirs = (api.by(each).get(path).text for each in people[:2])
    assert f"bid {card}" in mine
    assert "bid" not in theirs
    assert "Alice" in theirs
    refused(api.by(people[1]).get(f"{path}?seat=0"), 409, "game-not-over")


def test_what_was_taken_back_is_listed_as_such(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    caller, path = api.by(people[0]), f"/games/{position.game.id}"
    legal = caller.get(f"{path}/legal-actions").json["items"]
    quiet = next(each["notation"] for each in legal if each["action"]["type"] == "infiltrate")
    caller.act(position.game.id, 1, quiet)
    assert caller.post(f"{path}/take-back", {"decision": 1}).status_code == 201
    told = caller.get(f"{path}/listing").text
    assert f"{quiet} (taken back later)" in told
    assert "Alice takes the last move back." in told


def test_a_record_is_listed_and_drawn_without_a_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = tmp_path / "game.jsonl", tmp_path / "plots"
    file.write_bytes(sealed("new-corp-order", 1))
    assert main(["listing", str(file), "--language", "fr"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("New Corp Order\nJoueur 1, SOD\n")
    assert "La partie est terminée" in told
    assert main(["plot", str(file), "--out", str(folder)]) == 0
    made = {path.name for path in folder.iterdir()}
    assert made >= {"game-standings.svg", "game-standings.png", "game-companies.svg", "game-agents.png"}
    assert all(path.stat().st_size > 1000 for path in folder.iterdir())


def test_a_record_that_does_not_hold_tells_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(sealed().replace(b'"door":"api"', b'"door":"web"', 1))
    assert main(["listing", str(file)]) == 1
    said = capsys.readouterr()
    assert (said.out, "does not hold, line 2" in said.err) == ("", True)
    assert main(["listing", str(tmp_path / "nothing")]) == 2
