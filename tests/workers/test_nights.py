"""Audit of the database at night and by `boardroom audit`: alterations are found."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask
from sqlalchemy import text
from structlog.testing import capture_logs

from service.commands.cli import main
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from service.store.games import Games
from tests.builders import act, finished, first_legal, sealed_bids
from tests.superuser import Tamper
from tests.workers.solo import state_of
from workers.jobs import carry_out
from workers.proof import begin_night
from workers.relay import Relay

ROWS = "select id, game_id from outbox where kind = :kind order by id"
CAME_TO = ("held", "altered", "unchained", "unchecked")
HOSTED_BY_A_STRANGER = "update game set host = gen_random_uuid() where id = %s"
LATE = "update event set at = at - interval '9 days' where game_id = %s"


@pytest.fixture(autouse=True)
def own_games(as_superuser: Tamper) -> None:
    """No games of other tests, some of which are altered or no whole games, and no night that has begun."""
    as_superuser("truncate game, event, outbox, seal_day cascade")


def rows(runtime: Runtime, kind: str) -> dict[UUID, int]:
    with runtime.engine.connect() as db:
        return {row.game_id: row.id for row in db.execute(text(ROWS), {"kind": kind})}


def gauge(app: Flask, name: str) -> float:
    """Return a gauge as whoever runs the house sees it."""
    told = app.test_client().get("/metrics").text
    return float(dict(line.rsplit(" ", 1) for line in told.splitlines())[name])


def test_a_night_checks_the_games_of_the_day_and_names_what_was_altered(
    app: Flask, runtime: Runtime, games: Games, as_superuser: Tamper
) -> None:
    sound, running = finished(games, sealed_bids(games)).game.id, sealed_bids(games)
    act(games, running, 1, first_legal(running, 1))
    wrong = finished(games, sealed_bids(games)).game.id
    as_superuser("update event set door = 'reply' where game_id = %s and seq = 3", (wrong,))
    stray = sealed_bids(games).game.id
    as_superuser(HOSTED_BY_A_STRANGER, (stray,))
    for _ in range(2):
        begin_night(runtime.engine, clock.now())
    (night,) = rows(runtime, "night").values()
    begun = clock.now().timestamp() - 60
    fresh = replace(runtime, games=Games(runtime.engine, games.rulesets))
    carry_out(fresh, night)
    noted = rows(runtime, "audit")
    assert set(noted) == {sound, running.game.id, wrong, stray}
    assert gauge(app, "boardroom_audit_night_seconds") == 0, "the night is not over"
    with capture_logs() as told:
        for row in noted.values():
            carry_out(fresh, row)
    errors = {(each["game"], each["seq"]) for each in told if each["log_level"] == "error"}
    assert errors == {(str(wrong), 3), (str(stray), 0)}
    assert gauge(app, "boardroom_audit_night_seconds") >= begun
    assert [gauge(app, f'boardroom_audited_games{{came_to="{each}"}}') for each in CAME_TO] == [2, 2, 0, 0]
    assert {game: state_of(runtime, row)[0] for game, row in noted.items()} == {
        sound: "done",
        running.game.id: "done",
        wrong: "dead",
        stray: "dead",
    }


def test_a_game_whose_rules_are_not_installed_is_not_said_to_be_altered(
    app: Flask, runtime: Runtime, games: Games
) -> None:
    game = sealed_bids(games).game.id
    begin_night(runtime.engine, clock.now())
    elsewhere = replace(runtime, games=Games(runtime.engine, {}))
    (night,) = rows(runtime, "night").values()
    carry_out(elsewhere, night)
    row = rows(runtime, "audit")[game]
    with capture_logs() as told:
        carry_out(elsewhere, row)
    assert [(each["log_level"], each["event"]) for each in told] == [("warning", "a game was not checked")]
    assert state_of(runtime, row)[0] == "dead"
    assert [gauge(app, f'boardroom_audited_games{{came_to="{each}"}}') for each in CAME_TO] == [0, 0, 0, 1]


def test_the_relay_begins_the_night_and_carries_it_out(runtime: Runtime, games: Games) -> None:
    game = finished(games, sealed_bids(games)).game.id
    relay = Relay(replace(runtime, redis=None, mailer=None))
    for _ in range(3):
        relay.drain()
    assert state_of(runtime, rows(runtime, "audit")[game]) == ("done", 1)


def audited(capsys: pytest.CaptureFixture[str], *words: Any) -> tuple[int, Any]:
    code = main(["audit", *map(str, words), "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.fixture
def there(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of somebody who runs the house."""
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("there")
def test_the_command_finds_what_a_superuser_has_changed_by_game_and_event(
    games: Games, as_superuser: Tamper, capsys: pytest.CaptureFixture[str]
) -> None:
    sound, wrong, stray = (finished(games, sealed_bids(games)) for _ in range(3))
    as_superuser(HOSTED_BY_A_STRANGER, (stray.game.id,))
    assert [each["event"] for each in audited(capsys, stray.game.id)[1]["altered"]] == [0]
    assert audited(capsys, sound.game.id, wrong.game.id)[0] == 0
    as_superuser("update event set decision = decision + 1 where game_id = %s and seq = 3", (wrong.game.id,))
    code, found = audited(capsys, sound.game.id, wrong.game.id)
    assert (code, found["games"], found["events"]) == (1, 1, sound.version)
    assert [(each["game"], each["event"]) for each in found["altered"]] == [(str(wrong.game.id), 3)]
    assert main(["audit", str(wrong.game.id)]) == 1
    assert f"game {wrong.game.id}: event 3: " in capsys.readouterr().out
    assert main(["audit", str(uuid4())]) == 2


@pytest.mark.usefixtures("there")
def test_the_command_looks_at_what_happened_since_or_at_a_sample(
    games: Games, as_superuser: Tamper, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = (finished(games, sealed_bids(games)).game.id for _ in range(2))
    as_superuser(LATE, (old,))
    yesterday = (clock.now() - timedelta(days=1)).date()
    looked_at = audited(capsys, "--since", yesterday)[1]
    assert looked_at["games"] >= 1
    assert looked_at["altered"] == []
    assert [each["game"] for each in audited(capsys, old, new)[1]["altered"]] == [str(old)]
    sampled = audited(capsys, "--sample", 1)[1]
    assert sampled["games"] + sampled["unchained"] + len(sampled["altered"]) == 1
