"""The registry finds games in packages of anybody, and in distributions that are installed beside Boardroom."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from service import serve
from service.commands.rulesets import installed_rulesets
from service.commands.terminal import Refused
from service.rules.registry import GAMES, find_rulesets
from service.runtime import Runtime
from service.settings import Settings
from service.shared.rulesets import BrokenGame, rulesets_here
from tests.games.three_harbours import RULESET


def package(folder: Path, *texts: str) -> str:
    """Write a package whose subpackages have these texts, and return its name."""
    for number, text in enumerate(texts):
        each = folder / folder.name / f"part_{number}"
        each.mkdir(parents=True)
        (each / "__init__.py").write_text(text)
    return folder.name


def test_the_games_of_all_packages_are_found_by_their_names() -> None:
    found = find_rulesets(("tests.games", "service.rules.games"))
    assert list(found) == ["new-corp-order", "sealed-bids", "three-harbours", "bastards-inc"]


def test_a_package_may_have_other_parts_beside_its_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "mixed_games"
    name = package(folder, "from tests.games.sealed_bids import RULESET\n", "PICTURES = ()\n")
    monkeypatch.syspath_prepend(folder)
    assert list(find_rulesets((name,))) == ["sealed-bids"]


def test_a_package_without_a_game_is_refused_by_its_name() -> None:
    with pytest.raises(ValueError, match=r"^tests\.games\.sealed_bids has no game: each game is a package in it"):
        find_rulesets(("tests.games.sealed_bids",))


def test_a_package_that_is_not_there_is_refused_by_its_name() -> None:
    with pytest.raises(ImportError, match="no_such_games"):
        find_rulesets(("no_such_games",))


def test_two_games_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "twin_games"
    text = "from dataclasses import replace\nfrom tests.games.sealed_bids import RULESET\nRULESET = replace(RULESET)\n"
    name = package(folder, text)
    monkeypatch.syspath_prepend(folder)
    with pytest.raises(ValueError, match="twin_games has a game called sealed-bids"):
        find_rulesets(("tests.games", name))


# Games of other distributions, found by their entry point.

THREE_HARBOURS = Path(__file__).parents[1] / "games" / "three_harbours"
PROJECT = """\
[project]
name = "harbours"
version = "1.0"

[project.entry-points."boardroom.rulesets"]
three-harbours = "harbours:{name}"

[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[tool.setuptools]
packages = ["harbours"]
"""


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for distributions that Python looks into."""
    folder = tmp_path / "beside"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    for name in ("harbours", "one_game", "other_game"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return folder


def install(folder: Path, project: Path, name: str = "RULESET") -> None:
    """Install a distribution with Three Harbours, whose entry point is of this name."""
    package = project / "harbours"
    package.mkdir(parents=True)
    for path in THREE_HARBOURS.glob("*.py"):
        (package / path.name).write_text(path.read_text())
    (project / "pyproject.toml").write_text(PROJECT.format(name=name))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*pip, "--target", str(folder), str(project)], capture_output=True, text=True, check=False, cwd=project
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_a_game_that_is_installed_is_found_and_speaks_and_is_drawn(beside: Path, tmp_path: Path) -> None:
    install(beside, tmp_path / "project")
    found = rulesets_here(GAMES)
    assert list(found) == ["new-corp-order", "three-harbours", "bastards-inc"]
    game = found["three-harbours"]
    assert game is not RULESET and game.meta.summary["de"].startswith("Segle heimlich")
    example = game.guide("fr").example
    assert game.paint(game.view(example.state, None), "fr", example.names).startswith("<svg")


@pytest.mark.long
def test_a_distribution_whose_game_cannot_be_had_is_named(beside: Path, tmp_path: Path) -> None:
    install(beside, tmp_path / "project", name="NOTHING")
    with pytest.raises(BrokenGame, match=r"^harbours names harbours:NOTHING as a game, which cannot be had"):
        rulesets_here(GAMES)
    with pytest.raises(Refused, match=r"^harbours names .*\. Mend the package, or uninstall it\.$"):
        installed_rulesets()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("RULESET = (", "SyntaxError: '(' was never closed (one_game.py, line 1)"),
        ("RULESET = 1 / 0", "ZeroDivisionError: division by zero"),
        ("raise SystemExit", "SystemExit"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named_with_its_distribution(beside: Path, text: str, reason: str) -> None:
    announce(beside, "one")
    (beside / "one_game.py").write_text(f"{text}\n")
    with pytest.raises(BrokenGame) as broken:
        rulesets_here(GAMES)
    assert str(broken.value) == f"one names one_game:RULESET as a game, which cannot be had ({reason})"


def test_a_process_whose_games_cannot_be_had_ends_with_a_sentence(
    beside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    announce(beside, "one")
    (beside / "one_game.py").write_text("RULESET = 1 / 0\n")
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    told = (
        "one names one_game:RULESET as a game, which cannot be had (ZeroDivisionError: division by zero). "
        "Mend the package, or uninstall it."
    )
    with pytest.raises(SystemExit) as ended:
        Runtime.build(Settings.from_env())
    assert ended.value.code == told
    with pytest.raises(SystemExit) as ended:
        serve.main([])
    assert ended.value.code == told


def announce(folder: Path, name: str) -> None:
    """Put a distribution there that names a game in a module of its own."""
    told = folder / f"{name}-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text(f"[boardroom.rulesets]\ngame = {name}_game:RULESET\n")


def test_two_distributions_with_one_game_are_refused(beside: Path) -> None:
    for name in ("one", "other"):
        announce(beside, name)
        text = "from dataclasses import replace\nfrom tests.games.three_harbours import RULESET\n"
        (beside / f"{name}_game.py").write_text(f"{text}RULESET = replace(RULESET)\n")
    with pytest.raises(ValueError, match=r"^two installed packages have a game called three-harbours$"):
        rulesets_here(GAMES)
