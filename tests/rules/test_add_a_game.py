"""docs/add-a-game.md is followed from beginning to end: its files are written, its sessions typed, its commands run."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules.pages import GAME, ROOT, blocks

pytestmark = pytest.mark.long

PAGE = ROOT / "docs" / "add-a-game.md"
SHOWN = {block.file: block.text for block in blocks(PAGE) if block.file}
LINKED = {"README.md", "texts.py"}
"""The files to which the page only leads."""
INSTALL = "pip install --editable ."


def written(folder: Path) -> Path:
    """Write the files of the page and those to which it leads into a folder; return the package of the game."""
    game = folder / "three_harbours"
    game.mkdir(parents=True, exist_ok=True)
    for name, text in (SHOWN | {name: (GAME / name).read_text() for name in LINKED}).items():
        (game / name).write_text(text)
    return game


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run command lines of the page in a folder, with the commands of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(folder / "beside"), "RULESET_PACKAGES": ""}
    return subprocess.run(
        ["bash", "-ec", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_the_page_shows_the_game_as_it_is() -> None:
    assert set(SHOWN) | LINKED == {path.name for path in GAME.iterdir() if path.is_file()}
    for name, text in SHOWN.items():
        assert text.splitlines() == (GAME / name).read_text().splitlines(), "python -m tests.rules.pages"


def test_its_sessions_print_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "three_harbours"]:
        monkeypatch.delitem(sys.modules, name)
    typed = "".join(block.text for block in blocks(PAGE) if block.language == "pycon")
    session = doctest.DocTestParser().get_doctest(typed, {}, PAGE.name, str(PAGE), 0)
    printed: list[str] = []
    failed, tried = doctest.DocTestRunner(verbose=False).run(session, out=printed.append)
    assert not failed and tried > 20, "".join(printed)


@pytest.mark.slow
def test_its_commands_begin_try_and_play_the_game(tmp_path: Path) -> None:
    before, after = ([*_lines(block.text)] for block in blocks(PAGE) if block.language == "console")
    # This environment is left as it is: the package is installed beside it.
    pip = "pip install --quiet --no-index --no-deps --no-build-isolation --target ../beside ."
    assert INSTALL in before
    begun = run("\n".join(pip if line == INSTALL else line for line in before), tmp_path)
    assert begun.returncode == 0, begun.stdout + begun.stderr
    assert re.search(r"^games +5$", begun.stdout, re.MULTILINE)
    folder = tmp_path / "three-harbours"
    shutil.rmtree(folder / "build", ignore_errors=True)
    written(folder)
    played = run("\n".join(["cd three-harbours", f"{pip} --upgrade", *after]), tmp_path)
    assert played.returncode == 0, played.stdout + played.stderr
    assert ", 0 do not." in played.stdout and re.search(r"^games +20$", played.stdout, re.MULTILINE)


def _lines(text: str) -> list[str]:
    return [line.removeprefix("$ ") for line in text.splitlines()]


@pytest.mark.parametrize(
    ("file", "right", "wrong", "found"),
    [
        ("records.py", "seat: Public[int]", "seat: int", "OrderSealed.seat has to say who sees it"),
        ("texts.py", '"sail.word": "Sail",', "", "three-harbours lacks texts in en: sail.word"),
        pytest.param(
            "rules.py",
            'f"round {state.round}"',
            '"round"',
            "WRONG  chance is never asked twice by the same label",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "__init__.py",
            "decision=lambda state: state.round",
            "decision=lambda state: 1",
            "WRONG  decisions are numbered upwards",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "texts.py",
            '"own": "Your order: {orders}"',
            '"own": "sail {orders}"',
            "WRONG  no line of the table can be taken for a reply",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_checks_of_every_game_find_a_mistake(tmp_path: Path, file: str, right: str, wrong: str, found: str) -> None:
    path = written(tmp_path) / file
    assert right in path.read_text()
    path.write_text(path.read_text().replace(right, wrong, 1))
    checked = run("boardroom check-game three_harbours", tmp_path)
    assert checked.returncode > 0 and found in checked.stdout + checked.stderr
