"""Tokens and bots over REST: shown once, good for what they are made for, dead when they are revoked."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import event, text

from service.handlers import people, tokens
from service.handlers.authentication import authenticate
from service.runtime import Runtime
from service.store.access import SCOPES
from service.store.fast_path import hand_of
from service.store.games import Games
from tests.people import alice, bob, carol
from tests.rest import Caller, refused


def made(caller: Caller, *scopes: str, **more: Any) -> dict[str, Any]:
    """A new token of these scopes."""
    answer = caller.post("/tokens", {"label": "my program", "scopes": list(scopes), **more})
    assert answer.status_code == 201, answer.text
    body: dict[str, Any] = answer.get_json()
    return body


def listed(caller: Caller) -> list[dict[str, Any]]:
    """The tokens of whoever asks."""
    items: list[dict[str, Any]] = caller.get("/tokens").get_json()["items"]
    return items


def later(games: Games, token: dict[str, Any], **columns: str) -> None:
    """Change when a token was used or expires, as time does."""
    settings = ", ".join(f"{name} = {name} + interval '{much}'" for name, much in columns.items())
    with games.engine.begin() as db:
        db.execute(text(f"update token set {settings} where id = :id"), {"id": token["id"]})


def test_a_token_is_shown_once_and_then_only_by_its_ends(api: Caller, games: Games) -> None:
    caller = api.by(alice(games))
    token = made(caller, "games:play", "games:read", expires_in_days=30)
    (newest, first) = listed(caller)
    assert newest == {name: value for name, value in token.items() if name != "token"}
    assert (newest["label"], newest["scopes"]) == ("my program", ["games:read", "games:play"])
    assert newest["hint"] == f"brd_…{token['token'][-4:]}"
    assert newest["last_used_at"] is None
    moments = [datetime.fromisoformat(newest[name]) for name in ("created_at", "expires_at")]
    assert moments[1] - moments[0] == timedelta(days=30)
    assert (first["label"], first["expires_at"]) == ("first token", None)


def test_me_says_which_token_it_is(api: Caller, games: Games) -> None:
    person = alice(games)
    token = made(api.by(person), "profile:read")
    me = Caller(api.client, token["token"]).get("/me").get_json()
    assert me["token"] == {name: token[name] for name in ("id", "label", "scopes", "expires_at")}
    assert (me["id"], me["bot"], me["owner"], me["email_verified"]) == (str(person.id), False, None, False)


def test_a_revoked_token_is_dead_at_once_and_says_so(api: Caller, games: Games) -> None:
    caller = api.by(alice(games))
    token = made(caller, *SCOPES)
    other = Caller(api.client, token["token"])
    assert other.get("/me").status_code == 200
    gone = caller.delete(f"/tokens/{token['id']}")
    assert (gone.status_code, gone.data) == (204, b"")
    answer = other.get("/me")
    refused(answer, 401, "token-revoked")
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
    assert token["id"] not in [each["id"] for each in listed(caller)]
    refused(caller.delete(f"/tokens/{token['id']}"), 404, "not-found")


def test_a_token_may_revoke_itself(api: Caller, games: Games) -> None:
    caller = api.by(alice(games))
    assert caller.delete(f"/tokens/{listed(caller)[0]['id']}").status_code == 204
    refused(caller.get("/me"), 401, "token-revoked")


def test_an_expired_token_says_so(api: Caller, games: Games) -> None:
    token = made(api.by(alice(games)), *SCOPES, expires_in_days=1)
    other = Caller(api.client, token["token"])
    later(games, token, expires_at="-23 hours")
    assert other.get("/me").status_code == 200
    later(games, token, expires_at="-1 hours")
    refused(other.get("/me"), 401, "token-expired")


def test_a_token_of_somebody_else_cannot_be_revoked_or_seen(api: Caller, games: Games) -> None:
    mine, theirs = api.by(alice(games)), api.by(bob(games))
    token = made(mine, "games:read")
    for unknown in (token["id"], uuid4()):
        refused(theirs.delete(f"/tokens/{unknown}"), 404, "not-found")
    assert token["id"] not in [each["id"] for each in listed(theirs)]
    assert Caller(api.client, token["token"]).get("/games").status_code == 200


def test_a_token_makes_no_token_that_is_good_for_more(api: Caller, games: Games) -> None:
    weak = Caller(api.client, made(api.by(alice(games)), "profile:write", "games:read")["token"])
    body = refused(weak.post("/tokens", {"label": "x", "scopes": ["games:read", "games:play"]}), 403, "scope-missing")
    assert body["scope"] == "games:play"
    assert made(weak, "games:read")["scopes"] == ["games:read"]


def test_what_a_token_lacks_is_named(api: Caller, games: Games) -> None:
    weak = Caller(api.client, made(api.by(alice(games)), "games:read")["token"])
    answer = weak.get("/me")
    assert refused(answer, 403, "scope-missing")["scope"] == "profile:read"
    assert 'error="insufficient_scope", scope="profile:read"' in answer.headers["WWW-Authenticate"]


@pytest.mark.parametrize(
    "body",
    [
        {"label": "x"},
        {"label": "x", "scopes": []},
        {"label": "x", "scopes": ["games:win"]},
        {"label": "x", "scopes": "games:read"},
        {"label": "x", "scopes": [["games:read"]]},
        {"label": "x", "scopes": ["games:read"] * 8},
        {"label": "", "scopes": ["games:read"]},
        {"label": "x", "scopes": ["games:read"], "expires_in_days": 0},
        {"label": "x", "scopes": ["games:read"], "expires_in_days": 10**9},
        {"label": "x", "scopes": ["games:read"], "expires_at": "2040-01-01"},
        {"label": "x", "scopes": ["games:read"], "player_id": "1"},
    ],
)
def test_an_odd_token_is_not_made(api: Caller, games: Games, body: dict[str, Any]) -> None:
    caller = api.by(alice(games))
    refused(caller.post("/tokens", body), 422, "validation")
    assert len(listed(caller)) == 1


def test_when_a_token_was_last_used_is_noted_every_ten_minutes_at_most(api: Caller, games: Games) -> None:
    caller = api.by(alice(games))
    token = made(caller, "games:read")
    other = Caller(api.client, token["token"])

    def used() -> Any:
        return listed(caller)[0]["last_used_at"]

    other.get("/games")
    first = used()
    assert first
    other.get("/games")
    assert used() == first
    later(games, token, last_used_at="-9 minutes")
    nearly = used()
    other.get("/games")
    assert used() == nearly
    later(games, token, last_used_at="-2 minutes")
    other.get("/games")
    assert used() >= first


def test_looking_a_token_up_is_one_statement(runtime: Runtime, games: Games) -> None:
    token, said = alice(games).token, []
    authenticate(games, token)

    def listen(*call: Any) -> None:
        said.append(call[2])

    event.listen(hand_of(runtime.engine).engine, "before_cursor_execute", listen)
    authenticate(games, token)
    event.remove(hand_of(runtime.engine).engine, "before_cursor_execute", listen)
    assert len(said) == 1


def test_an_account_has_only_so_many_tokens(api: Caller, games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MOST", 2)
    caller = api.by(alice(games))
    token = made(caller, "games:read")
    body = refused(caller.post("/tokens", {"label": "x", "scopes": ["games:read"]}), 409, "too-many")
    assert body["most"] == 2
    caller.delete(f"/tokens/{token['id']}")
    made(caller, "games:read")


def test_a_bot_is_seen_to_be_one_by_everybody(api: Caller, games: Games) -> None:
    owner = alice(games)
    new = api.by(owner).post("/bots", {"name": "Deep Orange"})
    assert new.status_code == 201
    bot = Caller(api.client, new.get_json()["token"])
    me = bot.get("/me").get_json()
    assert (me["bot"], me["owner"]) == (True, {"id": str(owner.id), "name": "Alice"})
    assert (me["email"], me["language"]) == (None, "en")
    game = bot.post("/games", {"ruleset": "sealed-bids", "seats": 3, "access": "public"}).get_json()["id"]
    table = api.by(bob(games))
    table.post(f"/games/{game}/seats")
    assert table.get(f"/games/{game}").get_json()["seats"] == [
        {
            "seat": 0,
            "name": "Deep Orange",
            "bot": True,
            "owner": "Alice",
            "reachable": True,
            "computer": None,
            "unconfirmed": False,
            "auto_answers": [],
        },
        {
            "seat": 1,
            "name": "Bob",
            "bot": False,
            "owner": None,
            "reachable": True,
            "computer": None,
            "unconfirmed": False,
            "auto_answers": [],
        },
        {
            "seat": 2,
            "name": None,
            "bot": False,
            "owner": None,
            "reachable": True,
            "computer": None,
            "unconfirmed": False,
            "auto_answers": [],
        },
    ]


def test_a_bots_token_is_good_for_no_more_than_the_one_that_asked(api: Caller, games: Games) -> None:
    weak = Caller(api.client, made(api.by(alice(games)), "profile:write", "games:read")["token"])
    bot = Caller(api.client, weak.post("/bots", {"name": "Robot"}).get_json()["token"])
    refused(bot.get("/me"), 403, "scope-missing")
    assert bot.get("/games").status_code == 200


def test_a_bot_has_no_bots_and_does_not_delete_itself(api: Caller, games: Games) -> None:
    bot = Caller(api.client, api.by(alice(games)).post("/bots", {"name": "Robot"}).get_json()["token"])
    refused(bot.post("/bots", {"name": "Robot's robot"}), 403, "bots-may-not")
    refused(bot.delete("/me", {"confirm": "Robot"}), 403, "bots-may-not")
    assert bot.get("/bots").get_json() == {"items": []}


def test_bots_are_listed_and_deleted_by_their_owner_alone(api: Caller, games: Games) -> None:
    owner, stranger = api.by(alice(games)), api.by(carol(games))
    first, second = (owner.post("/bots", {"name": name}).get_json() for name in ("One", "Two"))
    assert [each["name"] for each in owner.get("/bots").get_json()["items"]] == ["Two", "One"]
    refused(stranger.delete(f"/bots/{first['id']}"), 404, "not-found")
    assert stranger.get("/bots").get_json() == {"items": []}
    assert owner.delete(f"/bots/{first['id']}").status_code == 204
    refused(owner.delete(f"/bots/{first['id']}"), 404, "not-found")
    refused(Caller(api.client, first["token"]).get("/me"), 401, "unauthenticated")
    assert Caller(api.client, second["token"]).get("/me").status_code == 200


def test_a_player_is_not_a_bot_that_somebody_may_delete(api: Caller, games: Games) -> None:
    person, other = alice(games), bob(games)
    for known in (person.id, other.id):
        refused(api.by(person).delete(f"/bots/{known}"), 404, "not-found")
    assert api.by(other).get("/me").status_code == 200


def test_a_player_has_only_so_many_bots(api: Caller, games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MAX_BOTS", 1)
    owner = api.by(alice(games))
    bot = owner.post("/bots", {"name": "One"}).get_json()
    assert refused(owner.post("/bots", {"name": "Two"}), 409, "too-many")["most"] == 1
    owner.delete(f"/bots/{bot['id']}")
    assert owner.post("/bots", {"name": "Two"}).status_code == 201
