"""The API against its own document: generated requests, good and bad, on the real app and database."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

import pytest
import yaml
from flask import Flask, Response, g, request

from service.app import create_app
from service.handlers.players import authenticate
from service.runtime import Runtime
from service.store.games import Games
from tests.builders import started
from tests.people import alice
from tests.service.conformance import PHASES, Document, examine, only
from tests.service.test_openapi import COMMITTED

WHOLE: Document = yaml.safe_load(COMMITTED.read_text())


@pytest.mark.parametrize("phases", [("examples", "coverage"), ("examples", "fuzzing", "stateful")])
def test_every_operation_keeps_its_promises(phases: tuple[str, ...], app: Flask, games: Games) -> None:
    found = examine(app, WHOLE, alice(games, email=None).token, *phases)
    assert found.failures == []
    assert set(found.cases) == set(phases)


def test_every_operation_on_a_game_that_runs_keeps_its_promises(app: Flask, games: Games) -> None:
    person = alice(games, email=None)
    game = str(started(games, "new-corp-order", [person]).game.id)
    document = deepcopy(WHOLE)
    of_games = {path: item for path, item in document["paths"].items() if "{game_id}" in path}
    for item in of_games.values():
        item["parameters"][0]["schema"] = {"type": "string", "const": game}
    document["paths"] = of_games
    found = examine(app, document, person.token, "fuzzing", mode="positive")
    assert found.failures == []
    assert found.answered[200] > len(of_games)


def a_status_that_is_not_documented(_: Flask, __: str) -> Document:
    document = only(WHOLE, "createGame")
    document["components"] = deepcopy(document["components"])
    document["components"]["schemas"]["Table"]["properties"]["status"]["enum"].remove("open")
    return document


def a_game_that_makes_it_fail(app: Flask, _: str) -> Document:
    @app.after_request
    def fail(response: Response) -> Response:
        if request.endpoint == "play.get_game" and response.status_code == 200:
            raise RuntimeError("odd")
        return response

    return only(WHOLE, "createGame", "getGame")


def a_route_without_a_guard(app: Flask, token: str) -> Document:
    def anybody() -> None:
        g.player = authenticate(app.extensions["runtime"].games, token)

    app.before_request_funcs["players"] = [anybody]
    return only(WHOLE, "getMe")


def methods_that_are_not_named(app: Flask, _: str) -> Document:
    @app.after_request
    def drop(response: Response) -> Response:
        response.headers.pop("Allow", None)
        return response

    return only(WHOLE, "getMe")


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        (a_status_that_is_not_documented, "response_schema_conformance"),
        (a_game_that_makes_it_fail, "not_a_server_error"),
        (a_route_without_a_guard, "ignored_auth"),
        (methods_that_are_not_named, "unsupported_method"),
    ],
)
def test_a_broken_promise_is_found(
    fault: Callable[[Flask, str], Document], check: str, runtime: Runtime, games: Games
) -> None:
    app, token = create_app(runtime), alice(games, email=None).token
    found = examine(app, fault(app, token), token, *PHASES)
    assert any(f" {check}:" in failure for failure in found.failures), found.failures
