"""Several parts in one process, each in a thread: `python -m workers.parts relay courier inbox`.

It takes the memory of one process instead of three. The parts share the connections to the database, and nothing else
that one of them could block: each has its heartbeats, so that one that hangs is noticed though the others go on. A
part that breaks down ends the process, and what starts it again (systemd, `make up`) starts all of its parts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final

from service.runtime import Runtime
from service.settings import Settings
from service.shared import metrics, traces
from service.store.heartbeats import Heart
from workers.courier import Courier
from workers.drain import Runnable, run_until_signal
from workers.inbox import open_inbox
from workers.relay import Relay

PARTS: Final[Mapping[str, Callable[[Runtime], Runnable]]] = {"relay": Relay, "courier": Courier, "inbox": open_inbox}
"""What can run beside each other, by the names in heartbeats."""


class Together:
    """Runs parts side by side, each in a thread of its own."""

    def __init__(self, parts: Mapping[str, Runnable]) -> None:
        """Take the parts by their names."""
        self._parts = parts

    def begin(self, part: str) -> None:
        """Send heartbeats of each part from now on, under its own name; `part`, if there is one, comes before it."""
        for name, each in self._parts.items():
            each.begin(f"{part}-{name}" if part else name)

    def run(self) -> None:
        """Run all parts until stopped, or until one of them breaks down: then its error is raised again."""
        with ThreadPoolExecutor(len(self._parts), "part") as threads:
            running = [threads.submit(each.run) for each in self._parts.values()]
            for each in running:
                each.add_done_callback(self.stop)
        for each in running:
            each.result()

    def stop(self, *_signal: Any) -> None:
        """Make `run` return after what each part is at; a signal handler."""
        for each in self._parts.values():
            each.stop()


def open_parts(runtime: Runtime, names: Sequence[str]) -> Together:
    """Return the parts of these names on one runtime, each with heartbeats and a mail connection of its own."""

    def own() -> Runtime:
        mailer = None if runtime.mailer is None else runtime.mailer.another()
        return replace(runtime, heart=Heart(runtime.engine), mailer=mailer)

    return Together({name: PARTS[name](own()) for name in names})


def main(names: Sequence[str]) -> None:
    """Run the parts that the command line names until SIGTERM or SIGINT."""
    if not names or len(set(names)) < len(names) or not set(names) <= set(PARTS):
        sys.exit(f"workers.parts needs the names of one or more parts: {', '.join(PARTS)}")
    settings = Settings.from_env()
    metrics.begin(settings.metrics_folder)
    traces.begin(settings.traces_endpoint, settings.part or "+".join(names))
    runtime = Runtime.build(settings)
    runtime.mode.watch()
    run_until_signal(open_parts(runtime, names), settings.part)


if __name__ == "__main__":
    main(sys.argv[1:])
