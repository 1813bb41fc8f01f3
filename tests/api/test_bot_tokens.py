"""Tokens of bots over REST: a bot's owner makes another, sees them all, and revokes one; nobody else does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import pytest

from service.store.access import SCOPES
from service.store.games import Games
from tests.people import alice, bob
from tests.rest import Caller, refused

WANTED: Mapping[str, Any] = {"label": "new machine", "scopes": ["games:read", "games:play", "profile:read"]}


@pytest.fixture
def owner(api: Caller, games: Games) -> Caller:
    return api.by(alice(games))


@pytest.fixture
def bot(owner: Caller) -> dict[str, Any]:
    """A bot of Alice's, with its first token."""
    made: dict[str, Any] = owner.post("/bots", {"name": "Robot"}).get_json()
    return made


def listed(owner: Caller, bot: Mapping[str, Any]) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = owner.get(f"/bots/{bot['id']}/tokens").get_json()["items"]
    return items


def test_a_bot_gets_another_token_that_is_its_own(owner: Caller, bot: dict[str, Any]) -> None:
    made = owner.post(f"/bots/{bot['id']}/tokens", {**WANTED, "expires_in_days": 3})
    assert made.status_code == 201
    token = made.get_json()
    me = Caller(owner.client, token["token"]).get("/me").get_json()
    assert (me["id"], me["bot"], me["token"]["id"]) == (bot["id"], True, token["id"])
    newest, first = listed(owner, bot)
    assert newest == {**{name: token[name] for name in newest}, "last_used_at": newest["last_used_at"]}
    assert (newest["scopes"], first["label"]) == (WANTED["scopes"], "first token")
    assert newest["expires_at"] is not None
    assert token["id"] not in [each["id"] for each in owner.get("/tokens").get_json()["items"]]


def test_a_token_that_leaked_is_revoked_and_the_bot_plays_on_with_another(owner: Caller, bot: dict[str, Any]) -> None:
    token = owner.post(f"/bots/{bot['id']}/tokens", WANTED).get_json()["token"]
    first = listed(owner, bot)[1]
    assert owner.delete(f"/bots/{bot['id']}/tokens/{first['id']}").status_code == 204
    refused(Caller(owner.client, bot["token"]).get("/me"), 401, "token-revoked")
    assert Caller(owner.client, token).get("/me").status_code == 200
    assert [each["label"] for each in listed(owner, bot)] == ["new machine"]
    refused(owner.delete(f"/bots/{bot['id']}/tokens/{first['id']}"), 404, "not-found")


def test_nobody_else_makes_sees_or_revokes_them(api: Caller, games: Games, owner: Caller, bot: dict[str, Any]) -> None:
    path, (first,) = f"/bots/{bot['id']}/tokens", listed(owner, bot)
    for other in (api.by(bob(games)), Caller(api.client, bot["token"])):
        refused(other.post(path, WANTED), 404, "not-found")
        refused(other.get(path), 404, "not-found")
        refused(other.delete(f"{path}/{first['id']}"), 404, "not-found")
    assert listed(owner, bot)[0]["id"] == first["id"]


def test_one_s_own_tokens_are_not_reached_by_a_bot_s_address_nor_a_bot_s_by_one_s_own(
    owner: Caller, bot: dict[str, Any]
) -> None:
    (own,), (theirs,) = owner.get("/tokens").get_json()["items"], listed(owner, bot)
    other = owner.post("/bots", {"name": "Another"}).get_json()
    for path in (f"/bots/{bot['id']}/tokens/{own['id']}", f"/bots/{other['id']}/tokens/{theirs['id']}"):
        refused(owner.delete(path), 404, "not-found")
    refused(owner.delete(f"/tokens/{theirs['id']}"), 404, "not-found")
    me = owner.get("/me").get_json()
    refused(owner.post(f"/bots/{me['id']}/tokens", WANTED), 404, "not-found")


def test_it_has_no_scope_that_the_asking_token_lacks(owner: Caller, bot: dict[str, Any]) -> None:
    weak = {"label": "weak", "scopes": ["profile:write", "games:read"]}
    asking = Caller(owner.client, owner.post("/tokens", weak).get_json()["token"])
    body = refused(asking.post(f"/bots/{bot['id']}/tokens", {"label": "x", "scopes": [*SCOPES]}), 403, "scope-missing")
    assert body["scope"] == "games:play"
    assert len(listed(owner, bot)) == 1


def test_a_bot_that_is_gone_gets_none(owner: Caller, bot: dict[str, Any]) -> None:
    owner.delete(f"/bots/{bot['id']}")
    refused(owner.post(f"/bots/{bot['id']}/tokens", WANTED), 404, "not-found")
    refused(owner.get(f"/bots/{uuid4()}/tokens"), 404, "not-found")


def test_a_repeated_request_makes_no_second_one(owner: Caller, bot: dict[str, Any]) -> None:
    path, key = f"/bots/{bot['id']}/tokens", uuid4().hex
    made = owner.post(path, WANTED, Idempotency_Key=key).get_json()
    assert refused(owner.post(path, WANTED, Idempotency_Key=key), 409, "secret-shown")["of"] == made["id"]
    other = owner.post("/bots", {"name": "Another"}).get_json()
    refused(owner.post(f"/bots/{other['id']}/tokens", WANTED, Idempotency_Key=key), 422, "key-reused")
    assert len(listed(owner, bot)) == 2
