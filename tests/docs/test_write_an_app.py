"""Compare the page for writers of apps with the app in the tests, and its lists with the scopes that exist."""

from __future__ import annotations

import re

from service.store.access import APP_SCOPES
from tests.docs.rooms import ROOT

SAID = (ROOT / "docs" / "write-an-app.md").read_text(encoding="utf-8")
DONE = (ROOT / "tests" / "clients" / "web_app.py").read_text(encoding="utf-8")


def test_every_line_of_code_on_the_page_is_a_line_of_the_app() -> None:
    quoted = "".join(re.findall(r"^```python\n(.*?)^```", SAID, re.DOTALL | re.MULTILINE)).splitlines()
    lines = {line.strip() for line in DONE.splitlines()}
    assert len(quoted) > 15
    assert [line for line in quoted if line.strip() not in lines] == []


def test_the_page_lists_the_scopes_that_there_are() -> None:
    assert re.findall(r"^\| `([a-z]+:[a-z]+)` \|", SAID, re.MULTILINE) == list(APP_SCOPES)
