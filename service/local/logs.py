"""The logs of programs that write straight into them: appended to, for their owner's eyes, and cut off when long."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Final

from service.shared import clock

LARGEST: Final = 10 * 1024 * 1024
"""Bytes after which a log is put aside."""
KEPT: Final = 4
"""How many logs that were put aside are kept of each program: relay.log.1 is the last, relay.log.4 the oldest."""
_MARK: Final = "---- "


def open_log(log: Path, name: str) -> BinaryIO:
    """Open a log to append to, after a line that says what starts and when (UTC); for its owner alone."""
    log.parent.mkdir(parents=True, exist_ok=True)
    number = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    opened = os.fdopen(number, "ab", buffering=0)
    os.fchmod(number, 0o600)
    opened.write(f"{_MARK}{clock.now():%Y-%m-%d %H:%M:%S} {name} starts\n".encode())
    return opened


def last_words(log: Path) -> str:
    """Return the last line of what was started last, for a message on why it ended."""
    try:
        lines = log.read_text(errors="replace").split("\n")
    except OSError:
        return "it said nothing"
    said = next((line.strip() for line in reversed(lines) if line.strip()), _MARK)
    return "it said nothing" if said.startswith(_MARK) else said


def put_aside(logs: Iterable[Path], largest: int = LARGEST) -> None:
    """Put those of the logs aside that have become longer than `largest` bytes, while they are written to.

    What was written is copied and then cut off, because a program keeps its log open; it appends, and so goes on at the
    new end. Only what is written in the moment between the last look and the cut could be lost.
    """
    for log in logs:
        if log.exists() and log.stat().st_size > largest:
            _put_aside(log)


def _put_aside(log: Path) -> None:
    older = [log.with_name(f"{log.name}.{number}") for number in range(1, KEPT + 1)]
    for young, old in reversed([*pairwise(older)]):
        if young.exists():
            young.replace(old)
    with log.open("r+b") as full, os.fdopen(os.open(older[0], os.O_WRONLY | os.O_CREAT, 0o600), "wb", 0) as aside:
        shutil.copyfileobj(full, aside)
        # What came while the rest was copied.
        while more := full.read():
            aside.write(more)
        full.truncate(0)
