"""Whatever is in a record, it does nothing to the terminal of somebody who looks at it."""

from __future__ import annotations

import ast
import json
import subprocess
import unicodedata
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import service
from service.commands.cli import main
from service.commands.terminal import say, visible
from service.rules.isolation import isolated
from tests.record.forging import Lines, of_kind, rewritten
from tests.record.records import sealed
from tests.record.test_two_verifiers import NODE, VERIFIER

TITLE_AND_SCREEN = "\x1b]0;pwned\x07\x1b[2J"
PAINT = f"{TITLE_AND_SCREEN}\r\u202e\u2066\u2028\x85\x7f\u009b2J\nother.jsonl: the record of game 1 holds"
PRINTING = {"terminal", "up"}
"""The modules that print by themselves: the one that all others print with, and one that shows nothing of others."""


def controls(printed: str) -> set[str]:
    """What is in the text that can do something to a terminal, line feeds aside."""
    known = {each for each in printed if unicodedata.category(each) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    return known - {"\n", "\u200c", "\u200d"}


def printed(*words: object) -> str:
    """What a command prints, on both streams."""
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
HOSTILE = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(sorted(set(PAINT))), min_size=1)


def painted(place: tuple[int, int], text: str) -> bytes:
    """A record with a text of somebody's own at a place, chained and sealed anew."""

    def paint(lines: Lines) -> None:
        within, name = list(texts_in(lines[place[0]]))[place[1]]
        within[name] = text

    return rewritten(paint)


def looked_at(data: bytes, folder: Path) -> list[str]:
    """What is printed of a file in each of the ways to look at it."""
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
