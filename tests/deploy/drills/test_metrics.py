"""The metrics in each way of running, as its file has it: all series are there, and each read gives the same sums."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

import pytest
import yaml

from service.local.supervisor import Child, Program, wait_until
from service.messages.keys import new_key
from service.store.migrations import upgrade
from tests.deploy.servers import Servers
from tests.deploy.tables import play
from tests.docs.rooms import ROOT
from tests.metrics import Shown
from tests.ports import free_port

DEPLOY: Final = ROOT / "deploy"
SECONDS: Final = 60
READS: Final = 8
ROUTE: Final = "/api/v1/rulesets"
ASKED: Final = 30
ELSEWHERE: Final = frozenset(
    {"boardroom_replication_lag_seconds", "boardroom_replication_lag_bytes", "boardroom_canary_age_seconds"}
)
"""Series of a service that has a standby, and of one that has sent its first daily mail."""
Part = tuple[str, list[str], dict[str, str]]
"""The name of a process, its words after `python`, and the variables that its file sets."""


def by_units(folder: Path) -> Iterator[Part]:
    """Yield the parts of the target of systemd."""
    units = DEPLOY / "systemd"
    common = (units / "boardroom-.service.d" / "10-sandbox.conf").read_text()
    kept = re.findall(r"^RuntimeDirectory=(\S+)$", common, re.MULTILINE)
    assert re.search("^RuntimeDirectoryPreserve=yes$", common, re.MULTILINE), "the restart of a part empties it"
    for name, instance in re.findall(r"(boardroom-\w+@?)(\w*)\.service", (units / "boardroom.target").read_text()):
        text = common + (units / f"{name}.service").read_text().replace("%i", instance)
        told = dict(each.split("=", 1) for each in re.findall(r"^Environment=(.+)$", text, re.MULTILINE))
        words = re.findall(r"^ExecStart=.*/python (.+)$", text, re.MULTILINE)[0].split()
        made = told["PROMETHEUS_MULTIPROC_DIR"].removeprefix("/run/")
        assert made in kept
        yield f"{name}{instance}", words, told | {"PROMETHEUS_MULTIPROC_DIR": str(folder / made)}


def by_compose(folder: Path) -> Iterator[Part]:
    """Yield the services of compose.yaml that are parts, which share a volume in memory."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    for name, each in compose["services"].items():
        if each["image"].startswith("${BOARDROOM_IMAGE") and each["command"][0] == "python":
            volumes = dict(reversed(one.split(":", 1)) for one in each["volumes"])
            told = dict(each["environment"])
            volume = volumes[told["PROMETHEUS_MULTIPROC_DIR"]]
            assert compose["volumes"][volume]["driver_opts"]["type"] == "tmpfs"
            (folder / volume).mkdir(exist_ok=True)
            yield name, each["command"][1:], told | {"PROMETHEUS_MULTIPROC_DIR": str(folder / volume)}


def by_manifests(_: Path) -> Iterator[Part]:
    """Yield the deployments, of which each pod shows its own counts; here each has a port of its own."""
    settings = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())
    told = dict(each.split("=", 1) for each in settings["configMapGenerator"][0]["literals"])
    patch = yaml.safe_load((DEPLOY / "kubernetes" / "worker.yaml").read_text())
    ports = patch["spec"]["template"]["spec"]["containers"][0]["ports"]
    assert {"name": "metrics", "containerPort": int(told["METRICS_PORT"])} in ports
    for file in ("web.yaml", "workers.yaml"):
        for each in yaml.safe_load_all((DEPLOY / "kubernetes" / file).read_text()):
            if each["kind"] == "Deployment":
                (container,) = each["spec"]["template"]["spec"]["containers"]
                yield each["metadata"]["name"], container["args"][1:], {"METRICS_PORT": str(free_port())}


