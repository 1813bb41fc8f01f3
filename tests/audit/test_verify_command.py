"""`boardroom verify` says in words what it has checked, and with its exit code what came of it."""

from __future__ import annotations

import gzip
import json
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


@pytest.fixture(params=["games.jsonl", "games.jsonl.gz"])
def many(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Three records in one file, the second of which lacks its line 6."""
    path = tmp_path / str(request.param)
    data = sealed() + without_line(sealed(), 6).data + sealed(seed="2")
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def test_of_many_records_in_a_file_each_is_checked_and_the_line_is_that_of_the_file(
    many: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(many)]) == 1
    said = capsys.readouterr().out
    second = sealed().count(b"\n") + 1
    assert f"{many}: the record of game audit-1 holds" in said
    assert f"{many}, from line {second}: the record of game audit-1 does NOT hold" in said
    assert f"WRONG        line {second - 1 + 7}:" in said
    assert said.count(" holds\n") == 2 and said.endswith("records: 3; of them do not hold: 1\n")
    assert main(["verify", "--json", str(many)]) == 1
    assert [each["begins"] for each in json.loads(capsys.readouterr().out)][:2] == [1, second]


def test_a_file_that_is_cut_off_is_said_to_be_so(many: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many.write_bytes(many.read_bytes()[:-10])
    assert main(["verify", str(many)]) == (2 if many.suffix == ".gz" else 1)
    told = capsys.readouterr()
    assert "is cut off" in told.err or "its end is missing" in told.out
