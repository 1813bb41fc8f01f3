"""`boardroom verify` says in words what it has checked, and with its exit code what came of it."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from service.commands.cli import main
from service.record.merkle import leaf, path, root
from tests.record.records import KEYS, sealed, without_line


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": [key.published() for key in KEYS]}))
    return file


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    file = tmp_path / "whole.jsonl"
    file.write_bytes(sealed())
    return file


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    file = tmp_path / "broken.jsonl"
    file.write_bytes(without_line(sealed(), 6).data)
    return file


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


def test_two_records_of_one_game_contradict_each_other_although_each_holds(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # given a game of which there are two records, as when it was played on in a restored copy of the database
    other, copy = tmp_path / "other.jsonl", tmp_path / "copy.jsonl"
    other.write_bytes(sealed(seed="1", seats=3))
    copy.write_bytes(b"".join(sealed().splitlines(keepends=True)[:-1]))
    assert main(["verify", str(whole)]) == main(["verify", str(other)]) == 0
    capsys.readouterr()
    # when both are checked, then the second one is told to be another run, from the line on in which they part
    assert main(["verify", str(whole), str(other), "--json"]) == 1
    first, second = json.loads(capsys.readouterr().out)
    assert first["game"] == second["game"]
    assert (first["holds"], second["holds"]) == (True, False)
    (told,) = [each for each in second["levels"] if each["level"] == "run"]
    assert (told["line"], told["holds"]) == (1, False)
    assert f"{whole} has another record of this game" in told["said"]
    # and a copy without the seal is the same record
    assert main(["verify", str(whole), str(copy)]) == 0


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


DEEP = "[" * 100_000
TOO_EARLY = '{"keys": [{"id": "1", "key": "00", "since": "0001-01-01T00:00:00+01:00", "until": null}]}'


@pytest.mark.parametrize(
    "content", ["{}", "[]", "no JSON", '{"keys": [{"id": "1"}]}', '{"keys": [1]}', DEEP, TOO_EARLY], ids=range(7)
)
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
    file = tmp_path / str(request.param)
    data = sealed() + without_line(sealed(), 6).data + sealed(seed="2")
    file.write_bytes(gzip.compress(data) if file.suffix == ".gz" else data)
    return file


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


def _proof(of: bytes, among: list[bytes], **changed: Any) -> dict[str, Any]:
    """What the service says of a game that was sealed on one day with these."""
    seals = [json.loads(record.splitlines()[-1]) for record in among]
    leaves, index = [leaf(bytes.fromhex(seal["signature"])) for seal in seals], among.index(of)
    sealed_on = datetime.fromtimestamp(seals[index]["at"] / 1000, UTC).date().isoformat()
    steps = [step.hex() for step in path(leaves, index)]
    day = {"day": sealed_on, "root": root(leaves).hex(), "count": len(leaves), "index": index, "path": steps, **changed}
    return {"game": json.loads(of.splitlines()[0])["game"], "day": day, "seal": seals[index]}


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, "day    ok           its seal is one of the 3 of"),
        ({"root": "00" * 32}, "its seal is not among those of"),
        ({"index": 2}, "its seal is not among those of"),
        ({"path": []}, "its seal is not among those of"),
        ({"day": "1999-12-31"}, "its seal is not among those of 1999-12-31"),
    ],
)
def test_the_way_to_the_root_of_its_day_is_checked(
    whole: Path, changed: dict[str, Any], verdict: str, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = whole.with_name("proof.json")
    proof.write_text(json.dumps(_proof(sealed(), [sealed(seed="2"), sealed(), sealed(seed="3")], **changed)))
    assert main(["verify", str(whole), "--proof", str(proof)]) == (1 if changed else 0)
    assert verdict in capsys.readouterr().out


@pytest.mark.parametrize(
    "content", ["no JSON", "[]", '{"game": "a"}', '{"game": "a", "day": {"root": "x"}}', DEEP], ids=range(5)
)
def test_what_is_no_proof_is_refused(whole: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    bad = whole.with_name("bad.json")
    bad.write_text(content)
    assert main(["verify", str(whole), "--proof", str(bad)]) == 2
    assert f"{bad} is no answer of" in capsys.readouterr().err


def test_before_the_day_is_over_there_is_no_root(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof = whole.with_name("proof.json")
    proof.write_text(json.dumps({"game": "audit-1", "day": None}))
    assert main(["verify", str(whole), "--proof", str(proof)]) == 0
    assert "the day was not over yet" in capsys.readouterr().out