def by_hand(folder: Path) -> Iterator[Part]:
    """Yield what the function `start` of the page for operators starts."""
    page = (ROOT / "docs" / "operating.md").read_text()
    start = page[page.index("start() {") :].partition("\n}\n")[0]
    place = re.findall(r'^ *export PROMETHEUS_MULTIPROC_DIR="\$PWD/(\w+)"$', start, re.MULTILINE)[0]
    listed = start[start.index("for part in") :]
    for quoted, bare in re.findall(r'"((?:\w|\.)+ \w+)"|((?:service|workers)\.\w+)', listed):
        words = (quoted or bare).split()
        yield words[-1].rpartition(".")[2], ["-m", *words], {"PROMETHEUS_MULTIPROC_DIR": str(folder / place)}


def without_a_folder(_: Path) -> Iterator[Part]:
    """Yield a web server, and the others as one program: each makes a folder for its own processes."""
    yield "web", ["-m", "service.serve"], {}
    names = ["relay", "courier", "inbox", "moves", "replies", "mails", "computers"]
    yield "parts", ["-m", "workers.parts", *names], {"METRICS_PORT": str(free_port())}


def series() -> set[str]:
    """Return the names of the metrics that alarms and dashboard ask for."""
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"][0]["rules"]
    panels = json.loads((DEPLOY / "dashboard" / "boardroom.json").read_text())["panels"]
    asked = [rule["expr"] for rule in rules] + [each["expr"] for panel in panels for each in panel.get("targets", ())]
    return set(re.findall(r"boardroom_\w+", " ".join(asked)))


@pytest.mark.parametrize("way", [by_units, by_compose, by_manifests, by_hand, without_a_folder])
def test_each_series_is_there_and_each_read_gives_the_same_sums(
    way: Callable[[Path], Iterator[Part]], elsewhere: Servers, tmp_path: Path, stack: ExitStack
) -> None:
    # given all parts as the file has them
    upgrade(elsewhere.owner_url.replace("postgresql:", "postgresql+psycopg:"))
    inbox, webs, targets = free_port(), list[int](), list[int]()
    common = {
        **elsewhere.environment,
        "HOST": "127.0.0.1",
        "INBOUND_LISTEN": f"lmtp://127.0.0.1:{inbox}",
        "RATE_LIMITS": "off",
        **{name: new_key() for name in ("MAIL_KEY", "WEBHOOKS_KEY", "SEAL_KEY", "VAPID_KEY")},
    }
    for name, words, told in way(tmp_path):
        port = free_port()
        if "service.serve" in words:
            webs.append(port)
        elif "METRICS_PORT" in told:
            targets.append(int(told["METRICS_PORT"]))
        start(stack, name, words, {**common, **told, "PORT": str(port), "PART": name}, tmp_path / f"{name}.log")
    for port in webs:
        assert wait_until(lambda port=port: answers(port), SECONDS)  # type: ignore[misc]
    # when games have been played, a mail has been sent and a page was asked for some times
    play(webs[0], 2)
    for number in range(ASKED):
        assert read(webs[number % len(webs)], ROUTE)
    # then one web server of a machine, or each pod, shows each series
    shown = [webs[0], *targets] if way is not by_manifests else [*webs, *targets]
    assert wait_until(lambda: missing(shown) == set(), SECONDS), missing(shown)
    assert total(shown, "boardroom_jobs_total", outcome="carried-out") > 0
    assert total(shown, "boardroom_claims_total") > 0
    # and each read of what nobody counts any more gives the same number
    assert [total(shown, "boardroom_requests_total", route=ROUTE) for _ in range(READS)] == [ASKED] * READS


def start(stack: ExitStack, name: str, words: list[str], told: Mapping[str, str], log: Path) -> None:
    child = Child(Program(name=name, command=[sys.executable, *words], log=log, environment=dict(told)))
    stack.callback(child.stop)


def read(port: int, path: str) -> str:
    with urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as answer:
        return str(answer.read().decode())


def answers(port: int) -> bool:
    with suppress(OSError):
        return bool(read(port, "/readyz"))
    return False


def missing(ports: list[int]) -> set[str]:
    """Return the series that none of the targets shows."""
    there: set[str] = set()
    for port in ports:
        with suppress(OSError):
            found = Shown(read(port, "/metrics"))
            there |= {sample.name for sample in found.samples}
    return series() - there - ELSEWHERE


def total(ports: list[int], name: str, **labels: Any) -> float:
    return sum(Shown(read(port, "/metrics"))(name, **labels) for port in ports)
