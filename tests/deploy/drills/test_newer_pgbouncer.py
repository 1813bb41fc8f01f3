"""The PgBouncer of a newer Debian, which keeps named prepared statements, passes the tests of this machine's own."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.deploy.debian import missing
from tests.docs.rooms import ROOT
from tests.pgbouncer import PREPARING, PROGRAM, version

SUITE = "trixie"
LIBRARIES = "usr/lib/x86_64-linux-gnu"
SECONDS = 900

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]


@pytest.fixture
def newer() -> Iterator[Path]:
    """A program that runs it, with the libraries that it was built for."""
    folder = Path(mkdtemp(prefix="boardroom-trixie-"))
    folder.chmod(0o755)
    root = folder / "root"
    command = ["mmdebstrap", "--quiet", "--mode=root", "--variant=extract", "--include=pgbouncer"]
    command += ['--aptopt=Acquire::Check-Valid-Until "false"', SUITE, str(root)]
    subprocess.run(command, check=True, timeout=SECONDS, capture_output=True)
    loader = [str(root / LIBRARIES / "ld-linux-x86-64.so.2"), "--library-path", str(root / LIBRARIES)]
    program = folder / "pgbouncer"
    program.write_text(f'#!/bin/sh\nexec {shlex.join([*loader, str(root / "usr/sbin/pgbouncer")])} "$@"\n')
    program.chmod(0o755)
    yield program
    shutil.rmtree(folder)


def test_a_pgbouncer_that_keeps_prepared_statements_does_all_that_an_older_one_does(newer: Path) -> None:
    assert version(str(newer)) >= PREPARING
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-m", "slow", "tests/deploy/test_pgbouncer.py"]
    environment = {**os.environ, PROGRAM: str(newer)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout[-4000:]
    assert "skipped" not in done.stdout
