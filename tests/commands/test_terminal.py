"""On a terminal there are colours and progress bars, elsewhere plain lines; texts of others are plain on both."""

from __future__ import annotations

import ast
import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import nullcontext, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import service
from service.commands.cli import main
from service.commands.terminal import say, visible
from service.rules.bidi import isolated
from tests.record.forging import Lines, of_kind, rewritten
from tests.record.records import sealed, without_line
from tests.record.test_two_verifiers import NODE, VERIFIER

ESCAPE = "\x1b["
RED, GREEN, YELLOW = (f"{ESCAPE}{number}m" for number in (31, 32, 33))
MARKUP = "[red]x[/red] [link=https://example.org]y[/link] :warning: \x1b[31mz\x1b[0m"
SHOWN = "[red]x[/red] [link=https://example.org]y[/link] :warning: \\u001b[31mz\\u001b[0m"
_MOVES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
TITLE_AND_SCREEN = "\x1b]0;pwned\x07\x1b[2J"
PAINT = f"{TITLE_AND_SCREEN}\r\u202e\u2066\u2028\x85\x7f\u009b2J\nother.jsonl: the record of game 1 holds"
PRINTING = {"terminal", "up"}
"""The modules that print by themselves: the one that all others print with, and one that shows nothing of others."""
HOSTILE = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(sorted(set(PAINT))), min_size=1)


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
    """Return the output and errors of a command without a terminal."""
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


@pytest.mark.long
def test_verdicts_have_their_colours_on_a_terminal(records: tuple[Path, Path]) -> None:
    code, told = on_a_terminal("verify", *records)
    assert code == 1
    assert f"form   {GREEN}ok" in told
    assert f"seal   {YELLOW}not checked" in told
    assert f"chain  {RED}WRONG" in told


@pytest.mark.long
def test_there_are_no_colours_for_who_wants_none(records: tuple[Path, Path]) -> None:
    _, told = on_a_terminal("verify", *records, NO_COLOR="1")
    assert "form   ok" in told
    assert not re.search(r"\x1b\[[0-9;]*m", told)


@pytest.mark.long
def test_refusals_are_red_on_a_terminal(tmp_path: Path) -> None:
    code, told = on_a_terminal("listing", tmp_path / "none.jsonl")
    assert (code, told.startswith(f"{RED}boardroom: ")) == (2, True)


@pytest.mark.long
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


