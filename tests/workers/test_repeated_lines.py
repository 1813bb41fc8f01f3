"""A line that a process says over and over stands in its log once, and later with a count."""

from __future__ import annotations

import logging

import pytest
import structlog

from service.shared.log_dedup import REPEAT_AFTER_S
from workers.repeated_lines import OfLibrary, OfOurs


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [5.0]
    monkeypatch.setattr("service.shared.log_dedup.monotonic", lambda: now[0])
    return now


def test_what_a_library_repeats_is_said_once_and_then_with_a_count(
    moment: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    log = logging.getLogger("a library")
    log.addFilter(OfLibrary())
    for second in range(int(REPEAT_AFTER_S) + 1):
        moment[0] = 5.0 + second
        log.error("Worker %s: no connection, again in %d s", f"worker {second}", 2)
    log.error("Worker %s: gone", "worker")
    assert [record.getMessage() for record in caplog.records] == [
        "Worker worker 0: no connection, again in 2 s",
        f"Worker worker {REPEAT_AFTER_S:.0f}: no connection, again in 2 s (and {REPEAT_AFTER_S - 1:.0f} times since)",
        "Worker worker: gone",
    ]


def test_what_we_repeat_about_the_same_is_said_once_and_then_with_a_count(moment: list[float]) -> None:
    ours = OfOurs()
    line = {"event": "database out of reach", "error": "OperationalError"}
    assert ours(None, "warning", line) == line
    for _ in range(3):
        with pytest.raises(structlog.DropEvent):
            ours(None, "warning", line)
    other = {"event": "effect failed", "outbox": 7}
    assert ours(None, "warning", other) == other
    moment[0] += REPEAT_AFTER_S
    assert ours(None, "warning", line) == {**line, "since": 3}
