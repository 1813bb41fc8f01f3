"""Webhooks over the API: only their owners have them, only hosts for a table, and a secret is shown once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import text

from service.api.mount import contract_of
from service.app import create_app
from service.handlers.webhooks import MOST
from service.messages.webhooks import TYPES
from service.runtime import Runtime
from service.store.games import Games
from tests.builders import act, opened, started
from tests.games.sealed_bids.actions import Hold
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

URL = "https://hooks.example.org/boardroom"
NEW = {"url": URL, "events": ["game.turn", "game.over"]}


@pytest.fixture
def person(games: Games) -> Person:
    return alice(games)


def made(api: Caller, person: Person, **more: Any) -> dict[str, Any]:
    """Return a new webhook of the person's."""
    answer = api.by(person).post("/webhooks", {**NEW, **more})
    assert answer.status_code == 201, answer.text
    shown: dict[str, Any] = answer.json
    return shown


def patch(api: Caller, person: Person, hook: str, body: Any) -> Any:
    headers = {"Authorization": f"Bearer {person.token}"}
    return api.client.patch(f"/api/v1/webhooks/{hook}", json=body, headers=headers)


def remove(api: Caller, person: Person, hook: str) -> Any:
    return api.client.delete(f"/api/v1/webhooks/{hook}", headers={"Authorization": f"Bearer {person.token}"})


def test_a_webhook_is_set_up_and_its_secret_is_shown_once(api: Caller, person: Person) -> None:
    answer = api.by(person).post("/webhooks", NEW)
    shown = answer.json
    assert shown
    assert answer.headers["Location"] == f"/api/v1/webhooks/{shown['id']}"
    secret = shown.pop("secret")
    assert secret.startswith("whsec_")
    assert (shown["url"], shown["events"], shown["game"]) == (URL, NEW["events"], None)
    assert (shown["active"], shown["disabled"], shown["failing_since"]) == (True, None, None)
    for path in (f"/webhooks/{shown['id']}", "/webhooks", f"/webhooks/{shown['id']}/deliveries"):
        assert secret not in api.by(person).get(path).text
    assert api.by(person).get(f"/webhooks/{shown['id']}").json == shown
    assert api.by(person).get("/webhooks").json == {"items": [shown]}


def test_no_secret_stands_in_the_database_as_it_is(api: Caller, person: Person, runtime: Runtime) -> None:
    made_one = made(api, person)
    mine = text("select sealed from webhook_secret where webhook_id = :id")
    with runtime.engine.connect() as db:
        (sealed,) = db.execute(mine, {"id": made_one["id"]}).scalars()
    assert made_one["secret"].encode() not in sealed
    assert runtime.vault
    assert runtime.vault.open(sealed) == made_one["secret"]


def test_a_webhook_is_changed_switched_off_and_on_and_taken_away(api: Caller, person: Person) -> None:
    hook = made(api, person)["id"]
    changed = patch(api, person, hook, {"url": "https://other.example.org/", "events": ["game.event"]}).json
    assert (changed["url"], changed["events"]) == ("https://other.example.org/", ["game.event"])
    assert patch(api, person, hook, {}).json == changed
    assert patch(api, person, hook, {"active": False}).json["active"] is False
    refused(api.by(person).post(f"/webhooks/{hook}/test"), 409, "webhook-inactive")
    assert patch(api, person, hook, {"active": True}).json["active"] is True
    gone = remove(api, person, hook)
    assert (gone.status_code, gone.data) == (204, b"")
    refused(api.by(person).get(f"/webhooks/{hook}"), 404, "unknown-webhook")
    refused(remove(api, person, hook), 404, "unknown-webhook")


def test_nobody_has_to_do_with_the_webhooks_of_others(api: Caller, person: Person, games: Games) -> None:
    hook, stranger = made(api, person)["id"], carol(games)
    sent = api.by(person).post(f"/webhooks/{hook}/test").json
    assert sent
    other, before = api.by(stranger), api.by(person).get(f"/webhooks/{hook}").json
    assert other.get("/webhooks").json == {"items": []}
    answers = [
        other.get(f"/webhooks/{hook}"),
        patch(api, stranger, hook, {"active": False}),
        remove(api, stranger, hook),
        other.post(f"/webhooks/{hook}/secret"),
        other.post(f"/webhooks/{hook}/test"),
        other.get(f"/webhooks/{hook}/deliveries"),
        other.post(f"/webhooks/{hook}/deliveries/{sent['id']}/again"),
    ]
    unheard_of = other.get(f"/webhooks/{uuid4()}")
    for answer in answers:
        assert refused(answer, 404, "unknown-webhook").keys() == refused(unheard_of, 404, "unknown-webhook").keys()
    assert api.by(person).get(f"/webhooks/{hook}").json == before


def test_a_delivery_is_sent_again_only_through_its_own_webhook_while_that_is_on(api: Caller, person: Person) -> None:
    hook, other = made(api, person)["id"], made(api, person)["id"]
    sent = api.by(person).post(f"/webhooks/{hook}/test")
    assert sent.status_code == 202 and sent.json
    again = f"/deliveries/{sent.json['id']}/again"
    assert api.by(person).post(f"/webhooks/{hook}{again}").status_code == 202
    refused(api.by(person).post(f"/webhooks/{other}{again}"), 404, "unknown-delivery")
    patch(api, person, hook, {"active": False})
    refused(api.by(person).post(f"/webhooks/{hook}{again}"), 409, "webhook-inactive")