@pytest.mark.long
def test_progress_is_shown_on_a_terminal_and_goes_in_the_end(records: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    code, told = on_a_terminal("selfplay", "--players", "2", "--games", "3", out=out)
    assert code == 0
    assert "playing" in told and "3/3" in told
    assert told.rstrip().endswith(f"{ESCAPE}2K")
    assert out.read_text().startswith("games              3\n")


@pytest.mark.long
def test_a_bar_does_not_touch_what_goes_to_a_file(records: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    _, told = on_a_terminal("verify", *records, out=out)
    assert "checking records" in told
    assert "the record of game" not in told
    assert out.read_text() == on_pipes("verify", *records)[0]


@pytest.mark.long
def test_lines_stand_above_the_bar_and_none_is_broken(records: tuple[Path, Path]) -> None:
    _, told = on_a_terminal("verify", *records, COLUMNS="40")
    shown = _MOVES.sub("", told)
    for line in on_pipes("verify", *records)[0].splitlines():
        assert line in shown


@pytest.mark.long
def test_markup_and_escapes_of_a_record_are_shown_as_they_are_written(tmp_path: Path) -> None:
    file = tmp_path / "painted.jsonl"
    file.write_bytes(rewritten(lambda lines: lines[0].update(game=MARKUP, seats=3)))
    for terminal in (on_a_terminal("verify", file)[1], on_pipes("verify", file)[0]):
        assert f"the record of game {SHOWN} does NOT hold" in terminal
    file.write_bytes(rewritten(lambda lines: lines[0].update(ruleset=MARKUP)))
    for terminal in (on_a_terminal("listing", file)[1], on_pipes("listing", file)[1]):
        assert f"the rules of {SHOWN} are not installed here" in terminal


@pytest.mark.long
def test_markup_and_escapes_in_the_words_of_a_command_line_are_shown_as_they_are_written() -> None:
    for words, said in (
        (["listing", "a.jsonl", MARKUP], "Got unexpected extra argument"),
        ([MARKUP], "No such command"),
    ):
        for told in (on_a_terminal(*words)[1], on_pipes(*words)[1]):
            assert said in told
            assert "\x1b[31mz" not in told and "[red]x[/red]" in told


def controls(printed: str) -> set[str]:
    """Return the characters that can control a terminal, line feeds aside."""
    known = {each for each in printed if unicodedata.category(each) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    return known - {"\n", "\u200c", "\u200d"}


def printed(*words: object) -> str:
    """Return the output of a command, on both streams."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        main([*map(str, words)])
    return out.getvalue()


def texts_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each place in a line with a text in it, as what it is in and its name there."""
    for name, below in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(below, dict | list):
            yield from texts_in(below)
        elif isinstance(below, str) and name != "check":
            yield value, name


PLACES = [
    (number, place)
    for number, line in enumerate(sealed().splitlines())
    for place in range(len(list(texts_in(json.loads(line)))))
]
IN_THE_HEADER = [each for each in PLACES if each[0] == 0]


def painted(place: tuple[int, int], text: str) -> bytes:
    """A record with a text of somebody's own at a place, chained and sealed anew."""

    def paint(lines: Lines) -> None:
        within, name = list(texts_in(lines[place[0]]))[place[1]]
        within[name] = text

    return rewritten(paint)


def looked_at(data: bytes, folder: Path) -> list[str]:
    """Return the output about a file of each command that reads the file."""
    file = folder / "painted.jsonl"
    file.write_bytes(data)
    ways = (["verify", file], ["verify", "--json", file], ["listing", file], ["plot", file, "--out", folder])
    return [printed(*words) for words in ways]


@pytest.mark.slow
@settings(deadline=None)
@example(IN_THE_HEADER[0], "x", 0, b"\x1f\x8b")
@given(st.sampled_from(IN_THE_HEADER) | st.sampled_from(PLACES), HOSTILE, st.integers(0, 40_000), st.binary())
def test_what_is_printed_of_any_bytes_holds_no_control_characters(
    tmp_path_factory: pytest.TempPathFactory, place: tuple[int, int], text: str, begin: int, junk: bytes
) -> None:
    folder, whole = tmp_path_factory.getbasetemp(), painted(place, text)
    for data in (whole, whole[:begin] + junk + whole[begin + len(junk) :], junk, text.encode()):
        shown = looked_at(data, folder)
        assert [controls(each) for each in shown] == [set()] * 4
        assert isinstance(json.JSONDecoder().raw_decode(shown[1])[0], list)


@pytest.mark.parametrize("name", ["game", "ruleset"])
def test_a_record_that_does_not_hold_cannot_paint_that_it_does(tmp_path: Path, name: str) -> None:
    file = tmp_path / "painted.jsonl"
    file.write_bytes(rewritten(lambda lines: lines[0].update({name: PAINT, "seats": 3})))
    first, *levels = printed("verify", file).split("\n")
    verdict = {"game": "does NOT hold", "ruleset": "cannot be checked here"}[name]
    assert first.startswith(f"{file}: the record of game ") and first.endswith(verdict)
    assert all(line.startswith("  ") or not line for line in levels)
    if name == "game":
        assert (
            "\\u001b]0;pwned\\u0007\\u001b[2J\\u000d\\u202e\\u2066\\u2028\\u0085\\u007f\\u009b2J\\u000aother" in first
        )


def test_who_brings_in_a_record_is_not_shown_its_paint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://127.0.0.1:1/none")
    file = tmp_path / "painted.jsonl"
    file.write_bytes(rewritten(lambda lines: of_kind(lines, "draws")["draws"][0].update(label=PAINT, result=[])))
    said = printed("import", file)
    assert "pwned" in said
    assert controls(said) == set()
    assert len(said.splitlines()) == 1


def test_the_name_of_a_file_is_no_way_around(tmp_path: Path) -> None:
    file = tmp_path / f"{PAINT.replace('/', '')}.jsonl"
    file.write_bytes(sealed())
    assert controls(printed("verify", file)) == set()
    assert controls(printed("verify", tmp_path / PAINT)) == set()


@pytest.mark.skipif(NODE is None, reason="Node is not here: the verifier in JavaScript is not tried")
def test_the_other_verifier_prints_none_either(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.jsonl" for number in range(3)]
    files[0].write_bytes(rewritten(lambda lines: of_kind(lines, "draws")["draws"][0].update(label=PAINT, result=[])))
    files[1].write_bytes(rewritten(lambda lines: lines[3].update(kind=PAINT)))
    files[2] = tmp_path / PAINT
    for file in files:
        ran = subprocess.run([NODE or "", VERIFIER, file], capture_output=True, text=True, check=False, timeout=60)
        assert ran.returncode in {1, 2}
        assert controls(ran.stdout + ran.stderr) == set()
        assert not any(line.startswith("other.jsonl") for line in (ran.stdout + ran.stderr).splitlines())


def test_both_verifiers_show_a_control_character_in_the_same_way() -> None:
    if NODE is None:
        pytest.skip("Node is not here: the verifier in JavaScript is not tried")
    text = f"{PAINT} \U000e0041 a\u200db é 漢"
    program = (
        f"const {{ visible }} = await import({json.dumps(str(VERIFIER))}); console.log(visible({json.dumps(text)}));"
    )
    line = [NODE, "--input-type=module", "-e", program]
    assert subprocess.run(line, capture_output=True, text=True, check=True).stdout == f"{visible(text)}\n"


def test_a_name_that_is_read_from_right_to_left_is_shown_without_its_isolates(
    capsys: pytest.CaptureFixture[str],
) -> None:
    say(f"{isolated('עליזה')} plots.")
    assert capsys.readouterr().out == "עליזה plots.\n"


@pytest.mark.long
def test_nothing_that_shows_what_others_have_written_prints_by_itself() -> None:
    folder = Path(service.__file__).parent
    printing = {
        path.stem
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    }
    assert printing == PRINTING
