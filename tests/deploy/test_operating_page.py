"""docs/operating.md knows every alarm and every part."""

from __future__ import annotations

import re
from typing import Any

import yaml

from service.settings import POOL_SIZE, WEB_PROCESSES
from service.views.operation import QUEUES
from tests.deploy.processes import documented
from tests.docs.rooms import ROOT
from workers import queue

PAGE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
ALERTS: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "alerts.yaml").read_text(encoding="utf-8"))


def test_it_says_what_to_do_at_each_alarm():
    alarms = [rule["alert"] for group in ALERTS["groups"] for rule in group["rules"] if "alert" in rule]
    assert len(alarms) > 5
    assert re.findall(r"^### (Boardroom\w+)$", PAGE, re.MULTILINE) == alarms


def test_it_has_a_row_for_each_part_and_for_the_job_of_the_tables():
    (parts,) = re.findall(r"^## The parts$(.+?)^## ", PAGE, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| [\w ]+ \| `(?:python -m )?([^`]+)` \|", parts, re.MULTILINE)
    assert set(rows) == documented() | {"boardroom migrate"}


def test_its_example_of_settings_names_all_that_the_one_for_copying_does():
    (written,) = re.findall(r"^cat > boardroom\.env <<SETTINGS\n(.+?)^done", PAGE, re.MULTILINE | re.DOTALL)
    example = (ROOT / "deploy" / "boardroom.env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE)) - {"OPERATOR_EMAIL"}
    assert {name for name in named if name not in written} == set()


def test_one_of_each_part_fits_into_the_connections_that_postgresql_allows_by_default():
    # Three are reserved for superusers.
    assert (len(documented()) - 1 + WEB_PROCESSES) * POOL_SIZE <= 100 - 3
    assert {f"workers.main {each}" for each in QUEUES} <= documented()
    assert set(QUEUES) == set(queue.QUEUES)
