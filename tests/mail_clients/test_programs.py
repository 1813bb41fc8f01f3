"""Mail programs show our mails as they are meant: what one of them does not support is known, and does no harm."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from shutil import which

import pytest

from tests.mail_goldens import mails, read
from tests.mail_tree import body

FOLDER = Path(__file__).parent
# The last ones are our own choice: many of those who read German have their mailbox there.
FAMILIES = (
    *("gmail", "outlook", "apple-mail", "yahoo", "samsung-email", "thunderbird", "protonmail"),
    *("orange", "sfr", "laposte"),
    *("gmx", "web-de", "t-online-de"),
)
PLANTED = '<body><p style="display: grid; position: fixed">Hello</p></body>'

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        which("node") is None or not (FOLDER / "node_modules" / ".complete").exists(),
        reason="what mail programs support is not here: `make test-mails` fetches it where there are Node and npm",
    ),
]


@cache
def lacking() -> frozenset[tuple[str, str]]:
    """The features of our mails that programs lack, as (feature, program); a language changes words alone."""
    kinds = {name.rpartition(".")[0]: raw for name, raw in mails().items()}
    found = linted({name: body(read(raw), "html") for name, raw in kinds.items()})
    return frozenset((each["feature"], each["program"]) for each in found["found"])


def linted(pages: Mapping[str, str]) -> dict[str, list[dict[str, str]]]:
    """What is found in HTML: the `programs` that were asked, and for each feature that is lacking what was `found`."""
    command = ["node", "lint.mjs", *FAMILIES]
    done = subprocess.run(
        command, cwd=FOLDER, input=json.dumps(pages), capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, list[dict[str, str]]] = json.loads(done.stdout)
    return result


def accepted() -> Iterator[tuple[str, str]]:
    """Yield each feature with a program, or family of programs, that may lack it."""
    for line in (FOLDER / "accepted.txt").read_text().splitlines():
        if not line.startswith("#"):
            feature, programs, reason = line.split(" | ")
            assert reason
            yield from ((feature, program) for program in programs.split())


def is_of(program: str, named: str) -> bool:
    return named in (program, program.partition(".")[0])


def test_what_a_program_lacks_is_known_to_do_no_harm() -> None:
    known = list(accepted())
    unknown = [
        (feature, program)
        for feature, program in sorted(lacking())
        if not any(feature == each and is_of(program, named) for each, named in known)
    ]
    assert unknown == []


def test_nothing_is_accepted_that_no_program_lacks() -> None:
    idle = [
        (feature, named)
        for feature, named in accepted()
        if not any(feature == each and is_of(program, named) for each, program in lacking())
    ]
    assert idle == []


def test_every_family_of_programs_is_asked_and_a_planted_fault_is_found() -> None:
    result = linted({"planted": PLANTED})
    assert {program.partition(".")[0] for program in map(str, result["programs"])} == set(FAMILIES)
    found = {(each["feature"], each["program"]) for each in result["found"]}
    assert {("position", "gmail.android"), ("display:grid", "gmx.desktop-webmail")} <= found
