"""The verifier in JavaScript, which was written apart from ours, comes to the same about every record."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

import service.web
from service.record.verify import verify
from service.texts import po_files
from service.texts.catalog import keys
from tests.record.forging import Change, Lines, of_kind, rewritten
from tests.record.records import (
    KEYS,
    RULESETS,
    SIGNER,
    STRANGER,
    TABLES,
    cut_off,
    golden,
    record_of,
    sealed,
    with_byte,
    with_byte_more,
    with_line,
    with_lines_exchanged,
    with_neighbours_exchanged,
    without_byte,
    without_line,
)
from tests.rules.new_corp_order.goldens import WANTED

NODE = shutil.which("node")
with_node = pytest.mark.skipif(NODE is None, reason="Node is not here: the verifier in JavaScript is not tried")
pytestmark = [pytest.mark.long, with_node]
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
    unlike = [place for place in rng.sample(range(length - 1), 30) if data[place] != data[place + 1]]
    return [
        *(with_byte(data, rng.randrange(length), rng.randrange(256)).data for _ in range(40)),
        *(without_byte(data, rng.randrange(length)).data for _ in range(20)),
        *(with_byte_more(data, rng.randrange(length), rng.randrange(256)).data for _ in range(20)),
        *(with_neighbours_exchanged(data, place).data for place in unlike),
        *(cut_off(data, rng.randrange(length)).data for _ in range(10)),
        *(without_line(data, rng.randrange(lines)).data for _ in range(20)),
        *(with_line(data, rng.randrange(lines + 1), first).data for _ in range(10)),
        *(with_lines_exchanged(data, *rng.sample(range(lines), 2)).data for _ in range(20)),
        data.replace(b'"door":"api"', b'"door":"\\ud800"', 1),
        data.replace(b'"at":17', b'"at":-7', 1),
        data.replace(SIGNER.public.hex().encode(), SIGNER.public.hex().upper().encode(), 1),
        data.replace(SIGNER.id.encode(), STRANGER.id.encode(), 1),
        record_of("new-corp-order", 2, signer=STRANGER).text(),
        record_of("new-corp-order", 2, signer=None).text(),
        b"",
        b"\n",
        data.replace(b'"seat":1', b'"seat":1.0', 1),
        data.replace(b'"seat":1', b'"seat": 1', 1),
    ]


def _uppercase(lines: Lines) -> None:
    lines[1]["events"][0]["data"]["nonces"] = ["AB", "CD"]


def _named(label: Any) -> Change:
    def name(lines: Lines) -> None:
        of_kind(lines, "draws")["draws"][0]["label"] = label

    return name


def _drawn_twice(lines: Lines) -> None:
    draws = of_kind(lines, "draws")["draws"]
    draws.append(draws[0])


FORGERIES: dict[str, Change] = {
    "a format that is no number": lambda lines: lines[0].update(format=[4]),
    "seats that are no number": lambda lines: lines[0].update(seats="2"),
    "a seat that is no number": lambda lines: lines[3].update(seat=True),
    "a moment before there were moments": lambda lines: lines[3].update(at=-1),
    "a moment after the last": lambda lines: lines[3].update(at=253_402_300_800_000),
    "an event with more to it": lambda lines: lines[3]["events"][0].update(more=1),
    "an event of no kind": lambda lines: lines[3]["events"][0].pop("type"),
    "no events": lambda lines: lines[3].update(events=[]),
    "a door that is none": lambda lines: lines[3].update(door="window"),
    "a door of no name": lambda lines: lines[3].update(door=""),
    "events that are counted wrongly": lambda lines: lines[3].update(seq=lines[3]["seq"] + 1),
    "a line taken out": lambda lines: lines.pop(3),
    "the result taken out": lambda lines: lines.pop(-2),
    "no seed": lambda lines: lines.remove(of_kind(lines, "reveal")),
    "values of chance in capitals": _uppercase,
    "a draw made twice": _drawn_twice,
    "a draw that is none": lambda lines: of_kind(lines, "draws")["draws"].append(None),
    "a draw of ones own": lambda lines: of_kind(lines, "draws")["draws"][0]["result"].reverse(),
    "a draw whose label is none": _named(1),
    "a draw whose label nobody can put into words": _named({"toString": 1, "valueOf": 1}),
    "values of chance that are no texts": lambda lines: lines[1]["events"][0]["data"].update(nonces=[["ab"], {}]),
    "a roll with no sides": lambda lines: of_kind(lines, "draws")["draws"].append(
        {"label": "dice", "sides": 0, "result": [1]}
    ),
}
"""Forgeries by a holder of the key, about which the rules are not asked."""


def node(folder: Path, records: list[bytes]) -> list[dict[str, Any]]:
    """Return the report about each record."""
    (folder / "keys.json").write_text(json.dumps({"keys": [key.published() for key in KEYS]}))
    for number, record in enumerate(records):
        (folder / f"{number}.jsonl").write_bytes(record)
    line = [NODE or "", "--input-type=module", "-e", PROGRAM, str(folder), str(len(records)), str(VERIFIER)]
    said = subprocess.run(line, capture_output=True, text=True, check=True, timeout=60)
    reports: list[dict[str, Any]] = json.loads(said.stdout)
    assert all(level["template"] in keys(po_files.VERIFIER) for report in reports for level in report["levels"])
    return reports


def told_by_node(folder: Path, records: list[bytes]) -> list[tuple[str, int | None]]:
    """Return for each record the last level that was looked at, and the first wrong line."""
    return [(report["levels"][-1]["level"], report["levels"][-1]["line"]) for report in node(folder, records)]


def told_by_us(records: list[bytes]) -> list[tuple[str, int | None]]:
    """Return the same of our own verifier, the rules left out."""
    found = [verify(record, RULESETS, KEYS).findings[-1] for record in records]
    return [("draws" if finding.level == "rules" else finding.level, finding.line) for finding in found]


def test_both_say_of_every_whole_record_that_it_holds(tmp_path: Path) -> None:
    records = [*(sealed(name, seats) for name, seats in TABLES), *map(golden, WANTED)]
    assert all(report["holds"] and len(report["levels"]) == 4 for report in node(tmp_path, records))
    assert all(verify(record, RULESETS, KEYS).holds for record in records)


def test_both_name_the_same_level_and_line_of_every_record_that_was_changed(tmp_path: Path) -> None:
    records = [record for record in tampered() if record != sealed()]
    ours = told_by_us(records)
    assert told_by_node(tmp_path, records) == ours
    assert [place for place in ours if place[1] is None] == []


def test_both_name_the_same_level_and_line_of_every_forgery(tmp_path: Path) -> None:
    records = [rewritten(change) for change in FORGERIES.values()]
    told = zip(FORGERIES, told_by_node(tmp_path, records), told_by_us(records), strict=True)
    assert [each for each in told if each[1] != each[2] or each[2][1] is None] == []


def test_as_a_program_it_says_no_with_its_exit_code(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    whole.write_bytes(sealed())
    broken.write_bytes(without_line(sealed(), 7).data)
    linked = tmp_path / "a link.mjs"
    linked.symlink_to(VERIFIER)
    said = [
        subprocess.run([NODE or "", linked, *words], check=False, capture_output=True, text=True)
        for words in ([whole], [broken], [tmp_path / "none.jsonl"], [])
    ]
    assert [run.returncode for run in said] == [0, 1, 2, 2]
    assert said[0].stdout.splitlines()[3].startswith("draws holds: true; every draw follows")
    assert said[1].stdout.splitlines()[1] == "chain holds: false; line 8: it does not fit the lines before it"
    assert "usage: node verify.mjs RECORD [KEYS [DEAL]]" in said[2].stderr
