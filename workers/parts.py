"""Several parts started together: `python -m workers.parts relay courier inbox moves replies mails computers`.

Relay, courier and inbox run in one process, each in a thread. They share the database connections, and nothing else
that one of them could block. Each has its own heartbeats, so that a hanging part is noticed while the others run. A
part that breaks down ends the process. The worker of each named queue has a process of its own. If there are workers,
all processes are forked from this one and share its code, and a process that ends is forked again. Otherwise this
process is the only one, and its starter (systemd, `make up`) restarts it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any, Final

from service.runtime import Runtime
from service.settings import Settings, ended_by_bad_settings
from service.shared import metrics
from service.store.heartbeats import Heart
from workers.begin import begin_part
from workers.courier import Courier
from workers.drain import SIGNAL_POLL_S, Runnable, run_until_signal
from workers.forks import Forks
from workers.inbox import address_of, open_inbox
from workers.jobs import runtime
from workers.main import load, one_of_several, redis_of, work
from workers.queue import QUEUES
from workers.relay import Relay

PARTS: Final[Mapping[str, Callable[[Runtime], Runnable]]] = {"relay": Relay, "courier": Courier, "inbox": open_inbox}
"""Parts that can share a process, by the names in heartbeats."""


class Together:
    """Several parts, each in its own thread."""

    def __init__(self, parts: Mapping[str, Runnable]) -> None:
        """Take the parts by their names."""
        self._parts = parts

    def begin(self, part: str) -> None:
        """Send heartbeats of each part from now on, under its own name, with `part`, if given, as a prefix."""
        for name, each in self._parts.items():
            each.begin(f"{part}-{name}" if part else name)

    def run(self) -> None:
        """Run all parts until stopped, or until one of them breaks down; then raise its error again."""
        with ThreadPoolExecutor(len(self._parts), "part") as threads:
            running = [threads.submit(each.run) for each in self._parts.values()]
            for each in running:
                each.add_done_callback(self.stop)
            while wait(running, timeout=SIGNAL_POLL_S).not_done:
                pass
        for each in running:
            each.result()

    def stop(self, *_signal: Any) -> None:
        """Make `run` return after each part's work in hand; a signal handler."""
        for each in self._parts.values():
            each.stop()


def open_parts(runtime: Runtime, names: Sequence[str]) -> Together:
    """Return the named parts on one runtime, each with its own heartbeats and mail connection."""

    def own() -> Runtime:
        mailer = None if runtime.mailer is None else runtime.mailer.another()
        return replace(runtime, heart=Heart(runtime.engine), mailer=mailer)

    return Together({name: PARTS[name](own()) for name in names})


def run_together(settings: Settings, names: Sequence[str]) -> None:
    """Run the named parts in this process until SIGTERM or SIGINT."""
    begin_part(settings, settings.part or "+".join(names))
    runtime().mode.watch()
    run_until_signal(open_parts(runtime(), names), settings.part)


def run_apart(settings: Settings, names: Sequence[str], queues: Sequence[str]) -> None:
    """Fork a process for the named parts, if any, and one for each queue; run until SIGTERM or SIGINT.

    SystemExit if the settings lack something that one of them needs.
    """
    redis_url = redis_of(settings)
    if "inbox" in names:
        address_of(settings)
    load(settings)

    with metrics.folder_for_forks(settings.metrics_folder) as folder:
        told = replace(settings, metrics_folder=folder)

        def run(name: str) -> None:
            if name in queues:
                work(told, redis_url, name, one_of_several(told, name))
            else:
                run_together(told, names)

        Forks([*(["-".join(names)] if names else []), *queues], run).run()


@ended_by_bad_settings()
def main(names: Sequence[str]) -> None:
    """Run the parts that the command line names until SIGTERM or SIGINT."""
    if not names or len(set(names)) < len(names) or not set(names) <= {*PARTS, *QUEUES}:
        sys.exit(f"workers.parts needs the names of one or more parts: {', '.join((*PARTS, *QUEUES))}")
    settings = Settings.from_env()
    together, queues = [each for each in names if each in PARTS], [each for each in names if each in QUEUES]
    if queues:
        run_apart(settings, together, queues)
    else:
        run_together(settings, together)


if __name__ == "__main__":
    main(sys.argv[1:])
