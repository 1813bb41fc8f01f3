"""`boardroom new-game` writes a game that passes everything and can be played."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import service
from service.commands.cli import main

BOARDROOM = Path(sys.executable).with_name("boardroom")
ROOT = Path(service.__file__).parents[1]


def run(*words: str | Path, folder: Path, beside: Path) -> str:
    """Run a program in a folder, with what is installed beside; return what it prints."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(beside), "RULESET_PACKAGES": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_a_new_game_keeps_to_what_every_game_has_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-game", "day-market"]) == 0
    monkeypatch.syspath_prepend(tmp_path / "day-market")
    assert main(["check-game", "day_market"]) == 0
    assert capsys.readouterr().out.endswith(", 0 do not.\n")


@pytest.mark.slow
def test_a_new_game_is_installed_and_checked_and_played_and_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-game", "night-market"]) == 0
    game, beside = tmp_path / "night-market", tmp_path / "beside"
    pip = ("-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target")
    run(sys.executable, *pip, beside, game, folder=game, beside=beside)
    assert run(BOARDROOM, "check-game", "night_market", folder=tmp_path, beside=beside).endswith(", 0 do not.\n")
    assert "2 passed" in run(sys.executable, "-m", "pytest", "-q", "-n", "0", "tests", folder=game, beside=beside)
    play = ("selfplay", "--ruleset", "night-market", "--players", "3", "--games", "4", "--out", "records")
    assert "games              4\n" in run(BOARDROOM, *play, folder=tmp_path, beside=beside)
    records = sorted((tmp_path / "records").iterdir())
    assert run(BOARDROOM, "verify", *records, folder=tmp_path, beside=beside)
    ruff = (
        BOARDROOM.with_name("ruff"),
        "check",
        "--ignore",
        "S101",
        "--config",
        ROOT / "pyproject.toml",
        "night_market",
    )
    run(*ruff, folder=game, beside=beside)


def test_the_files_and_the_next_steps_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-game", "my-game"]) == 0
    files, _, steps = capsys.readouterr().out.partition("\nNext:\n")
    assert sorted(files.split()) == sorted(
        str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()
    )
    assert "boardroom check-game my_game" in steps
    assert all("$" not in line or line.startswith("$ ") for path in files.split() for line in lines_of(path))


def lines_of(path: str) -> list[str]:
    """The lines of a file."""
    return Path(path).read_text().splitlines()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("My Game", "'My Game' is no name of a game: it takes small letters, digits, and dashes between words"),
        ("../x", "'../x' is no name of a game: it takes small letters, digits, and dashes between words"),
        ("class", "'class' is a word of Python, and no package can be called so; take another name"),
        ("json", "there is a folder json or a package json already; take another name"),
        ("taken", "there is a folder taken or a package taken already; take another name"),
        ("bastards-inc", "there is a game bastards-inc already; take another name"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused_and_nothing_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, told: str
) -> None:
    (tmp_path / "taken").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["new-game", name]) == 1
    assert capsys.readouterr().err == f"boardroom: {told}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
