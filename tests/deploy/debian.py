"""A Debian of its own in a folder: made by mmdebstrap, entered by chroot in namespaces of its own."""

from __future__ import annotations

import os
import shlex
import shutil
import ssl
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from service.local.supervisor import Child, Program

# What the official slim images leave out, too.
WITHOUT = ("man", "doc", "info", "locale")
PATH = "/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin"
DEVICES = ("null", "zero", "full", "random", "urandom")

# Its own processes and host name; every file system that is not named is the folder's own.
_ENTER = """
set -eu
mount --bind {root} {root}
mount -t proc proc {root}/proc
mount -t tmpfs -o mode=755 tmpfs {root}/dev
mkdir {root}/dev/shm
mount -t tmpfs -o mode=1777 tmpfs {root}/dev/shm
for each in {devices}; do touch {root}/dev/$each; mount --bind /dev/$each {root}/dev/$each; done
mount -t tmpfs -o mode=1777 tmpfs {root}/tmp
{mounts}
hostname {name}
exec {enter}
"""


def missing() -> str:
    """Return why no Debian can be made here, '' where one can."""
    if os.geteuid() != 0:
        return "making a Debian root and entering it takes root"
    tools = [each for each in ("mmdebstrap", "unshare", "setpriv") if shutil.which(each) is None]
    return f"not here: {', '.join(tools)}" if tools else ""


def make(folder: Path, suite: str, packages: Sequence[str] = ()) -> Root:
    """Make a minimal Debian of the suite in the folder, from the archive that the machine uses."""
    command = ["mmdebstrap", "--quiet", "--mode=root", "--variant=minbase"]
    command += [f"--dpkgopt=path-exclude=/usr/share/{each}/*" for each in WITHOUT]
    # The archive may be an old copy; its signature is checked all the same.
    command.append('--aptopt=Acquire::Check-Valid-Until "false"')
    command += [f"--include={','.join(packages)}"] if packages else []
    subprocess.run([*command, suite, str(folder)], check=True, timeout=900, capture_output=True)
    return Root(folder)


class Root:
    """A root file system in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def copied(self, folder: Path) -> Root:
        """Return a copy, with owners, modes and links."""
        subprocess.run(["cp", "-a", str(self.folder), str(folder)], check=True)
        return Root(folder)

    def run(self, command: Sequence[str], shared: Path | None = None, seconds: float = 600) -> str:
        """Carry the command out as root, with the folder `shared` as /mnt and the machine's network; return its words.

        The names of hosts and the roots of TLS are the machine's.
        """
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        trusted = ssl.get_default_verify_paths().cafile or "/etc/ssl/certs/ca-certificates.crt"
        mounts = [f"touch {self.folder}/tmp/ca.pem", f"mount --bind {trusted} {self.folder}/tmp/ca.pem"]
        mounts += [f"mount --bind {shared} {self.folder}/mnt"] if shared else []
        enter = ["chroot", str(self.folder), "env", "-i", f"PATH={PATH}", "PIP_CERT=/tmp/ca.pem", *command]
        done = subprocess.run(
            self._entered(mounts, enter, "build"), capture_output=True, text=True, check=False, timeout=seconds
        )
        assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
        return done.stdout

    def start(self, name: str, command: Sequence[str], environment: Mapping[str, str], user: int, log: Path) -> Child:
        """Start a command as this user who can never become another, on a root that nobody can write to."""
        # The mount is of this namespace alone, and so is that nothing can be written.
        mounts = [f"mount -o remount,bind,ro {self.folder}"]
        enter = ["setpriv", "--no-new-privs", "chroot", f"--userspec={user}:{user}", str(self.folder), "env", "-i"]
        enter += [f"PATH=/opt/boardroom/bin:{PATH}", *(f"{key}={value}" for key, value in environment.items())]
        return Child(Program(name=name, command=self._entered(mounts, [*enter, *command], name), log=log))

    def megabytes(self) -> int:
        """Return what its files take, in MB of 1,000,000 bytes, as an engine counts the layers of an image."""
        counted = subprocess.run(
            ["du", "-s", "--apparent-size", "--block-size=1000000", self.folder],
            capture_output=True,
            text=True,
            check=True,
        )
        return int(counted.stdout.split()[0])

    def _entered(self, mounts: Sequence[str], enter: Sequence[str], name: str) -> list[str]:
        script = _ENTER.format(
            root=self.folder, devices=" ".join(DEVICES), mounts="\n".join(mounts), name=name, enter=shlex.join(enter)
        )
        return ["unshare", "--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child", "sh", "-c", script]