def test_only_the_host_sets_up_a_webhook_for_a_table(api: Caller, games: Games) -> None:
    host, guest, stranger = alice(games), bob(games), carol(games)
    game = str(opened(games, "sealed-bids", [host, guest, carol(games)]))
    assert made(api, host, game=game)["game"] == game
    for other in (guest, stranger):
        refused(api.by(other).post("/webhooks", {**NEW, "game": game}), 403, "not-host")
    refused(api.by(host).post("/webhooks", {**NEW, "game": str(uuid4())}), 404, "unknown-game")


def test_there_is_an_end_to_how_many_one_may_have(api: Caller, person: Person) -> None:
    hooks = [made(api, person)["id"] for _ in range(MOST)]
    assert refused(api.by(person).post("/webhooks", NEW), 409, "too-many")["most"] == MOST
    remove(api, person, hooks[0])
    made(api, person)


@pytest.mark.parametrize(
    "url", ["http://hooks.example.org/", "https://127.0.0.1/", "https://localhost/", "https://hooks.example.org:22/"]
)
def test_an_address_that_is_not_called_is_refused_and_changes_nothing(api: Caller, person: Person, url: str) -> None:
    body = refused(api.by(person).post("/webhooks", {**NEW, "url": url}), 422, "bad-address")
    assert body["errors"][0]["pointer"] == "/url"
    assert api.by(person).get("/webhooks").json == {"items": []}
    before = made(api, person)
    refused(patch(api, person, before["id"], {"url": url, "active": False}), 422, "bad-address")
    assert api.by(person).get(f"/webhooks/{before['id']}").json == {k: before[k] for k in before if k != "secret"}


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"url": "nonsense://"}, "/url"),
        ({"url": None}, "/url"),
        ({"url": "https://x.example/" + "y" * 2000}, "/url"),
        ({"url": "https://hooks.example.org/ \u0000"}, "/url"),
        ({"events": []}, "/events"),
        ({"events": ["game.turn", "game.turn"]}, "/events"),
        ({"events": ["webhook.test"]}, "/events/0"),
        ({"events": "game.turn"}, "/events"),
        ({"game": "nonsense"}, "/game"),
        ({"secret": "whsec_mine"}, "/secret"),
        ({"active": True}, "/active"),
        ({"player_id": str(uuid4())}, "/player_id"),
    ],
)
def test_a_webhook_of_another_form_is_refused(api: Caller, person: Person, change: Any, pointer: str) -> None:
    body = refused(api.by(person).post("/webhooks", {**NEW, **change}), 422, "validation")
    assert pointer in [fault["pointer"] for fault in body["errors"]]


def test_a_house_without_a_key_makes_no_secrets(api: Caller, runtime: Runtime, person: Person) -> None:
    hook = made(api, person)["id"]
    caller = Caller(create_app(replace(runtime, vault=None)).test_client())
    refused(caller.by(person).post("/webhooks", NEW), 409, "webhooks-off")
    refused(caller.by(person).post(f"/webhooks/{hook}/secret"), 409, "webhooks-off")


def test_the_log_of_a_webhook_comes_in_pages(api: Caller, person: Person) -> None:
    hook = made(api, person)["id"]
    sent = [api.by(person).post(f"/webhooks/{hook}/test").json for _ in range(5)]
    ids = [each["id"] for each in sent if each]
    first = api.by(person).get(f"/webhooks/{hook}/deliveries?limit=3").json
    assert first
    rest = api.by(person).get(f"/webhooks/{hook}/deliveries?limit=3&after={first['next']}").json
    assert rest
    assert [each["id"] for each in first["items"] + rest["items"]] == ids[::-1]
    assert rest["next"] is None
    assert {(each["type"], each["state"], each["attempts"]) for each in first["items"]} == {
        ("webhook.test", "pending", 0)
    }
    assert all("body" not in each and "data" not in each for each in first["items"])


def test_a_webhook_taken_away_takes_its_messages_along(api: Caller, person: Person, runtime: Runtime) -> None:
    hook = made(api, person)["id"]
    api.by(person).post(f"/webhooks/{hook}/test")
    remove(api, person, hook)
    with runtime.engine.connect() as db:
        for table in ("webhook_secret", "webhook_delivery"):
            count = db.execute(text(f"select count(*) from {table} where webhook_id = :id"), {"id": hook})
            assert count.scalar() == 0


@pytest.mark.parametrize("whole_table", [False, True])
def test_a_step_of_a_game_writes_a_notice_only_while_there_is_a_webhook(
    api: Caller, games: Games, runtime: Runtime, whole_table: bool
) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    count = text("select count(*) from outbox where game_id = :game and kind = 'webhooks'")

    def notices() -> int:
        with runtime.engine.connect() as db:
            return int(db.execute(count, {"game": position.game.id}).scalar_one())

    act(games, position, 0, Hold())
    assert notices() == 0
    more = {"game": str(position.game.id)} if whole_table else {}
    hooks = [made(api, people[0], **more)["id"] for _ in range(2)]
    remove(api, people[0], hooks[0])
    act(games, position, 1, Hold())
    assert notices() == 1
    remove(api, people[0], hooks[1])
    act(games, position, 2, Hold())
    assert notices() == 1


def test_the_document_says_what_is_posted_to_webhooks(app: Flask) -> None:
    document = contract_of(app).spec.to_dict()
    assert set(document["webhooks"]) == {*TYPES, "webhook.test"}
    names = {entry["post"]["operationId"] for entry in document["webhooks"].values()}
    assert names == {
        "gameStarted",
        "gameTurn",
        "gameDeadlineNear",
        "gameLapsed",
        "gameEvent",
        "gameOver",
        "webhookTest",
    }
