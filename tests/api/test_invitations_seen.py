"""Invitations before they are accepted: what a link shows over REST, and which games ask for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers import invitations
from service.handlers.invitations import ByLink
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games
from service.store.lobby import INVITATION_LIFETIME, invitation_token
from tests.api.test_invitations import ODD_TOKENS, invited
from tests.browsing import browser
from tests.builders import finished, started, table_for
from tests.letters import Page
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

FREE = None


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def game(games: Games, people: list[Person]) -> UUID:
    """A private table of Alice's that has a name, with two seats free."""
    return table_for(games, "sealed-bids", people[0], 3, Terms(name="Friday"))


def token_of(host: Caller, game: UUID) -> str:
    """The end of a link that the host has made."""
    return str(invited(host, game)["url"]).rpartition("/")[2]


def seats(*names: str | None) -> list[dict[str, Any]]:
    return [{"seat": seat, "name": name} for seat, name in enumerate(names)]


def test_whoever_has_the_link_sees_the_table_and_who_sits_there(api: Caller, people: list[Person], game: UUID) -> None:
    token = token_of(api.by(people[0]), game)
    seen = api.get(f"/invitations/{token.upper()}").get_json()
    until = seen.pop("expires_at")
    table = {"ruleset": "sealed-bids", "name": "Friday", "host": "Alice", "player": None, "seat": None}
    assert seen == {**table, "pace": None, "seats": seats("Alice", FREE, FREE)}
    assert until == api.by(people[0]).get(f"/games/{game}/invitations").get_json()["items"][0]["expires_at"]
    for person in people[1:]:
        api.by(person).post(f"/invitations/{token}/seat")
    assert api.get(f"/invitations/{token}").get_json()["seats"] == seats("Alice", "Bob", "Carol")


def test_looking_changes_nothing_and_shows_nothing_else_of_the_table(
    api: Caller, games: Games, people: list[Person], game: UUID
) -> None:
    token = token_of(api.by(people[0]), game)
    before = rows(games, game)
    answers = [api.by(people[1]).get(f"/invitations/{token}") for _ in range(5)]
    assert {answer.status_code for answer in answers} == {200}
    assert rows(games, game) == before
    for secret in (game, *(person.email for person in people), *(person.id for person in people)):
        assert str(secret) not in answers[0].text
    refused(api.by(people[1]).get(f"/games/{game}"), 404, "unknown-game")


def rows(games: Games, game: UUID) -> Sequence[Any]:
    query = "select g::text, (select count(*) from seat), (select count(*) from player) from game g where id = :game"
    with games.engine.connect() as db:
        return db.execute(text(query), {"game": game}).all()


def test_a_link_that_is_no_longer_good_is_refused_as_when_it_is_accepted(
    api: Caller, games: Games, people: list[Person], game: UUID
) -> None:
    host = api.by(people[0])
    given = invited(host, game)
    host.delete(f"/games/{game}/invitations/{given['id']}")
    refused(api.get(f"/invitations/{given['url'].rpartition('/')[2]}"), 410, "invitation-over")
    then = clock.now() - 2 * INVITATION_LIFETIME
    old = invitations.invite(games, game, people[0].id, ByLink("secret"), then, None)
    refused(api.get(f"/invitations/{invitation_token(old.id, 'secret')}"), 410, "invitation-over")
    token = token_of(host, game)
    for person in people[1:]:
        api.by(person).post(f"/invitations/{token}/seat")
    host.post(f"/games/{game}/start")
    assert refused(api.get(f"/invitations/{token}"), 409, "not-open")["reason"] == "started"


def test_nothing_is_seen_of_a_game_that_was_called_off(api: Caller, people: list[Person], game: UUID) -> None:
    host = api.by(people[0])
    token = token_of(host, game)
    host.post(f"/games/{game}/cancel")
    assert refused(api.get(f"/invitations/{token}"), 409, "not-open")["reason"] == "cancelled"


@pytest.mark.parametrize("token", ODD_TOKENS)
def test_a_token_that_nobody_gave_shows_nothing(token: str, api: Caller) -> None:
    answer = api.get(f"/invitations/{token}")
    assert answer.status_code == 404
    assert answer.get_json()["type"] in ("/problems/unknown-invitation", "/problems/not-found")


def test_the_link_is_in_no_line_of_the_log(
    api: Caller, people: list[Person], game: UUID, capfd: pytest.CaptureFixture[str]
) -> None:
    token = token_of(api.by(people[0]), game)
    capfd.readouterr()
    for each in (token, f"{token}x"):
        api.get(f"/invitations/{each}")
        api.post(f"/invitations/{each}/refusal")
    logged = capfd.readouterr().err
    assert '/api/v1/invitations/<token>"' in logged and "/api/v1/invitations/<token>/refusal" in logged
    assert token not in logged


def rematches(api: Caller, games: Games, people: list[Person], count: int) -> list[str]:
    """Let Bob ask for as many rematches; return the games, the newest first."""
    overs = [finished(games, started(games, "sealed-bids", people)).game.id for _ in range(count)]
    return [api.by(people[1]).post(f"/games/{over}/rematch").get_json()["id"] for over in overs][::-1]


def test_the_games_that_others_ask_one_to_are_listed_page_by_page_until_one_sits_there(
    api: Caller, games: Games, people: list[Person]
) -> None:
    made, caller = rematches(api, games, people, 3), api.by(people[0])
    first = caller.get("/me/invitations?limit=2").get_json()
    rest = caller.get(f"/me/invitations?limit=2&after={first['next']}").get_json()
    assert [each["game"] for each in first["items"] + rest["items"]] == made
    assert rest["next"] is None
    shown = first["items"][0]
    assert (shown["inviter"], shown["ruleset"], shown["seats"], shown["seats_taken"]) == ("Bob", "sealed-bids", 3, 1)
    assert caller.client.get(shown["href"], headers={"Authorization": f"Bearer {people[0].token}"}).status_code == 200
    caller.post(f"/games/{made[0]}/seats")
    api.by(people[1]).post(f"/games/{made[1]}/cancel")
    assert [each["game"] for each in caller.get("/me/invitations").get_json()["items"]] == made[2:]
    assert api.by(people[1]).get("/me/invitations").get_json() == {"items": [], "next": None}


def test_the_page_of_one_s_games_lists_the_same(app: Flask, api: Caller, games: Games, people: list[Person]) -> None:
    made = rematches(api, games, people, 2)
    page = browser(app, games, people[0]).get("/games").text
    listed = [each["game"] for each in api.by(people[0]).get("/me/invitations").get_json()["items"]]
    assert [link for link in Page(page).links if link.rpartition("/")[2] in made] == [
        f"/games/{each}" for each in listed
    ]
    assert page.count("by Bob") == len(made)


def test_an_invitation_by_mail_or_link_is_in_nobody_s_list(api: Caller, people: list[Person], game: UUID) -> None:
    for body in ({}, {"email": people[1].email}):
        invited(api.by(people[0]), game, **body)
    assert api.by(people[1]).get("/me/invitations").get_json()["items"] == []
