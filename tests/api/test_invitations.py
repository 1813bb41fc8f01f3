"""Invitations over REST: given, listed, taken back, accepted."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from service.handlers import invitations
from service.handlers.invitations import MOST_PER_GAME, ByLink
from service.handlers.refusals import InvitationOver
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games
from service.store.lobby import INVITATION_LIFETIME, invitation_token
from tests.builders import now_at, table_for
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

ODD_TOKENS = ["a", "a" * 26, "a" * 27, "%00" * 26, "..%2F..", "é" * 13, "A" * 5000, "{token}", "'; drop table seat; --"]


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def game(games: Games, people: list[Person]) -> UUID:
    """A private table of Alice's, with two seats free."""
    return table_for(games, "sealed-bids", people[0], 3, Terms())


def invited(host: Caller, game: UUID, **body: Any) -> dict[str, Any]:
    """Return the answer to an invitation."""
    answer = host.post(f"/games/{game}/invitations", body)
    assert answer.status_code == 201, answer.text
    assert answer.json
    return dict(answer.json)


def door(given: dict[str, Any]) -> str:
    """Return where the link's token is posted to."""
    return f"/invitations/{given['url'].rpartition('/')[2]}/seat"


def test_whoever_has_the_link_gets_a_seat_in_a_private_game(
    api: Caller, games: Games, people: list[Person], game: UUID
) -> None:
    given = invited(api.by(people[0]), game)
    assert given["url"].startswith("http://127.0.0.1:8000/join/")
    assert len(given["url"]) < 70
    for seat, person in ((1, people[1]), (2, people[2])):
        refused(api.by(person).post(f"/games/{game}/seats"), 404, "unknown-game")
        answer = api.by(person).post(door(given))
        assert (answer.status_code, answer.json) == (201, {"game_id": str(game), "seat": seat})
        assert api.by(person).get(f"/games/{game}").status_code == 200
    assert refused(api.by(people[1]).post(door(given)), 409, "not-open")["reason"] == "taken"
    assert refused(api.by(carol(games)).post(door(given)), 409, "not-open")["reason"] == "full"


def test_the_link_is_shown_once_and_kept_by_nobody(api: Caller, games: Games, people: list[Person], game: UUID) -> None:
    host = api.by(people[0])
    given = invited(host, game)
    token = given.pop("url").rpartition("/")[2]
    assert given["email"] is None
    listed = host.get(f"/games/{game}/invitations").json
    assert listed == {"items": [given], "next": None}
    with games.engine.connect() as db:
        for table in ("invitation", "invitation_link", "idempotency", "outbox"):
            assert token not in str(db.execute(text(f"select * from {table}")).all())


def test_a_repeated_request_is_told_the_same_link(api: Caller, games: Games, people: list[Person], game: UUID) -> None:
    host = api.by(people[0])
    first, again = (host.post(f"/games/{game}/invitations", {}, Idempotency_Key="same-link") for _ in range(2))
    assert first.json == again.json
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.json
    other = host.post(f"/games/{game}/invitations", {}, Idempotency_Key="other-link").json
    assert other
    assert other["url"] != first.json["url"]
    with games.engine.connect() as db:
        assert first.json["url"].rpartition("/")[2] not in str(db.execute(text("select * from idempotency")).all())
        assert "same-link" not in str(db.execute(text("select * from idempotency")).all())
    assert api.by(people[1]).post(door(first.json)).status_code == 201


def test_only_the_host_gives_lists_and_takes_back(api: Caller, people: list[Person], game: UUID) -> None:
    host, guest = api.by(people[0]), api.by(people[1])
    given = invited(host, game)
    guest.post(door(given))
    refused(guest.post(f"/games/{game}/invitations", {}), 403, "not-host")
    refused(guest.get(f"/games/{game}/invitations"), 403, "not-host")
    refused(guest.delete(f"/games/{game}/invitations/{given['id']}"), 403, "not-host")
    refused(host.delete(f"/games/{game}/invitations/{uuid4()}"), 404, "unknown-invitation")
    for _ in range(2):
        assert host.delete(f"/games/{game}/invitations/{given['id']}").status_code == 204
    assert host.get(f"/games/{game}/invitations").json == {"items": [], "next": None}
    refused(api.by(people[2]).post(door(given)), 410, "invitation-over")


