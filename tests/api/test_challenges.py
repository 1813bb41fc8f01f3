"""Challenges and bots that are ready, over REST."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from freezegun import freeze_time

from service.api.streams import Listener, StreamIntervals, account_stream
from service.handlers.authentication import authenticate
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.store.lobby import READY_LAPSE
from tests.challenged import bot_of, called
from tests.people import Person, alice, bob, carol, new_address
from tests.rest import Caller, refused

READY = {"rulesets": ["new-corp-order"], "seats": [2, 3]}


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games)]


def handle() -> str:
    return f"h{new_address()[4:12]}"


def asking(to: str, **more: Any) -> dict[str, Any]:
    return {"to": to, "ruleset": "new-corp-order", "seats": 2, **more}


def ready_here(caller: Caller, handle: str) -> list[dict[str, Any]]:
    return [each for each in caller.get("/ready-bots?limit=100").get_json()["items"] if each["handle"] == handle]


def test_a_challenge_goes_to_a_handle_and_both_see_what_becomes_of_it(
    api: Caller, games: Games, people: list[Person]
) -> None:
    to = handle()
    called(games, people[1], to)
    mine, theirs = api.by(people[0]), api.by(people[1])
    sent = mine.post("/challenges", asking(to, name="Friday"), Idempotency_Key="friday-0001")
    assert (sent.status_code, sent.headers["Location"].endswith(sent.get_json()["id"])) == (201, True)
    again = mine.post("/challenges", asking(to, name="Friday"), Idempotency_Key="friday-0001")
    assert (again.get_json(), again.headers["Idempotency-Replayed"]) == (sent.get_json(), "true")
    path = f"/challenges/{sent.get_json()['id']}"
    shown = theirs.get(path).get_json()
    assert (shown["direction"], shown["state"], shown["name"]) == ("received", "open", "Friday")
    assert shown["recipient"] == {"name": "Bob", "handle": to, "bot": False}
    accepted = theirs.post(f"{path}/acceptance").get_json()
    assert theirs.get(f"/games/{accepted['game']}").get_json()["status"] == "running"
    (listed,) = mine.get("/challenges?state=accepted").get_json()["items"]
    assert (listed["direction"], listed["game"]) == ("sent", accepted["game"])
    assert mine.get("/challenges?state=open").get_json()["items"] == []
    over = refused(theirs.delete(path), 409, "challenge-over")
    assert over["state"] == "accepted"
    refused(api.by(carol(games)).get(path), 404, "unknown-challenge")
    assert [each["id"] for each in mine.get("/me/export").get_json()["challenges"]] == [shown["id"]]


def test_a_challenge_that_was_declined_is_not_accepted_afterwards(
    api: Caller, games: Games, people: list[Person]
) -> None:
    to = handle()
    called(games, people[1], to)
    sent = api.by(people[0]).post("/challenges", asking(to)).get_json()
    theirs, path = api.by(people[1]), f"/challenges/{sent['id']}"
    assert theirs.delete(path).get_json()["state"] == "declined"
    over = refused(theirs.post(f"{path}/acceptance"), 409, "challenge-over")
    assert (over["state"], theirs.get(path).get_json()["game"]) == ("declined", None)


def test_a_challenge_that_cannot_be_sent_is_refused(api: Caller, games: Games, people: list[Person]) -> None:
    to = handle()
    called(games, people[1], to)
    mine = api.by(people[0])
    refused(mine.post("/challenges", asking("nobody-has-this-1")), 404, "not-found")
    refused(mine.post("/challenges", asking("No!")), 422, "validation")
    refused(mine.post("/challenges", asking(to, seats=1)), 422, "validation")
    refused(mine.post("/challenges", asking(to, ruleset="go-fish")), 422, "unknown-ruleset")
    called(games, people[0], f"{to}x")
    refused(mine.post("/challenges", asking(f"{to}x")), 409, "no-challenge")
    assert mine.post("/challenges", asking(to)).status_code == 201
    refused(mine.post("/challenges", asking(to)), 409, "no-challenge")


def test_challenges_are_listed_in_pages(api: Caller, games: Games, people: list[Person]) -> None:
    for _ in range(3):
        to = handle()
        called(games, bob(games, email=None), to)
        assert api.by(people[0]).post("/challenges", asking(to)).status_code == 201
    first = api.by(people[0]).get("/challenges?limit=2").get_json()
    rest = api.by(people[0]).get(f"/challenges?limit=2&after={first['next']}").get_json()
    assert [len(first["items"]), len(rest["items"]), rest["next"]] == [2, 1, None]
    assert len({each["id"] for each in (*first["items"], *rest["items"])}) == 3


def test_a_bot_is_ready_while_a_stream_of_its_is_open_and_five_minutes_more(
    api: Caller, runtime: Runtime, games: Games, people: list[Person]
) -> None:
    to = handle()
    bot = bot_of(games, people[0], "Robot", to)
    found = authenticate(games, bot.token)
    assert found
    assert api.by(bot).put("/me/ready", READY).status_code == 200
    (listed,) = ready_here(api, to)
    assert {name: listed[name] for name in ("name", "owner", *READY)} == {"name": "Robot", "owner": "Alice", **READY}
    begun, look = clock.now(), Listener(runtime, bot.id, found.token.id)
    with freeze_time(begun + READY_LAPSE - timedelta(seconds=5), tick=True):
        list(account_stream(look, StreamIntervals(lifetime=0)))
    with freeze_time(begun + READY_LAPSE + timedelta(seconds=30), tick=True):
        assert len(ready_here(api, to)) == 1
    with freeze_time(begun + 2 * READY_LAPSE + timedelta(seconds=30), tick=True):
        assert ready_here(api, to) == []
        list(account_stream(look, StreamIntervals(lifetime=0)))
        assert ready_here(api, to) == []
        api.by(bot).put("/me/ready", READY)
        assert len(ready_here(api, to)) == 1
        assert api.by(bot).delete("/me/ready").status_code == 204
        assert ready_here(api, to) == []


def test_only_bots_are_ready_and_only_for_what_there_is(api: Caller, games: Games, people: list[Person]) -> None:
    bot = bot_of(games, people[0], "Robot", handle())
    refused(api.by(people[0]).put("/me/ready", READY), 403, "persons-may-not")
    refused(api.by(bot).put("/me/ready", READY | {"rulesets": ["go-fish"]}), 422, "unknown-ruleset")
    refused(api.by(bot).put("/me/ready", READY | {"seats": [16]}), 422, "bad-option")
    unnamed = api.by(bot_of(games, people[0], "Robot"))
    refused(unnamed.put("/me/ready", READY), 409, "no-handle")
    assert unnamed.patch("/me", {"handle": (name := handle())}).status_code == 200
    assert unnamed.put("/me/ready", READY).status_code == 200 and len(ready_here(api, name)) == 1
