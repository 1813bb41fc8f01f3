"""Players, rulesets and games before they are played, over REST."""

from __future__ import annotations

from service.store.games import Games
from tests.builders import opened
from tests.people import alice, bob, carol
from tests.rest import Caller, refused


def test_a_new_player_gets_a_token_and_is_known_by_it(api: Caller) -> None:
    answer = api.post("/players", {"name": "Zoë", "email": "zoe@example.org", "language": "fr"})
    assert answer.status_code == 201
    assert answer.json
    me = Caller(api.client, answer.json["token"]).get("/me")
    assert me.json
    assert {**me.json, "token": answer.json["token"]} == {**answer.json, "limits": []}
    assert me.json["token"]["label"] == "first token"
    assert (me.json["name"], me.json["email"], me.json["language"]) == ("Zoë", "zoe@example.org", "fr")
    assert me.headers["Cache-Control"] == "private, no-cache"


def test_a_name_is_enough_to_play(api: Caller) -> None:
    answer = api.post("/players", {"name": "Zoe"})
    assert answer.json
    assert (answer.status_code, answer.json["email"], answer.json["language"]) == (201, None, "en")


def test_a_name_in_two_spellings_is_stored_in_one(api: Caller) -> None:
    answer = api.post("/players", {"name": "Zoe\u0308"})
    assert answer.json
    assert answer.json["name"] == "Zo\u00eb"


def test_without_a_token_or_with_a_wrong_one_nobody_gets_in(api: Caller, games: Games) -> None:
    token = alice(games).token
    for wrong in (None, token[:-1] + ("0" if token[-1] != "0" else "1"), "brd_" + "0" * 36, "x", "ü"):
        answer = Caller(api.client, wrong).get("/me")
        refused(answer, 401, "unauthenticated")
        assert answer.headers["WWW-Authenticate"].startswith('Bearer realm="boardroom"')


def test_the_token_is_looked_at_before_the_body(api: Caller) -> None:
    refused(api.raw("/games", b"[" * 10), 401, "unauthenticated")


def test_rulesets_are_listed_with_their_options(api: Caller) -> None:
    answer = api.get("/rulesets")
    assert answer.json
    listed = next(each for each in answer.json["items"] if each["name"] == "sealed-bids")
    assert (listed["seats"], listed["languages"]) == ([3, 4, 5], ["en", "de", "fr"])
    option = listed["options"][0]
    assert (option["name"], option["type"], option["default"], set(option["text"])) == (
        "double",
        "boolean",
        False,
        {"en", "de", "fr"},
    )


def test_a_game_is_opened_joined_and_started(api: Caller, games: Games) -> None:
    hosting, guest, third = api.by(alice(games)), api.by(bob(games)), api.by(carol(games))
    plan = {"ruleset": "sealed-bids", "seats": 3, "options": {"double": True}, "access": "public"}
    new = hosting.post("/games", plan)
    assert new.status_code == 201
    assert new.json
    path = f"/games/{new.json['id']}"
    assert new.headers["Location"] == f"/api/v1{path}"
    assert (new.json["status"], new.json["seat"], new.json["options"], new.json["view"], new.json["decision"]) == (
        "open",
        0,
        {"double": True},
        None,
        None,
    )
    assert [guest.post(f"{path}/seats").json, third.post(f"{path}/seats").json] == [{"seat": 1}, {"seat": 2}]
    begun = hosting.post(f"{path}/start")
    assert begun.json
    assert (begun.status_code, begun.json["status"], begun.json["to_act"]) == (200, "running", [0, 1, 2])
    assert [seat["name"] for seat in begun.json["seats"]] == ["Alice", "Bob", "Carol"]


def test_a_game_that_is_not_offered_is_not_opened(api: Caller, games: Games) -> None:
    caller = api.by(alice(games))
    refused(caller.post("/games", {"ruleset": "chess", "seats": 2}), 422, "unknown-ruleset")
    wrong = caller.post("/games", {"ruleset": "sealed-bids", "seats": 2})
    assert refused(wrong, 422, "bad-option")["errors"][0]["pointer"] == "/seats"
    wrong = caller.post("/games", {"ruleset": "sealed-bids", "seats": 3, "options": {"triple/x": True}})
    assert refused(wrong, 422, "bad-option")["errors"][0]["pointer"] == "/options/triple~1x"
    refused(caller.post("/games", {"ruleset": "sealed-bids", "seats": 3, "options": {"double": 1}}), 422, "bad-option")


def test_a_lobby_says_why_it_refuses(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    game = opened(games, "sealed-bids", people[:1] + people[1:])
    stranger = api.by(alice(games))
    assert refused(stranger.post(f"/games/{game}/seats"), 409, "not-open")["reason"] == "full"
    assert refused(api.by(people[1]).post(f"/games/{game}/seats"), 409, "not-open")["reason"] == "taken"
    refused(api.by(people[1]).post(f"/games/{game}/start"), 403, "not-host")
    assert api.by(people[0]).post(f"/games/{game}/start").status_code == 200
    assert refused(api.by(people[0]).post(f"/games/{game}/start"), 409, "not-open")["reason"] == "started"


def test_a_game_waits_until_all_seats_are_taken(api: Caller, games: Games) -> None:
    host = api.by(alice(games))
    new = host.post("/games", {"ruleset": "sealed-bids", "seats": 3})
    assert new.json
    assert refused(host.post(f"/games/{new.json['id']}/start"), 409, "not-open")["reason"] == "seats-free"


def test_ones_own_games_are_listed_page_by_page(api: Caller, games: Games) -> None:
    host, guest = alice(games), bob(games)
    made = [str(opened(games, "sealed-bids", [host, guest, carol(games)])) for _ in range(3)]
    opened(games, "sealed-bids", [guest, carol(games), alice(games)])
    first = api.by(host).get("/games?mine=true&status=open&limit=2").json
    assert first
    assert [each["id"] for each in first["items"]] == [made[2], made[1]]
    assert first["items"][0]["seat"] == 0
    second = api.by(host).get(f"/games?mine=true&limit=2&after={first['next']}").json
    assert second
    assert [each["id"] for each in second["items"]] == [made[0]]
    assert second["next"] is None
    assert api.by(host).get("/games?mine=true&status=finished").json == {"items": [], "next": None}


def test_a_wrong_parameter_is_named(api: Caller, games: Games) -> None:
    caller = api.by(alice(games))
    for query, parameter in (("limit=0", "limit"), ("limit=1e1", "limit"), ("status=lost", "status"), ("x=1", "x")):
        body = refused(caller.get(f"/games?{query}"), 422, "validation")
        assert body["errors"][0]["parameter"] == parameter
