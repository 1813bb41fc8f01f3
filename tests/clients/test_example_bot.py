"""The example bot, with a client generated from the document, plays a whole game, though it is killed on the way."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text

from service.handlers import challenges
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.builders import now_at
from tests.challenged import bot_of, challenged
from tests.clients.linters import FOLDER, FOR_GENERATORS, written
from tests.live import listening
from tests.people import Person, alice, bob, new_address
from tests.workers.solo import eventually

GENERATOR = FOLDER / ".venv" / "bin"
BOT = Path(__file__).parents[2] / "clients" / "bot"
_READY = text("select exists (select from ready_bot where player_id = :bot)")
_REVOKE = text("update token set revoked_at = now() where player_id = any(:bots)")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (GENERATOR / "openapi-python-client").exists(),
        reason="the generators of clients are not here: `make clients`",
    ),
]


@pytest.fixture(scope="module")
def generated() -> None:
    """Generates the client where the bot's README has it."""
    target = ("--config", "generator.yaml", "--meta", "none", "--output-path", "example_bot/generated", "--overwrite")
    command = [str(GENERATOR / "openapi-python-client"), "generate", "--path", str(written(FOR_GENERATORS)), *target]
    subprocess.run(command, cwd=BOT, check=True, capture_output=True, timeout=180)


@contextmanager
def running(address: str, bot: Person, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run the bot until the block ends."""
    environment = os.environ | {"BOARDROOM_URL": address, "BOARDROOM_TOKEN": bot.token, "BOARDROOM_SEED": bot.name}
    with (folder / f"{bot.name}.log").open("ab") as log:
        command = [str(GENERATOR / "python"), "-m", "example_bot"]
        process = subprocess.Popen(command, cwd=BOT, env=environment, stdout=log, stderr=log)
        try:
            yield process
            assert process.poll() is None, (folder / f"{bot.name}.log").read_text()
        finally:
            process.kill()
            process.wait()


def is_ready(games: Games, bot: Person) -> bool:
    with games.engine.connect() as db:
        return bool(db.execute(_READY, {"bot": bot.id}).scalar_one())


def game_of(games: Games, sender: Person, challenge: UUID) -> UUID | None:
    with games.engine.connect() as db:
        return challenges.known(db, challenge, sender.id, clock.now()).game


def test_two_example_bots_play_a_whole_game_though_one_is_killed(
    generated: None, runtime: Runtime, games: Games, tmp_path: Path
) -> None:
    suffix = new_address()[4:12]
    one, other = bot_of(games, alice(games), "One", f"one-{suffix}"), bot_of(games, bob(games), "Two", f"two-{suffix}")
    with listening(runtime) as address:
        with running(address, other, tmp_path):
            eventually(lambda: is_ready(games, other))
            sent = challenged(games, one, other)
            with running(address, one, tmp_path):
                eventually(lambda: game_of(games, one, sent.id) is not None)
                game = game_of(games, one, sent.id)
                assert game is not None
                eventually(lambda: now_at(games, game).version > 12)
            with running(address, one, tmp_path):
                eventually(lambda: now_at(games, game).game.status == "finished")
        # Their streams end at once, and the server need not wait for them.
        with games.engine.begin() as db:
            db.execute(_REVOKE, {"bots": [one.id, other.id]})
    outcome = now_at(games, game).outcome
    assert outcome and outcome["winners"]
