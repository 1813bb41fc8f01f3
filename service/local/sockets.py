"""The folder of the servers' sockets: a short one in /tmp, because a socket's path has at most 107 bytes."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

_PREFIX: Final = "boardroom-run-"
_HELD: Final = "held"
"""A file that the process locks to which the folder belongs, and so for as long as it lives."""
_PLACE: Final = Path("/tmp")  # noqa: S108 - each of ours is a folder that mkdtemp makes for us alone


@contextmanager
def socket_folder() -> Iterator[Path]:
    """Make a folder for sockets, which is removed at the end."""
    held = None
    while held is None:
        made = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=_PLACE))
        held = _hold(made)
    with held:
        if os.geteuid() == 0:
            # PostgreSQL's own user has to get to its socket.
            made.chmod(0o711)
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)


def clear_leftovers() -> None:
    """Remove the folders whose processes were killed: nobody holds the lock, and no server listens in them."""
    for folder in _PLACE.glob(f"{_PREFIX}*"):
        # Its own process, or another start, may remove it meanwhile.
        with suppress(OSError):
            if not folder.is_symlink() and folder.stat().st_uid == os.geteuid():
                _clear(folder)


def _hold(folder: Path) -> IO[str] | None:
    """Lock a new folder; return the lock, or None if the folder was taken for a leftover before it was locked."""
    path = folder / _HELD
    try:
        held = path.open("w")
    except FileNotFoundError:
        return None
    fcntl.flock(held, fcntl.LOCK_EX)
    with suppress(FileNotFoundError):
        if os.path.samestat(os.fstat(held.fileno()), path.stat()):
            return held
    held.close()
    return None


def _clear(folder: Path) -> None:
    try:
        held = (folder / _HELD).open()
    except FileNotFoundError:
        # Its process was killed before it could lock the folder, or is about to: it makes another one then.
        folder.rmdir()
        return
    with held:
        # The lock is kept until all is gone, and its file goes last: a process that gets the lock later finds it gone.
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if any(_listens(each) for each in folder.rglob("*") if each.is_socket()):
            return
        for each in folder.iterdir():
            if each.is_dir():
                shutil.rmtree(each)
            elif each.name != _HELD:
                each.unlink()
        (folder / _HELD).unlink()
        folder.rmdir()


def _listens(path: Path) -> bool:
    """Return whether a server listens at the socket, or may do so: only a refusal says that none does."""
    with socket.socket(socket.AF_UNIX) as line:
        line.setblocking(False)
        return line.connect_ex(str(path)) != errno.ECONNREFUSED
