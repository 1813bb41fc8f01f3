"""A folder that holds files by their names, each whole and on the disk before it gets its name.

Only the account of the service may read it: games at private tables are there as well.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import mkstemp
from typing import Final

LARGEST: Final = 8_000_000
"""The most bytes of a file that are read."""


class Unequal(OSError):
    """What was read back is not what was written."""


class Folder:
    """The files of a folder; any number of processes may write there at once."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __str__(self) -> str:
        return str(self.path)

    def holds(self, name: str) -> bool:
        """Return whether there is a file of the name; OSError."""
        try:
            (self.path / name).stat()
        except FileNotFoundError:
            return False
        return True

    def write(self, name: str, content: bytes) -> None:
        """Write a file, and read it back before it gets its name; Unequal, OSError.

        A file that has its name is whole and on the disk, whenever the process or the machine stops.
        """
        path = self.path / name
        for folder in (self.path, path.parent):
            _make(folder)
        # A name that no process on another machine has either, and mode 0600.
        descriptor, name_until_then = mkstemp(dir=path.parent, prefix=f".{path.name}.")
        unfinished = Path(name_until_then)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if read_file(unfinished) != content:
                raise Unequal(f"{unfinished} is not what was written")
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
        _sync(path.parent)

    def read(self, name: str) -> bytes:
        """Return what is in a file; FileNotFoundError if there is none, OSError if it cannot be read."""
        return read_file(self.path / name)


def read_file(path: Path) -> bytes:
    """Return what is in a file; OSError if it is longer than LARGEST or cannot be read."""
    with path.open("rb") as file:
        found = file.read(LARGEST + 1)
    if len(found) > LARGEST:
        raise OSError(f"{path} has more than {LARGEST:,} bytes")
    return found


def _make(folder: Path) -> None:
    """Have a folder that no other account may look into, whose name is on the disk."""
    if not folder.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sync(folder.parent)


def _sync(folder: Path) -> None:
    """Have the folder's names on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
