"""compose.yaml: by its schema, and with each part without rights."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.deploy.processes import documented
from tests.deploy.tools import needs, run
from tests.docs.rooms import ROOT

FILE = ROOT / "deploy" / "compose.yaml"
COMPOSE: dict[str, Any] = yaml.safe_load(FILE.read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
PARTS = {name: each for name, each in SERVICES.items() if each["image"].startswith("${BOARDROOM_IMAGE")}


@pytest.mark.slow
@needs("check-jsonschema")
def test_it_holds_to_the_schema_of_compose(tmp_path: Any):
    assert run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", FILE).returncode == 0
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(FILE.read_text().replace("read_only:", "readonly:"))
    assert run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", wrong).returncode == 1


def test_it_has_each_process_of_the_documentation_and_the_job_for_the_tables():
    commands = {" ".join(each["command"]) for each in PARTS.values()}
    assert commands == {f"python -m {each}" for each in documented()} | {"boardroom migrate"}


@pytest.mark.parametrize("name", sorted(PARTS))
def test_a_part_has_no_rights_and_nothing_to_write_to(name: str):
    part = PARTS[name]
    assert part["read_only"] is True and part["cap_drop"] == ["ALL"]
    assert part["security_opt"] == ["no-new-privileges:true"]
    assert part["volumes"] == ["counted:/run/boardroom"]
    assert COMPOSE["volumes"]["counted"]["driver_opts"]["type"] == "tmpfs"
    assert part.get("ports", []) == (["127.0.0.1:8024:8024"] if name == "inbox" else [])


@pytest.mark.parametrize("name", sorted(set(PARTS) - {"migrate"}))
def test_a_part_waits_for_the_tables(name: str):
    assert PARTS[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_whatever_is_named_is_there():
    for name, each in SERVICES.items():
        assert set(each.get("depends_on", ())) <= set(SERVICES), name
        assert set(each["networks"]) <= set(COMPOSE["networks"]), name
        assert {one["source"] for one in each.get("configs", ())} <= set(COMPOSE["configs"]), name
        assert {one.partition(":")[0] for one in each.get("volumes", ())} <= set(COMPOSE["volumes"]), name
        assert ":" in each["image"], name


def test_only_the_proxy_is_reached_from_outside():
    open_to_all = {name for name, each in SERVICES.items() for port in each.get("ports", ()) if port[:4] != "127."}
    assert open_to_all == {"proxy"}
    assert COMPOSE["networks"]["inside"]["internal"] is True
    assert {name for name in ("postgres", "redis") if SERVICES[name]["networks"] != ["inside"]} == set()
