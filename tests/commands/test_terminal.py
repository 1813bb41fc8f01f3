"""On a terminal there are colours and progress bars, elsewhere plain lines; texts of others are plain on both."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.record.forging import rewritten
from tests.record.records import sealed, without_line

pytestmark = pytest.mark.long

ESCAPE = "\x1b["
RED, GREEN, YELLOW = (f"{ESCAPE}{number}m" for number in (31, 32, 33))
MARKUP = "[red]x[/red] [link=https://example.org]y[/link] :warning: \x1b[31mz\x1b[0m"
SHOWN = "[red]x[/red] [link=https://example.org]y[/link] :warning: \\u001b[31mz\\u001b[0m"
_MOVES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_a_terminal(*words: object, out: Path | None = None, **environment: str) -> tuple[int, str]:
    """Run a command whose stderr is a terminal, as is its stdout unless that goes to a file; what the terminal got."""
    ours, theirs = pty.openpty()
    given = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR"}}
    environment = {"TERM": "xterm-256color", "COLUMNS": "200", **environment}
    with nullcontext(theirs) if out is None else out.open("wb") as stdout:
        program = subprocess.Popen(
            [sys.executable, "-m", "service.commands", *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=theirs,
            env={**given, **environment},
        )
    os.close(theirs)
    got = bytearray()
    while chunk := _read(ours):
        got += chunk
    os.close(ours)
    return program.wait(60), got.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        # So Linux says that nobody has the other end open any more.
        return b""


def on_pipes(*words: object, **environment: str) -> tuple[str, str]:
    """What a command prints where nothing is a terminal."""
    line = [sys.executable, "-m", "service.commands", *map(str, words)]
    ran = subprocess.run(
        line, capture_output=True, text=True, check=False, timeout=60, env={**os.environ, **environment}
    )
    return ran.stdout, ran.stderr


@pytest.fixture
def records(tmp_path: Path) -> tuple[Path, Path]:
    """A record that holds but has no seal, and one that does not hold."""
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    whole.write_bytes(b"".join(sealed().splitlines(keepends=True)[:-1]))
    broken.write_bytes(without_line(sealed(), 6).data)
    return whole, broken


def test_verdicts_have_their_colours_on_a_terminal(records: tuple[Path, Path]) -> None:
    code, told = on_a_terminal("verify", *records)
    assert code == 1
    assert f"form   {GREEN}ok" in told
    assert f"seal   {YELLOW}not checked" in told
    assert f"chain  {RED}WRONG" in told


def test_there_are_no_colours_for_who_wants_none(records: tuple[Path, Path]) -> None:
    _, told = on_a_terminal("verify", *records, NO_COLOR="1")
    assert "form   ok" in told
    assert not re.search(r"\x1b\[[0-9;]*m", told)


def test_refusals_are_red_on_a_terminal(tmp_path: Path) -> None:
    code, told = on_a_terminal("listing", tmp_path / "none.jsonl")
    assert (code, told.startswith(f"{RED}boardroom: ")) == (2, True)


@pytest.mark.parametrize(
    "environment",
    [
        {"FORCE_COLOR": "1"},
        pytest.param({}, marks=pytest.mark.slow),
        pytest.param({"NO_COLOR": "1"}, marks=pytest.mark.slow),
    ],
)
def test_on_pipes_there_are_neither_colours_nor_progress(
    records: tuple[Path, Path], environment: dict[str, str]
) -> None:
    for words in (["verify", *records], ["selfplay", "--players", "2", "--games", "3"], ["listing", "none"]):
        out, error = on_pipes(*words, **environment)
        assert ESCAPE not in out + error
        assert "checking" not in error and "playing" not in error


def test_progress_is_shown_on_a_terminal_and_goes_in_the_end(records: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    code, told = on_a_terminal("selfplay", "--players", "2", "--games", "3", out=out)
    assert code == 0
    assert "playing" in told and "3/3" in told
    assert told.rstrip().endswith(f"{ESCAPE}2K")
    assert out.read_text().startswith("games              3\n")


def test_a_bar_does_not_touch_what_goes_to_a_file(records: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    _, told = on_a_terminal("verify", *records, out=out)
    assert "checking records" in told
    assert "the record of game" not in told
    assert out.read_text() == on_pipes("verify", *records)[0]


def test_lines_stand_above_the_bar_and_none_is_broken(records: tuple[Path, Path]) -> None:
    _, told = on_a_terminal("verify", *records, COLUMNS="40")
    shown = _MOVES.sub("", told)
    for line in on_pipes("verify", *records)[0].splitlines():
        assert line in shown


def test_markup_and_escapes_of_a_record_are_shown_as_they_are_written(tmp_path: Path) -> None:
    file = tmp_path / "painted.jsonl"
    file.write_bytes(rewritten(lambda lines: lines[0].update(game=MARKUP, seats=3)))
    for terminal in (on_a_terminal("verify", file)[1], on_pipes("verify", file)[0]):
        assert f"the record of game {SHOWN} does NOT hold" in terminal
    file.write_bytes(rewritten(lambda lines: lines[0].update(ruleset=MARKUP)))
    for terminal in (on_a_terminal("listing", file)[1], on_pipes("listing", file)[1]):
        assert f"the rules of {SHOWN} are not installed here" in terminal


def test_markup_and_escapes_in_the_words_of_a_command_line_are_shown_as_they_are_written() -> None:
    for words, said in (
        (["listing", "a.jsonl", MARKUP], "Got unexpected extra argument"),
        ([MARKUP], "No such command"),
    ):
        for told in (on_a_terminal(*words)[1], on_pipes(*words)[1]):
            assert said in told
            assert "\x1b[31mz" not in told and "[red]x[/red]" in told
