"""The commands for records alone, from a wheel without its dependencies: what `[verify]` lists is all they need."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import service
from service.commands.cli import COMMANDS
from tests.record.records import sealed

ROOT = Path(service.__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRA = PROJECT["optional-dependencies"]["verify"]
ON_TERMINALS = {"rich"}
"""Packages imported where colours or bars are shown."""


def named(requirement: str) -> str:
    """The name of a package in a requirement, as packages are compared by it."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def test_the_extra_asks_for_nothing_that_a_whole_installation_has_not() -> None:
    assert set(EXTRA) <= set(PROJECT["dependencies"])


def test_the_readme_names_what_the_extra_lists() -> None:
    readme = (ROOT / "README.md").read_text()
    assert "pip install --no-deps .  " in readme
    assert f"pip install {' '.join(map(named, EXTRA))}\n" in readme


def test_the_extra_lists_exactly_what_the_commands_for_records_import() -> None:
    modules = [
        f"service.commands.{COMMANDS[name][0].partition(':')[0]}" for name in ("verify", "listing", "plot", "selfplay")
    ]
    program = f"import {', '.join(modules)}, sys; print(*{{name.partition('.')[0] for name in sys.modules}})"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    distributions = packages_distributions()
    imported = {named(each) for name in ran.stdout.split() for each in distributions.get(name, ())}
    wanted = {named(requirement) for requirement in EXTRA}
    known = {named(requirement) for requirement in PROJECT["dependencies"]}
    assert imported & known == wanted - ON_TERMINALS


@pytest.mark.slow
def test_a_wheel_without_its_dependencies_verifies_with_what_the_extra_lists(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheels, home = tmp_path / "wheels", tmp_path / "home"
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, _copy(tmp_path / "source")]
    subprocess.run([*pip, *build], check=True)
    (wheel,) = wheels.iterdir()
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    into = [*pip, "--python", home / "bin" / "python", "install"]
    if subprocess.run([*into, "--dry-run", "--no-deps", EXTRA[0]], check=False).returncode:
        pytest.skip("the package index cannot be reached")
    subprocess.run([*into, "--no-deps", wheel], check=True)

    def run(*words: object) -> tuple[int, str, str]:
        line = [home / "bin" / "boardroom", *map(str, words)]
        ran = subprocess.run(line, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=120)
        return ran.returncode, ran.stdout, ran.stderr

    code, _, told = run("verify", "x")
    assert code == 1 and "the Python package click, which is not installed here" in told and "Traceback" not in told

    subprocess.run([*into, *EXTRA], check=True)
    file = tmp_path / "game.jsonl"
    file.write_bytes(sealed())
    code, told, _ = run("verify", file)
    assert code == 0 and told.startswith(f"{file}: the record of game audit-1 holds\n")
    assert [run(*words)[0] for words in (["listing", file], ["plot", file, "--out", tmp_path])] == [0, 0]
    assert run("selfplay", "--players", "2")[0] == 0
    code, out, told = run("up")
    assert (code, out, "Traceback" in told) == (1, "", False)
    assert told.startswith("boardroom: this takes the Python package ")
    assert "`pip install boardroom` installs all that the commands need" in told


def _copy(folder: Path) -> Path:
    """A copy of what goes into the wheel: building leaves files behind."""
    folder.mkdir()
    listed = subprocess.run(
        ["git", "ls-files", "service", "schemas", "workers", "pyproject.toml", "README.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder
