"""The units of systemd: well formed, one for each process, and sandboxed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.processes import documented
from tests.docs.rooms import ROOT

UNITS = ROOT / "deploy" / "systemd"
MOST_EXPOSED = 3.0
"""The exposure by `systemd-analyze security` (0 to 10) that a unit stays under."""
TARGET = "boardroom.target"
STARTED = re.findall(r"boardroom-[\w@]+\.service", (UNITS / TARGET).read_text())

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here (package systemd)"),
]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file system with systemd's own units, ours, the account and the programs that ours name."""
    root = tmp_path_factory.mktemp("root")
    shutil.copytree("/usr/lib/systemd/system", root / "usr/lib/systemd/system", symlinks=True)
    shutil.copytree(UNITS, root / "etc/systemd/system")
    (root / "etc/passwd").write_text("root:x:0:0::/:/bin/sh\nboardroom:x:990:990::/:/bin/sh\n")
    (root / "etc/group").write_text("root:x:0:\nboardroom:x:990:\n")
    programs = root / "opt/boardroom/bin"
    programs.mkdir(parents=True)
    for name in ("python", "boardroom"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    (root / "usr/bin").mkdir()
    shutil.copy("/usr/bin/env", root / "usr/bin/env")
    return root


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    command = ["systemd-analyze", "--no-pager", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_systemd_finds_nothing_to_complain_of(root: Path):
    verified = analyze("verify", f"--root={root}", TARGET, "boardroom-migrate.service", *STARTED)
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")


def test_systemd_complains_of_a_unit_that_is_wrong(root: Path):
    wrong = root / "etc/systemd/system/boardroom-wrong.service"
    wrong.write_text("[Service]\nExecStart=/opt/boardroom/bin/no-such-program\n")
    verified = analyze("verify", f"--root={root}", wrong.name)
    wrong.unlink()
    assert verified.returncode != 0 and "no-such-program" in verified.stderr


@pytest.mark.parametrize("unit", ["boardroom-migrate.service", *STARTED])
def test_a_unit_reaches_little(root: Path, unit: str):
    threshold = f"--threshold={MOST_EXPOSED * 10:.0f}"
    found = analyze("security", f"--root={root}", "--offline=true", threshold, unit)
    exposure = re.search(r"exposure level for \S+ ([\d.]+)", found.stdout)
    assert exposure and float(exposure[1]) < MOST_EXPOSED, found.stdout
    assert found.returncode == 0


def test_the_target_starts_each_process_of_the_documentation():
    # Each unit of the web server is one process, of which there may be several.
    assert {_module(unit).removesuffix(" 1") for unit in STARTED} == documented()


def test_there_is_a_web_server_at_each_port_that_the_proxies_know():
    ports = {port for unit in STARTED for port in re.findall(r"^boardroom-web@(\d+)", unit)}
    for each in ("nginx.conf", "haproxy.cfg", "Caddyfile"):
        text = (UNITS.parent / "proxy" / each).read_text()
        assert set(re.findall(r"127\.0\.0\.1:(80\d\d)", text)) == ports, each


def test_the_owner_s_address_counts_for_the_job_that_migrates():
    # The unit is read first, then its drop-ins of all folders by their names (systemd.unit(5)); the last file counts.
    drop_ins = [*UNITS.glob("boardroom-.service.d/*"), *UNITS.glob("boardroom-migrate.service.d/*")]
    read = [UNITS / "boardroom-migrate.service", *sorted(drop_ins, key=lambda each: each.name)]
    files = re.findall(r"^EnvironmentFile=-?(\S+)", "".join(each.read_text() for each in read), re.MULTILINE)
    assert files == ["/etc/boardroom/boardroom.env", "/etc/boardroom/migrate.env"]


def _module(unit: str) -> str:
    """Return the module and its words that the unit runs."""
    name, _, instance = unit.removesuffix(".service").partition("@")
    text = (UNITS / (f"{name}@.service" if instance else unit)).read_text()
    command = re.search(r"^ExecStart=(?:/usr/bin/env PORT=%i )?/opt/boardroom/bin/python -m (.+)$", text, re.MULTILINE)
    assert command
    return command[1].replace("%i", instance)
