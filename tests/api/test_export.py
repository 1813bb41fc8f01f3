"""What an export holds: everything that is kept about a person, and no secret."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from service.store.games import Games
from tests.builders import finished, started
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

HOOK = {"url": "https://hooks.example.org/boardroom", "events": ["game.turn"]}


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games, "Alice.Exports@example.org"), bob(games), carol(games)]


def exported(caller: Caller) -> dict[str, Any]:
    """What the export shows to whoever asks."""
    answer = caller.get("/me/export")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.get_json()
    return body


def left(api: Caller, person: Person) -> None:
    """Let the person delete their account."""
    assert api.by(person).delete("/me", {"confirm": person.name}).status_code == 204


def test_an_export_holds_ones_notes_and_what_one_has_said_and_nobody_elses(
    api: Caller, games: Games, people: list[Person]
) -> None:
    game = started(games, "sealed-bids", people).game.id
    for caller, words in ((api.by(people[0]), "mine"), (api.by(people[1]), "theirs")):
        caller.put(f"/games/{game}/notes", {"text": f"{words}, noted"})
        caller.post(f"/games/{game}/talk", {"text": f"{words}, said"})
    body = exported(api.by(people[0]))
    (note,), (remark,) = body["notes"], body["talk"]
    assert (note["game"], note["text"]) == (str(game), "mine, noted")
    assert (remark["game"], remark["number"], remark["seat"], remark["text"]) == (str(game), 1, 0, "mine, said")
    stranger = exported(api.by(alice(games)))
    assert (stranger["notes"], stranger["talk"]) == ([], [])


def test_an_export_holds_ones_webhooks_with_what_became_of_their_messages(
    api: Caller, games: Games, people: list[Person]
) -> None:
    caller = api.by(people[0])
    made = caller.post("/webhooks", HOOK).get_json()
    caller.post(f"/webhooks/{made['id']}/test")
    api.by(people[1]).post("/webhooks", HOOK)
    answer = caller.get("/me/export")
    (webhook,) = answer.get_json()["webhooks"]
    secret = made.pop("secret")
    assert webhook == {**made, "deliveries": {"pending": 1, "delivered": 0, "failed": 0, "skipped": 0}}
    assert secret not in answer.text


def test_an_export_holds_tokens_that_are_revoked_as_well(api: Caller, games: Games, people: list[Person]) -> None:
    caller = api.by(people[0])
    token = caller.post("/tokens", {"label": "old", "scopes": ["games:read"]}).get_json()
    caller.delete(f"/tokens/{token['id']}")
    answer = caller.get("/me/export")
    old, first = answer.get_json()["tokens"]
    assert (old["label"], first["label"], first["revoked_at"]) == ("old", "first token", None)
    assert old["revoked_at"] is not None
    assert token["token"] not in answer.text


def test_an_export_holds_the_invitations_that_one_gave_and_those_that_one_got(
    api: Caller, games: Games, people: list[Person]
) -> None:
    host, guest = api.by(people[0]), api.by(people[1])
    game = host.post("/games", {"ruleset": "sealed-bids", "seats": 3}).get_json()["id"]
    mailed = host.post(f"/games/{game}/invitations", {"email": "friend.of.alice@example.org"}).get_json()
    taken_back = host.post(f"/games/{game}/invitations", {}).get_json()
    host.delete(f"/games/{game}/invitations/{taken_back['id']}")
    over = finished(games, started(games, "sealed-bids", people)).game.id
    guest.post(f"/games/{over}/rematch")
    body = exported(host)
    given, (got,) = body["invitations"], body["invited"]
    assert [(each["game"], each["email"]) for each in given] == [(game, mailed["email"]), (game, None)]
    assert [each["revoked_at"] is None for each in given] == [True, False]
    assert taken_back["url"].rpartition("/")[2] not in host.get("/me/export").text
    assert (got["host"], got["id"] in [each["id"] for each in exported(guest)["invitations"]]) == ("Bob", True)


def test_an_export_shows_a_token_nothing_that_it_could_not_ask_for(
    api: Caller, games: Games, people: list[Person]
) -> None:
    scopes = ["profile:read", "games:read", "games:create"]
    weak = api.by(people[0]).post("/tokens", {"label": "weak", "scopes": scopes}).get_json()["token"]
    assert refused(Caller(api.client, weak).get("/me/export"), 403, "scope-missing")["scope"] == "webhooks:manage"


def test_with_an_account_go_its_notes_webhooks_and_kept_answers_and_what_was_said_stays(
    api: Caller, games: Games, people: list[Person]
) -> None:
    caller = api.by(people[0])
    game = started(games, "sealed-bids", people).game.id
    caller.put(f"/games/{game}/notes", {"text": "noted"})
    caller.post(f"/games/{game}/talk", {"text": "said"})
    bot = caller.post("/bots", {"name": "Robot"}).get_json()
    for owner in (caller, Caller(api.client, bot["token"])):
        owner.post("/webhooks", HOOK)
        owner.post("/games", {"ruleset": "sealed-bids", "seats": 3}, Idempotency_Key="one-of-mine")
    left(api, people[0])
    gone = {"ids": [str(people[0].id), bot["id"]]}
    with games.engine.connect() as db:
        for table, column in (
            ("note", "player_id"),
            ("webhook", "player_id"),
            ("token", "player_id"),
            ("idempotency", "principal"),
        ):
            count = text(f"select count(*) from {table} where {column} = any(cast(:ids as uuid[]))")
            assert db.execute(count, gone).scalar_one() == 0, table
    heard = api.by(people[1]).get(f"/games/{game}/talk").get_json()["items"]
    assert [(each["seat"], each["text"]) for each in heard] == [(0, "said")]


def test_whoever_only_claims_an_address_does_not_take_its_invitations_along(
    api: Caller, games: Games, people: list[Person]
) -> None:
    host = api.by(people[1])
    game = host.post("/games", {"ruleset": "sealed-bids", "seats": 3}).get_json()["id"]
    host.post(f"/games/{game}/invitations", {"email": "alice.exports@example.org"})
    left(api, people[0])
    (given,) = host.get(f"/games/{game}/invitations").get_json()["items"]
    assert given["email"] == "alice.exports@example.org"
    owner = alice(games, "Alice.Exports@example.org")
    with games.engine.begin() as db:
        db.execute(
            text("update player set email_verified = true, email_confirmed = true where id = :id"), {"id": owner.id}
        )
    left(api, owner)
    (given,) = host.get(f"/games/{game}/invitations").get_json()["items"]
    assert given["email"] is None
