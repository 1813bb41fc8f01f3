"""`boardroom play` against a server that really listens, with ODS played by the worker's code."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from flask import Flask
from freezegun import freeze_time

from service.commands.cli import main
from service.commands.play import HELP, Api, ProblemAnswer
from service.runtime import Runtime
from service.store.games import Games
from tests.builders import opened
from tests.commands.test_terminal import PAINT, controls
from tests.live import listening
from tests.people import alice, bob, carol


@pytest.fixture(scope="module")
def address(runtime: Runtime, app: Flask) -> Iterator[str]:
    with listening(runtime, app=app) as url:
        yield url


@pytest.mark.slow
def test_a_solo_game_is_played_to_its_end_against_ods(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--api", address, "--random", "--seed", "1"]) == 0
    printed = capsys.readouterr().out
    assert "Standings" in printed
    assert "Game over after " in printed
    assert "Won by ODS." in printed or "Won by Alice." in printed


@pytest.mark.parametrize("seats", ["2", pytest.param("4", marks=pytest.mark.slow)])
def test_all_seats_can_be_played_from_one_terminal(
    address: str, seats: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--api", address, "--seats", seats, "--random", "--language", "de"]) == 0
    assert "Game over after " in capsys.readouterr().out


def test_any_game_can_be_played_that_the_service_has(address: str) -> None:
    assert main(["play", "--api", f"{address}/", "--ruleset", "sealed-bids", "--seats", "3", "--random"]) == 0


@pytest.mark.slow
def test_six_people_play_a_game_in_which_seats_take_steps_unseen(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["play", "--api", address, "--ruleset", "bastards-inc", "--seats", "6", "--random", "--seed", "3"]
    assert main(line) == 0
    assert "Game over after " in capsys.readouterr().out


def test_a_person_is_shown_the_board_and_may_search_err_and_come_back(
    address: str, games: Games, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [alice(games), bob(games), carol(games)]
    game = str(opened(games, "sealed-bids", people))
    Api(address, people[0].token).post(f"/games/{game}/start")
    lines = ["help", "? hold", "castle", "99", "board", "news", "4"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\nquit\n"))
    others = [Api(address, person.token) for person in people[1:]]
    for each in others:
        each.post(f"/games/{game}/actions", {"decision": _decision(each, game), "notation": "hold"})
    assert main(["play", "--api", address, "--token", people[0].token, "--game", game]) == 1
    printed = capsys.readouterr()
    assert "This is not a move of the game: " in printed.out
    assert HELP in printed.out
    assert "--token and --game bring you back" in printed.err
    table = others[0].get(f"/games/{game}")
    assert table["decision"] == _decision(others[0], game)
    assert table["version"] > 7


def test_a_service_that_is_not_there_is_one_clear_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--api", "http://127.0.0.1:1", "--random"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    for address in ("ftp://127.0.0.1", "http://[::1"):
        assert main(["play", "--api", address]) == 1
        assert "--api has to be an address that begins with http:// or https://." in capsys.readouterr().err


def test_a_game_for_so_many_players_that_is_not_there_is_refused(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--api", address, "--seats", "9"]) == 1
    assert "9 players" in capsys.readouterr().err


def test_a_token_without_its_game_is_refused(address: str, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    game = str(opened(games, "sealed-bids", people))
    stranger = alice(games).token
    assert main(["play", "--api", address, "--token", stranger]) == 1
    assert main(["play", "--api", address, "--token", stranger, "--game", game]) == 1
    with pytest.raises(ProblemAnswer):
        Api(address, "brd_x").get("/me")


def _decision(api: Api, game: str) -> int:
    return int(api.get(f"/games/{game}")["decision"])


def test_who_asks_too_often_waits_as_long_as_told(runtime: Runtime, games: Games) -> None:
    limited = replace(runtime, settings=replace(runtime.settings, rate_limits=0.001))
    # In the last second of a window.
    with listening(limited, relayed=False) as url, freeze_time("2100-01-01 12:00:59", tick=True):
        caller = Api(url, alice(games).token)
        assert [caller.get("/me")["limits"][0]["left"] for _ in range(2)] == [0, 0]


class Hostile(BaseHTTPRequestHandler):
    """A service that answers with what would clear the screen and paint another answer on it."""

    def do_GET(self) -> None:
        """Refuse, in those words."""
        body = json.dumps({"type": "/problems/none", "title": PAINT, "detail": PAINT}).encode()
        self.send_response(403)
        self.send_header("Content-Type", "application/problem+json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the library calls it
        """Say nothing."""


def test_a_hostile_service_does_nothing_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Hostile) as server, ThreadPoolExecutor(1) as threads:
        threads.submit(server.serve_forever)
        assert main(["play", "--api", f"http://127.0.0.1:{server.server_port}"]) == 1
        server.shutdown()
    told = capsys.readouterr()
    assert "\\u001b[2J" in told.err
    assert controls(told.out + told.err) == set()
