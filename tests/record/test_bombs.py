"""A file that unfolds to far more than it has bytes costs little memory: it is refused with a sentence."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from service.record.reading import LONGEST_LINE, LONGEST_RECORD, read_bounded_file, records_in
from tests.record.records import sealed
from tests.record.test_two_verifiers import NODE, VERIFIER

pytestmark = pytest.mark.slow

MEGABYTE = 1_000_000
BOMB = 1_500 * MEGABYTE
MOST_MEMORY = 1_000 * MEGABYTE
"""Address space, of which Python and its libraries take the most; the bomb does not fit in."""
MOST_RESIDENT = 250 * MEGABYTE
MEASURED = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MOST_MEMORY}, {MOST_MEMORY}))
from service.commands.cli import main
from tests.memory import memory
code = main(sys.argv[1:])
print(memory("VmHWM") * 1024)
sys.exit(code)
"""
"""The most memory that the process had at a time (VmHWM): that of getrusage counts from before it was this program."""


def written(path: Path, *parts: bytes, times: int = 1) -> Path:
    """Write the parts into a compressed file, the last of them so many times, each as a member of its own."""
    *first, last = map(gzip.compress, parts)
    path.write_bytes(b"".join(first) + last * times)
    return path


@pytest.fixture(scope="module")
def one_line(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A line of 1.5 GB."""
    return written(tmp_path_factory.mktemp("bomb") / "line.jsonl.gz", b" " * MEGABYTE, times=BOMB // MEGABYTE)


@pytest.fixture(scope="module")
def one_record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of 1.5 GB, whose lines are short."""
    lines = b'{"kind":"step"}\n' * (MEGABYTE // 16)
    path = tmp_path_factory.mktemp("bomb") / "record.jsonl.gz"
    return written(path, sealed().splitlines(keepends=True)[0], lines, times=BOMB // MEGABYTE)


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A file of 1.5 GB that takes no room on the disk."""
    path = tmp_path / "endless.jsonl"
    with path.open("wb") as file:
        file.truncate(BOMB)
    return path


def run(*words: object) -> tuple[int, list[str], str]:
    """Run a command with little memory; return its exit code, and what it has said on stdout and stderr."""
    line = [sys.executable, "-c", MEASURED, *map(str, words)]
    ran = subprocess.run(line, capture_output=True, text=True, check=False, timeout=120)
    *said, resident = ran.stdout.splitlines() or ["0"]
    assert int(resident) < MOST_RESIDENT
    assert "Traceback" not in ran.stderr
    return ran.returncode, said, ran.stderr


UNFOLDED = (
    ["verify", "FILE"],
    ["verify", "--json", "FILE"],
    ["import", "FILE"],
    ["verify", "WHOLE", "--origin", "FILE"],
)
"""Commands that unfold what they read."""
PLAIN = (
    ["listing", "FILE"],
    ["plot", "FILE", "--out", "FOLDER"],
    ["verify", "WHOLE", "--keys", "FILE"],
    ["verify", "WHOLE", "--proof", "FILE"],
)
"""Commands that read a file as it is."""


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Values for the words of a command; there is a database at no address."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://127.0.0.1:1/none")
    record = tmp_path / "whole.jsonl"
    record.write_bytes(sealed())
    return {"WHOLE": record, "FOLDER": tmp_path}


@pytest.mark.parametrize("words", UNFOLDED, ids=" ".join)
def test_a_line_without_an_end_is_refused_with_a_sentence(
    one_line: Path, places: dict[str, object], words: list[str]
) -> None:
    code, _, wrong = run(*({**places, "FILE": one_line}.get(word, word) for word in words))
    said = f"boardroom: {one_line}: line 1 has more than the 4,000,000 bytes that a line may have\n"
    assert (code, wrong) == (2, said)


@pytest.mark.parametrize("words", UNFOLDED, ids=" ".join)
def test_a_record_without_an_end_is_refused_with_a_sentence(
    one_record: Path, places: dict[str, object], words: list[str]
) -> None:
    code, _, wrong = run(*({**places, "FILE": one_record}.get(word, word) for word in words))
    said = f"{one_record}: the record from line 1 on has more than the 8,000,000 bytes that a record may have"
    assert (code, wrong) == (2, f"boardroom: {said}\n")


@pytest.mark.parametrize("words", PLAIN, ids=" ".join)
def test_a_file_without_an_end_is_refused_with_a_sentence(
    endless: Path, places: dict[str, object], words: list[str]
) -> None:
    code, _, wrong = run(*({**places, "FILE": endless}.get(word, word) for word in words))
    assert (code, wrong) == (2, f"boardroom: {endless}: it has more than the 8,000,000 bytes that a record may have\n")


def test_what_was_found_before_the_bomb_is_told(tmp_path: Path) -> None:
    file = written(tmp_path / "late.jsonl.gz", sealed(), b" " * MEGABYTE, times=20)
    code, said, _ = run("verify", "--json", file)
    assert (code, json.loads("\n".join(said))) == (2, [])
    file = written(tmp_path / "late.jsonl.gz", sealed(), sealed(), b" " * MEGABYTE, times=20)
    code, said, wrong = run("verify", "--json", file)
    assert code == 2 and "line" in wrong
    assert [each["holds"] for each in json.loads("\n".join(said))] == [True]


def test_origins_beyond_number_are_refused(tmp_path: Path, places: dict[str, object]) -> None:
    file = written(tmp_path / "many.jsonl.gz", b"", sealed() * 20, times=BOMB // len(sealed()) // 20)
    code, _, wrong = run("verify", places["WHOLE"], "--origin", file)
    assert (code, wrong) == (2, f"boardroom: {file} makes it more than 128,000,000 bytes of origins: name fewer\n")


def test_the_longest_that_may_be_is_read(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    file.write_bytes(b" " * LONGEST_LINE + b"\n" + b" " * (LONGEST_RECORD - LONGEST_LINE - 1))
    assert [(begin, len(record)) for begin, record in records_in(file)] == [(1, LONGEST_RECORD)]
    assert len(read_bounded_file(file)) == LONGEST_RECORD


@pytest.mark.skipif(NODE is None, reason="Node is not here: the verifier in JavaScript is not tried")
def test_the_other_verifier_refuses_it_too(endless: Path, tmp_path: Path) -> None:
    record = tmp_path / "whole.jsonl"
    record.write_bytes(sealed())
    for words in ([endless], [record, endless]):
        ran = subprocess.run([NODE or "", VERIFIER, *words], capture_output=True, text=True, check=False, timeout=60)
        said, usage = ran.stderr.splitlines()
        assert (ran.returncode, said) == (2, f"{endless} has more than the 8000000 bytes that a record may have")
        assert usage.startswith("usage:")
