"""The code of the last release and this code serve side by side on the newest schema, and go back to the older one."""

from __future__ import annotations

import importlib.util
import io
import socket
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from random import Random

import psycopg
import pytest

from service.local.processes import Child, Program, wait_until
from service.settings import Settings
from service.store.migrations import upgrade
from tests.docs.rooms import ROOT
from tests.serving import Reply, Server, web_server
from tests.upgrade.releases import LAST

MOVES = 30
PATIENCE = 90
_MISSING = {"environs": "environs==15.2.0"}
"""The libraries of the last release that this code no longer has."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def last_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the last release, with the libraries that are missing here."""
    archive = subprocess.run(["git", "archive", LAST.commit], cwd=ROOT, capture_output=True, check=False)
    if archive.returncode:
        pytest.skip(f"git does not have the last release, {LAST.commit}")
    folder = tmp_path_factory.mktemp("last-release")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    for each in (wanted for module, wanted in _MISSING.items() if importlib.util.find_spec(module) is None):
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), each]
        if subprocess.run(command, check=False, capture_output=True).returncode:
            pytest.skip(f"{each} is not to be had, which the last release needs")
    return folder


@contextmanager
def older_web_server(release: Path, settings: Settings, folder: Path) -> Iterator[Server]:
    """Run the web server of the last release."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    environment = replace(settings, port=port, ruleset_packages=("service.rules.games",)).environment()
    environment |= {"PYTHONPATH": str(release), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-m", "service.serve"]
    child = Child(Program(name="The older one", command=command, log=folder / "older.log", environment=environment))
    server = Server(port, child)
    try:
        assert wait_until(lambda: child.exit_code is not None or _answers(server), PATIENCE)
        assert child.exit_code is None, (folder / "older.log").read_text()[-2000:]
        yield server
    finally:
        child.stop()


def _answers(server: Server) -> bool:
    try:
        return server.ask("/livez").status == 200
    except OSError:
        return False


def ask(server: Server, path: str, token: str, body: object = None) -> Reply:
    """Return the answer to a request under a token, which has to succeed at the first time."""
    reply = server.ask(f"/api/v1{path}", body, {"Authorization": f"Bearer {token}"})
    assert reply.status in (200, 201), reply.body
    return reply


def test_both_versions_play_one_game_on_the_newest_schema_and_the_older_one_goes_on_alone(
    last_release: Path, settings: Settings, empty_database: Callable[[], tuple[str, str]], tmp_path: Path
) -> None:
    # given a database that the last release has made and used, and its web server running
    owner, application = empty_database()
    with psycopg.connect(owner.replace("+psycopg", "")) as db:
        db.execute(LAST.dump.encode())
    tokens, game, dice = (LAST.alice["token"], LAST.bob["token"]), LAST.running, Random(3)
    here = replace(settings, database_url=application)

    def play(servers: list[Server], moves: int) -> None:
        turns = cycle(servers)
        while moves:
            for token in tokens:
                legal = ask(next(turns), f"/games/{game}/legal-actions", token).json
                if legal["items"]:
                    said = {"decision": legal["decision"], "action": dice.choice(legal["items"])["action"]}
                    ask(next(turns), f"/games/{game}/actions", token, said)
                    moves -= 1
                    break

    with older_web_server(last_release, here, tmp_path) as older:
        play([older], 3)
        # when the tables are brought to this version, and its web server is started too
        upgrade(owner)
        with web_server(here, tmp_path) as newer:
            assert newer.ask("/readyz").status == 200
            # then each request is answered by either, under the tokens of the older one
            play([older, newer, older], MOVES)
            seen = [ask(each, f"/games/{game}", tokens[0]).json for each in (older, newer)]
            assert seen[0]["version"] == seen[1]["version"] and seen[0]["to_act"] == seen[1]["to_act"]
            for issuer, taker in ((older, newer), (newer, older)):
                issued = issuer.ask("/api/v1/players", {"name": "Carol"})
                assert ask(taker, "/me", issued.json["token"]).json["name"] == "Carol"
        # and the older one goes on by itself on the newer tables
        play([older], 5)
        knows_ranges = "OLDEST" in (last_release / "service" / "store" / "revision.py").read_text()
        assert older.ask("/readyz").status == (200 if knows_ranges else 503)
