"""A process that archives games and is killed at a step; `python -m tests.killed_archiving STEP`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any, Final

import workers.proof
from service.archive import folder
from service.archive.archive import Archive
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from tests.archiving import LATER
from workers.proof import Archiving


def _die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _then(real: Callable[..., Any]) -> Callable[..., Any]:
    """The same, and the process is killed after it."""

    def called(*given: Any, **named: Any) -> None:
        real(*given, **named)
        _die()

    return called


def _file_written() -> None:
    # Whole on the disk, and without its name.
    folder.read_file = _die  # type: ignore[assignment] # never returns


def _kept() -> None:
    Archive.keep = _then(Archive.keep)  # type: ignore[method-assign] # the step is the point


def _verified() -> None:
    workers.proof.archive_log = _die  # type: ignore[assignment] # never returns


def _removed() -> None:
    workers.proof.archive_log = _then(workers.proof.archive_log)


def _committed() -> None:
    Archiving._remove = _then(Archiving._remove)  # type: ignore[method-assign] # likewise


STEPS: Final = {
    "written": _file_written,
    "kept": _kept,
    "verified": _verified,
    "removed": _removed,
    "committed": _committed,
}

if __name__ == "__main__":
    STEPS[sys.argv[1]]()
    Archiving(Runtime.build(Settings.from_env())).go_on(clock.now() + LATER)
