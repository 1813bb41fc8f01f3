"""`boardroom check-game` says of a game what holds, what is wrong, and what to do about it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from service.commands.cli import main
from service.conformance.suite import CHECKS

SEALED_BIDS = "from dataclasses import replace\nfrom tests.games.sealed_bids import RULESET\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command is called; what it imports from there is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "odd_game", raising=False)
    return tmp_path


def odd(here: Path, change: str) -> None:
    """Write a package with Sealed Bids, changed."""
    (here / "odd_game.py").write_text(f"{SEALED_BIDS}RULESET = replace(RULESET, {change})\n")


@pytest.mark.long
def test_of_a_game_that_keeps_to_everything_each_check_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", "tests.games.sealed_bids"]) == 0
    *told, last = capsys.readouterr().out.splitlines()
    assert [line[:7] for line in told] == ["ok     "] * (len(CHECKS) + 1)
    assert "ok     decisions are numbered upwards" in told
    assert last == f"Sealed Bids, revision 1: {len(CHECKS) + 1} checks hold, 0 do not."


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("decision=lambda state: 1", "has to act again, and the decision has the same number"),
        ("on_timeout=lambda state, seat: None", "None is none of `action_types`"),
        ('draw=lambda view, language, names: "hold"', "read as replies: ['hold'] is not []"),
    ],
)
def test_what_is_wrong_is_told_with_what_to_do(
    here: Path, capsys: pytest.CaptureFixture[str], change: str, found: str
) -> None:
    odd(here, change)
    assert main(["check-game", "odd_game"]) == 1
    told = capsys.readouterr().out
    assert found in told and "       to do: " in told


def test_if_no_game_can_be_played_the_rest_is_not_possible(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd(here, "start=lambda seats, options, chance: 1 / 0")
    assert main(["check-game", "odd_game"]) == 1
    told = capsys.readouterr().out
    assert "found: ZeroDivisionError: division by zero in odd_game.py, line 3" in told
    assert told.splitlines()[-1].endswith("were not possible.")


def test_a_game_is_tried_at_each_revision(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd(here, "start=lambda seats, options, chance: 1 / 0")
    text = (
        "now = replace(RULESET, meta=replace(RULESET.meta, revision=2))\nRULESET = replace(now, earlier={1: RULESET})\n"
    )
    (here / "odd_game.py").write_text(f"{(here / 'odd_game.py').read_text()}{text}")
    assert main(["check-game", "odd_game"]) == 1
    ends = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines() if line.startswith("Sealed")]
    assert ends == ["Sealed Bids, revision 2", "Sealed Bids, revision 1"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "there is no package odd_game. PACKAGE is a Python package that lies in this folder or is installed."),
        ("RULES = 1\n", "odd_game has no RULESET, which is what the package of a game has to have"),
        ("1 / 0\n", "odd_game cannot be imported: ZeroDivisionError: division by zero"),
    ],
)
def test_what_is_no_game_is_refused_in_a_sentence(
    here: Path, capsys: pytest.CaptureFixture[str], text: str | None, told: str
) -> None:
    if text is not None:
        (here / "odd_game.py").write_text(text)
    assert main(["check-game", "odd_game"]) == 2
    assert capsys.readouterr().err == f"boardroom: {told}\n"
