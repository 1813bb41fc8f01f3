"""The alarms for whoever runs the house ask only for what the house tells, and at the bounds that it goes by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import text

import service
from service.commands import doctor_checks
from service.runtime import Runtime
from service.store.heartbeats import SILENT
from service.views.gauges import OVERDUE
from tests.rest import Caller
from workers.effects import EFFECTS, of_urgency

FILE = Path(service.__file__).parents[1] / "deploy" / "alerts.yaml"
LANGUAGE = frozenset({"absent", "max", "sum", "by", "kind", "part", "time"})
"""The words of the rules' own language, and the label by which they count."""
ROW = text("insert into outbox (dedupe_key, kind, payload, state, done_at) values (:key, :kind, '{}', :state, now())")
METRIC = re.compile(r"^# TYPE (\w+) gauge$", re.MULTILINE)
LABEL = re.compile(r'(\w+)(?:=~|!~|!=|=)"([^"]*)"')


@dataclass(frozen=True, slots=True)
class Told:
    """What /metrics tells: its metrics, and which values each label can have."""

    metrics: frozenset[str]
    labels: dict[str, frozenset[str]]


@pytest.fixture
def rules() -> dict[str, dict[str, Any]]:
    """The rules of the file, by name."""
    groups = yaml.safe_load(FILE.read_text())["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


@pytest.fixture
def told(runtime: Runtime, api: Caller) -> Iterator[Told]:
    """What a house tells in whose outbox is something of every kind that has been done, and has failed."""
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox"))
        rows = [(kind, state) for kind in EFFECTS for state in ("done", "dead")]
        db.execute(ROW, [{"key": f"{kind} {state}", "kind": kind, "state": state} for kind, state in rows])
    said = api.client.get("/metrics").text
    found: dict[str, set[str]] = {}
    for label, value in LABEL.findall(said):
        found.setdefault(label, set()).add(value)
    yield Told(frozenset(METRIC.findall(said)), {label: frozenset(values) for label, values in found.items()})
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox"))


def unknown(expressions: Iterable[str], told: Told) -> set[str]:
    """Return the metrics, labels and their values in the expressions that nothing is told of."""
    found: set[str] = set()
    for expression in expressions:
        found |= set(re.findall(r"[A-Za-z_]\w*", re.sub(r"\{[^}]*\}", "", expression))) - LANGUAGE - told.metrics
        for label, values in LABEL.findall(expression):
            found |= set(values.split("|")) - told.labels.get(label, frozenset())
    return found


def test_every_alarm_asks_for_what_the_house_tells(rules: dict[str, dict[str, Any]], told: Told) -> None:
    assert len(rules) == 10
    assert unknown((rule["expr"] for rule in rules.values()), told) == set()
    asked = " ".join(rule["expr"] for rule in rules.values())
    assert not [metric for metric in told.metrics if metric not in asked]
    for rule in rules.values():
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"].keys() == {"summary", "todo"}


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("boardroom_effects_late_seconds > 600", "boardroom_effects_late_seconds"),
        ("up == 0", "up"),
        ('boardroom_effects{kind="turn-mails"} > 0', "turn-mails"),
        ('boardroom_effects{state="dead"} > 0', "dead"),
        ('boardroom_audited_games{came_to="changed"} > 0', "changed"),
    ],
)
def test_an_alarm_that_nothing_could_set_off_is_found(told: Told, expression: str, name: str) -> None:
    assert unknown([expression], told) == {name}


def test_the_alarms_go_off_at_the_bounds_of_the_house_and_for_all_mails(rules: dict[str, dict[str, Any]]) -> None:
    mails, others = rules["BoardroomMailsDoNotLeave"]["expr"], rules["BoardroomWorkLeftLying"]["expr"]
    # A new kind of mail is among the mails without a word here.
    work = of_urgency("move", "rest", "call")
    assert re.findall(r'kind!~"([^"]*)"\}\) > (\d+)', mails) == [("|".join(work), str(OVERDUE))]
    work.remove("webhook")
    work.remove("channel")
    assert re.findall(r'kind=~"([^"]*)"\}\) > (\d+)', others) == [("|".join(work), str(OVERDUE))]
    assert rules["BoardroomPartSilent"]["expr"].endswith(f" > {SILENT}")
    for name in ("BoardroomNoDailyMail", "BoardroomNightMissing"):
        assert rules[name]["expr"].endswith(f" > {doctor_checks.CANARY} * 3600")
