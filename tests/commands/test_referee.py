"""`boardroom arena --api`: a referee has two bots of the API play each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import text

from service.commands.cli import main
from service.runtime import Runtime
from service.store.games import Games
from tests.builders import act, first_legal, now_at
from tests.challenged import bot_of
from tests.live import listening
from tests.people import Person, alice, new_address

_RUNNING = text(
    "select distinct g.id from game g join seat s on s.game_id = g.id"
    " where g.status = 'running' and s.player_id = any(:players)"
)


@contextmanager
def playing(games: Games, bots: list[Person]) -> Iterator[None]:
    """Play every game of the bots by first legal actions, until the block ends."""
    stop = Event()

    def play() -> None:
        while not stop.wait(0.02):
            with games.engine.connect() as db:
                found = db.execute(_RUNNING, {"players": [each.id for each in bots]}).scalars().all()
            for game in found:
                position = now_at(games, game)
                for seat in sorted(position.awaited)[:1]:
                    act(games, position, seat, first_legal(position, seat))

    thread = Thread(target=play)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def files(folder: Path, bots: list[Person], suffix: str) -> list[str]:
    """Write the tokens into files, and return the bots as the command wants them named."""
    for bot in bots:
        (folder / bot.name).write_text(f"{bot.token}\n")
    return [f"{bot.name}-{suffix}={folder / bot.name}" for bot in bots]


@pytest.mark.slow
def test_two_bots_play_in_pairs_and_the_win_rate_has_an_interval(
    runtime: Runtime, games: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suffix, owner = new_address()[4:12], alice(games)
    bots = [bot_of(games, owner, name, f"{name}-{suffix}") for name in ("one", "two")]
    one, two = files(tmp_path, bots, suffix)
    with listening(runtime, relayed=False) as url, playing(games, bots):
        assert main(["arena", one, two, "--api", url, "--games", "4", "--ruleset", "new-corp-order"]) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    figures = r"wins ([\d.]+) \(95 %: ([\d.]+) to ([\d.]+); even is 0.500\), 4 games in 2 pairs"
    found = re.fullmatch(f"one-{suffix} against two-{suffix}: {figures}", said)
    assert found, said
    rate, low, high = map(float, found.groups())
    assert low <= rate <= high


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["arena", "one=x", "easy", "--api", "http://127.0.0.1:1"], 2, "Two levels play each other here"),
        (["arena", "one=x", "two=y"], 2, "Two levels play each other here"),
        (["arena", "easy", "easy", "--api", "http://127.0.0.1:1"], 2, "Two levels play each other here"),
        (["arena", "one=nowhere", "two=nowhere", "--api", "http://127.0.0.1:1"], 2, "nowhere cannot be used"),
        (["arena", "one=/dev/null", "two=/dev/null", "--api", "http://127.0.0.1:1"], 2, "does not answer"),
    ],
)
def test_what_a_referee_cannot_do_is_a_sentence(
    words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == code
    assert said in capsys.readouterr().err
