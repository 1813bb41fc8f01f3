"""The processes of Boardroom by the table of the documentation, by which the files of deploy/ are held."""

from __future__ import annotations

import re

from tests.docs.rooms import ROOT


def documented() -> frozenset[str]:
    """Return the modules, with their words, that the parts run: `workers.main moves`."""
    table = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^\| `.+\| `python -m ([^`]+)` \|", table, re.MULTILINE))
