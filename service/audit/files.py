"""Reads the records in a file: one, or many one after the other as exports write them, compressed or not."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_COMPRESSED: Final = b"\x1f\x8b"
# The names of a line's fields are in order, and no other line has these two first.
_HEADER: Final = re.compile(rb'\{"check":"[0-9a-f]*","commitment":')


def records_in(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield each record with the number of its first line in the file, from 1; OSError where it cannot be read.

    Whatever stands before the second header belongs to the first record, so that nothing is left unread.
    """
    begin, lines = 1, list[bytes]()
    try:
        for number, line in enumerate(_lines(path), 1):
            if lines and _HEADER.match(line):
                yield begin, b"".join(lines)
                begin, lines = number, []
            lines.append(line)
    except (EOFError, zlib.error) as error:
        raise OSError(f"{path} is cut off, or no gzip file: {error}") from error
    yield begin, b"".join(lines)


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        if file.peek(len(_COMPRESSED)).startswith(_COMPRESSED):
            yield from gzip.GzipFile(fileobj=file)
        else:
            yield from file
