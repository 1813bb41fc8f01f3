"""A folder with the sealed records of finished games, each compressed in a file of its own that was read back."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Final
from uuid import UUID

from service.record.files import records_in

_LEVEL: Final = 6


class Unequal(OSError):
    """What the folder holds is not what was written there."""


class Archive:
    """The records in a folder, by their games; any number of processes may write there at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, game: UUID) -> Path:
        """Return where the record of a game is, or will be: spread by the id's last byte, since all begin alike."""
        return self._folder / game.hex[-2:] / f"{game}.jsonl.gz"

    def holds(self, game: UUID) -> bool:
        """Return whether the record of the game is there; OSError."""
        return self.path(game).exists()

    def keep(self, game: UUID, record: bytes) -> None:
        """Write a record, and read it back before it gets its name; Unequal, OSError.

        A file that has its name is whole and on the disk, whenever the process or the machine stops.
        """
        path = self.path(game)
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            with unfinished.open("wb") as file:
                # Without the time, so that the same record is always the same file.
                file.write(gzip.compress(record, _LEVEL, mtime=0))
                file.flush()
                os.fsync(file.fileno())
            if [text for _, text in records_in(unfinished)] != [record]:
                raise Unequal(f"{unfinished} is not what was written")
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
        _sync(path.parent)

    def read(self, game: UUID) -> bytes:
        """Return the record of a game; OSError if it is not there or cannot be read."""
        ((_, record),) = records_in(self.path(game))
        return record


def _sync(folder: Path) -> None:
    """Have the folder's names on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
