"""Clients that are generated from the document play whole games on a service that really listens."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from service.app import create_app
from service.http.limit_table import BUCKETS
from service.http.limits import LIMITS
from service.runtime import Runtime
from service.store.games import Games
from tests.builders import started
from tests.clients.linters import FOLDER, FOR_GENERATORS, PROGRAMS, node_is_there, written
from tests.live import listening
from tests.people import alice, bob, carol

GENERATOR = FOLDER / ".venv" / "bin"
WRITING = replace(BUCKETS["writing"], quota=6, window=3)
"""A limit that is soon met, and soon over."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (GENERATOR / "openapi-python-client").exists(),
        reason="the generators of clients are not here: `make clients`",
    ),
]
with_node = pytest.mark.skipif(not node_is_there(), reason="what TypeScript needs is not here: `make clients`")


def run(folder: Path, *command: str | Path, told: str = "") -> str:
    """Run a command in a folder, and return what it prints; it must succeed."""
    words = [str(each) for each in command]
    ended = subprocess.run(words, cwd=folder, input=told, capture_output=True, text=True, check=False, timeout=180)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def in_python() -> Sequence[str | Path]:
    """Generate the client in Python, and return the command that plays with it."""
    target = ("--meta", "none", "--output-path", "generated/boardroom_client", "--overwrite")
    options = ("--config", "generator.yaml", "--fail-on-warning", *target)
    run(FOLDER / "python", GENERATOR / "openapi-python-client", "generate", "--path", written(FOR_GENERATORS), *options)
    return GENERATOR / "python", "play.py"


def in_typescript() -> Sequence[str | Path]:
    """Generate the types for TypeScript, compile at its strictest, and return the command that plays."""
    # Not every optional field is there just because it has a default.
    options = ("--default-non-nullable=false", "--output", "generated/api.d.ts")
    run(FOLDER / "typescript", PROGRAMS / "openapi-typescript", written(FOR_GENERATORS), *options)
    run(FOLDER / "typescript", PROGRAMS / "tsc", "--project", ".")
    return "node", "generated/program/play.js"


@pytest.fixture(scope="module")
def address(runtime: Runtime) -> Iterator[str]:
    """Serves a house with a single limit, and returns its address."""
    app = create_app(runtime)
    app.extensions[LIMITS].table = {"writing": WRITING}
    with listening(runtime, app=app) as url:
        yield url


@pytest.mark.parametrize("language", [in_python, pytest.param(in_typescript, marks=with_node)])
def test_a_generated_client_plays_whole_games(
    language: Callable[[], Sequence[str | Path]], address: str, games: Games
) -> None:
    people = [make(games, email=None) for make in (alice, bob, carol)]
    others = str(started(games, "sealed-bids", people).game.id)
    told = {"url": address, "tokens": [each.token for each in people], "others": others}
    folder = FOLDER / language.__name__.removeprefix("in_")
    report: dict[str, Any] = json.loads(run(folder, *language(), told=json.dumps(told)))
    for name in ("three", "solo"):
        played = report[name]
        assert played["winners"] is not None
        assert played["retried"] and played["minimal"] and played["foretold"] and played["paged"]
        assert played["stale"] == ["/problems/stale-decision", 409, True, True]
        assert played["board"] > 10
    assert report["turns"] and report["games"]
    assert report["unknown"] == ["sealed-bids", ["game-started", "hand-dealt"]]
    assert report["talked"] == ["Hello.", "Red is strong.", ""]
    assert report["restricted"] == [["games:read"], "/problems/scope-missing", "/problems/token-revoked"]
    assert report["hooked"] == [["game.turn"], []]
    assert report["hurried"]["refused"] == ["/problems/rate-limited", "writing", True]
    assert 0 < report["hurried"]["waited"] <= WRITING.window
    assert report["hurried"]["then"] == "At last."


@pytest.mark.skipif(shutil.which("java") is None, reason="openapi-generator needs Java")
def test_the_client_of_openapi_generator_compiles_and_plays_an_action(runtime: Runtime, games: Games) -> None:
    folder = FOLDER / "openapi_generator"
    options = ("--package-name", "generated.boardroom_client", "--additional-properties", "generateSourceCodeOnly=true")
    run(
        folder, GENERATOR / "openapi-generator-cli", "generate", "-g", "python", "-i", written(FOR_GENERATORS), *options
    )
    run(folder, GENERATOR / "python", "-m", "compileall", "-q", "generated")
    person = alice(games, email=None)
    game = started(games, "new-corp-order", [person, bob(games, email=None)], **{"first-player": 0}).game.id
    with listening(runtime) as url:
        told = {"url": url, "token": person.token, "game": str(game)}
        report = json.loads(run(folder, GENERATOR / "python", "play.py", told=json.dumps(told)))
    assert report["statuses"] == [201, 201]
    assert report["repeated"]
    assert report["played"] == report["read"]
