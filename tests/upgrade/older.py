"""The files of an older version, as git has them, with the libraries that this version no longer has."""

from __future__ import annotations

import importlib.util
import io
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Final

from tests.docs.rooms import ROOT

_MISSING: Final = {"environs": "environs==15.2.0"}
"""The libraries of the last release that this code no longer has."""


class NotToBeHad(Exception):
    """Why the files of a version cannot be laid out here."""


def lay_out(commit: str, folder: Path) -> None:
    """Put the files of the commit into the folder, from where it can be run; raises NotToBeHad."""
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=False)
    if archive.returncode:
        raise NotToBeHad(f"git does not have the commit {commit}")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    for each in (wanted for module, wanted in _MISSING.items() if importlib.util.find_spec(module) is None):
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), each]
        if subprocess.run(command, check=False, capture_output=True).returncode:
            raise NotToBeHad(f"{each} is not to be had, which the commit {commit} needs")
