"""The API against its own document: generated requests, good and bad, on the real app and database."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import pytest
from flask import Flask, Response, request

from service.app import create_app
from service.handlers.authentication import authenticate
from service.http.request import current_request
from service.runtime import Runtime
from service.store.games import Games
from tests.api.conformance import MOST, PHASES, REFUSED, THOROUGH, Document, Findings, asking, examine, insisting
from tests.api.refusable import REFUSABLE
from tests.api.scene import APP, HOOK, Asked, Scene
from tests.api.situations import DOCUMENTED, SITUATIONS
from tests.people import alice, bob
from tests.promises import served
from tests.rest import Caller

WHOLE: Document = served()
"""With its examples, by which games can be made that answers are about."""
STREAMS = {"streamEvents", "streamByTicket", "streamAccount", "streamAccountByTicket"}
"""What never ends is not asked for."""
LAST = ("deleteMe", "deleteToken")
"""What takes the token away that everything is asked under, if it is told to."""


@pytest.fixture(autouse=True)
def _without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no request look for a proxy that could lead to this machine."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def groups() -> dict[str, list[str]]:
    """Return the names of the operations by their tag, those that take the token away apart."""
    found: dict[str, list[str]] = {}
    for name, (_, _, operation) in DOCUMENTED.items():
        if name not in STREAMS:
            found.setdefault(name if name in LAST else operation["tags"][0], []).append(name)
    return found


COUNTED = {name for name, reasons in REFUSABLE.items() if "rate-limited" in reasons}
"""What one may do so often at a table; no other operation is limited here."""


def limited(found: Findings) -> set[str]:
    """Return the operations that were answered with 429."""
    return {name for name, statuses in found.answered.items() if statuses[429]}


@pytest.mark.parametrize("most", [MOST, pytest.param(THOROUGH, marks=pytest.mark.slow)])
@pytest.mark.parametrize("names", groups().values(), ids=groups())
def test_operations_keep_their_promises(names: list[str], most: int, app: Flask, api: Caller, games: Games) -> None:
    scene = Scene(api, games, alice(games), bob(games, email=None))
    document = asking(WHOLE, {name: SITUATIONS[name](scene) for name in names})
    gone = (401,) if names[0] in LAST else ()
    # The cases at every bound of every value are many.
    phases = ("examples", "coverage", "fuzzing") if most == THOROUGH else ("examples", "fuzzing")
    found = examine(app, document, names, scene.alice.token, *phases, also_good=gone, most=most)
    assert found.failures == []
    assert found.granted == set(names)
    assert limited(found) <= COUNTED
    assert {*phases} - {"examples"} <= set(found.cases)


SHOWN = {"getWebhook", "changeWebhook", "changeApp"}
"""What answers with a thing just as it is kept: in a row it would be taken for the source, and nothing be made."""
MADE: Mapping[str, Any] = {
    "createWebhook": HOOK,
    "createGame": {"ruleset": "new-corp-order", "seats": 1},
    "createBot": {"name": "Robot"},
    "createToken": {"label": "laptop", "scopes": ["games:read"]},
    "createApp": APP,
}
"""What makes something to be used next, and of what."""


@pytest.mark.parametrize("making", MADE)
def test_operations_in_a_row_keep_their_promises(making: str, app: Flask, games: Games) -> None:
    beginning = DOCUMENTED[making][1]
    using = [name for name, (_, path, _) in DOCUMENTED.items() if path.startswith(f"{beginning}/")]
    document = insisting(WHOLE, {making: Asked(body=MADE[making])})
    names = [making, *(name for name in using if name not in STREAMS | SHOWN)]
    # A token may be told to take itself away.
    gone = (401,) if set(LAST) & set(names) else ()
    found = examine(app, document, names, alice(games, email=None).token, "stateful", also_good=gone)
    assert found.failures == []
    assert 429 not in found.statuses
    assert making in found.granted
    assert found.granted & set(using), "what was made was never found again"


def test_all_operations_in_any_row_keep_their_promises(app: Flask, games: Games) -> None:
    names = [name for name in DOCUMENTED if name not in {*LAST, *STREAMS}]
    found = examine(app, WHOLE, names, alice(games, email=None).token, "stateful")
    assert found.failures == []
    assert limited(found) <= COUNTED
    assert found.cases["stateful"] > MOST


Faulty = tuple[Document, list[str]]


def a_status_that_is_not_documented(_: Flask, __: str) -> Faulty:
    document = deepcopy(WHOLE)
    document["components"]["schemas"]["Table"]["properties"]["status"]["enum"].remove("open")
    return document, ["createGame"]


def a_game_that_makes_it_fail(app: Flask, _: str) -> Faulty:
    @app.after_request
    def fail(response: Response) -> Response:
        if request.endpoint == "play.get_game" and response.status_code == 200:
            raise RuntimeError("odd")
        return response

    return WHOLE, ["createGame", "getGame"]


def a_route_without_a_guard(app: Flask, token: str) -> Faulty:
    def anybody() -> None:
        current_request().identity = authenticate(app.extensions["runtime"].games, token)

    app.before_request_funcs["players"] = [anybody]
    return WHOLE, ["getMe"]


def methods_that_are_not_named(app: Flask, _: str) -> Faulty:
    @app.after_request
    def drop(response: Response) -> Response:
        response.headers.pop("Allow", None)
        return response

    return WHOLE, ["getMe"]


def a_name_that_is_longer_than_it_may_be(_: Flask, __: str) -> Faulty:
    document = deepcopy(WHOLE)
    document["components"]["schemas"]["NewBot"]["properties"]["name"]["maxLength"] += 1
    return document, ["createBot"]


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        (a_route_without_a_guard, "ignored_auth"),
        (methods_that_are_not_named, "unsupported_method"),
        pytest.param(a_name_that_is_longer_than_it_may_be, REFUSED, marks=pytest.mark.slow),
        pytest.param(a_status_that_is_not_documented, "response_schema_conformance", marks=pytest.mark.slow),
        pytest.param(a_game_that_makes_it_fail, "not_a_server_error", marks=pytest.mark.slow),
    ],
)
def test_a_broken_promise_is_found(
    fault: Callable[[Flask, str], Faulty], check: str, runtime: Runtime, games: Games
) -> None:
    app, token = create_app(runtime), alice(games, email=None).token
    document, names = fault(app, token)
    found = examine(app, document, names, token, *PHASES)
    assert any(f" {check}:" in failure for failure in found.failures), found.failures
