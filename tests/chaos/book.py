"""What happens during a run, written down by all threads: what went wrong, counts, and the lines of figures."""

from __future__ import annotations

import json
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

POLL = 0.2


class Book:
    """Findings and counts of a run; `closing` is set when nothing new is to be begun any more, `over` at the very end.

    `refusal` is the body of the last 503.
    """

    def __init__(self) -> None:
        self.begun = monotonic()
        self.closing = Event()
        self.over = Event()
        self.findings: list[str] = []
        self.refusal = ""
        self._counts: Counter[str] = Counter()
        self._lock = Lock()

    def count(self, what: str, number: int = 1) -> None:
        """Count one more."""
        with self._lock:
            self._counts[what] += number

    def counted(self, prefix: str) -> dict[str, int]:
        """Return the counts whose names begin so, without that beginning."""
        with self._lock:
            found = {name[len(prefix) :]: n for name, n in self._counts.items() if name.startswith(prefix)}
        return dict(sorted(found.items()))

    def wrong(self, what: str) -> None:
        """Note something that must not be."""
        self.findings.append(what)
        self.say("finding", what=what)

    def expect(self, holds: bool, what: str) -> None:
        """Note what must not be, unless this holds."""
        if not holds:
            self.wrong(what)

    def comes_true(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait until the condition holds; False when it does not in time. To look may take its time."""
        deadline = monotonic() + seconds
        while not condition():
            if monotonic() > deadline:
                return False
            self.over.wait(POLL)
        return True

    def say(self, figure: str, **more: Any) -> None:
        """Print one figure as a line of JSON."""
        line = {"figure": figure, "at": round(monotonic() - self.begun, 1), **more}
        print(json.dumps(line, default=str), flush=True)

    def thread(self, work: Callable[[], None], name: str) -> Thread:
        """Run something in a thread and return it; if it fails that is a finding."""

        def watched() -> None:
            try:
                work()
            except Exception:  # whatever it is, the run has to tell of it
                self.wrong(f"the thread of {name} ended: {traceback.format_exc(limit=4)}")

        thread = Thread(target=watched, name=name, daemon=True)
        thread.start()
        return thread

    def join(self, threads: Iterable[Thread], seconds: float) -> None:
        """Wait until threads have ended; one that has not in time is a finding."""
        deadline = monotonic() + seconds
        for thread in threads:
            thread.join(max(0.0, deadline - monotonic()))
            if thread.is_alive():
                self.wrong(f"the thread of {thread.name} did not end")
