"""What ends is started again: at once if it had worked, else after pauses that grow, and at some time no more."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from service.local.processes import CannotStart, Child, Program, wait_until
from service.local.supervisor import FIRST_WORD, PAUSES, Supervised, wait_for, wakened_by_ends
from service.local.watchdog import stopped

STAY = "import signal; signal.pause()"
FAIL = "raise SystemExit('nothing to serve here')"


def program(log: Path, words: str) -> Program:
    return Program(name="The server", command=[sys.executable, "-c", words], log=log)


def ended(watched: Supervised) -> Supervised:
    assert wait_until(lambda: watched.child.exit_code is not None, 60)
    return watched


@pytest.fixture
def said() -> list[str]:
    return []


def test_what_had_worked_is_started_again_at_once(tmp_path: Path, said: list[str]) -> None:
    watched = Supervised(Child(program(tmp_path / "log", STAY)), answers=lambda: True, most=1)
    for _ in range(3):
        before = watched.child.pid
        os.kill(before, signal.SIGKILL)
        ended(watched).restart_ended(said.append)
        assert watched.child.pid != before
        watched.restart_ended(said.append)
    watched.stop()
    assert len(said) == 3 and "ended (exit -9) and is started again" in said[0]


def test_what_does_not_work_is_started_after_pauses_that_grow_and_then_no_more(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    watched = Supervised(Child(program(tmp_path / "log", FAIL)), most=3)
    monkeypatch.setattr("service.local.supervisor.time.monotonic", lambda: now[0])
    for pause in PAUSES[:3]:
        failed = ended(watched).child
        watched.restart_ended(said.append)
        if pause:
            assert watched.child is failed
            now[0] += pause
            watched.restart_ended(said.append)
        assert watched.child is not failed
    with pytest.raises(CannotStart) as refusal:
        ended(watched).restart_ended(said.append)
    told = str(refusal.value)
    assert "The server ended 4 times in a row" in told
    assert "nothing to serve here" in told and str(tmp_path / "log") in told and "\n" not in told


@pytest.mark.long
def test_a_start_waits_as_long_as_the_child_lives_and_says_so(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr("service.local.supervisor.time.monotonic", lambda: now[0])
    watched = Supervised(Child(program(tmp_path / "log", STAY)))
    turns = iter(range(200))

    def ready() -> bool:
        now[0] += 1.0
        return next(turns) == 100

    wait_for([watched], ready, said.append)
    watched.stop()
    assert [line.split(" for ")[1].split(" s ")[0] for line in said] == ["6", "11", "21", "41", "81"]
    assert all(str(tmp_path / "log") in line for line in said)
    assert FIRST_WORD == 5


def test_a_start_during_which_something_ends_goes_on(tmp_path: Path, said: list[str]) -> None:
    watched = Supervised(Child(program(tmp_path / "log", STAY)), most=3)
    first = watched.child
    os.kill(first.pid, signal.SIGKILL)
    wait_for([watched], lambda: watched.child is not first, said.append)
    assert watched.child.exit_code is None
    watched.stop()


def test_a_wait_is_over_when_a_child_ends(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGCHLD)
    with wakened_by_ends() as wait:
        wait(0.01)
        child = Child(program(tmp_path / "log", STAY))
        begun = time.monotonic()
        os.kill(child.pid, signal.SIGKILL)
        while child.exit_code is None:
            wait(60)
        assert time.monotonic() - begun < 30
    assert signal.getsignal(signal.SIGCHLD) is before


def test_it_is_known_whether_a_child_is_stopped(tmp_path: Path) -> None:
    child = Child(program(tmp_path / "log", STAY))
    try:
        assert not stopped(child.pid)
        os.kill(child.pid, signal.SIGSTOP)
        assert wait_until(lambda: stopped(child.pid), 60) and stopped(child.pid)
        os.kill(child.pid, signal.SIGCONT)
        assert wait_until(lambda: not stopped(child.pid), 30)
    finally:
        child.kill()
    assert not stopped(child.pid)
