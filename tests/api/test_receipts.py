"""Requests that create something, repeated under their key: answered once more, and done once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from sqlalchemy import text
from werkzeug.test import TestResponse

from service.store.game_row import Terms
from service.store.games import Games
from tests.builders import finished, now_at, started, table_for
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

PLAN = {"ruleset": "sealed-bids", "seats": 3, "access": "public"}
HOOK = {"url": "https://hooks.example.org/boardroom", "events": ["game.turn"]}
KEY = "a-key-of-mine"
Ask = Callable[..., TestResponse]


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def games_of(games: Games, person: Person) -> int:
    with games.engine.connect() as db:
        return int(db.execute(text("select count(*) from game where host = :id"), {"id": person.id}).scalar_one())


def test_a_game_is_opened_once_and_shown_again_as_it_was(api: Caller, games: Games, people: list[Person]) -> None:
    host = api.by(people[0])
    first = host.post("/games", PLAN, Idempotency_Key=KEY)
    assert first.json
    assert "Idempotency-Replayed" not in first.headers
    api.by(people[1]).post(f"/games/{first.json['id']}/seats")
    again = host.post("/games", PLAN, Idempotency_Key=KEY)
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["Location"] == first.headers["Location"]
    assert games_of(games, people[0]) == 1


def test_the_same_key_twenty_times_at_once_opens_one_game(app: Flask, games: Games, people: list[Person]) -> None:
    def ask(_: int) -> TestResponse:
        return Caller(app.test_client(), people[0].token).post("/games", PLAN, Idempotency_Key=KEY)

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(ask, range(20)))
    assert {(answer.status_code, answer.data) for answer in answers} == {(201, answers[0].data)}
    assert sum("Idempotency-Replayed" in answer.headers for answer in answers) == 19
    assert games_of(games, people[0]) == 1


def test_a_key_is_not_good_for_another_request(api: Caller, games: Games, people: list[Person]) -> None:
    host, guest = api.by(people[0]), api.by(people[1])
    host.post("/games", PLAN, Idempotency_Key=KEY)
    refused(host.post("/games", {**PLAN, "name": "Other"}, Idempotency_Key=KEY), 422, "key-reused")
    assert games_of(games, people[0]) == 1
    one, two = (table_for(games, "sealed-bids", people[0], 3) for _ in range(2))
    guest.post(f"/games/{one}/seats", Idempotency_Key=KEY)
    refused(guest.post(f"/games/{two}/seats", Idempotency_Key=KEY), 422, "key-reused")
    assert len(now_at(games, two).seats) == 1


def test_a_key_is_its_accounts_and_its_operations_own(api: Caller, games: Games, people: list[Person]) -> None:
    host, guest = api.by(people[0]), api.by(people[1])
    made = [caller.post("/games", PLAN, Idempotency_Key=KEY) for caller in (host, guest)]
    assert made[0].json
    assert made[1].json
    assert made[0].json["id"] != made[1].json["id"]
    joined = guest.post(f"/games/{made[0].json['id']}/seats", Idempotency_Key=KEY)
    assert (joined.status_code, joined.json) == (201, {"seat": 1})


def test_joining_twice_under_one_key_is_joining_once(api: Caller, games: Games, people: list[Person]) -> None:
    game = table_for(games, "sealed-bids", people[0], 3)
    guest = api.by(people[1])
    first, again = (guest.post(f"/games/{game}/seats", Idempotency_Key=KEY) for _ in range(2))
    assert (first.json, again.json, again.status_code) == ({"seat": 1}, {"seat": 1}, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert refused(guest.post(f"/games/{game}/seats"), 409, "not-open")["reason"] == "taken"


def test_accepting_and_asking_for_a_rematch_are_done_once_as_well(
    api: Caller, games: Games, people: list[Person]
) -> None:
    game = table_for(games, "sealed-bids", people[0], 3, Terms())
    given: Any = api.by(people[0]).post(f"/games/{game}/invitations", {}).json
    door = f"/invitations/{given['url'].rpartition('/')[2]}/seat"
    over = finished(games, started(games, "sealed-bids", people)).game.id
    for path in (door, f"/games/{over}/rematch"):
        first, again = (api.by(people[1]).post(path, Idempotency_Key=KEY) for _ in range(2))
        assert first.status_code == 201
        assert (first.data, again.headers["Idempotency-Replayed"]) == (again.data, "true")


def test_a_refused_request_does_not_use_up_its_key(api: Caller, games: Games, people: list[Person]) -> None:
    host = api.by(people[0])
    refused(host.post("/games", {**PLAN, "seats": 2}, Idempotency_Key=KEY), 422, "bad-option")
    assert host.post("/games", PLAN, Idempotency_Key=KEY).status_code == 201
    game = table_for(games, "sealed-bids", people[0], 3)
    refused(host.post(f"/games/{game}/seats", Idempotency_Key=KEY), 409, "not-open")
    assert _kept(games, people[0].id) == 1


def test_what_is_said_twice_under_one_key_is_heard_once(api: Caller, games: Games, people: list[Person]) -> None:
    path = f"/games/{started(games, 'sealed-bids', people).game.id}/talk"
    speaker = api.by(people[1])
    first, again = (speaker.post(path, {"text": "Hm."}, Idempotency_Key=KEY) for _ in range(2))
    assert (first.status_code, again.status_code, again.data) == (201, 201, first.data)
    assert again.headers["Idempotency-Replayed"] == "true"
    refused(speaker.post(path, {"text": "Ah."}, Idempotency_Key=KEY), 422, "key-reused")
    assert len(speaker.get(path).get_json()["items"]) == 1


def test_a_test_message_is_sent_once(api: Caller, people: list[Person]) -> None:
    caller = api.by(people[0])
    webhook = f"/webhooks/{caller.post('/webhooks', HOOK).get_json()['id']}"
    first, again = (caller.post(f"{webhook}/test", Idempotency_Key=KEY) for _ in range(2))
    assert (first.status_code, again.data, again.headers["Idempotency-Replayed"]) == (202, first.data, "true")
    assert len(caller.get(f"{webhook}/deliveries").get_json()["items"]) == 1


@pytest.mark.parametrize(
    ("path", "body", "other"),
    [
        ("/tokens", {"label": "mine", "scopes": ["games:read"]}, {"label": "other", "scopes": ["games:read"]}),
        ("/bots", {"name": "Robot"}, {"name": "Other"}),
        ("/webhooks", HOOK, {**HOOK, "events": ["game.over"]}),
    ],
)
def test_what_has_a_secret_is_made_once_and_its_secret_is_kept_by_nobody(
    path: str, body: Any, other: Any, api: Caller, games: Games, people: list[Person]
) -> None:
    caller = api.by(people[0])
    before = len(caller.get(path).get_json()["items"])
    first = caller.post(path, body, Idempotency_Key=KEY)
    assert first.status_code == 201
    secret = first.get_json().get("token") or first.get_json()["secret"]
    again = caller.post(path, body, Idempotency_Key=KEY)
    assert refused(again, 409, "secret-shown")["of"] == first.get_json()["id"]
    assert secret not in again.text
    refused(caller.post(path, other, Idempotency_Key=KEY), 422, "key-reused")
    assert len(caller.get(path).get_json()["items"]) == before + 1
    with games.engine.connect() as db:
        kept = db.execute(text("select i::text from idempotency i where principal = :id"), {"id": people[0].id})
        assert secret not in kept.scalar_one()
    assert caller.post(path, body, Idempotency_Key="a-new-key").status_code == 201


def test_a_secret_is_renewed_once_so_that_the_one_in_use_goes_on_signing(
    api: Caller, games: Games, people: list[Person]
) -> None:
    caller = api.by(people[0])
    made = caller.post("/webhooks", HOOK).get_json()["id"]
    assert caller.post(f"/webhooks/{made}/secret", Idempotency_Key=KEY).status_code == 200
    with games.engine.connect() as db:
        sealed = text("select array_agg(id order by id) from webhook_secret where webhook_id = :id")
        secrets = db.execute(sealed, {"id": made}).scalar_one()
    again = caller.post(f"/webhooks/{made}/secret", Idempotency_Key=KEY)
    assert refused(again, 409, "secret-shown")["of"] == made
    with games.engine.connect() as db:
        assert db.execute(sealed, {"id": made}).scalar_one() == secrets


def test_a_token_that_may_not_be_made_does_not_use_up_its_key(api: Caller, games: Games, people: list[Person]) -> None:
    caller = api.by(people[0])
    weak = {"label": "weak", "scopes": ["profile:write"]}
    narrow = Caller(api.client, caller.post("/tokens", weak).get_json()["token"])
    strong = {"label": "strong", "scopes": ["games:play"]}
    refused(narrow.post("/tokens", strong, Idempotency_Key=KEY), 403, "scope-missing")
    assert caller.post("/tokens", strong, Idempotency_Key=KEY).status_code == 201


@pytest.mark.parametrize("key", ["short", "a" * 65, "with spaces in it", "ключключключ", ""])
def test_an_odd_key_is_a_problem(key: str, api: Caller, games: Games, people: list[Person]) -> None:
    answer = api.by(people[0]).client.post(
        "/api/v1/games",
        json=PLAN,
        headers={"Authorization": f"Bearer {people[0].token}", "Idempotency-Key": key.encode().decode("latin-1")},
    )
    refused(answer, 422, "validation")
    assert games_of(games, people[0]) == 0


def _kept(games: Games, person: UUID) -> int:
    with games.engine.connect() as db:
        found = text("select count(*) from idempotency where principal = :id")
        return int(db.execute(found, {"id": person}).scalar_one())
