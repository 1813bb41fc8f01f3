"""T-40, T-41: channels and the calendar over the API; nobody sees where a channel leads, not even its player."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import text

from service.app import create_app
from service.handlers.channels import MOST
from service.handlers.delete_account import delete_account
from service.messages.channels import MESSAGES
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.api.scene import CHANNEL
from tests.messages.services import WHERES, Browser
from tests.people import Person, alice, carol
from tests.rest import Caller, refused


@pytest.fixture
def person(games: Games) -> Person:
    return alice(games)


@pytest.fixture
def mine(api: Caller, person: Person) -> Caller:
    return api.by(person)


def made(mine: Caller, **more: Any) -> dict[str, Any]:
    answer = mine.post("/me/channels", {**CHANNEL, **more})
    assert answer.status_code == 201, answer.text
    shown: dict[str, Any] = answer.json
    return shown


def given(kind: str) -> dict[str, str]:
    """Return what a player gives for a channel of the kind."""
    where = Browser().where() if kind == "web-push" else WHERES[kind]
    named = ((name, getattr(where, name)) for name in ("url", "token", "room", "p256dh", "auth"))
    return {"kind": kind, **{name: value for name, value in named if value}}


@pytest.mark.parametrize("kind", [*WHERES, "web-push"])
def test_t41_a_channel_of_each_kind_is_set_up_and_its_secrets_are_never_shown(
    mine: Caller, runtime: Runtime, kind: str
) -> None:
    said = {**given(kind), "messages": list(MESSAGES), "instead": ["turn"]}
    answer = mine.post("/me/channels", said)
    assert answer.status_code == 201, answer.text
    shown = answer.json
    assert shown
    assert answer.headers["Location"] == f"/api/v1/me/channels/{shown['id']}"
    assert (shown["kind"], shown["state"], shown["messages"], shown["instead"]) == (
        kind,
        "trying",
        list(MESSAGES),
        ["turn"],
    )
    secrets = [value for name, value in said.items() if name in ("url", "token", "room", "p256dh", "auth")]
    told = "".join(mine.get(path).text for path in ("/me/channels", f"/me/channels/{shown['id']}", "/me/export"))
    assert shown["id"] in told
    assert not [value for value in secrets if str(value) in told and value != "https://matrix.example.org"]
    with runtime.engine.connect() as db:
        kept = text("select sealed from channel_secret where channel_id = :id")
        (sealed,) = db.execute(kept, {"id": shown["id"]}).scalars()
        payloads = db.execute(text("select payload::text from outbox where kind = 'channel'")).scalars().all()
    assert not [value for value in secrets if str(value).encode() in sealed or str(value) in "".join(payloads)]


def test_t41_what_goes_to_a_channel_is_changed(mine: Caller) -> None:
    channel = f"/me/channels/{made(mine, instead=['over'])['id']}"
    changed = mine.patch(channel, {"messages": ["turn", "message"]}).json
    assert changed and (changed["messages"], changed["instead"]) == (["turn", "message"], [])
    changed = mine.patch(channel, {"instead": ["turn"]}).json
    assert changed and (changed["messages"], changed["instead"]) == (["turn", "message"], ["turn"])
    problem = refused(mine.patch(channel, {"instead": ["over"]}), 422, "bad-channel")
    assert problem["errors"] == [{"pointer": "/instead", "detail": "Only what goes to the channel can replace a mail."}]
    assert mine.get(channel).json == changed
    assert mine.delete(channel).status_code == 204
    refused(mine.get(channel), 404, "unknown-channel")


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"url": "https://10.1.2.3/topic"}, "/url"),
        ({"url": "http://ntfy.example.org/topic"}, "/url"),
        ({"kind": "discord"}, "/url"),
        ({"kind": "telegram", "token": "abc", "room": "1"}, "/token"),
        ({"kind": "matrix"}, "/url"),
    ],
)
def test_t41_what_leads_nowhere_is_refused_and_changes_nothing(
    mine: Caller, wrong: dict[str, Any], pointer: str
) -> None:
    problem = refused(mine.post("/me/channels", {**CHANNEL, **wrong}), 422, "bad-channel")
    assert [each["pointer"] for each in problem["errors"]] == [pointer]
    shown = mine.get("/me/channels").json
    assert shown and shown["items"] == []


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "pigeon"}, {"messages": []}, {"messages": ["turn", "turn"]}, {"messages": ["all"]}, {"url": "a b"}],
)
def test_t41_what_is_not_of_the_form_is_refused(mine: Caller, wrong: dict[str, Any]) -> None:
    refused(mine.post("/me/channels", {**CHANNEL, **wrong}), 422, "validation")


def test_t41_nobody_has_to_do_with_the_channels_of_others(api: Caller, mine: Caller, games: Games) -> None:
    channel, other = f"/me/channels/{made(mine)['id']}", api.by(carol(games))
    before = mine.get(channel).json
    assert (other.get("/me/channels").json or {})["items"] == []
    for path in (channel, f"/me/channels/{uuid4()}"):
        refused(other.get(path), 404, "unknown-channel")
        refused(other.patch(path, {"messages": ["turn"]}), 404, "unknown-channel")
        refused(other.delete(path), 404, "unknown-channel")
        refused(other.post(f"{path}/trial"), 404, "unknown-channel")
    assert mine.get(channel).json == before


def test_t41_there_are_only_so_many_channels(mine: Caller) -> None:
    for _ in range(MOST):
        made(mine)
    assert refused(mine.post("/me/channels", CHANNEL), 409, "too-many")["most"] == MOST


def test_t41_a_repeated_request_sets_up_one_channel_and_sends_one_trial(mine: Caller, runtime: Runtime) -> None:
    key = str(uuid4())
    one, other = (mine.post("/me/channels", CHANNEL, Idempotency_Key=key) for _ in range(2))
    assert one.json == other.json and other.headers["Idempotency-Replayed"] == "true"
    assert one.json
    again = f"/me/channels/{one.json['id']}/trial"
    first, second = (mine.post(again, Idempotency_Key=key) for _ in range(2))
    assert first.status_code == 202 and first.json == second.json
    elsewhere = f"/me/channels/{made(mine)['id']}/trial"
    refused(mine.post(elsewhere, Idempotency_Key=key), 422, "key-reused")
    count = text("select count(*) from channel_message where channel_id = :id")
    with runtime.engine.connect() as db:
        assert db.execute(count, {"id": one.json["id"]}).scalar_one() == 2


def test_t41_without_its_keys_the_service_has_no_channels(runtime: Runtime, person: Person) -> None:
    keyless = replace(runtime, vault=None, settings=replace(runtime.settings, vapid_key=None))
    mine = Caller(create_app(keyless).test_client()).by(person)
    refused(mine.post("/me/channels", CHANNEL), 409, "channels-off")
    assert (mine.get("/me/channels").json or {})["push_key"] is None
    vaultless = Caller(create_app(replace(runtime, vault=None)).test_client()).by(person)
    assert runtime.settings.vapid_key is not None
    assert (vaultless.get("/me/channels").json or {})["push_key"] is None
    pushless = replace(runtime, settings=replace(runtime.settings, vapid_key=None))
    mine = Caller(create_app(pushless).test_client()).by(person)
    refused(mine.post("/me/channels", {**given("web-push"), "messages": ["turn"]}), 409, "channels-off")


def test_t40_the_calendar_has_one_secret_address_shown_once(mine: Caller, api: Caller) -> None:
    assert mine.get("/me/calendar").json == {"created_at": None}
    shown = mine.post("/me/calendar").json
    assert shown
    path = shown["url"].removeprefix("http://127.0.0.1:8000")
    assert api.client.get(path).status_code == 200
    assert mine.get("/me/calendar").json == {"created_at": shown["created_at"]}
    assert path.split("/")[-1].removesuffix(".ics") not in mine.get("/me/export").text
    assert mine.delete("/me/calendar").status_code == 204
    assert api.client.get(path).status_code == 404


def test_t41_channels_and_calendar_go_with_the_account(
    mine: Caller, person: Person, games: Games, runtime: Runtime
) -> None:
    made(mine)
    mine.post("/me/calendar")
    delete_account(games, person.id, "api", clock.now())
    left = text(
        "select (select count(*) from channel where player_id = :id)"
        " + (select count(*) from calendar where player_id = :id)"
    )
    with runtime.engine.connect() as db:
        assert db.execute(left, {"id": person.id}).scalar_one() == 0
