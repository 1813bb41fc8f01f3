"""The programs of tests/deploy/requirements.lock, in an environment of their own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.docs.rooms import ROOT

FOLDER = ROOT / "tests" / "deploy" / ".venv" / "bin"


def needs(program: str) -> pytest.MarkDecorator:
    """Return the mark that skips a test where the program is missing."""
    reason = f"{program} is not here; `make test-slow` fetches it"
    return pytest.mark.skipif(not (FOLDER / program).exists(), reason=reason)


def run(program: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Carry it out and return what it says."""
    command = [str(FOLDER / program), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
