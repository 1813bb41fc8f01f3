"""The code of the last release and this code serve side by side on the newest schema, and go back to the older one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from random import Random

import psycopg
import pytest

from service.settings import Settings
from service.store.migrations import upgrade
from tests.deploy.parts import web
from tests.serving import Reply, Server
from tests.upgrade.older import NotToBeHad, lay_out
from tests.upgrade.releases import LAST

MOVES = 30

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def last_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the last release."""
    folder = tmp_path_factory.mktemp("last-release")
    try:
        lay_out(LAST.commit, folder)
    except NotToBeHad as why:
        pytest.skip(str(why))
    return folder


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
    here = replace(settings, database_url=application, ruleset_packages=("service.rules.games",))

    def play(servers: list[Server], moves: int) -> None:
        turns = cycle(servers)
        for _ in range(moves):
            offered = ((token, ask(next(turns), f"/games/{game}/legal-actions", token).json) for token in tokens)
            token, legal = next((token, legal) for token, legal in offered if legal["items"])
            said = {"decision": legal["decision"], "action": dice.choice(legal["items"])["action"]}
            ask(next(turns), f"/games/{game}/actions", token, said)

    with web(here, tmp_path, last_release) as older:
        play([older], 3)
        # when the tables are brought to this version, and its web server is started too
        upgrade(owner)
        with web(here, tmp_path) as newer:
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
