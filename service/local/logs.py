"""The logs of child processes: appended to, readable by their owner alone, and rotated when they are long."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Final

from service.shared import clock

LARGEST: Final = 10 * 1024 * 1024
"""Bytes after which a log is rotated."""
KEPT: Final = 4
"""How many rotated logs are kept of each program: web-1.log.1 is the latest, web-1.log.4 the oldest."""
_MARK: Final = "---- "


def open_log(log: Path, name: str) -> BinaryIO:
    """Open a log to append to, after a line that says what starts and when (UTC); for its owner alone."""
    log.parent.mkdir(parents=True, exist_ok=True)
    number = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    opened = os.fdopen(number, "ab", buffering=0)
    os.fchmod(number, 0o600)
    opened.write(f"{_MARK}{clock.now():%Y-%m-%d %H:%M:%S} {name} starts\n".encode())
    return opened


def last_line(log: Path) -> str:
    """Return the last line since the latest start, for a message on why the program ended."""
    try:
        lines = log.read_text(errors="replace").split("\n")
    except OSError:
        return "it said nothing"
    said = next((line.strip() for line in reversed(lines) if line.strip()), _MARK)
    return "it said nothing" if said.startswith(_MARK) else said


def rotate(logs: Iterable[Path], largest: int = LARGEST) -> None:
    """Rotate the logs that are longer than `largest` bytes, while their programs write to them.

    A log is copied and then truncated, because its program keeps it open, and appends. Only output between the last
    read and the truncation could be lost.
    """
    for log in logs:
        if log.exists() and log.stat().st_size > largest:
            _rotate(log)


def _rotate(log: Path) -> None:
    older = [log.with_name(f"{log.name}.{number}") for number in range(1, KEPT + 1)]
    for young, old in reversed([*pairwise(older)]):
        if young.exists():
            young.replace(old)
    with log.open("r+b") as full, os.fdopen(os.open(older[0], os.O_WRONLY | os.O_CREAT, 0o600), "wb", 0) as aside:
        shutil.copyfileobj(full, aside)
        # Output that came during the copy.
        while more := full.read():
            aside.write(more)
        full.truncate(0)
