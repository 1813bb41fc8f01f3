"""A machine whose clock is wrong, while the database's stays right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import clock_gettime
from unittest.mock import patch

from freezegun import freeze_time

from service.shared import clock


@contextmanager
def machine_off(seconds: float) -> Iterator[None]:
    """Put the clock of this machine ahead by so many seconds, or behind; nobody has measured it yet."""
    now = clock_gettime(0)
    try:
        with (
            patch("service.shared.clock.clock_gettime", lambda which: clock_gettime(which) + seconds),
            freeze_time(clock.datetime.fromtimestamp(now + seconds, clock.UTC), tick=True),
        ):
            yield
    finally:
        clock.measured(now, now, now)
