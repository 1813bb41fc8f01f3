"""Logs are added to, for their owner's eyes, and put aside when they are long, while they are written to."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from service.local.logs import KEPT, last_line, open_log, rotate
from service.local.processes import Child, Program, wait_until


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
        for number in range(KEPT + 2):
            written.write(b"%d\n" % number)
            rotate([log], largest=1)
            assert log.read_bytes() == b""
        written.write(b"on\n")
    rotate([log], largest=1000)
    assert log.read_bytes() == b"on\n"
    aside = [(tmp_path / f"relay.log.{place}").read_text() for place in range(1, KEPT + 1)]
    assert aside == ["5\n", "4\n", "3\n", "2\n"]
    assert not (tmp_path / f"relay.log.{KEPT + 1}").exists()
    assert mode(tmp_path / "relay.log.1") == 0o600


def test_a_log_that_is_not_there_yet_is_no_hindrance(tmp_path: Path) -> None:
    rotate([tmp_path / "relay.log"])
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("word", ["", "\n\n"])
def test_an_empty_log_has_no_last_words(tmp_path: Path, word: str) -> None:
    (tmp_path / "log").write_text(word)
    assert last_line(tmp_path / "log") == "it said nothing"
