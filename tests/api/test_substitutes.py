"""Seats of running games are taken over by way of the API (T-23 to T-26)."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest
from sqlalchemy import text

from service.handlers.invitations import accept
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games
from tests.builders import first_legal, now_at
from tests.leaving import AT_ONCE, leave, link_to, played_out, running
from tests.people import Person, alice, bob, carol, register
from tests.rest import Caller, refused

ALICE, BOB, DAN = 0, 1, 2
PUBLIC, PRIVATE = Terms(access="public"), Terms()


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), register(games, "Dan", "dan@example.org", "en")]


def test_t23_the_host_invites_to_a_seat_by_a_link_and_the_stranger_takes_it(
    api: Caller, games: Games, people: list[Person]
) -> None:
    position = leave(games, running(games, "sealed-bids", people, PRIVATE), BOB)
    game, host, stranger = position.game.id, api.by(people[ALICE]), api.by(carol(games))
    shown = host.get(f"/games/{game}").json
    assert shown and (shown["unattended"], shown["handed_over"]) == ([BOB], [])
    made = host.post(f"/games/{game}/invitations", {"seat": BOB})
    assert made.status_code == 201 and made.json
    assert made.json["seat"] == BOB
    token = made.json["url"].rpartition("/")[2]
    opened = stranger.get(f"/invitations/{token}")
    assert opened.json and opened.json["seat"] == BOB
    taken = stranger.post(f"/invitations/{token}/seat")
    assert (taken.status_code, taken.json) == (201, {"game_id": str(game), "seat": BOB})
    table = stranger.get(f"/games/{game}").json
    assert table and (table["seat"], table["unattended"]) == (BOB, [])
    assert table["handed_over"] == [{"seat": BOB, "seq": position.version + 1}]
    items = stranger.get(f"/games/{game}/events?after={position.version}").json
    assert items and [each["type"] for each in items["items"]] == ["seat-handed-over"]
    refused(stranger.get(f"/invitations/{token}"), 410, "invitation-over")
    listed = host.get(f"/games/{game}/invitations").json
    assert listed and [each["seat"] for each in listed["items"]] == [None], "that of before the game"


def test_t23_an_invitation_points_at_the_seat_that_is_wrong(api: Caller, games: Games, people: list[Person]) -> None:
    position = leave(games, running(games, "sealed-bids", people, PRIVATE), BOB)
    game, host = position.game.id, api.by(people[ALICE])
    wrong = refused(host.post(f"/games/{game}/invitations", {"seat": DAN}), 409, "seat-attended")
    assert wrong["errors"][0]["pointer"] == "/seat"
    refused(host.post(f"/games/{game}/invitations", {"seat": 7}), 404, "not-found")
    refused(host.post(f"/games/{game}/invitations", {"seat": -1}), 422, "validation")
    assert refused(host.post(f"/games/{game}/invitations", {}), 409, "not-open")["reason"] == "started"
    refused(api.by(people[DAN]).post(f"/games/{game}/invitations", {"seat": BOB}), 403, "not-host")


def test_t23_a_stranger_asks_and_a_player_who_is_there_agrees(api: Caller, games: Games, people: list[Person]) -> None:
    position = leave(games, running(games, "sealed-bids", people, PUBLIC), BOB)
    game, stranger, there = position.game.id, api.by(carol(games)), api.by(people[DAN])
    place = f"/games/{game}/seat-requests"
    asked = stranger.post(place, {"seat": BOB}, Idempotency_Key="carol-asks")
    assert asked.status_code == 201 and asked.json
    assert (asked.json["seat"], asked.json["name"], asked.json["mine"]) == (BOB, "Carol", True)
    again = stranger.post(place, {"seat": BOB}, Idempotency_Key="carol-asks")
    assert (again.json, again.headers["Idempotency-Replayed"]) == (asked.json, "true")
    seen = there.get(place).json
    assert seen == {"items": [{**asked.json, "mine": False}]}
    assert api.by(register(games, "Eve", None, "en")).get(place).json == {"items": []}
    request = f"{place}/{asked.json['id']}"
    refused(api.by(people[BOB]).post(f"{request}/agreement"), 409, "seat-unattended")
    refused(stranger.post(f"{request}/agreement"), 403, "not-seated")
    refused(there.post(f"{place}/{uuid4()}/agreement"), 404, "unknown-seat-request")
    for _ in range(2):
        assert there.post(f"{request}/agreement").status_code == 204
    shown = stranger.get(f"/games/{game}").json
    assert shown and shown["seat"] == BOB
    former = api.by(people[BOB]).get(f"/games/{game}").json
    assert former and former["seat"] is None, "at a public table a former player looks on as anybody"


def test_t23_a_request_is_declined_or_withdrawn(api: Caller, games: Games, people: list[Person]) -> None:
    position = leave(games, running(games, "sealed-bids", people, PUBLIC), BOB)
    game, stranger, there = position.game.id, api.by(carol(games)), api.by(people[DAN])
    place = f"/games/{game}/seat-requests"
    first = stranger.post(place, {"seat": BOB}).json
    assert first
    assert refused(stranger.post(place, {"seat": BOB}), 409, "cannot-take-over")["reason"] == "asked"
    assert stranger.delete(f"{place}/{first['id']}").status_code == 204
    second = stranger.post(place, {"seat": BOB}).json
    assert second
    refused(api.by(people[BOB]).delete(f"{place}/{second['id']}"), 409, "seat-unattended")
    assert there.delete(f"{place}/{second['id']}").status_code == 204
    assert there.get(place).json == {"items": []}
    told = refused(stranger.post(place, {"seat": BOB}), 409, "cannot-take-over")
    assert (told["reason"], bool(told["detail"])) == ("declined", True)
    refused(stranger.post(place, {"seat": DAN}), 409, "seat-attended")
    refused(stranger.post(place, {"chair": BOB}), 422, "validation")


def test_t24_the_former_player_finds_no_private_game_any_more(api: Caller, games: Games, people: list[Person]) -> None:
    position = leave(games, running(games, "new-corp-order", people, replace(PRIVATE, pace=AT_ONCE)), BOB)
    game, former = position.game.id, api.by(people[BOB])
    before = former.get(f"/games/{game}")
    accept(games, link_to(games, position, BOB), carol(games).id, clock.now())
    for path in ("", "/events", "/legal-actions", "/replay", "/record", "/board", "/talk", "/notes", "/standings"):
        refused(former.get(f"/games/{game}{path}"), 404, "unknown-game")
    refused(former.get(f"/games/{game}", If_None_Match=before.headers["ETag"]), 404, "unknown-game")
    refused(former.act(game, now_at(games, game).decision, "hold"), 404, "unknown-game")
    refused(former.post(f"/games/{game}/back"), 404, "unknown-game")
    listed = former.get("/games?mine=true").json
    assert listed and str(game) not in [each["id"] for each in listed["items"]]
    export = former.get("/me/export").json
    assert export and [(each["game"], each["seat"]) for each in export["left"]] == [(str(game), BOB)]


def test_t24_a_remembered_token_of_the_former_player_does_not_act_in_the_seat(
    api: Caller, games: Games, people: list[Person]
) -> None:
    start = running(games, "new-corp-order", people, replace(PRIVATE, pace=AT_ONCE))
    game, former, substitute = start.game.id, api.by(people[BOB]), carol(games)
    position = now_at(games, game)
    while BOB not in position.awaited:
        (seat,) = position.awaited
        said = position.ruleset.notate(first_legal(position, seat))
        assert api.by(people[seat]).act(game, position.decision, said).status_code == 201
        position = now_at(games, game)
    said = position.ruleset.notate(first_legal(position, BOB))
    assert former.act(game, position.decision, said).status_code == 201, "from now on Bob's token is remembered"
    with games.engine.begin() as db:
        # As a migration would do it: two people whose rows one transaction has written.
        both = [people[BOB].id, substitute.id]
        db.execute(text("update player set language = language where id = any(:both)"), {"both": both})
    position = leave(games, now_at(games, game), BOB)
    before = now_at(games, game)
    accept(games, link_to(games, before, BOB), substitute.id, clock.now())
    after = now_at(games, game)
    while BOB not in after.awaited:
        (seat,) = after.awaited
        said = after.ruleset.notate(first_legal(after, seat))
        assert api.by(people[seat]).act(game, after.decision, said).status_code == 201
        after = now_at(games, game)
    # As another thread could have left it: the newest version, and the people from before the seat was handed over.
    games.committed(replace(after, seats=before.seats))
    said = after.ruleset.notate(first_legal(after, BOB))
    refused(former.act(game, after.decision, said), 404, "unknown-game")
    assert now_at(Games(games.engine, games.rulesets), game).version == after.version
    assert api.by(substitute).act(game, after.decision, said).status_code == 201


def test_t25_a_seated_or_former_player_is_told_why_not(api: Caller, games: Games, people: list[Person]) -> None:
    position = leave(games, running(games, "sealed-bids", people, PUBLIC), BOB)
    token = link_to(games, position, BOB)
    for seat, reason in ((DAN, "seated"), (BOB, "left")):
        told = refused(api.by(people[seat]).post(f"/invitations/{token}/seat"), 409, "cannot-take-over")
        assert told["reason"] == reason
        details = {
            refused(
                api.by(people[seat]).post(f"/invitations/{token}/seat", Accept_Language=language),
                409,
                "cannot-take-over",
            )["detail"]
            for language in ("en", "de", "fr")
        }
        assert len(details) == 3


def test_t26_the_standings_name_who_has_played_each_seat(api: Caller, games: Games, people: list[Person]) -> None:
    position = leave(games, running(games, "sealed-bids", people, PUBLIC), BOB)
    accept(games, link_to(games, position, BOB), carol(games).id, clock.now())
    played_out(games, position.game.id)
    shown = api.by(people[ALICE]).get(f"/games/{position.game.id}/standings").json
    assert shown and [each["by"] for each in shown["played_by"]] == ["player", "substitute", "player"]
    assert shown["played_by"][BOB]["handed_over"] == [position.version + 1]
