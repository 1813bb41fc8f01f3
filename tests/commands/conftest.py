"""The doctor of tests: examines the service of the tests, of which nothing is late."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import text

from service.commands.cli import main
from service.runtime import Runtime
from service.settings import Settings
from service.store.heartbeats import Heart
from tests.commands.examining import GOOD, Examine
from tests.name_server import Zone, name_server


@pytest.fixture
def examine(settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Examine:
    """Returns what the command finds, by name, with settings changed, a zone, and more words; and its exit code."""
    good = {"BASE_URL": "https://play.example.org", "MAIL_FROM": "Boardroom <boardroom@example.org>"}
    good |= {"INBOUND_SECRET": "sixteen letters or more", "TRUSTED_PROXIES": "1"}

    def run(zone: Zone = GOOD, *words: str, **changes: str) -> dict[str, tuple[str, str]]:
        for name, value in (settings.environment() | good | changes).items():
            monkeypatch.setenv(name, value)
        # What the service itself has logged until now is not the command's.
        capsys.readouterr()
        with name_server(zone) as at:
            code = main(["doctor", "--json", "--dns", at, "--selector", "mail", *words])
        said = capsys.readouterr()
        assert said.err == ""
        findings = [json.loads(line) for line in said.out.splitlines()]
        assert code == int(any(each["level"] == "fail" for each in findings))
        assert all(bool(each["todo"]) == (each["level"] != "ok") for each in findings)
        assert len({each["name"] for each in findings}) == len(findings)
        return {each["name"]: (each["level"], each["said"]) for each in findings}

    return run


@pytest.fixture
def nothing_late(runtime: Runtime) -> None:
    """Nothing that other tests have left undone, and a part that was heard of just now."""
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox"))
        db.execute(text("delete from heartbeat"))
    heart = Heart(runtime.engine)
    heart.begin("relay")
    heart.beat()
