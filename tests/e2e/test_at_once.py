"""Many requests at once against a server that really listens: one decision, one set of events."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from service.runtime import Runtime
from service.store.games import Games, Position
from tests.builders import now_at, started
from tests.live import listening
from tests.people import Person, alice, bob

Answer = tuple[int, bytes, bool]
"""The status, the body, and whether it says that it was given before."""


@pytest.fixture(scope="module")
def address(runtime: Runtime) -> Iterator[str]:
    with listening(runtime, relayed=False) as url:
        yield url


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games, email=None), bob(games, email=None)]


@pytest.fixture
def position(games: Games, people: list[Person]) -> Position:
    return started(games, "new-corp-order", people, **{"first-player": 0})


def post(address: str, position: Position, person: Person, key: str | None = None) -> Answer:
    """Answer the position's decision with `P 1` over HTTP."""
    body = {"decision": position.ruleset.decision(position.state), "notation": "P 1"}
    headers = {"Authorization": f"Bearer {person.token}", "Content-Type": "application/json"}
    headers |= {} if key is None else {"Idempotency-Key": key}
    url = f"{address}/api/v1/games/{position.game.id}/actions"
    try:
        with urlopen(Request(url, json.dumps(body).encode(), headers), timeout=60) as answer:
            return answer.status, answer.read(), "Idempotency-Replayed" in answer.headers
    except HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read(), False


def at_once(count: int, ask: Callable[[], Answer]) -> list[Answer]:
    """Return the answers to as many requests, which all begin at the same moment."""
    start = Barrier(count)

    def wait_and_ask(_: int) -> Answer:
        start.wait()
        return ask()

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(wait_and_ask, range(count)))


def test_of_two_hundred_answers_to_a_decision_one_is_played(
    address: str, position: Position, people: list[Person], games: Games
) -> None:
    answers = at_once(200, lambda: post(address, position, people[0]))
    played = [json.loads(body) for status, body, _ in answers if status == 201]
    refused = Counter(json.loads(body)["type"] for status, body, _ in answers if status != 201)
    assert len(played) == 1
    assert refused == {"/problems/stale-decision": 199}
    assert now_at(games, position.game.id).version == played[0]["version"] == _last(played[0])


def test_the_same_request_twenty_times_under_one_key_is_played_once_and_answered_alike(
    address: str, position: Position, people: list[Person], games: Games
) -> None:
    answers = at_once(20, lambda: post(address, position, people[0], "one-key-for-all"))
    assert {status for status, _, _ in answers} == {201}
    assert len({body for _, body, _ in answers}) == 1
    assert sum(again for _, _, again in answers) == 19
    assert now_at(games, position.game.id).version == _last(json.loads(answers[0][1]))


def _last(played: Any) -> int:
    return int(played["events"][-1]["seq"])
