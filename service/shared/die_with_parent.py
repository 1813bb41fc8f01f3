"""Run a command that ends with its parent process: die_with_parent.py PARENT SIGNAL UID GID COMMAND...

A separate program because it has to act between fork and exec, where a process with threads may not run Python. UID and
GID are -1 to keep the user. Without a parent-death signal (not Linux) the command simply runs.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int, number: int) -> None:
    """Ask the kernel to send signal `number` to this process when the thread that started it ends."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def main(arguments: list[str]) -> None:
    """Replace this process by the command."""
    parent, number, uid, gid = (int(each) for each in arguments[:4])
    if uid >= 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    # A change of user clears the request, so the request comes last.
    die_with_parent(parent, number)
    command = arguments[4:]
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
