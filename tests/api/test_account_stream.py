"""The stream of an account: what waits in all games and challenges, and what happens there; and no card."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

import pytest
from jsonschema import Draft202012Validator
from sqlalchemy import text

from service.api.streams import Listener, StreamIntervals, account_stream, moment_of
from service.handlers import challenges, tokens
from service.handlers.authentication import authenticate
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.builders import act, finished, first_legal, started
from tests.challenged import challenged
from tests.following import Stream, asked
from tests.live import listening
from tests.people import Person, alice, bob
from tests.promises import committed
from tests.rest import Caller, refused

ONCE = StreamIntervals(lifetime=0)
BEAT = ": still here\n\n"


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games)]


def listener(runtime: Runtime, person: Person, since: int | None = None) -> Listener:
    found = authenticate(runtime.games, person.token)
    assert found
    return Listener(runtime, person.id, found.token.id, None if since is None else moment_of(str(since)))


def told(messages: list[str]) -> list[dict[str, Any]]:
    lines = [line for message in messages for line in message.splitlines()]
    found = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
    described = committed()["components"]["schemas"]["AccountMessage"]
    for each in found:
        Draft202012Validator(described).validate(each)
        assert each.keys() <= described["properties"].keys()
    return found


def now_told(runtime: Runtime, person: Person, since: int | None = None) -> list[dict[str, Any]]:
    return told(list(account_stream(listener(runtime, person, since), ONCE)))


def kinds(messages: list[dict[str, Any]]) -> list[str]:
    return [each["type"] for each in messages]


def test_a_stream_begins_with_what_waits_for_its_player_alone(
    runtime: Runtime, games: Games, people: list[Person]
) -> None:
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    sent = challenged(games, people[1], people[0])
    challenge, turn = now_told(runtime, people[0])
    assert challenge == {"type": "challenge.received", "challenge": str(sent.id), "game": None}
    assert (turn["type"], turn["game"], turn["seat"]) == ("game.turn", str(position.game.id), 0)
    assert turn["decision"] == position.decision
    assert turn.keys() == {"type", "game", "ruleset", "seat", "decision", "since", "deadline"}
    assert now_told(runtime, people[1]) == []


def test_a_stream_tells_what_happens_in_games_and_challenges_as_it_happens(
    runtime: Runtime, games: Games, people: list[Person]
) -> None:
    with (
        listening(runtime, relayed=False) as address,
        asked(address, "/me/stream?seconds=20", people[0].token) as answer,
    ):
        assert (answer.status, answer.headers["Content-Type"]) == (200, "text/event-stream; charset=utf-8")
        messages = Stream(answer).events()
        sent = challenged(games, people[1], people[0])
        assert next(messages) == {"type": "challenge.received", "challenge": str(sent.id), "game": None}
        accepted = challenges.accept(games, sent.id, people[0].id, clock.now())
        first = [next(messages), next(messages)]
        assert kinds(first) == ["challenge.accepted", "game.started"]
        assert first[0]["game"] == first[1]["game"] == str(accepted.game)
        assert accepted.game
        with games.engine.connect() as db:
            position = games.open(db, accepted.game)
        while 1 not in position.awaited:
            (seat,) = position.awaited
            position = act(games, position, seat, first_legal(position, seat)).position
        turn = next(messages)
        assert (turn["type"], turn["decision"]) == ("game.turn", position.decision)
        finished(games, position)
        last = next(each for each in messages if each["type"] == "game.over")
        assert (last["game"], last["status"]) == (str(accepted.game), "finished")


def test_a_stream_that_broke_off_tells_what_it_missed(runtime: Runtime, games: Games, people: list[Person]) -> None:
    running, over = (started(games, "new-corp-order", people, **{"first-player": 0}) for _ in range(2))
    sent = challenged(games, people[0], people[1])
    challenges.decline(games, sent.id, people[1].id, clock.now())
    finished(games, over)
    before = int((clock.now() - timedelta(minutes=1)).timestamp() * 1000)
    missed = now_told(runtime, people[0], before)
    assert sorted(kinds(missed)) == ["challenge.declined", "game.over", "game.started", "game.turn"]
    assert {each["game"] for each in missed if each["type"] == "game.over"} == {str(over.game.id)}
    assert {each["game"] for each in missed if each["type"] == "game.turn"} == {str(running.game.id)}
    after = int((clock.now() + timedelta(minutes=1)).timestamp() * 1000)
    assert kinds(now_told(runtime, people[0], after)) == ["game.turn"]


def test_nothing_hidden_is_in_a_stream(runtime: Runtime, games: Games, people: list[Person]) -> None:
    position = started(games, "new-corp-order", people)
    with games.engine.connect() as db:
        seed = db.execute(text("select seed from seed where game_id = :id"), {"id": position.game.id}).scalar_one()
    raw = "".join(message for person in people for message in account_stream(listener(runtime, person, 0), ONCE))
    assert bytes(seed).hex() not in raw
    assert not {"view", "hand", "cards", "options", "email"} & {name for each in told([raw]) for name in each}


def test_a_stream_beats_and_ends_with_its_token(runtime: Runtime, games: Games, people: list[Person]) -> None:
    who = listener(runtime, people[0])
    messages: Iterator[str] = account_stream(who, StreamIntervals(heartbeat=0.02, lifetime=60))
    assert list(islice(messages, 2)) == ["retry: 5000\n\n", BEAT]
    assert tokens.revoke(games, who.player, who.token, clock.now())
    assert set(messages) <= {BEAT}


def test_a_ticket_opens_one_stream_of_ones_account(api: Caller, games: Games, people: list[Person]) -> None:
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    made = api.by(people[0]).post("/me/stream-tickets")
    assert made.status_code == 201
    path = urlsplit(made.get_json()["url"]).path.removeprefix("/api/v1")
    assert told([api.get(f"{path}?seconds=0").text])[0]["game"] == str(position.game.id)
    refused(api.get(f"{path}?seconds=0"), 404, "unknown-ticket")


def test_a_stream_is_refused_before_it_begins(api: Caller, people: list[Person]) -> None:
    refused(api.get("/me/stream"), 401, "unauthenticated")
    refused(api.by(people[0]).get("/me/stream?seconds=301"), 422, "validation")
    refused(api.by(people[0]).get("/me/stream", Last_Event_ID="x"), 422, "validation")
