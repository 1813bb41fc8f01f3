"""Publish and subscribe through Redis: commits are published to other processes, and wake waiting requests.

Messages may be lost. Each second the subscriber polls the database for all games waited for, by one statement; no
waiting thread holds a connection.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic, sleep
from uuid import UUID

from redis import Redis, RedisError
from redis.client import PubSub
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from service.shared import clock
from service.shared.circuit_breaker import CircuitBreaker
from service.shared.lobby_etag import LOBBY_ETAG

_IDLE_SECONDS = 5.0
_TOGETHER_SECONDS = 0.05
"""Seconds for which messages are batched after a publication: one message with many lines costs less."""
CHANNEL = "boardroom:news"
"""Channel of the messages of `Games.wake`; a message has lines, each empty or a game's id and version.

A line with the id of a player and a number that only rises is for the streams of that account.
"""
POLL_SECONDS = 1.0
_STUCK_SECONDS = 30.0
_VERSIONS = text(f"select g.id, g.version, {LOBBY_ETAG} as beside_log from game g where g.id = any(:games)")  # noqa: S608 - a constant


class Publisher:
    """Publisher with its own thread, so that no request waits for Redis.

    The thread lives as long as there are messages. Relay and subscribers poll anyway: a lost message costs a second.
    """

    def __init__(self, redis: Redis | None) -> None:
        """Take over `redis` for exclusive use; without it nothing is published."""
        self._redis = redis
        self._breaker = CircuitBreaker()
        self._messages: SimpleQueue[str] = SimpleQueue()
        self._lock = Lock()
        self._running = False

    def tell(self, message: str) -> None:
        """Publish the message soon, if Redis can be reached."""
        if self._redis is None or not self._breaker.closed:
            return
        with self._lock:
            self._messages.put(message)
            if not self._running:
                self._running = True
                Thread(target=self._run, args=(self._redis,), name="publisher", daemon=True).start()

    def _run(self, redis: Redis) -> None:
        try:
            while gathered := list(self._gathered()):
                self._publish(redis, gathered)
                sleep(_TOGETHER_SECONDS)
        except BaseException:
            # The next message starts another thread.
            self._running = False
            raise

    def _publish(self, redis: Redis, gathered: list[str]) -> None:
        try:
            redis.publish(CHANNEL, "\n".join(gathered))
        except RedisError:
            self._breaker.trip()

    def _gathered(self) -> Iterator[str]:
        """Wait for messages and yield all of them; nothing once the thread has to end."""
        try:
            yield self._messages.get(timeout=_IDLE_SECONDS)
        except Empty:
            with self._lock:
                self._running = not self._messages.empty()
        while not self._messages.empty():
            yield self._messages.get()


class Subscription:
    """Subscription of a thread to versions of games, and to changes outside their logs (lobby_etag.py)."""

    def __init__(self, versions: Mapping[UUID, int]) -> None:
        self._versions = dict(versions)
        self._beside_log: str | None = None
        self._moved_on = Event()

    def wait(self, seconds: float, beside_log: str | None = None) -> bool:
        """Wait at most `seconds` for a new version, or a change outside the log; return whether there may be one.

        `beside_log` is the tag that the waiting thread has read itself: otherwise a change that is undone before the
        next poll would go unnoticed.
        """
        self._beside_log = beside_log or self._beside_log
        heard = self._moved_on.wait(seconds)
        self._moved_on.clear()
        return heard

    def notify(self, game: UUID, version: int, beside_log: str | None = None) -> None:
        """Report a version of a game, and its tag; None if the tag was not read."""
        if version > self._versions.get(game, version):
            self._versions[game] = version
            self._moved_on.set()
        if beside_log not in (None, self._beside_log):
            self._beside_log = beside_log
            self._moved_on.set()


class Subscriber:
    """Subscriber that wakes waiting threads; its own thread runs while any waits. Its `redis` is for exclusive use."""

    def __init__(self, engine: Engine, redis: Redis | None) -> None:
        self._engine = engine
        self._redis = redis
        self._subscriptions: dict[UUID, set[Subscription]] = {}
        self._lock = Lock()
        self._running = False
        self._turned = 0.0

    def stuck(self) -> bool:
        """Return whether threads wait and none wakes them any more."""
        return self._running and monotonic() - self._turned > _STUCK_SECONDS

    @contextmanager
    def listen(self, game: UUID, version: int) -> Iterator[Subscription]:
        """Subscribe to every version of the game beyond this one; read the log after subscribing, not before."""
        with self.listen_to_all({game: version}) as subscription:
            yield subscription

    @contextmanager
    def listen_to_all(self, versions: Mapping[UUID, int]) -> Iterator[Subscription]:
        """Subscribe to the versions of these games, at least one, as `listen`; a key may also be a player's id."""
        subscription = Subscription(versions)
        with self._lock:
            for game in versions:
                self._subscriptions.setdefault(game, set()).add(subscription)
            if not self._running:
                self._running, self._turned = True, monotonic()
                Thread(target=self._run, name="subscriber", daemon=True).start()
        try:
            yield subscription
        finally:
            with self._lock:
                for game in versions:
                    self._subscriptions[game].discard(subscription)
                    if not self._subscriptions[game]:
                        del self._subscriptions[game]

    def _run(self) -> None:
        channel = _Channel(self._redis)
        while games := self._listened_to():
            self._turned = monotonic()
            channel.open()
            self._poll(games)
            until = monotonic() + POLL_SECONDS
            while (left := until - monotonic()) > 0:
                for said in channel.heard(left):
                    for line in said.split(b"\n"):
                        self._pass_on(line)
        channel.close()

    def _listened_to(self) -> list[UUID]:
        with self._lock:
            self._running = bool(self._subscriptions)
            return list(self._subscriptions)

    def _poll(self, games: list[UUID]) -> None:
        # An unreachable database is polled again in a second.
        with suppress(SQLAlchemyError), self._engine.connect() as db:
            for row in db.execute(_VERSIONS, {"games": games, "at": clock.now()}).all():
                self._notify(row.id, row.version, row.beside_log)

    def _pass_on(self, said: bytes) -> None:
        game, _, version = said.decode(errors="replace").partition(" ")
        # Other messages of the channel are for the relay.
        with suppress(ValueError):
            self._notify(UUID(game), int(version))

    def _notify(self, game: UUID, version: int, beside_log: str | None = None) -> None:
        with self._lock:
            for subscription in self._subscriptions.get(game, ()):
                subscription.notify(game, version, beside_log)


class _Channel:
    """Messages from Redis; none without Redis, or while it cannot be reached."""

    def __init__(self, redis: Redis | None) -> None:
        self._redis = redis
        self._pubsub: PubSub | None = None

    def open(self) -> None:
        """Subscribe if not subscribed; a failure is ignored."""
        if self._redis is not None and self._pubsub is None:
            with suppress(RedisError):
                pubsub: PubSub = self._redis.pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call] # redis has no types
                pubsub.subscribe(CHANNEL)
                self._pubsub = pubsub

    def heard(self, seconds: float) -> list[bytes]:
        """Wait for messages for at most `seconds`, and return them."""
        if self._pubsub is None:
            sleep(seconds)
            return []
        found = []
        try:
            message = self._pubsub.get_message(timeout=seconds)
            while message is not None:
                found.append(message["data"])
                message = self._pubsub.get_message()
        except RedisError:
            self.close()
        return found

    def close(self) -> None:
        if self._pubsub is not None:
            self._pubsub.close()
            self._pubsub = None
