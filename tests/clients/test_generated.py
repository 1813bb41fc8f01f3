"""Clients that are generated from the document play whole games on a service that really listens."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from service.runtime import Runtime
from service.store.games import Games
from tests.builders import sealed_bids
from tests.clients.linters import DOCUMENTS, FOLDER, PROGRAMS, node_is_there
from tests.live import listening
from tests.people import alice, bob, carol

GENERATOR = FOLDER / ".venv" / "bin"
CONTRACT = str(DOCUMENTS[1])
HURRY = 0
"""How many requests in a row are one too many; 0 as long as there is no limit."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (node_is_there() and (GENERATOR / "openapi-python-client").exists()),
        reason="the generators of clients are not here: `make clients`",
    ),
]


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
    run(FOLDER / "python", GENERATOR / "openapi-python-client", "generate", "--path", CONTRACT, *options)
    return GENERATOR / "python", "play.py"


def in_typescript() -> Sequence[str | Path]:
    """Generate the types for TypeScript, compile at its strictest, and return the command that plays."""
    # Not every optional field is there just because it has a default.
    options = ("--default-non-nullable=false", "--output", "generated/api.d.ts")
    run(FOLDER / "typescript", PROGRAMS / "openapi-typescript", CONTRACT, *options)
    run(FOLDER / "typescript", PROGRAMS / "tsc", "--project", ".")
    return "node", "generated/program/play.js"


@pytest.fixture(scope="module")
def address(runtime: Runtime) -> Iterator[str]:
    with listening(runtime) as url:
        yield url


@pytest.mark.parametrize("language", [in_python, in_typescript])
def test_a_generated_client_plays_whole_games(
    language: Callable[[], Sequence[str | Path]], address: str, games: Games
) -> None:
    tokens = [make(games, email=None).token for make in (alice, bob, carol)]
    told = {"url": address, "tokens": tokens, "others": str(sealed_bids(games).game.id), "hurry": HURRY}
    folder = FOLDER / language.__name__.removeprefix("in_")
    report: dict[str, Any] = json.loads(run(folder, *language(), told=json.dumps(told)))
    for name in ("three", "solo"):
        played = report[name]
        assert played["winners"] is not None
        assert played["retried"] and played["paged"]
        assert played["stale"] == ["/problems/stale-decision", 409, True, True]
        assert played["board"] > 10
    assert report["games"]
    assert report["unknown"] == ["sealed-bids", ["game-started", "hand-dealt"]]
    assert (report["waited"] > 0) == (HURRY > 0)
