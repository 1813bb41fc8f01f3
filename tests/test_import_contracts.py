"""Each import contract fails when it is broken: on a copy of the code with one bad import in a module of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
LAYERS = "The rooms stand on each other in one order, and each has its place"
PURE = "Log, record and texts know no database, no web and no mail"
BROKEN = [
    (LAYERS, {"service/log/bad.py": "import service.store.engine"}),
    (LAYERS, {"service/bad.py": ""}),
    (
        "Workers stand beside the doors, and shapes beside handlers and views",
        {"service/handlers/bad.py": "import schemas.play"},
    ),
    (
        "Inside a room there are no circles",
        {"service/store/bad.py": "import service.store.worse", "service/store/worse.py": "import service.store.bad"},
    ),
    ("Rules are pure", {"service/rules/bad.py": "import time"}),
    *(
        (PURE, {f"service/{room}/bad.py": f"import {what}"})
        for room, what in (
            ("log", "sqlalchemy"),
            ("record", "flask"),
            ("texts", "smtplib"),
            ("record", "service.shared.clock"),
        )
    ),
    (
        "Games do not know each other",
        {"service/rules/games/bad/__init__.py": "import service.rules.games.new_corp_order"},
    ),
    ("Nothing but the registry names a game", {"service/rules/bad.py": "import service.rules.games.new_corp_order"}),
    ("Workers serve no pages", {"workers/bad.py": "import service.http.problems"}),
    (
        "Pages and answers do without what only mails are written and read with",
        {"service/web/bad.py": "import css_inline"},
    ),
    ("Only the answers to apps load the library for OAuth", {"service/handlers/bad.py": "import authlib"}),
]
"""A contract, and what breaks it: modules by their path."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The code elsewhere, with its contracts."""
    folder = tmp_path_factory.mktemp("contracts")
    for room in ("service", "schemas", "workers"):
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def linted(folder: Path) -> tuple[int, set[str]]:
    """Return the exit code of the linter and the contracts that it calls broken."""
    program = Path(sys.executable).with_name("lint-imports")
    ran = subprocess.run([program, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)
    lines = ran.stdout.splitlines()
    return ran.returncode, {line.removesuffix(" BROKEN") for line in lines if line.endswith(" BROKEN")}


def test_the_code_keeps_them_all(copy: Path) -> None:
    assert linted(copy) == (0, set())


@pytest.mark.parametrize(("contract", "modules"), BROKEN, ids=[next(iter(modules)) for _, modules in BROKEN])
def test_a_contract_that_is_broken_fails(copy: Path, contract: str, modules: dict[str, str]) -> None:
    for name, line in modules.items():
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text(line + "\n")
    code, broken = linted(copy)
    for name in modules:
        (copy / name).unlink()
    shutil.rmtree(copy / "service/rules/games/bad", ignore_errors=True)
    assert code == 1
    assert contract in broken
