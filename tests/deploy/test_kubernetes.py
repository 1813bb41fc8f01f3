"""The manifests for Kubernetes: they build, hold to the schemas, and name nothing that is not there."""

from __future__ import annotations

import ipaddress
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.settings import POOL_SIZE, WEB_PROCESSES
from tests.deploy.processes import documented
from tests.deploy.tools import needs, run
from tests.docs.rooms import ROOT

FOLDER = ROOT / "deploy" / "kubernetes"
FOREIGN = "postgresql.cnpg.io/v1"
"""Kinds of CloudNativePG, of which the schemas of Kubernetes know nothing."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl, which has kustomize in it, is not here"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All manifests as one file, with the examples of secrets, and with the pooler."""
    folder = tmp_path_factory.mktemp("built") / "kubernetes"
    shutil.copytree(FOLDER, folder)
    for example in folder.glob("*.example"):
        shutil.copy(example, example.with_suffix(""))
    kustomization = folder / "kustomization.yaml"
    kustomization.write_text(kustomization.read_text().replace("# components:", "components:"))
    command = ["kubectl", "kustomize", str(folder)]
    made = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    written = folder.with_name("all.yaml")
    written.write_text(made.stdout)
    return written


@pytest.fixture(scope="module")
def manifests(built: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(built.read_text()))


def of_kind(manifests: list[dict[str, Any]], *kinds: str) -> dict[str, dict[str, Any]]:
    return {each["metadata"]["name"]: each for each in manifests if each["kind"] in kinds}


@needs("kubernetes-validate")
def test_each_holds_to_the_schema_of_its_kind(built: Path, manifests: list[dict[str, Any]], tmp_path: Path):
    ours = tmp_path / "ours.yaml"
    ours.write_text(yaml.safe_dump_all([each for each in manifests if each["apiVersion"] != FOREIGN]))
    held = run("kubernetes-validate", "--strict", ours)
    assert held.returncode == 0 and "WARN" not in held.stdout + held.stderr, held.stdout + held.stderr
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(ours.read_text().replace("replicas:", "replicase:"))
    assert run("kubernetes-validate", "--strict", wrong).returncode != 0


def test_there_is_a_deployment_for_each_process_of_the_documentation(manifests: list[dict[str, Any]]):
    commands = {" ".join(part(each)["args"]) for each in ours(manifests, "Deployment").values()}
    assert commands == {f"python -m {each}" for each in documented()}
    assert [" ".join(part(each)["args"]) for each in ours(manifests, "Job").values()] == ["boardroom migrate"]


def test_each_part_has_no_rights_and_nothing_to_write_to(manifests: list[dict[str, Any]]):
    for name, each in ours(manifests, "Deployment", "Job").items():
        pod = each["spec"]["template"]["spec"]
        allowed = part(each)["securityContext"]
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert pod["automountServiceAccountToken"] is False, name
        assert allowed["readOnlyRootFilesystem"] is True and allowed["allowPrivilegeEscalation"] is False, name
        assert allowed["capabilities"] == {"drop": ["ALL"]}, name
        assert [volume["name"] for volume in pod["volumes"]] == ["tmp"], name


def test_each_part_is_asked_whether_it_lives_and_outlives_the_loss_of_a_machine(manifests: list[dict[str, Any]]):
    budgets = of_kind(manifests, "PodDisruptionBudget")
    for name, each in ours(manifests, "Deployment").items():
        assert {"startupProbe", "livenessProbe", "readinessProbe"} <= set(part(each)), name
        assert each["spec"]["replicas"] >= 2, name
        assert budgets[name]["spec"]["selector"] == each["spec"]["selector"], name


def test_the_processes_of_a_rollout_fit_into_the_connections_of_the_database(manifests: list[dict[str, Any]]):
    allowed = of_kind(manifests, "Cluster")["postgres"]["spec"]["postgresql"]["parameters"]["max_connections"]
    processes = sum(
        (each["spec"]["replicas"] + each["spec"]["strategy"]["rollingUpdate"]["maxSurge"])
        * (WEB_PROCESSES if name == "web" else 1)
        for name, each in ours(manifests, "Deployment").items()
    )
    # Three are reserved for superusers.
    assert processes * POOL_SIZE <= int(allowed) - 3


def test_what_a_proxy_closes_from_outside_is_closed_here_too(manifests: list[dict[str, Any]]):
    ways = of_kind(manifests, "Ingress")
    closed = {name for name, each in ways.items() if any("allowlist" in key for key in each["metadata"]["annotations"])}
    paths = {name: [each["path"] for each in way["spec"]["rules"][0]["http"]["paths"]] for name, way in ways.items()}
    assert closed == {"operators"}
    assert paths == {"web": ["/"], "operators": ["/operate", "/metrics", "/readyz"]}
    # Addresses are secrets, and its log has all of them.
    assert {
        each["metadata"]["annotations"]["nginx.ingress.kubernetes.io/enable-access-log"] for each in ways.values()
    } == {"false"}


def test_whatever_is_named_is_there(manifests: list[dict[str, Any]]):
    named = of_kind(manifests, "ConfigMap", "Secret")
    for each in ours(manifests, "Deployment", "Job").values():
        for source in part(each)["envFrom"]:
            assert next(iter(source.values()))["name"] in named
        for variable in part(each).get("env", ()):
            assert variable["valueFrom"]["secretKeyRef"]["name"] in named
    cluster = of_kind(manifests, "Cluster")["postgres"]["spec"]
    secrets = {
        cluster["bootstrap"]["initdb"]["secret"]["name"],
        cluster["managed"]["roles"][0]["passwordSecret"]["name"],
    }
    assert secrets <= set(of_kind(manifests, "Secret"))
    assert of_kind(manifests, "Pooler")["pooler-rw"]["spec"]["cluster"]["name"] == "postgres"


def test_nothing_may_be_reached_but_what_is_named(manifests: list[dict[str, Any]]):
    policies = of_kind(manifests, "NetworkPolicy")
    assert policies["nothing"]["spec"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    (strangers,) = policies["messages-leave"]["spec"]["egress"]
    closed = [ipaddress.ip_network(net) for to in strangers["to"] for net in to["ipBlock"]["except"]]
    inside = ("10.1.2.3", "172.20.0.1", "192.168.1.1", "169.254.169.254", "fd00::1")
    for address in map(ipaddress.ip_address, inside):
        assert any(address in net for net in closed if net.version == address.version), address


def ours(manifests: list[dict[str, Any]], *kinds: str) -> dict[str, dict[str, Any]]:
    """Return the parts of Boardroom among them."""
    found = of_kind(manifests, *kinds)
    return {n: each for n, each in found.items() if each["metadata"]["labels"]["app.kubernetes.io/name"] == "boardroom"}


def part(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return the container of a part."""
    (container,) = manifest["spec"]["template"]["spec"]["containers"]
    return dict(container)
