"""T-41, T-42: the courier in a process of its own sends what is due, and what a killed one left behind."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from threading import Event
from time import monotonic, sleep
from uuid import UUID

import pytest
from sqlalchemy import text

from service.handlers import channels as handlers
from service.handlers.channels import ChannelRules, ChannelTerms
from service.messages.channels import Where
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.listener import Received, Reply
from tests.messages.services import Services
from tests.people import alice
from tests.workers.parts import Start, start

__all__ = ["start"]

ANY = {"WEBHOOKS_INSECURE": "true"}
LONG = 60.0


@pytest.fixture
def topic() -> Iterator[Services]:
    """A server of somebody's for topics, without TLS."""
    with Services() as running:
        yield running


@pytest.fixture(autouse=True)
def nothing_waits(runtime: Runtime) -> None:
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox where kind = 'channel'"))


def set_up(runtime: Runtime, games: Games, topic: Services) -> UUID:
    """Set up a channel of Alice's, whose trial is due."""
    rules = ChannelRules(runtime.vault, push=True, insecure=True)
    where = Where(kind="ntfy", url=f"http://127.0.0.1:{topic.server_port}/topic")
    return handlers.create(games, rules, alice(games).id, ChannelTerms(where, ["turn"]), clock.now())


def state(runtime: Runtime, channel: UUID) -> str:
    with runtime.engine.connect() as db:
        return str(db.execute(text("select state from channel where id = :id"), {"id": channel}).scalar_one())


def until(holds: Callable[[], bool]) -> None:
    """Wait for something to hold."""
    end = monotonic() + LONG
    while not holds():
        assert monotonic() < end, "it never did"
        sleep(0.05)


def test_t41_the_courier_sends_what_is_due(runtime: Runtime, games: Games, topic: Services, start: Start) -> None:
    start("workers.courier", **ANY)
    channel = set_up(runtime, games, topic)
    until(lambda: state(runtime, channel) == "active")
    assert [service for service, _ in topic.said] == ["ntfy"]


def test_t41_a_message_survives_the_courier_that_is_killed_while_it_sends_it(
    runtime: Runtime, games: Games, topic: Services, start: Start
) -> None:
    asked, over, answer = Event(), Event(), topic.answer

    def never(received: Received) -> Reply:
        asked.set()
        over.wait(LONG)
        return Reply(500)

    topic.answer = never  # type: ignore[method-assign]
    courier = start("workers.courier", **ANY)
    channel = set_up(runtime, games, topic)
    assert asked.wait(LONG)
    courier.send_signal(signal.SIGKILL)
    courier.wait()
    over.set()
    topic.answer = answer  # type: ignore[method-assign]
    assert state(runtime, channel) == "trying"
    with runtime.engine.begin() as db:
        # The claim of the dead courier ends by itself after a minute.
        db.execute(text("update outbox set not_before = now() where kind = 'channel' and state = 'pending'"))
    start("workers.courier", **ANY)
    until(lambda: state(runtime, channel) == "active")
    assert len(topic.said) == 1


def test_t41_a_courier_calls_no_address_inside_unless_it_is_told_to(
    runtime: Runtime, games: Games, topic: Services, start: Start
) -> None:
    channel = set_up(runtime, games, topic)
    start("workers.courier", WEBHOOKS_INSECURE="")
    until(lambda: state(runtime, channel) == "silenced")
    assert topic.connections == 0
