"""The folder of a house's sockets: a short one in /tmp, because a socket's path has at most 107 bytes."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_PREFIX: Final = "boardroom-run-"
_HELD: Final = "held"
"""A file that the process locks to which the folder belongs, and so for as long as it lives."""
_YOUNG: Final = 60.0
"""Seconds for which a folder may be without it."""
_PLACE: Final = Path("/tmp")  # noqa: S108 - each of ours is a folder that mkdtemp makes for us alone


@contextmanager
def socket_folder() -> Iterator[Path]:
    """Make a folder for sockets, which goes at the end."""
    made = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=_PLACE))
    with (made / _HELD).open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if os.geteuid() == 0:
            # PostgreSQL's own user has to get to its socket.
            made.chmod(0o711)
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)


def clear_leftovers() -> None:
    """Take away the folders of ours whose processes were killed."""
    for folder in _PLACE.glob(f"{_PREFIX}*"):
        try:
            ours = not folder.is_symlink() and folder.stat().st_uid == os.geteuid()
            if ours and _left(folder):
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            # Its own process took it away meanwhile.
            continue


def _left(folder: Path) -> bool:
    try:
        with (folder / _HELD).open() as held:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return time.time() - folder.stat().st_mtime > _YOUNG
    except BlockingIOError:
        return False
    return True
