"""Alarms and dashboard ask only for what the service tells, and alarms go off at the bounds that it uses itself."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import text

import service
from service.commands import doctor
from service.runtime import Runtime
from service.shared import metrics
from service.shared.clock import MAX_OFFSET_S
from service.store.heartbeats import SILENT, Heart
from service.views.operation import OVERDUE
from tests.metrics import Told, scrape
from tests.rest import Caller
from workers.effects import EFFECTS, of_urgency

DEPLOY = Path(service.__file__).parents[1] / "deploy"
ALERTS, DASHBOARD = DEPLOY / "alerts.yaml", DEPLOY / "dashboard" / "boardroom.json"
ROW = text("insert into outbox (dedupe_key, kind, payload, state, done_at) values (:key, :kind, '{}', :state, now())")
OUTCOMES = ("sent", "skipped", "unwanted", "put-off", "not-sent-policy", "not-sent-outage")


@pytest.fixture
def rules() -> dict[str, dict[str, Any]]:
    """The rules of the file, by name."""
    groups = yaml.safe_load(ALERTS.read_text())["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"]}


@pytest.fixture
def panels() -> list[str]:
    """The expressions of the dashboard."""
    board = json.loads(DASHBOARD.read_text())
    return [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]


@pytest.fixture
def told(runtime: Runtime, api: Caller) -> Iterator[Told]:
    """Yield the metrics when an effect of every kind has been done and has failed, and all else has happened."""
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox"))
        rows = [(kind, state) for kind in EFFECTS for state in ("done", "dead", "pending")]
        db.execute(ROW, [{"key": f"{kind} {state}", "kind": kind, "state": state} for kind, state in rows])
    heart = Heart(runtime.engine)
    heart.begin("relay")
    heart.beat()
    metrics.count_request("GET", "/livez", 503, 0.1)
    metrics.count_waiting("stream", 1)
    metrics.count_waiting("stream", -1)
    metrics.note_connections(0, 12)
    metrics.count_job("lapse", "failed", 0.1)
    metrics.count_lapse("resign")
    metrics.count_claims("lapse", 1)
    for outcome in OUTCOMES:
        metrics.count_mail("turn-mail", outcome)
    for name in metrics.ALARMING_ERRORS:
        metrics.count_database_error(type(name, (Exception,), {})())
    shown = Told.by(scrape(api.client))
    # There is no standby here, so nothing has this label.
    yield Told(shown.kinds, {**shown.labels, "standby": frozenset()})
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox"))


def test_every_alarm_asks_for_what_the_service_tells(rules: dict[str, dict[str, Any]], told: Told) -> None:
    assert len(rules) == 20
    assert told.unknown(rule["expr"] for rule in rules.values()) == set()
    for rule in rules.values():
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"].keys() == {"summary", "todo"}


def test_every_panel_asks_for_what_the_service_tells(panels: list[str], told: Told) -> None:
    assert len(panels) > 15
    assert told.unknown(panels) == set()


def test_nothing_is_told_that_neither_an_alarm_nor_the_dashboard_asks_for(
    rules: dict[str, dict[str, Any]], panels: list[str], told: Told
) -> None:
    assert told.unused([*(rule["expr"] for rule in rules.values()), *panels]) == set()


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("boardroom_effects_late_seconds > 600", "boardroom_effects_late_seconds"),
        ("boardroom_requests > 1", "boardroom_requests"),
        ("up == 0", "up"),
        ('boardroom_effects{kind="turn-mails"} > 0', "turn-mails"),
        ('boardroom_effects{state="dead"} > 0', "dead"),
        ('boardroom_audited_games{came_to="changed"} > 0', "changed"),
        ('rate(boardroom_requests_total{status="500"}[5m]) > 0', "500"),
    ],
)
def test_an_alarm_that_nothing_could_set_off_is_found(told: Told, expression: str, name: str) -> None:
    assert told.unknown([expression]) == {name}


def test_the_alarms_go_off_at_the_bounds_of_the_service_and_for_all_mails(rules: dict[str, dict[str, Any]]) -> None:
    mails, others = rules["BoardroomMailsDoNotLeave"]["expr"], rules["BoardroomWorkLeftLying"]["expr"]
    # A new kind of mail is among the mails without a word here.
    work = of_urgency("move", "computer", "rest", "call")
    assert re.findall(r'kind!~"([^"]*)"\}\) > (\d+)', mails) == [("|".join(work), str(OVERDUE))]
    work.remove("webhook")
    work.remove("channel")
    assert re.findall(r'kind=~"([^"]*)"\}\) > (\d+)', others) == [("|".join(work), str(OVERDUE))]
    assert rules["BoardroomPartSilent"]["expr"].endswith(f" > {SILENT}")
    assert rules["BoardroomClockOff"]["expr"].endswith(f" > {MAX_OFFSET_S:.0f}")
    for name in ("BoardroomNoDailyMail", "BoardroomNightMissing"):
        assert rules[name]["expr"].endswith(f" > {doctor.MAX_CANARY_AGE_H} * 3600")


def test_each_error_with_a_series_from_the_beginning_is_one_of_an_alarm(rules: dict[str, dict[str, Any]]) -> None:
    expressions = rules["BoardroomDatabaseFails"]["expr"] + rules["BoardroomPoolExhausted"]["expr"]
    named = re.findall(r'error=~?"([^"]*)"', expressions)
    assert sorted("|".join(named).split("|")) == sorted(metrics.ALARMING_ERRORS)


NIGHT = {"boardroom_audit_night_seconds": "0+60x3000"}
"""A service that answers, and whose nights are checked."""
SETS_OFF: dict[str, dict[str, str]] = {
    "BoardroomDoesNotAnswer": {"boardroom_beat_age_seconds": "1+0x60"},
    "BoardroomPartSilent": {**NIGHT, 'boardroom_beat_age_seconds{part="relay"}': "0+60x60"},
    "BoardroomClockOff": {**NIGHT, 'boardroom_clock_off_seconds{part="relay"}': "0x20 50x60"},
    "BoardroomMailsDoNotLeave": {**NIGHT, 'boardroom_effects_overdue_seconds{kind="turn-mail"}': "0+60x60"},
    "BoardroomNoDailyMail": {**NIGHT, "boardroom_canary_age_seconds": "93000+60x120"},
    "BoardroomWorkLeftLying": {**NIGHT, 'boardroom_effects_overdue_seconds{kind="lapse"}': "0+60x60"},
    "BoardroomGivenUp": {**NIGHT, 'boardroom_effects{kind="turn-mail",stands="failed"}': "0x20 1x60"},
    "BoardroomGameAltered": {**NIGHT, 'boardroom_audited_games{came_to="altered"}': "0x20 1x60"},
    "BoardroomNightFailed": {**NIGHT, 'boardroom_effects{kind="night",stands="failed"}': "0x20 1x60"},
    "BoardroomGameNotChecked": {**NIGHT, 'boardroom_audited_games{came_to="unchecked"}': "0x20 1x60"},
    "BoardroomNightMissing": {"boardroom_audit_night_seconds": "0+0x3000"},
    "BoardroomErrors": {
        **NIGHT,
        'boardroom_requests_total{status="2xx",route="/"}': "0+600x60",
        'boardroom_requests_total{status="5xx",route="/"}': "0+60x60",
    },
    "BoardroomSlow": {
        **NIGHT,
        'boardroom_request_seconds_bucket{le="0.5",route="/"}': "0+90x60",
        'boardroom_request_seconds_bucket{le="2.5",route="/"}': "0+100x60",
        'boardroom_request_seconds_bucket{le="+Inf",route="/"}': "0+100x60",
    },
    "BoardroomPoolExhausted": {
        **NIGHT,
        'boardroom_pool_connections{state="in-use"}': "2x20 24x60",
        'boardroom_pool_connections{state="limit"}': "24x80",
    },
    "BoardroomDatabaseFails": {**NIGHT, 'boardroom_database_errors_total{error="OperationalError"}': "0+60x60"},
    "BoardroomLockHeld": {**NIGHT, 'boardroom_lock_waits{blocker="other"}': "0x20 3x60"},
    "BoardroomJobsFail": {
        **NIGHT,
        'boardroom_jobs_total{kind="lapse",outcome="carried-out"}': "0+2x60",
        'boardroom_jobs_total{kind="lapse",outcome="failed"}': "0+1x60",
    },
    "BoardroomMailsRefused": {**NIGHT, 'boardroom_mails_total{kind="reply",outcome="not-sent-policy"}': "0+1x60"},
    "BoardroomReplicationLag": {**NIGHT, 'boardroom_replication_lag_seconds{standby="b"}': "0+1x80"},
    "BoardroomStandbyGone": {**NIGHT, "boardroom_standbys": "2x20 1x60"},
}
"""For each alarm the series that set it off, a value a minute."""
WELL = {
    **NIGHT,
    'boardroom_beat_age_seconds{part="relay"}': "2x3000",
    'boardroom_clock_off_seconds{part="relay"}': "0.1x3000",
    'boardroom_effects_overdue_seconds{kind="turn-mail"}': "20x3000",
    "boardroom_canary_age_seconds": "3600x3000",
    'boardroom_effects{kind="turn-mail",stands="failed"}': "0x3000",
    'boardroom_audited_games{came_to="altered"}': "0x3000",
    'boardroom_requests_total{status="2xx",route="/"}': "0+6000x3000",
    'boardroom_requests_total{status="5xx",route="/"}': "0+1x3000",
    'boardroom_request_seconds_bucket{le="0.5",route="/"}': "0+995x3000",
    'boardroom_request_seconds_bucket{le="+Inf",route="/"}': "0+1000x3000",
    'boardroom_pool_connections{state="in-use"}': "12x3000",
    'boardroom_pool_connections{state="limit"}': "24x3000",
    'boardroom_database_errors_total{error="OperationalError"}': "0+1x3000",
    'boardroom_lock_waits{blocker="other"}': "0 0 2 0 0 1 0x2990",
    'boardroom_jobs_total{kind="lapse",outcome="carried-out"}': "0+20x3000",
    'boardroom_jobs_total{kind="lapse",outcome="failed"}': "0+1x3000",
    'boardroom_mails_total{kind="reply",outcome="sent"}': "0+20x3000",
    'boardroom_replication_lag_seconds{standby="b"}': "3x3000",
    "boardroom_standbys": "2x3000",
}
TOOL = pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not here: apt-get install prometheus")


def promtool(*words: str) -> str:
    done = subprocess.run(["promtool", *words], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def fires(folder: Path, series: dict[str, str], name: str | None) -> None:
    """Let two days pass at the alarms, and check that the alarm has fired, or none, and no other one."""
    expected = [] if name is None else [{"labels": f'{{alertname="{name}"}}', "value": 1}]
    fired = 'count by (alertname) (max by (alertname) (max_over_time(ALERTS{alertstate="firing"}[2d])))'
    case = {
        "interval": "1m",
        "input_series": [{"series": each, "values": values} for each, values in series.items()],
        "promql_expr_test": [{"expr": fired, "eval_time": "60m" if name != "BoardroomNightMissing" else "30h"}],
    }
    case["promql_expr_test"][0]["exp_samples"] = expected  # type: ignore[index]
    file = folder / "case.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(ALERTS)], "evaluation_interval": "1m", "tests": [case]}))
    promtool("test", "rules", str(file))


@TOOL
@pytest.mark.slow
def test_prometheus_loads_the_alarms(rules: dict[str, dict[str, Any]]) -> None:
    assert f"{len(rules)} rules found" in promtool("check", "rules", str(ALERTS))
    assert SETS_OFF.keys() == rules.keys()


@TOOL
@pytest.mark.slow
@pytest.mark.parametrize("name", SETS_OFF)
def test_an_alarm_fires_and_no_other_one(name: str, tmp_path: Path) -> None:
    fires(tmp_path, SETS_OFF[name], name)


@TOOL
@pytest.mark.slow
def test_no_alarm_fires_while_all_is_well(tmp_path: Path) -> None:
    fires(tmp_path, WELL, None)
