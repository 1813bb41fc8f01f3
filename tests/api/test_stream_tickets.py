"""Tickets open a stream where no token can be sent: one stream of one game, once, and soon."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from sqlalchemy import text

from service.handlers import tokens
from service.handlers.refusals import UnknownTicket
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from tests.builders import finished, opened, started
from tests.following import Stream, asked
from tests.live import listening
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def over(games: Games, people: list[Person]) -> Position:
    return finished(games, started(games, "sealed-bids", people))


@pytest.fixture
def address(runtime: Runtime) -> Iterator[str]:
    with listening(runtime, relayed=False) as url:
        yield url


def given(caller: Caller, position: Position) -> str:
    """The path, below /api/v1, of a stream that a new ticket opens."""
    answer = caller.post(f"/games/{position.game.id}/stream-tickets")
    assert answer.status_code == 201, answer.text
    return urlsplit(answer.get_json()["url"]).path.removeprefix("/api/v1")


def test_a_ticket_streams_what_its_owner_may_see_without_a_token(
    api: Caller, address: str, people: list[Person], over: Position
) -> None:
    seen = []
    for path, token in (
        (f"/games/{over.game.id}/stream?language=en", people[1].token),
        (f"{given(api.by(people[1]), over)}?language=en", ""),
    ):
        with asked(address, path, token) as answer:
            assert (answer.status, answer.headers["Content-Type"]) == (200, "text/event-stream; charset=utf-8")
            seen.append(list(Stream(answer)))
    assert seen[0] == seen[1]
    assert len(seen[0]) == over.version + 2


def test_a_ticket_stream_goes_on_after_the_last_event_known(
    api: Caller, address: str, people: list[Person], over: Position
) -> None:
    with asked(address, f"{given(api.by(people[0]), over)}?after={over.version - 2}", "") as answer:
        assert [event["seq"] for event in Stream(answer).events()] == [over.version - 1, over.version]


def test_a_ticket_works_once_and_nothing_else_uses_it_up(api: Caller, people: list[Person], over: Position) -> None:
    path = given(api.by(people[0]), over)
    assert api.client.head(f"/api/v1{path}").status_code == 200
    refused(api.get(f"{path}?after=x"), 422, "validation")
    assert api.get(path).text.endswith("event: end\ndata: {}\n\n")
    refused(api.get(path), 404, "unknown-ticket")
    refused(api.get("/streams/" + "a" * 26), 404, "unknown-ticket")
    refused(api.get("/streams/x"), 404, "unknown-ticket")


def test_a_ticket_works_for_a_minute(games: Games, api: Caller, people: list[Person], over: Position) -> None:
    answer = api.by(people[0]).post(f"/games/{over.game.id}/stream-tickets").get_json()
    left = datetime.fromisoformat(answer["expires_at"]) - clock.now()
    assert timedelta(seconds=50) < left <= timedelta(seconds=60)
    secret = answer["url"].rpartition("/")[2]
    with pytest.raises(UnknownTicket):
        tokens.use_ticket(games, secret, clock.now() + tokens.TICKET_LIFETIME)
    assert tokens.use_ticket(games, secret, clock.now()).player == people[0].id


def test_a_ticket_is_good_for_nothing_but_its_stream(api: Caller, people: list[Person], over: Position) -> None:
    secret = given(api.by(people[0]), over).rpartition("/")[2]
    refused(Caller(api.client, secret).get("/me"), 401, "unauthenticated")
    refused(Caller(api.client, secret).get(f"/games/{over.game.id}/stream"), 401, "unauthenticated")


def test_a_ticket_is_worth_no_more_than_the_token_that_asked_for_it(
    api: Caller, games: Games, people: list[Person], over: Position
) -> None:
    owner = api.by(people[0])
    reading = owner.post("/tokens", {"label": "reads", "scopes": ["games:read"]}).get_json()
    path = given(Caller(api.client, reading["token"]), over)
    owner.delete(f"/tokens/{reading['id']}")
    refused(api.get(path), 404, "unknown-ticket")
    profile = owner.post("/tokens", {"label": "profile", "scopes": ["profile:read"]}).get_json()["token"]
    refused(Caller(api.client, profile).post(f"/games/{over.game.id}/stream-tickets"), 403, "scope-missing")


def test_nobody_gets_a_ticket_for_a_game_that_they_do_not_know_or_know_no_longer(
    api: Caller, games: Games, people: list[Person]
) -> None:
    game = opened(games, "sealed-bids", people)
    refused(api.by(alice(games)).post(f"/games/{uuid4()}/stream-tickets"), 404, "unknown-game")
    path = urlsplit(api.by(people[1]).post(f"/games/{game}/stream-tickets").get_json()["url"]).path
    with games.engine.begin() as db:
        db.execute(text("update game set access = 'invitation' where id = :id"), {"id": game})
    refused(api.by(alice(games)).post(f"/games/{game}/stream-tickets"), 404, "unknown-game")
    api.by(people[0]).delete(f"/games/{game}/seats/1")
    refused(api.get(path.removeprefix("/api/v1")), 404, "unknown-game")


def test_tickets_go_with_the_account_and_are_stored_as_digests(
    api: Caller, games: Games, people: list[Person], over: Position
) -> None:
    secret = given(api.by(people[0]), over).rpartition("/")[2]
    kept = text("select t::text from stream_ticket t join token k on k.id = t.token_id where k.player_id = :id")
    with games.engine.connect() as db:
        (row,) = db.execute(kept, {"id": people[0].id}).scalars().all()
    assert secret not in row
    api.by(people[0]).delete("/me", {"confirm": "Alice"})
    with games.engine.connect() as db:
        assert db.execute(kept, {"id": people[0].id}).scalars().all() == []
