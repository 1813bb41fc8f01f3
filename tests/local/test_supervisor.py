"""Children of `boardroom up`: their logs, and how they are restarted and watched."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from service.local.supervisor import (
    FIRST_NOTICE_S,
    KEPT_LOGS,
    RESTART_PAUSES_S,
    CannotStart,
    Child,
    Program,
    Supervised,
    is_stopped,
    last_line,
    open_log,
    rotate,
    wait_for,
    wait_until,
    wakened_by_ends,
)

STAY = "import signal; signal.pause()"
FAIL = "raise SystemExit('nothing to serve here')"


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def run(log: Path, *words: str) -> None:
    child = Child(Program(name="The relay", command=[sys.executable, "-c", *words], log=log))
    assert wait_until(lambda: child.exit_code is not None, 60)


def test_a_start_says_when_it_was_and_keeps_what_the_one_before_has_said(tmp_path: Path) -> None:
    log = tmp_path / "relay.log"
    log.touch(0o644)
    run(log, "print('last words')")
    assert last_line(log) == "last words"
    run(log, "pass")
    begin, said, again = log.read_text().splitlines()
    assert begin.startswith("---- 2") and begin.endswith(" The relay starts") and said == "last words"
    assert again.endswith(" The relay starts")
    assert last_line(log) == "it said nothing"
    assert last_line(tmp_path / "none.log") == "it said nothing"
    assert mode(log) == 0o600


def test_a_long_log_is_put_aside_while_its_program_writes_on(tmp_path: Path) -> None:
    log = tmp_path / "relay.log"
    with open_log(log, "The relay") as written:
        for number in range(KEPT_LOGS + 2):
            written.write(b"%d\n" % number)
            rotate([log], largest=1)
            assert log.read_bytes() == b""
        written.write(b"on\n")
    rotate([log], largest=1000)
    assert log.read_bytes() == b"on\n"
    aside = [(tmp_path / f"relay.log.{place}").read_text() for place in range(1, KEPT_LOGS + 1)]
    assert aside == ["5\n", "4\n", "3\n", "2\n"]
    assert not (tmp_path / f"relay.log.{KEPT_LOGS + 1}").exists()
    assert mode(tmp_path / "relay.log.1") == 0o600


def test_a_log_that_is_not_there_yet_is_no_hindrance(tmp_path: Path) -> None:
    rotate([tmp_path / "relay.log"])
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("word", ["", "\n\n"])
def test_an_empty_log_has_no_last_words(tmp_path: Path, word: str) -> None:
    (tmp_path / "log").write_text(word)
    assert last_line(tmp_path / "log") == "it said nothing"


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
    for pause in RESTART_PAUSES_S[:3]:
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
    assert FIRST_NOTICE_S == 5


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
        assert not is_stopped(child.pid)
        os.kill(child.pid, signal.SIGSTOP)
        assert wait_until(lambda: is_stopped(child.pid), 60) and is_stopped(child.pid)
        os.kill(child.pid, signal.SIGCONT)
        assert wait_until(lambda: not is_stopped(child.pid), 30)
    finally:
        child.kill()
    assert not is_stopped(child.pid)
