"""`boardroom verify` says in words what it has checked, and with its exit code what came of it."""

from __future__ import annotations

import json
from gzip import compress
from pathlib import Path

import pytest

from service.cli import main
from tests.audit.records import KEYS, sealed, without_line


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps({"keys": [key.published() for key in KEYS]}))
    return path


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "whole.jsonl"
    path.write_bytes(sealed())
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.jsonl"
    path.write_bytes(without_line(sealed(), 6).data)
    return path


def test_a_record_that_holds_is_told_level_by_level(
    whole: Path, keys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(whole), "--keys", str(keys)]) == 0
    first, *levels = capsys.readouterr().out.splitlines()
    assert first == f"{whole}: the record of game audit-1 holds"
    told = [line.split()[:2] for line in levels]
    assert told == [[level, "ok"] for level in ("form", "chain", "seal", "draws", "rules")]


def test_one_that_was_changed_is_told_with_the_first_wrong_line(
    whole: Path, broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(whole), str(broken)]) == 1
    said = capsys.readouterr().out
    assert f"{broken}: the record of game audit-1 does NOT hold" in said and "WRONG        line 7:" in said


def test_a_file_with_several_records_is_checked_record_by_record(
    whole: Path, broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    several = whole.with_name("several.jsonl.gz")
    several.write_bytes(compress(whole.read_bytes() + broken.read_bytes()))
    assert main(["verify", str(several)]) == 1
    said = capsys.readouterr().out
    assert f"{several}, record 1: the record of game audit-1 holds" in said
    assert f"{several}, record 2: the record of game audit-1 does NOT hold" in said and "WRONG        line 7:" in said
    several.write_bytes(several.read_bytes()[:-9])
    assert main(["verify", str(several)]) == 2


def test_a_view_of_a_game_that_goes_on_is_no_record_and_it_says_so(
    whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole.write_text('{"format":3,"game":"1","kind":"view","viewer":0}\n')
    assert main(["verify", str(whole)]) == 1
    assert "line 1: this is what one seat may see of a game" in capsys.readouterr().out


def test_a_program_is_told_as_json(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--json", str(broken)]) == 1
    (report,) = json.loads(capsys.readouterr().out)
    assert (report["holds"], report["levels"][-1]["level"], report["levels"][-1]["line"]) == (False, "chain", 7)


@pytest.mark.parametrize("content", ["{}", "[]", "no JSON", '{"keys": [{"id": "1"}]}', '{"keys": [1]}'])
def test_what_is_no_list_of_keys_is_refused(whole: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    bad = whole.with_name("bad.json")
    bad.write_text(content)
    assert main(["verify", str(whole), "--keys", str(bad)]) == 2
    assert f"{bad} is no list of published keys" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_said_to_be_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "missing.jsonl")]) == 2
    assert "missing.jsonl" in capsys.readouterr().err
