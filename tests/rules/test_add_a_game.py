"""docs/add-a-game.md is followed from beginning to end: its files are written, its sessions typed, its commands run."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.rules.pages import GAME, ROOT, blocks

pytestmark = pytest.mark.long

PAGE = ROOT / "docs" / "add-a-game.md"
SHOWN = {block.file: block.text for block in blocks(PAGE) if block.file}
LINKED = {"README.md", "german.py", "french.py"}
"""The files to which the page only leads."""
OTHER_LANGUAGES = re.compile(r'^ *"(?:de|fr)": .*\n', re.MULTILINE)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder that looks like the repository, in which files can be written."""
    for name in (".venv", "docs", "pyproject.toml", "schemas", "service", "tests", "workers"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def written(checkout: Path) -> Path:
    """Write the files of the page and those to which it leads; return the package of the game."""
    game = checkout / "mygames" / "sealed_bids"
    game.mkdir(parents=True, exist_ok=True)
    for name, text in (SHOWN | {name: (GAME / name).read_text() for name in LINKED}).items():
        (game / name).write_text(text)
    return game


def run(command: str, checkout: Path, environment: Mapping[str, str]) -> str:
    """Run a command line of the page and return what it prints."""
    done = subprocess.run(
        command, shell=True, cwd=checkout, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_shows_the_game_as_it_is() -> None:
    assert set(SHOWN) | LINKED == {path.name for path in GAME.iterdir() if path.is_file()}
    for name, text in SHOWN.items():
        assert text.splitlines() == (GAME / name).read_text().splitlines(), "python -m tests.rules.pages"


def test_its_sessions_print_what_it_says(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(checkout)
    monkeypatch.syspath_prepend(checkout)
    for name in [name for name in sys.modules if name.partition(".")[0] == "mygames"]:
        monkeypatch.delitem(sys.modules, name)
    typed = "".join(block.text for block in blocks(PAGE) if block.language == "pycon")
    session = doctest.DocTestParser().get_doctest(typed, {}, PAGE.name, str(PAGE), 0)
    printed: list[str] = []
    failed, tried = doctest.DocTestRunner(verbose=False).run(session, out=printed.append)
    assert not failed and tried > 20, "".join(printed)


@pytest.mark.slow
def test_its_commands_try_and_play_the_game(checkout: Path) -> None:
    lines = [line for block in blocks(PAGE) if block.language == "console" for line in block.text.splitlines()]
    make, export, *commands, up = [line.removeprefix("$ ") for line in lines]
    run(make, checkout, {})
    written(checkout)
    assert up == "make up", "which starts servers; tests/local has tests of it"
    printed = run("\n".join(["set -e", export, *commands]), checkout, {"RULESET_PACKAGES": ""})
    tried = re.search(r"(\d+) passed, \d+ deselected", printed)
    assert tried and int(tried[1]) > 80, printed
    assert re.search(r"^games +20$", printed, re.MULTILINE)


@pytest.mark.slow
def test_a_game_in_one_language_passes_the_tests_of_every_game(checkout: Path) -> None:
    game = written(checkout)
    for name in ("german.py", "french.py"):
        (game / name).unlink()
    for path in game.glob("*.py"):
        path.write_text(OTHER_LANGUAGES.sub("", path.read_text()))
    meta, texts = game / "meta.py", game / "texts.py"
    meta.write_text(meta.read_text().replace('languages=("en", "de", "fr")', 'languages=("en",)'))
    texts.write_text(re.sub(r"^from \.(?:german|french) .*\n", "", texts.read_text(), flags=re.MULTILINE))
    environment = {"PYTHONPATH": ".", "RULESET_PACKAGES": "mygames"}
    printed = run(".venv/bin/pytest -n 0 -v tests/rules/test_every_*.py", checkout, environment)
    assert "-sealed-bids-3] PASSED" in printed and "new-corp-order" not in printed


@pytest.mark.parametrize(
    ("file", "right", "wrong", "test"),
    [
        ("decide.py", 'f"lot {state.lot}"', '"lot"', "asked_twice_by_the_same_label"),
        pytest.param(
            "view.py",
            "+ (state.sealed.get(seat) is not None)",
            "",
            "imagined_tables_are_alike",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "__init__.py",
            "decision=lambda state: state.lot",
            "decision=lambda state: 1",
            "decisions_are_numbered_upwards",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "notation.py",
            '["hold" | "h"]',
            '["hold" | "hi"]',
            "words_that_are_no_notation",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_tests_of_every_game_find_a_mistake(checkout: Path, file: str, right: str, wrong: str, test: str) -> None:
    path = written(checkout) / file
    assert right in path.read_text()
    path.write_text(path.read_text().replace(right, wrong))
    with pytest.raises(AssertionError, match=rf"FAILED .*{test}"):
        run(
            f".venv/bin/pytest -n 0 -q -x tests/rules/test_every_*.py -k {test}",
            checkout,
            {"PYTHONPATH": ".", "RULESET_PACKAGES": "mygames"},
        )
