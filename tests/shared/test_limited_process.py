"""Functions on strangers' bytes run in a process with limits: what goes wrong there costs that process alone."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, process_time

import pytest

from service.shared.limited_process import BeyondLimits, LimitedProcess
from tests.shared import hostile
from tests.workers.solo import eventually


@pytest.fixture
def limited() -> Iterator[LimitedProcess]:
    process = LimitedProcess()
    yield process
    process.close()


@pytest.mark.parametrize(
    ("function", "raw", "why"),
    [
        (hostile.squares, b" " * 500_000, "exit -24"),
        (hostile.grows, b"x" * 100_000, "MemoryError"),
        (hostile.says_much, b"x" * 100_000, "answer too long"),
        (hostile.raises, b"a secret", "ValueError"),
        (hostile.ends, b"xxx", "exit 3"),
    ],
)
def test_a_function_beyond_its_limits_is_told_from_others_and_the_next_call_is_answered(
    limited: LimitedProcess, function: Callable[[bytes], object], raw: bytes, why: str
) -> None:
    begun = process_time()
    with pytest.raises(BeyondLimits) as beyond:
        limited.call(function, raw)
    assert str(beyond.value) == why
    assert limited.call(hostile.size, b"next") == 4
    assert process_time() - begun < 0.5, "the time is not this process's"


def test_a_process_that_gives_no_answer_is_ended_after_some_time() -> None:
    limited, begun = LimitedProcess(wall_s=1.0), monotonic()
    with pytest.raises(BeyondLimits, match="TimeoutError"):
        limited.call(hostile.waits, b"")
    assert monotonic() - begun < 10 and limited.pid is None


def test_a_process_that_was_killed_between_two_calls_is_replaced(limited: LimitedProcess) -> None:
    limited.call(hostile.size, b"")
    before = limited.pid
    assert before is not None
    os.kill(before, signal.SIGKILL)
    # It is taken off the list of processes without waiting for the next call.
    eventually(lambda: not Path(f"/proc/{before}").exists())
    assert limited.call(hostile.size, b"another") == 7 and limited.pid != before


def test_a_call_that_is_broken_off_leaves_no_answer_to_the_next_one(limited: LimitedProcess) -> None:
    limited.call(hostile.size, b"")

    def break_off(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, break_off)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            limited.call(hostile.waits, b"a second")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert limited.pid is None
    assert limited.call(hostile.size, b"another") == 7


def test_other_threads_go_on_while_a_function_takes_its_time(limited: LimitedProcess) -> None:
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(limited.call, hostile.squares, b" " * 500_000)
        turns = 0
        while not running.done():
            turns += 1
        assert isinstance(running.exception(), BeyondLimits)
    assert turns > 10_000, "a pattern in this process would have held the interpreter"


def test_the_process_lives_from_call_to_call_and_ends_when_none_comes() -> None:
    limited = LimitedProcess(idle_s=0.1)
    limited.call(hostile.size, b"")
    running, until = Path(f"/proc/{limited.pid}"), monotonic() + 10
    while running.exists():
        assert monotonic() < until
    assert limited.call(hostile.size, b"again") == 5
    limited.close()


def test_the_process_is_told_no_settings(limited: LimitedProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAIL_KEY", "a secret")
    assert set(limited.call(hostile.variables, b"")) <= {
        "PATH",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "PYTHONPATH",
        "PYTHONHASHSEED",
    }


def test_a_fork_has_a_process_of_its_own(limited: LimitedProcess) -> None:
    limited.call(hostile.size, b"")
    own, (reads, writes) = limited.pid, os.pipe()
    child = os.fork()
    if not child:
        limited.call(hostile.size, b"")
        os.write(writes, str(limited.pid).encode())
        limited.close()
        os._exit(0)
    os.waitpid(child, 0)
    assert int(os.read(reads, 20)) != own
    assert limited.call(hostile.size, b"still") == 5 and limited.pid == own
    os.close(reads)
    os.close(writes)
