"""Processes of the service load structlog and redis without what these would load beside themselves."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOADS = {
    "web": "from service import serve; serve._load_lean(); import service.app",
    "workers": "import workers.main",
    "relay, courier and inbox": "import workers.parts",
    "up": "import service.local.up",
}
AFTERWARDS = """
import sys
print([name for name in ("rich", "opentelemetry") if name in sys.modules])
import opentelemetry.trace, rich.console
"""


@pytest.mark.slow
@pytest.mark.parametrize("loads", LOADS.values(), ids=LOADS)
def test_a_process_loads_nothing_that_it_has_no_use_for_and_still_can(loads: str) -> None:
    told = subprocess.run([sys.executable, "-c", loads + AFTERWARDS], capture_output=True, text=True, check=True)

    assert told.stdout == "[]\n"
