"""Clocks of the service's processes that are wrong, by libfaketime."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from service.local.servers import LocalServers

LIBRARIES = tuple(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
PARTS = ("web-1", "web-2", "parts")
"""The processes of `boardroom up` of which one may have a clock of its own."""


def faked(right: LocalServers, clock: Path) -> Mapping[str, str]:
    """Return the settings of a service on servers whose clocks are right, which itself goes by the file `clock`."""
    return {
        "DATABASE_URL": right.owner_url,
        "REDIS_URL": right.redis_url or "",
        "LD_PRELOAD": str(LIBRARIES[0]),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        # No real clock that jumps takes the monotonic one along.
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "PYTHONPATH": str(Path(__file__).with_name("faked")),
    }


def faked_apart(clocks: Path, part: str) -> Mapping[str, str]:
    """Return the settings of a service one of whose PARTS goes by the file of its name in the folder, and all else by
    the right clock; none where there is no libfaketime. With it a part does a third of its work, so it is only one.
    """
    if not LIBRARIES:
        return {}
    clocks.mkdir()
    jump_to(clocks / part, "+0")
    return {
        "CHAOS_CLOCKS": str(clocks),
        "CHAOS_LIBRARY": str(LIBRARIES[0]),
        "PYTHONPATH": str(Path(__file__).with_name("faked")),
    }


def jump_to(clock: Path, offset: str) -> None:
    """Have the clock be so wrong from now on; the file is never seen half written."""
    fresh = clock.with_suffix(".new")
    fresh.write_text(f"{offset}\n")
    fresh.chmod(0o644)
    os.replace(fresh, clock)
