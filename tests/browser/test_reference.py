"""The reference in a browser that reaches nothing but the service itself."""

from __future__ import annotations

import re
import subprocess
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from service.api.examples import operations
from service.runtime import Runtime
from tests.browser.chromium import CHROMIUM, House, visiting, watched
from tests.browser.test_axe import AXE, JUDGED
from tests.live import listening
from tests.promises import committed

MARK = "https://cdn.redoc.ly/redoc/logo-mini.svg"
"""The mark of the reference's makers, which the page may not fetch."""
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--enable-logging=stderr",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--virtual-time-budget=20000",
    "--dump-dom",
)


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")
def test_the_reference_draws_every_operation_and_fetches_nothing_from_elsewhere(
    runtime: Runtime, tmp_path: Path
) -> None:
    with listening(runtime, relayed=False) as url:
        command = [str(CHROMIUM), *OPTIONS, f"--user-data-dir={tmp_path}", f"{url}/api/docs"]
        shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    document = committed()
    for _, path, operation in operations(document):
        assert operation["summary"] in unescape(shown.stdout)
        assert path in shown.stdout
    complaints = [line for line in shown.stderr.splitlines() if ":CONSOLE:" in line]
    refused = {address for line in complaints for address in re.findall(r"'(https?://[^']+)' violates", line)}
    assert refused == {MARK}
    assert len(complaints) == 1


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: `make clients`")
def test_the_reference_is_for_everybody(house: House, chromium: Browser) -> None:
    context = visiting(chromium, house)
    context.set_default_timeout(60_000)
    context.add_init_script(path=AXE)
    page = context.new_page()
    complaints = watched(page)
    page.goto("/api/docs")
    page.locator("main h1").first.wait_for()
    page.locator("main button", has_text="422").first.click()
    page.locator("main pre[tabindex='0']").first.wait_for(state="attached")
    # Under the bar at the top axe would take the colour of that for the colour behind what was opened.
    page.evaluate("scrollTo(0, 0)")
    assert page.evaluate(JUDGED, {}) == []
    assert [each for each in complaints if MARK not in each] == []
