"""Ids sorted by creation time (UUID version 7)."""

from __future__ import annotations

import os
import time
from datetime import datetime
from uuid import UUID


def made_at(made: UUID) -> int:
    """Return the creation time of an id, in milliseconds since 1970."""
    return made.int >> 80


def first_id(moment: datetime) -> UUID:
    """Return the lower bound of all ids created at the moment or later."""
    return UUID(int=int(moment.timestamp() * 1000) << 80)


def new_id() -> UUID:
    """Return a UUID of version 7: 48 bits of Unix milliseconds, then random bits, so that new rows are adjacent."""
    moment = (time.time_ns() // 1_000_000).to_bytes(6, "big")
    value = int.from_bytes(moment + os.urandom(10), "big")
    value = value & ~(0xF000 << 64) | 0x7000 << 64
    value = value & ~(0xC000 << 48) | 0x8000 << 48
    return UUID(int=value)
