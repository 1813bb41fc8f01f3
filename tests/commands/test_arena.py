"""`boardroom arena`, `boardroom train` and `boardroom facts`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import text

from service.commands.cli import main
from service.players.levels import VERSIONS
from service.rules.guide import Facts
from service.rules.valuation import Weights
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


@pytest.mark.long
def test_arena_tells_the_win_rate_with_its_interval_and_the_time_of_a_choice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["arena", "easy", "random", "--ruleset", "new-corp-order", "--games", "3"]) == 0
    first, *clocks = capsys.readouterr().out.splitlines()
    found = re.fullmatch(
        r"easy against 1 random: wins ([\d.]+) \(95 %: ([\d.]+) to ([\d.]+); even is 0.500\), 4 games of 2 deals", first
    )
    assert found is not None
    rate, low, high = map(float, found.groups())
    assert low < rate <= high
    assert [line.split()[0] for line in clocks] == ["easy", "random"]
    assert all(re.search(r"median [\d.]+ ms, p99 [\d.]+ ms$", line) for line in clocks)


@pytest.mark.long
def test_arena_tells_what_the_first_deals_came_to_so_that_it_can_be_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "random", "random", "--games", "12"]) == 0
    [so_far] = capsys.readouterr().err.splitlines()
    assert re.match(r"so far 10 games: wins [\d.]+ \(95 %: [\d.]+ to [\d.]+\), CPU time of a choice: median", so_far)


@pytest.mark.long
def test_arena_says_the_same_again_for_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for seed in ("1", "1", "2"):
        assert main(["arena", "random", "random", "--games", "6", "--seats", "3", "--seed", seed]) == 0
        said.append(re.sub(r", CPU time.*", "", capsys.readouterr().out))
    assert said[0] == said[1] != said[2]


@pytest.mark.long
def test_arena_lets_expert_think_about_as_many_tables_as_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "expert", "hard", "--games", "2", "--tables", "2"]) == 0
    _, expert, hard = capsys.readouterr().out.splitlines()
    assert re.match(r"expert   \d+ choices, tables for one: 2, CPU time", expert)
    assert re.match(r"hard     \d+ choices, tables for one: 1, CPU time", hard)


def rows(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    """Return the cells of the table that was printed, without its head."""
    _, _, *lines = capsys.readouterr().out.splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.long
def test_without_levels_each_one_plays_the_one_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "--games", "1", "--seats", "3"]) == 0
    table = rows(capsys)
    levels = ["`easy` against `random`", "`normal` against `easy`", "`hard` against `normal`"]
    assert [row[1] for row in table][:3] == levels
    assert all(row[0] == "3" and row[4] == "3" and row[5] == "0.333" for row in table[:3])
    assert all(re.fullmatch(r"[\d.]+, [\d.]+", row[7]) for row in table)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(("stronger", "weaker"), [("easy", "random"), ("normal", "easy"), ("hard", "normal")])
def test_each_level_is_proven_better_than_the_one_below_it_by_few_games(
    stronger: str, weaker: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", stronger, weaker, "--games", "20"]) == 0
    [low] = re.findall(r"95 %: ([\d.]+) to", capsys.readouterr().out)
    assert float(low) > 0.5


@pytest.mark.long
def test_one_deal_proves_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "--games", "1", "--seats", "3", "--ruleset", "bastards-inc"]) == 0
    first, *_ = rows(capsys)
    assert first[6] == "not proven"


@pytest.mark.long
@pytest.mark.slow
def test_alone_the_best_results_of_two_levels_are_compared_deal_by_deal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "easy", "easy", "--seats", "1", "--games", "2"]) == 0
    one, other, compared = capsys.readouterr().out.splitlines()
    assert one == other
    assert re.match(r"easy alone: has won \d of 2 deals, each by its best of 8 tries; -?[\d.]+ points ahead", one)
    assert compared == "easy came to more in 0 deals, to the same in 2, to less in 0"


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["arena", "easy", "random", "--seats", "5"], 1, "New Corp Order is for 1, 2, 3, 4 players, not 5"),
        (["arena", "easy", "random", "--seats", "9"], 1, "New Corp Order is for 1, 2, 3, 4 players, not 9"),
        (["arena", "easy"], 2, "Name two levels, or none."),
        (["arena", "hard", "normal", "--tables", "25"], 2, "Only expert thinks about more tables than one"),
        (["arena", "--tables", "25"], 2, "Only expert thinks about more tables than one"),
        (["arena", "expert", "hard", "--tables", "25", "--seats", "1"], 2, "name it, and others to play against"),
        (["arena", "--seats", "1"], 2, "Name two levels to compare how they play alone."),
        (["arena", "easy", "best"], 2, "'best' is not one of 'random', 'easy'"),
        (
            ["arena", "easy", "easy", "--ruleset", "chess"],
            2,
            "'chess' is none of those installed: new-corp-order, bastards-inc.",
        ),
        (["train", "chess", "--seats", "2", "--out", "x"], 2, "'chess' is none of those installed"),
        (["train", "new-corp-order", "--seats", "5", "--out", "x"], 1, "has no features with 5 players"),
        (["facts", "new-corp-order", "--seats", "5"], 1, "New Corp Order is for 1, 2, 3, 4 players, not 5"),
        (
            ["facts", "bastards-inc", "--seats", "3"],
            1,
            "Ba$tard$ Inc. with 3 players has the levels random, easy, normal",
        ),
    ],
)
def test_what_cannot_be_played_is_a_sentence(
    words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == code
    assert said in capsys.readouterr().err


@pytest.mark.long
def test_train_writes_the_weights_of_a_version_which_those_before_take_part_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "version_2.py"
    words = ["--seats", "2", "--seats", "3", "--games", "1", "--seed", "3", "--version", "2", "--out", str(out)]
    assert main(["train", "new-corp-order", *words]) == 0
    assert f"for {out}" in capsys.readouterr().out
    read: dict[str, dict[int, Weights]] = {}
    exec(out.read_text(), read)  # the text is our own
    assert read["WEIGHTS"].keys() == {2, 3}
    assert {each.version for each in read["WEIGHTS"].values()} == {2}
    assert f"1 games of normal {VERSIONS['normal']} and hard 1" in read["WEIGHTS"][2].figures
    assert "# lead-early" in out.read_text()


@pytest.mark.long
def test_a_game_without_features_cannot_be_trained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("RULESET_PACKAGES", "tests.games")
    assert main(["train", "sealed-bids", "--seats", "3", "--out", str(tmp_path / "w.py")]) == 1
    assert "Sealed Bids has no features" in capsys.readouterr().err


@pytest.mark.long
def test_facts_are_told_and_written_as_a_module(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "facts.py"
    words = ["facts", "new-corp-order", "--level", "easy", "--seats", "2", "--games", "3", "--out", str(out)]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert said.startswith("2 players, 3 games of easy: ") and "who begins wins" in said and "even is 50" in said
    read: dict[str, dict[int, Facts]] = {}
    exec(out.read_text(), read)  # the text is our own
    facts = read["FACTS"][2]
    assert (facts.level, facts.games) == ("easy", 3)
    for fewest, middle, most in (facts.turns, facts.scores, (facts.first[1], facts.first[0], facts.first[2])):
        assert fewest <= middle <= most
    assert facts.scores[1] <= facts.winner


# `boardroom arena --api`: a referee has two bots of the API play each other.


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
