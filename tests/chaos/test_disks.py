"""Disks that are full or cannot be written to."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from service.local.supervisor import wait_until
from tests.chaos.conftest import Begin
from tests.chaos.run import Cast

pytestmark = pytest.mark.slow

Disk = Callable[[str, str], Path]
PATIENCE = 120


def test_a_full_disk_refuses_actions_in_words_loses_none_and_takes_them_again_when_there_is_room(
    begin: Begin, small_disk: Disk
) -> None:
    disk = small_disk("data", "220m")
    run = begin(Cast(tables=(1, 1, 2, 2, 4)))
    assert wait_until(lambda: run.acknowledged >= 20, PATIENCE)
    ballast = disk / "ballast"

    fill(ballast)
    # PostgreSQL has room of its own for a while.
    assert wait_until(lambda: refused(run.book.counted("answer ")) >= 5, PATIENCE)
    ballast.unlink()
    before = run.acknowledged

    assert wait_until(lambda: run.acknowledged >= before + 20, PATIENCE)
    run.settle()
    run.judge([])
    assert json.loads(run.book.refusal)["type"] == "/problems/unavailable"
    assert json.loads(run.book.refusal)["detail"]
    assert run.book.findings == []
    assert len(run.running.starts) == 1


def test_a_folder_that_cannot_be_written_to_is_one_clear_line(small_disk: Disk) -> None:
    disk = small_disk("data", "1m")
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)

    ended = subprocess.run(
        [sys.executable, "-m", "service.commands", "up", "--data", str(disk)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 1
    assert ended.stderr.count("\n") == 1
    assert str(disk) in ended.stderr and "Read-only file system" in ended.stderr


def fill(ballast: Path) -> None:
    """Write a file until there is no room for another byte."""
    with ballast.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue


def refused(answers: dict[str, int]) -> int:
    return answers.get("503", 0)
