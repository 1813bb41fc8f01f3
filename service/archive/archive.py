"""The archive: sealed records of finished games, each compressed in a file of its own that was read back."""

from __future__ import annotations

import gzip
import zlib
from io import BytesIO
from pathlib import Path
from typing import Final
from uuid import UUID

from service.archive.bucket import SCHEME, Bucket
from service.archive.folder import Folder
from service.record.reading import LONGEST_RECORD

_LEVEL: Final = 6


class Archive:
    """The records at a place, by their games; any number of processes may write there at once."""

    def __init__(self, place: Folder | Bucket) -> None:
        self._place = place

    def __str__(self) -> str:
        return str(self._place)

    def holds(self, game: UUID) -> bool:
        """Return whether the record of the game is there; OSError."""
        return self._place.holds(name_of(game))

    def keep(self, game: UUID, record: bytes) -> None:
        """Write a record, and read it back; Unequal, OSError. What has its name is whole, whatever is stopped."""
        # Without the time, so that the same record is always the same file.
        self._place.write(name_of(game), gzip.compress(record, _LEVEL, mtime=0))

    def read(self, game: UUID) -> bytes:
        """Return the record of a game; FileNotFoundError if it is not there, OSError if it cannot be read."""
        packed = self._place.read(name_of(game))
        try:
            with gzip.GzipFile(fileobj=BytesIO(packed)) as file:
                record = file.read(LONGEST_RECORD + 1)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise Damaged(f"{self._place}/{name_of(game)} is cut off, or no gzip file: {error}") from error
        if len(record) > LONGEST_RECORD:
            raise Damaged(f"{self._place}/{name_of(game)} has more than {LONGEST_RECORD:,} bytes")
        return record


class Damaged(OSError):
    """A record in the archive is no whole gzip file, or too long."""


def open_archive(address: str, encryption: str | None = None) -> Archive:
    """Return the archive at `s3://bucket/prefix` or in a folder; it is not looked at yet.

    `encryption` is how a bucket is to encrypt what is written; None leaves that to the bucket.
    """
    return Archive(Bucket(address, encryption) if address.startswith(SCHEME) else Folder(Path(address)))


def name_of(game: UUID) -> str:
    """Return the name of the record of a game: spread by the id's last byte, since all begin alike."""
    return f"{game.hex[-2:]}/{game}.jsonl.gz"
