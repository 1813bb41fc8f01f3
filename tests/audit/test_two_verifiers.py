"""The verifier in JavaScript, which was written apart from ours, comes to the same about every record."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

import service.web
from service.audit.verify import verify
from tests.audit.records import (
    KEYS,
    RULESETS,
    STRANGER,
    TABLES,
    record_of,
    sealed,
    with_byte,
    with_line,
    with_lines_exchanged,
    without_byte,
    without_line,
)

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not here: the verifier in JavaScript is not tried")
VERIFIER = Path(service.web.__file__).parent / "static" / "verify.mjs"
PROGRAM = """
import { readFileSync } from "node:fs";
const [folder, count, verifier] = process.argv.slice(1);
const { verify } = await import(verifier);
const { keys } = JSON.parse(readFileSync(`${folder}/keys.json`));
const reports = [];
for (let number = 0; number < count; number += 1) {
  reports.push(await verify(readFileSync(`${folder}/${number}.jsonl`), keys));
}
console.log(JSON.stringify(reports));
"""


def tampered() -> list[bytes]:
    """Records that somebody has changed, a few of every kind."""
    data, rng = sealed(), Random(1)
    lines, length = data.count(b"\n"), len(data)
    first = data.splitlines(keepends=True)[3]
    return [
        *(with_byte(data, rng.randrange(length), rng.randrange(256)).data for _ in range(40)),
        *(without_byte(data, rng.randrange(length)).data for _ in range(20)),
        *(without_line(data, rng.randrange(lines)).data for _ in range(20)),
        *(with_line(data, rng.randrange(lines + 1), first).data for _ in range(10)),
        *(with_lines_exchanged(data, *rng.sample(range(lines), 2)).data for _ in range(20)),
        record_of("new-corp-order", 2, signer=STRANGER).text(),
        record_of("new-corp-order", 2, signer=None).text(),
        b"",
        b"\n",
        data.replace(b'"seat":1', b'"seat":1.0', 1),
        data.replace(b'"seat":1', b'"seat": 1', 1),
    ]


def told_by_node(folder: Path, records: list[bytes]) -> list[tuple[bool, int | None]]:
    """Return for each record whether it holds, and the first wrong line."""
    (folder / "keys.json").write_text(json.dumps({"keys": [key.published() for key in KEYS]}))
    for number, record in enumerate(records):
        (folder / f"{number}.jsonl").write_bytes(record)
    line = [NODE or "", "--input-type=module", "-e", PROGRAM, str(folder), str(len(records)), str(VERIFIER)]
    said = subprocess.run(line, capture_output=True, text=True, check=True, timeout=60)
    return [(report["holds"], report["levels"][-1]["line"]) for report in json.loads(said.stdout)]


def test_both_say_of_every_whole_record_that_it_holds(tmp_path: Path) -> None:
    records = [sealed(name, seats) for name, seats in TABLES]
    assert told_by_node(tmp_path, records) == [(True, None)] * len(records)
    assert all(verify(record, RULESETS, KEYS).holds for record in records)


def test_both_name_the_same_line_of_every_record_that_was_changed(tmp_path: Path) -> None:
    records = [record for record in tampered() if record != sealed()]
    ours = [verify(record, RULESETS, KEYS) for record in records]
    assert told_by_node(tmp_path, records) == [(report.holds, report.findings[-1].line) for report in ours]
    assert not any(report.holds for report in ours)


def test_as_a_program_it_says_no_with_its_exit_code(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    whole.write_bytes(sealed())
    broken.write_bytes(without_line(sealed(), 7).data)
    said = [subprocess.run([NODE or "", VERIFIER, file], check=False, capture_output=True) for file in (whole, broken)]
    assert [run.returncode for run in said] == [0, 1]