def test_an_invitation_is_taken_back_only_by_its_own_game(
    api: Caller, games: Games, people: list[Person], game: UUID
) -> None:
    other = table_for(games, "sealed-bids", people[1], 3, Terms())
    given = invited(api.by(people[0]), game)
    refused(api.by(people[1]).delete(f"/games/{other}/invitations/{given['id']}"), 404, "unknown-invitation")
    assert api.by(people[2]).post(door(given)).status_code == 201


def test_an_invitation_ends_after_thirty_days(games: Games, people: list[Person], game: UUID) -> None:
    then = clock.now() - INVITATION_LIFETIME - timedelta(seconds=1)
    given = invitations.invite(games, game, people[0].id, ByLink("secret"), then, None)
    with pytest.raises(InvitationOver):
        invitations.accept(games, invitation_token(given.id, "secret"), people[1].id, clock.now())
    invitations.accept(games, invitation_token(given.id, "secret"), people[1].id, then)


def test_an_invitation_ends_when_the_game_starts_or_is_called_off(
    api: Caller, games: Games, people: list[Person], game: UUID
) -> None:
    host = api.by(people[0])
    given = invited(host, game)
    for person in people[1:]:
        api.by(person).post(door(given))
    host.post(f"/games/{game}/start")
    assert refused(api.by(carol(games)).post(door(given)), 409, "not-open")["reason"] == "started"
    assert refused(host.post(f"/games/{game}/invitations", {}), 409, "not-open")["reason"] == "started"
    other = table_for(games, "sealed-bids", people[0], 3, Terms())
    given = invited(host, other)
    host.post(f"/games/{other}/cancel")
    assert refused(api.by(people[1]).post(door(given)), 409, "not-open")["reason"] == "cancelled"


@pytest.mark.parametrize("token", ODD_TOKENS)
def test_a_token_that_nobody_gave_leads_nowhere(token: str, api: Caller, people: list[Person]) -> None:
    for wanted in ("seat", "refusal"):
        answer = api.by(people[0]).post(f"/invitations/{token}/{wanted}")
        assert answer.status_code == 404
        assert answer.get_json()["type"] in ("/problems/unknown-invitation", "/problems/not-found")


@pytest.mark.parametrize(
    "body",
    [
        {"email": ""},
        {"email": "bob"},
        {"email": "a@example.org, b@example.org"},
        {"email": "a@example.org\r\nBcc: b@example.org"},
        {"email": ["bob@example.org"]},
        {"email": "b" * 250 + "@example.org"},
        {"player": str(uuid4())},
        {"secret": "chosen"},
        [],
        None,
    ],
    ids=range(10),
)
def test_nobody_is_invited_by_an_odd_body(body: Any, api: Caller, people: list[Person], game: UUID) -> None:
    host = api.by(people[0])
    answer = host.raw(f"/games/{game}/invitations", json.dumps(body).encode())
    refused(answer, 422, "validation")
    assert host.get(f"/games/{game}/invitations").json == {"items": [], "next": None}


def test_a_game_gets_only_so_many_invitations(api: Caller, people: list[Person], game: UUID) -> None:
    host = api.by(people[0])
    for _ in range(MOST_PER_GAME):
        invited(host, game)
    assert refused(host.post(f"/games/{game}/invitations", {}), 409, "not-open")["reason"] == "many-invitations"


def test_the_last_one_to_accept_starts_a_game_that_starts_when_full(
    api: Caller, games: Games, people: list[Person]
) -> None:
    game = table_for(games, "sealed-bids", people[0], 3, Terms(start="full"))
    given = invited(api.by(people[0]), game)
    for person in people[1:]:
        api.by(person).post(door(given))
    assert now_at(games, game).game.status == "running"
