"""The wheel and the source distribution, built from the files that git knows, outside the repository."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.docs.rooms import ROOT

_BUILD = "from setuptools.build_meta import build_sdist, build_wheel; build_sdist({0!r}); build_wheel({0!r})"


@dataclass(frozen=True, slots=True)
class Built:
    """The paths of both, and the files that they were built from."""

    wheel: Path
    sdist: Path
    sources: frozenset[str]


def tracked() -> list[str]:
    """Return the files of the repository, new ones included, ignored ones not."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [each for each in listed.stdout.splitlines() if (ROOT / each).exists()]


def build(folder: Path) -> Built:
    """Build both into the folder."""
    sources, made = folder / "sources", folder / "dist"
    files = tracked()
    for each in files:
        (sources / each).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / each, sources / each)
    made.mkdir()
    command = [sys.executable, "-W", "ignore", "-c", _BUILD.format(str(made))]
    subprocess.run(command, cwd=sources, check=True, capture_output=True, timeout=300)
    return Built(next(made.glob("*.whl")), next(made.glob("*.tar.gz")), frozenset(files))
