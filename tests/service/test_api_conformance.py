"""The API against its own document: generated requests, good and bad, on the real app and database."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

import pytest
import schemathesis
from flask import Flask
from schemathesis import Case, Config

from service.app import create_app
from service.runtime import Runtime
from tests.builders import started
from tests.people import alice
from tests.service.test_openapi import COMMITTED

# Which rulesets and time zones there are, what a line of notation means, one's name, and which addresses are called, no
# schema can say.
BEYOND_SCHEMAS = {"positive_data_acceptance": {"expected-statuses": ["2xx", 403, 404, 409, 422]}}

on_stage: dict[str, Flask] = {}


def stage(environ: Any, start_response: Any) -> Iterable[bytes]:
    """Be the app of the test that runs; the operations are known before there is one."""
    return on_stage["app"](environ, start_response)


def contract_of(mode: str, coverage: bool, **more: Any) -> Any:
    """Return the committed contract, for the app on stage."""
    generation = {"max-examples": 8, "deterministic": True, "database": "none", "mode": mode}
    phases = {"stateful": {"enabled": False}, "coverage": {"enabled": coverage}}
    settings = Config.from_dict({"generation": generation, "phases": phases, **more})
    loaded = schemathesis.openapi.from_path(COMMITTED, config=settings)
    loaded.app = stage
    return loaded


PICKY = [
    "createGame",
    "postAction",
    "createToken",
    "createBot",
    "updateMe",
    "deleteMe",
    "createWebhook",
    "changeWebhook",
]
contract = contract_of("all", True, operations=[{"include-operation-id": PICKY, "checks": BEYOND_SCHEMAS}])
contract_of_games = contract_of("positive", False, checks=BEYOND_SCHEMAS).include(path_regex="game_id")


@pytest.fixture(scope="module")
def player(runtime: Runtime) -> dict[str, str]:
    """The headers of a player."""
    on_stage["app"] = create_app(runtime)
    return {"Authorization": f"Bearer {alice(runtime.games).token}"}


@pytest.fixture(scope="module")
def game(runtime: Runtime) -> tuple[UUID, dict[str, str]]:
    """A solo game that runs, and the headers of its player."""
    on_stage["app"] = create_app(runtime)
    person = alice(runtime.games, email=None)
    return started(runtime.games, "new-corp-order", [person]).game.id, {"Authorization": f"Bearer {person.token}"}


@contract.parametrize()
def test_every_operation_keeps_its_promises(case: Case, player: dict[str, str]) -> None:
    case.call_and_validate(headers=player)


@contract_of_games.parametrize()
def test_every_operation_on_a_game_keeps_its_promises(case: Case, game: tuple[UUID, dict[str, str]]) -> None:
    case.path_parameters["game_id"] = str(game[0])
    # Nothing happens in the game that would be worth waiting for.
    case.query.pop("wait", None)
    case.call_and_validate(headers=game[1])
