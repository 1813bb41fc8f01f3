"""Blocks of commands of docs/operating.md, and a shell that carries them out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Final

from service.local.supervisor import Account
from tests.docs.rooms import ROOT

SECONDS: Final = 300
_PAGE: Final = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
_BLOCK: Final = re.compile(r"^ *```bash\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def documented(section: str) -> list[str]:
    """Return the blocks of a section that are carried out on the servers' machines."""
    (text,) = re.findall(rf"^## {section}$(.+?)^## ", _PAGE, re.MULTILINE | re.DOTALL)
    return [dedent(each) for each in _BLOCK.findall(text)]


def carried_out(
    commands: str, told: Mapping[str, object], *, programs: Path, account: Account | None = None
) -> subprocess.CompletedProcess[str]:
    """Carry out commands as an account, with these variables and PostgreSQL's programs; `boardroom` is that of here."""
    path = f"{Path(sys.executable).parent}:{programs}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        env={**{name: str(value) for name, value in told.items()}, "PATH": path, "LANG": "C.UTF-8"},
        cwd="/",
        user=account.uid if account else None,
        group=account.gid if account else None,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
