"""The documentation names only what is there."""

from __future__ import annotations

import os
import re
from os.path import relpath
from pathlib import Path

import pytest

from service.settings import CONFIG, Settings, settings_page
from tests.docs.pages import commands, mistakes, pages
from tests.docs.rooms import ROOT

BAD = """
See [the plan](docs/no-such-page.md), [its end](#no-such-end) and [the picture](README.md#no-such-heading).
`service/no_such_room/`, `tests/no_*_such/`, `make no-such-target`, `boardroom no-such-command`,
`boardroom verify FILE --no-such-option`, `python -m workers.no_such_worker`, `service.store.no_such_table`.

```
service/no_such_file.py   # in a block, too
boardroom audit --data .boardroom --no-such-flag | tail
boardroom admin outbox run 7 --reason late --no-such-switch
```
"""
WRONG = [
    "no file for the link docs/no-such-page.md",
    "no heading for the link #no-such-end",
    "no heading for the link README.md#no-such-heading",
    "no file service/no_such_room/",
    "no file tests/no_*_such/",
    "no target: make no-such-target",
    "no command: boardroom no-such-command",
    "no option: boardroom verify --no-such-option",
    "no module workers.no_such_worker",
    "no module service.store.no_such_table",
    "no file service/no_such_file.py",
    "no option: boardroom audit --no-such-flag",
    "no option: boardroom admin outbox run --no-such-switch",
]
GOOD = """
# A page, with a heading

See [above](#a-page-with-a-heading), [the start](README.md#two-commands), [elsewhere](https://example.org/nothing).
`service/store/events.py`, `service/rules/games/<name>/README.md`, `docs/*.md`, `make up`,
`make PYTHON=python3.12`, `boardroom audit --data .boardroom --json`, `python -m workers.relay`,
`service.store.outbox.Notice`, `if (a) return;`.
"""


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_names_only_what_is_there(page: Path):
    assert mistakes(page, page.read_text(encoding="utf-8")) == []


def test_a_page_that_names_what_is_not_there_is_told_all_of_it():
    assert mistakes(ROOT / "README.md", BAD) == WRONG


def test_a_page_that_names_what_is_there_passes():
    assert mistakes(ROOT / "README.md", GOOD) == []


def test_what_a_page_has_its_reader_make_need_not_be_there():
    page = "Write `service/mail/nudge.py`.\n\n```\nmkdir -p service/no_such\ntouch service/no_such/file.py\n```\n"
    assert mistakes(ROOT / "README.md", page) == ["no file service/mail/nudge.py"]
    assert mistakes(ROOT / "README.md", f"<!-- made by the reader: service/mail/nudge.py -->\n{page}") == []


def test_every_page_can_be_reached_from_the_readme():
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            text = page.read_text(encoding="utf-8")
            waiting += [other for other in pages() if f"({relpath(other, page.parent)}" in text]
    assert set(pages()) - reached == set()


def test_the_page_of_the_settings_is_made_from_the_settings():
    assert (ROOT / "docs/settings.md").read_text(encoding="utf-8") == settings_page(), "make settings writes it anew"


def test_every_setting_that_another_process_is_given_is_on_the_page():
    names = {each for each in Settings.from_env(partial=True).environment() if each not in os.environ}
    rows = re.findall(r"^\| `([A-Z_]+)`( \(secret\))? \|", settings_page(), re.MULTILINE)
    assert {name for name, _ in rows} | {f"{name}_FILE" for name, secret in rows if secret} | {CONFIG} >= names
    assert {"DATABASE_URL", "WEB_PROCESSES", "WEB_THREADS", "POOL_SIZE", "PART"} <= {name for name, _ in rows}


def test_the_readme_has_a_row_for_every_command():
    rows = re.findall(r"^\| (`boardroom [^|]+) \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"boardroom ([a-z-]+)", row)} == commands()
    assert {"up", "verify", "migrate"} < commands()
