"""The units under a systemd of their own: started by their target, in their sandbox, they serve and play."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from service.local.supervisor import Child, Program, wait_until
from service.messages.keys import new_key
from tests.deploy.building import Built
from tests.deploy.debian import DEVICES, Root, make, missing
from tests.deploy.servers import Servers
from tests.docs.rooms import ROOT
from tests.ports import free_port

SECONDS = 300
UNITS = ROOT / "deploy" / "systemd"
IMAGE = ROOT / "deploy" / "image"

# A container with a control group of its own, in which systemd is the first process.
_BOOT = """
set -eu
root={root}
mount --bind $root $root
mount -t proc proc $root/proc
mount -t sysfs sysfs $root/sys
mount -t cgroup2 cgroup2 $root/sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs $root/dev
for each in {devices} tty; do touch $root/dev/$each; mount --bind /dev/$each $root/dev/$each; done
mkdir $root/dev/shm $root/dev/pts
mount -t tmpfs -o mode=1777 tmpfs $root/dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts $root/dev/pts
ln -s pts/ptmx $root/dev/ptmx
mount -t tmpfs tmpfs $root/run
mount -t tmpfs tmpfs $root/tmp
hostname units
cd $root
mkdir -p before
pivot_root . before
cd /
umount -l /before
exec env -i container=other PATH=/usr/bin:/usr/sbin /lib/systemd/systemd --show-status=0 systemd.unit=multi-user.target
"""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing() or "all is here")]


@pytest.fixture
def machine(built: Built) -> Iterator[Root]:
    """A Debian with systemd, on which Boardroom has been installed by the page for operators."""
    folder = Path(tempfile.mkdtemp(prefix="boardroom-units-"))
    inputs = folder / "inputs"
    inputs.mkdir()
    for each in (IMAGE / "build.sh", IMAGE / "requirements.lock", built.wheel):
        shutil.copy(each, inputs)
    root = make(folder / "root", "trixie", ["systemd"])
    root.run(["sh", "/mnt/build.sh", "tools"], inputs)
    root.run(["sh", "/mnt/build.sh", "venv", f"/mnt/{built.wheel.name}", "/mnt/requirements.lock"], inputs)
    root.run(["sh", "/mnt/build.sh", "account"], inputs)
    shutil.copytree(UNITS, root.folder / "etc/systemd/system", dirs_exist_ok=True)
    root.run(["systemctl", "enable", "boardroom.target"])
    yield root
    shutil.rmtree(folder)


def test_the_units_start_by_their_target_and_play(machine: Root, elsewhere: Servers, tmp_path: Path):
    # given web servers at two free ports
    target = machine.folder / "etc/systemd/system/boardroom.target"
    ports = {known: str(free_port()) for known in ("8000", "8001")}
    target.write_text(re.sub(r"web@(\d+)", lambda each: f"web@{ports[each[1]]}", target.read_text()))
    address, other = (f"http://127.0.0.1:{port}" for port in ports.values())
    # and settings that only root can read, one file for the parts and one for the owner of the tables
    settings = {
        **elsewhere.environment,
        "BASE_URL": address,
        "INBOUND_LISTEN": f"lmtp://127.0.0.1:{free_port()}",
        **{name: new_key() for name in ("MAIL_KEY", "WEBHOOKS_KEY", "SEAL_KEY", "VAPID_KEY")},
    }
    write(machine, "boardroom.env", settings)
    write(machine, "migrate.env", {"DATABASE_URL": elsewhere.owner_url})
    # when the machine starts
    script = _BOOT.format(root=machine.folder, devices=" ".join(DEVICES))
    command = [
        "unshare",
        "--mount",
        "--pid",
        "--uts",
        "--ipc",
        "--cgroup",
        "--fork",
        "--kill-child",
        "sh",
        "-c",
        script,
    ]
    booted = Child(Program(name="systemd", command=command, log=tmp_path / "systemd.log"))
    try:
        # then all parts run, none had to be started twice, and a game can be played
        assert wait_until(lambda: ready(address) and ready(other), SECONDS), asked(booted, "status", "boardroom-*")
        played = subprocess.run(
            [sys.executable, "-m", "service.commands", "play", "--api", address, "--random"],
            capture_output=True, text=True, check=False, timeout=300, cwd=ROOT,
        )  # fmt: skip
        assert played.returncode == 0, played.stdout[-2000:] + played.stderr
        states = asked(booted, "show", "boardroom-*.service", "--property=Id,SubState,NRestarts")
        parts = [dict(line.split("=", 1) for line in each.splitlines()) for each in states.strip().split("\n\n")]
        running = {each["Id"] for each in parts if each["SubState"] == "running"}
        assert running == {
            word for line in target.read_text().splitlines() if line.startswith("Wants=") for word in line[6:].split()
        }
        assert {each["NRestarts"] for each in parts if each["Id"] in running} == {"0"}, states
    finally:
        booted.kill()


def write(machine: Root, name: str, settings: dict[str, str]) -> None:
    file = machine.folder / "etc/boardroom" / name
    file.touch(0o600)
    file.write_text("".join(f'{key}="{value}"\n' for key, value in settings.items()))


def ready(address: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"{address}/readyz", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


def asked(booted: Child, *words: str) -> str:
    """Ask the systemd inside, and return what it says."""
    first = Path(f"/proc/{booted.pid}/task/{booted.pid}/children").read_text().split()[0]
    enter = ["nsenter", "--target", first, "--mount", "--pid", "--uts", "--ipc", "--cgroup", "--root", "--wd"]
    done = subprocess.run([*enter, "systemctl", "--no-pager", *words], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr
