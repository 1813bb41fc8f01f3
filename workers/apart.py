"""Carry out a row that has failed, or has killed its process, in a separate process."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from threading import Thread
from typing import Final

from service.runtime import begin_process
from service.settings import Settings
from workers.jobs import perform

TIMEOUT_S: Final = 120
"""Seconds that the process may take, by the clock and of CPU time: as many as a job of a queue."""


class ProcessApart:
    """Spawn such processes, one at a time; a row that cannot be begun comes back by itself, as all rows do."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._watching: Thread | None = None

    def carry_out(self, row_id: int) -> None:
        """Begin to carry out a row, unless another one is being carried out."""
        if self._watching is None or not self._watching.is_alive():
            self._watching = Thread(target=self._watch, args=(row_id,), name="apart", daemon=True)
            self._watching.start()

    def _watch(self, row_id: int) -> None:
        command = [sys.executable, "-m", __name__, str(row_id)]
        with subprocess.Popen(command, env={**os.environ, **self._settings.environment()}) as process:
            try:
                process.wait(TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()


def main(row_id: int) -> None:
    """Carry out the row. The system ends this process at the CPU limit, even when its relay is gone."""
    settings = Settings.from_env()
    begin_process(settings, f"{settings.part or 'relay'}-apart")
    resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT_S, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    perform(row_id)


if __name__ == "__main__":
    main(int(sys.argv[1]))
