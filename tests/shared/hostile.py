"""Functions that are called on strangers' bytes, and go wrong in every way."""

from __future__ import annotations

import os
import re
from time import sleep


def size(raw: bytes) -> int:
    return len(raw)


def squares(raw: bytes) -> bool:
    """Take the square of the size, in one call of a pattern, which no signal handler of Python interrupts."""
    return re.search(rb"\s*!", raw) is not None


def grows(raw: bytes) -> int:
    return len(raw * 1_000_000)


def says_much(raw: bytes) -> str:
    return raw.decode() * 100


def raises(raw: bytes) -> int:
    raise ValueError(raw)


def ends(raw: bytes) -> int:
    os._exit(len(raw))


def waits(_raw: bytes) -> int:
    sleep(60)
    return 0


def variables(_raw: bytes) -> list[str]:
    return sorted(os.environ)
