"""Reads the records in a file: one, or many one after the other as exports write them, compressed or not."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from service.record.reading import LONGEST_LINE

LONGEST_RECORD: Final = 8_000_000
"""The most bytes of a record that are read: forty times as many as the longest game so far has taken."""
_COMPRESSED: Final = b"\x1f\x8b"
# The names of a line's fields are in order, and no other line has these two first.
_HEADER: Final = re.compile(rb'\{"check":"[0-9a-f]*","commitment":')


def records_in(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield each record with the number of its first line in the file, from 1; OSError where it cannot be read.

    Whatever stands before the second header belongs to the first record, so that nothing is left unread. However much
    a compressed file unfolds to, no more than one record of it is in the memory at a time.
    """
    begin, length, lines = 1, 0, list[bytes]()
    for number, line in enumerate(lines_in(path), 1):
        if lines and _HEADER.match(line):
            yield begin, b"".join(lines)
            begin, length, lines = number, 0, []
        length += len(line)
        if length > LONGEST_RECORD:
            raise _too_long(path, f"the record from line {begin} on")
        lines.append(line)
    yield begin, b"".join(lines)


def lines_in(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, compressed or not, with their line feeds; OSError where it cannot be read."""
    try:
        for number, line in enumerate(_lines(path), 1):
            if len(line) > LONGEST_LINE + 1:
                raise OSError(f"{path}: line {number} has more than the {LONGEST_LINE:,} bytes that a line may have")
            yield line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise OSError(f"{path} is cut off, or no gzip file: {error}") from error


def whole(path: Path) -> bytes:
    """Return what a file holds that is no longer than a record, not unfolded; OSError."""
    with path.open("rb") as file:
        found = file.read(LONGEST_RECORD + 1)
    if len(found) > LONGEST_RECORD:
        raise _too_long(path, "it")
    return found


def _too_long(path: Path, what: str) -> OSError:
    return OSError(f"{path}: {what} has more than the {LONGEST_RECORD:,} bytes that a record may have")


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        compressed = file.peek(len(_COMPRESSED)).startswith(_COMPRESSED)
        source = gzip.GzipFile(fileobj=file) if compressed else file
        while line := source.readline(LONGEST_LINE + 2):
            yield line
