"""The guide's program, as its page shows it, plays whole games against a server that really listens."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.request import urlopen

import pytest
from flask import Flask

from service.runtime import Runtime
from service.store.games import Games
from tests.builders import now_at, started
from tests.live import listening
from tests.people import Person, alice, bob


@pytest.fixture(scope="module")
def address(runtime: Runtime, app: Flask) -> Iterator[str]:
    with listening(runtime, app=app) as url:
        yield url


@pytest.fixture
def bot(address: str, tmp_path: Path) -> Path:
    """The program, cut out of the page and written to a file."""
    with urlopen(f"{address}/api/guide") as answer:
        page = answer.read().decode()
    program = unescape(page.partition('<code id="program">')[2].partition("</code>")[0])
    assert 20 <= len(program.splitlines()) <= 30
    path = tmp_path / "bot.py"
    path.write_text(program)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("make", [(alice,), (alice, bob)], ids=["solo", "two players"])
def test_the_bot_plays_a_whole_game(make: tuple[object, ...], bot: Path, address: str, games: Games) -> None:
    people: list[Person] = [each(games, email=None) for each in make]  # type: ignore[operator]
    game = started(games, "new-corp-order", people).game.id
    command = [sys.executable, "-W", "error", str(bot), f"{address}/api/v1"]
    bots = [
        subprocess.Popen([*command, person.token, str(game)], stdout=subprocess.PIPE, text=True) for person in people
    ]
    printed = [each.communicate(timeout=90)[0] for each in bots]
    assert [each.returncode for each in bots] == [0] * len(people)
    position = now_at(games, game)
    winners = position.ruleset.outcome(position.state)["winners"]
    assert {text.splitlines()[-1] for text in printed} == {f"Won by seat {' '.join(map(str, winners))}"}
