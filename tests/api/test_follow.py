"""Following a game: requests that wait for events, streams, and the bell that wakes them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import UUID

import pytest
from redis import Redis

from service.api.streams import Follower, StreamIntervals, stream
from service.handlers import lobby, take_back
from service.handlers.lobby import Plan
from service.handlers.play import resign
from service.handlers.tokens import issue
from service.http.waiting_slots import MAX_STREAMS, MAX_STREAMS_PER_NETWORK, MAX_WAITS
from service.runtime import Runtime
from service.shared import clock
from service.shared.pubsub import CHANNEL, Subscriber, Subscription
from service.shared.redis_client import connect_redis
from service.store.fast_path import hand_of
from service.store.games import Games, Position
from tests.builders import act, now_at, sealed_bids, started
from tests.consenting import clocked
from tests.following import Stream, asked, got
from tests.games.sealed_bids.actions import Hold
from tests.live import listening
from tests.people import Person, alice, bob, carol, register
from tests.rest import Caller, refused
from tests.workers.solo import eventually

SOON = 15


@pytest.fixture
def address(runtime: Runtime) -> Iterator[str]:
    with listening(runtime, relayed=False) as url:
        yield url


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def listeners(runtime: Runtime, position: Position) -> int:
    return len(runtime.subscriber._subscriptions.get(position.game.id, ()))


def finished(games: Games, position: Position) -> Position:
    for seat in (1, 2):
        position = resign(games, position.game.id, position.seats[seat].player_id, "api", clock.now()).position
    return position


@pytest.fixture(params=["with redis", "without redis", "redis out of reach"])
def house(request: pytest.FixtureRequest, runtime: Runtime, scratch: Path) -> Runtime:
    """The house, with and without what only makes it faster."""
    if request.param == "with redis":
        return runtime
    gone = None if request.param == "without redis" else connect_redis(f"unix://{scratch}/nobody.sock")
    return replace(runtime, redis=gone, subscriber=Subscriber(runtime.engine, gone))


def test_a_request_that_waits_is_answered_as_soon_as_something_happens(
    house: Runtime, games: Games, people: list[Person]
) -> None:
    position = started(games, "sealed-bids", people)
    path = f"/games/{position.game.id}/events?after={position.version}&wait=25"
    with listening(house, relayed=False) as address, ThreadPoolExecutor() as threads:
        waiting = threads.submit(got, address, path, people[1].token)
        eventually(lambda: listeners(house, position) == 1)
        begun = monotonic()
        act(games, position, 0, Hold())
        (event,) = waiting.result(SOON)["items"]
    assert monotonic() - begun < SOON
    assert (event["seq"], event["type"], event["data"]) == (position.version + 1, "bid-sealed", {"seat": 0})
    assert not house.subscriber._subscriptions


def test_what_has_happened_already_is_not_waited_for(address: str, games: Games, people: list[Person]) -> None:
    position = started(games, "sealed-bids", people)
    begun = monotonic()
    told = got(address, f"/games/{position.game.id}/events?after=1&wait=25", people[0].token)
    assert len(told["items"]) == position.version - 1
    over = finished(games, position)
    told = got(address, f"/games/{position.game.id}/events?after={over.version}&wait=25", people[0].token)
    assert told == {"version": over.version, "items": []}
    assert monotonic() - begun < SOON


def test_when_the_time_is_up_the_answer_is_empty(api: Caller, games: Games, people: list[Person]) -> None:
    position = started(games, "sealed-bids", people)
    path = f"/games/{position.game.id}/events?after={position.version}&wait="
    assert api.by(people[0]).get(f"{path}1").json == {"version": position.version, "items": []}
    refused(api.by(people[0]).get(f"{path}26"), 422, "validation")
    refused(api.by(people[0]).get(f"{path}-1"), 422, "validation")


def test_more_can_wait_than_there_are_connections(runtime: Runtime, games: Games, people: list[Person]) -> None:
    position = started(games, "sealed-bids", people)
    path = f"/games/{position.game.id}/events?after={position.version}&wait=25"
    with listening(runtime, relayed=False) as address, ThreadPoolExecutor(MAX_WAITS) as threads:
        waiting = [threads.submit(got, address, path, people[1].token) for _ in range(MAX_WAITS)]
        eventually(lambda: listeners(runtime, position) == MAX_WAITS)
        eventually(lambda: games.engine.pool.checkedout() == len(hand_of(games.engine)))  # type: ignore[attr-defined]
        with asked(address, path, people[1].token) as one_too_many:
            assert (one_too_many.status, one_too_many.headers["Retry-After"]) == (503, "15")
        act(games, position, 0, Hold())
        assert {len(each.result(SOON)["items"]) for each in waiting} == {1}


def test_a_stream_tells_the_past_then_what_happens_and_ends_with_the_game(
    address: str, games: Games, people: list[Person]
) -> None:
    position = started(games, "sealed-bids", people)
    with asked(address, f"/games/{position.game.id}/stream?after=2&language=en", people[1].token) as answer:
        assert (answer.status, answer.headers["Content-Type"]) == (200, "text/event-stream; charset=utf-8")
        assert (answer.headers["Cache-Control"], answer.headers["X-Accel-Buffering"]) == ("no-store", "no")
        messages = iter(Stream(answer))
        first = list(islice(messages, position.version - 1))
        assert first[0].fields == {"retry": "5000"}
        assert [each.fields["id"] for each in first[1:]] == [str(seq) for seq in range(3, position.version + 1)]
        act(games, position, 0, Hold())
        sealed = next(messages).event
        listed = got(address, f"/games/{position.game.id}/events?after={position.version}&language=en", people[1].token)
        assert [sealed] == listed["items"]
        finished(games, now_at(games, position.game.id))
        assert [each.event["type"] for each in islice(messages, 2)] == ["seat-resigned", "seat-resigned"]
        assert [each.fields for each in messages] == [{"event": "end", "data": "{}"}]


def test_t35_who_asks_for_it_is_told_of_a_request_beside_the_events_and_a_spectator_never(
    address: str, games: Games, people: list[Person]
) -> None:
    position = clocked(games, people=people)
    position = act(games, position, 0, Hold()).position
    path = f"/games/{position.game.id}/stream?after={position.version}"
    spectator = register(games, "Dan", None, "en")
    with (
        asked(address, f"{path}&beside_log=", people[1].token) as answer,
        asked(address, path, people[2].token) as plain,
        asked(address, f"{path}&beside_log=", spectator.token) as watching,
    ):
        messages = iter(Stream(answer))
        assert next(messages).fields == {"retry": "5000"}
        known = next(messages)
        take_back.ask_to_take_back(games, position.game.id, people[0].id, position.decision, "api", clock.now())
        changed = next(messages)
        assert (known.fields["event"], changed.fields["event"]) == ("changed", "changed")
        assert known.event.keys() == {"beside_log"} and known.event != changed.event
        with asked(address, f"{path}&beside_log={changed.event['beside_log']}", people[1].token) as again:
            act(games, position, 1, Hold())
            assert next(Stream(again).events())["type"] == "bid-sealed"
        for others in (plain, watching):
            told = [message.fields for message in islice(Stream(others), 2)]
            assert told[0] == {"retry": "5000"} and "event" not in told[1]


def test_a_change_beside_the_log_that_is_taken_back_between_two_polls_is_told_of() -> None:
    game = UUID(int=1)
    subscription = Subscription({game: 0})
    subscription.notify(game, 0, "as it was")
    assert subscription.wait(0)
    assert not subscription.wait(0, "as the thread that waits has read it")
    subscription.notify(game, 0, "as it was")
    assert subscription.wait(0)


def test_a_stream_that_broke_off_goes_on_after_its_last_event(address: str, games: Games, people: list[Person]) -> None:
    over = finished(games, started(games, "sealed-bids", people))
    path = f"/games/{over.game.id}/stream?after=1"
    with asked(address, path, people[0].token, Last_Event_ID=str(over.version - 2)) as answer:
        told = [event["seq"] for event in Stream(answer).events()]
    assert told == [over.version - 1, over.version]


def test_each_viewer_is_streamed_what_that_viewer_may_know(address: str, games: Games, people: list[Person]) -> None:
    over = finished(games, started(games, "sealed-bids", people))
    seen = []
    for token in (people[0].token, people[1].token, alice(games).token):
        with asked(address, f"/games/{over.game.id}/stream", token) as answer:
            dealt = [event for event in Stream(answer).events() if event["type"] == "hand-dealt"]
            seen.append([isinstance(each["data"]["cards"], list) for each in dealt])
    assert seen == [[True, False, False], [False, True, False], [False, False, False]]


def test_a_stream_is_refused_before_it_begins(api: Caller, games: Games, people: list[Person]) -> None:
    game = lobby.create(games, people[0].id, Plan("sealed-bids", 3), clock.now()).game.id
    refused(api.by(alice(games)).get(f"/games/{game}/stream"), 404, "unknown-game")
    refused(api.get(f"/games/{game}/stream"), 401, "unauthenticated")
    refused(api.by(people[0]).get(f"/games/{game}/stream", Last_Event_ID="x"), 422, "validation")


def test_an_account_has_so_many_streams_and_gets_a_place_back(address: str, games: Games, people: list[Person]) -> None:
    position = started(games, "sealed-bids", people)
    path = f"/games/{position.game.id}/stream"
    with ExitStack() as streams:
        opened = [streams.enter_context(asked(address, path, people[0].token)) for _ in range(MAX_STREAMS)]
        assert [each.status for each in opened] == [200] * MAX_STREAMS
        with asked(address, path, people[0].token) as another:
            assert (another.status, another.headers["Retry-After"]) == (503, "15")
            assert b'"/problems/too-many-waiting"' in another.read()
        with asked(address, path, people[1].token) as anothers:
            assert anothers.status == 200
        finished(games, position)
        for each in opened:
            each.read()

    def streams_again() -> bool:
        with asked(address, path, people[0].token) as answer:
            return answer.status == 200

    eventually(streams_again)


def test_a_head_request_takes_no_place(api: Caller, games: Games, people: list[Person]) -> None:
    position = started(games, "sealed-bids", people)
    for _ in range(MAX_STREAMS + 1):
        headers = {"Authorization": f"Bearer {people[0].token}"}
        answer = api.client.head(f"/api/v1/games/{position.game.id}/stream", headers=headers)
        assert answer.status_code == 200


def follower(runtime: Runtime, position: Position) -> Follower:
    player = position.seats[0].player_id
    with runtime.engine.begin() as db:
        token, _ = issue(db, player, "mine", ["games:read"], None, clock.now())
    return Follower(runtime.games, runtime.subscriber, position.game.id, player, token.id, "en")


def test_a_silent_stream_says_that_it_lives_and_ends_when_it_is_old(runtime: Runtime, games: Games) -> None:
    position = sealed_bids(games)
    who = follower(runtime, position)
    messages: Any = stream(who, position.version, StreamIntervals(heartbeat=0.02))
    assert list(islice(messages, 3)) == ["retry: 5000\n\n", ": still here\n\n", ": still here\n\n"]
    messages.close()
    assert list(stream(who, position.version, StreamIntervals(lifetime=0))) == ["retry: 5000\n\n"]
    assert listeners(runtime, position) == 0


def test_a_stream_that_is_closed_listens_no_longer(runtime: Runtime, games: Games) -> None:
    position = sealed_bids(games)
    messages: Any = stream(follower(runtime, position), 0)
    assert len(list(islice(messages, 3))) == 3
    assert listeners(runtime, position) == 1
    messages.close()
    assert listeners(runtime, position) == 0


def test_long_pasts_are_streamed_whole(runtime: Runtime, games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.api.streams.PAGE", 2)
    over = finished(games, sealed_bids(games))
    told = list(stream(follower(runtime, over), 0))
    assert len(told) == over.version + 2
    assert told[-1].startswith("event: end")


def test_the_bell_does_not_mind_what_else_is_said(runtime: Runtime, games: Games) -> None:
    position = sealed_bids(games)
    redis: Redis | None = runtime.redis
    assert redis
    with runtime.subscriber.listen(position.game.id, position.version) as ear:
        for said in (b"", b"x\n\n", b"\xff \xff", f"{position.game.id} x".encode(), f"{position.game.id} 1".encode()):
            redis.publish(CHANNEL, said)
        act(games, position, 0, Hold())
        assert ear.wait(SOON)


def test_a_stream_too_many_of_a_network_is_told_so(address: str, games: Games) -> None:
    # Given as many guests of one address as may follow a game from there
    position = sealed_bids(games)
    public = f"/games/{position.game.id}/stream"
    with ExitStack() as streams:
        guests = [carol(games) for _ in range(MAX_STREAMS_PER_NETWORK)]
        opened = [streams.enter_context(asked(address, public, guest.token)) for guest in guests]
        assert {each.status for each in opened} == {200}
        # When one more comes from there
        with asked(address, public, carol(games).token, Accept_Language="en") as another:
            # Then it is told whose places are taken
            assert (another.status, another.headers["Retry-After"]) == (503, "15")
            assert b"from your network" in another.read()
        finished(games, position)
        for each in opened:
            each.read()
