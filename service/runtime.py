"""What a process runs on, built once from its settings and shared by web and workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry
from sqlalchemy import Engine

from service.fuse import PATIENCE, Fuse
from service.mail.send import Mailer
from service.rules.registry import find_rulesets
from service.settings import Settings
from service.store.engine import build_engine
from service.store.games import Games

WAKE_CHANNEL = "boardroom:outbox"


@dataclass(frozen=True, slots=True)
class Runtime:
    """The settings and what they lead to; `redis` and `mailer` are None where the settings name no server."""

    settings: Settings
    engine: Engine
    redis: Redis | None
    games: Games
    mailer: Mailer | None

    @classmethod
    def build(cls, settings: Settings) -> Runtime:
        """Build a runtime; connects to nothing yet, so every server may come up later."""
        engine = build_engine(settings.database_url)
        redis = None if settings.redis_url is None else connect_redis(settings.redis_url)
        games = Games(engine, find_rulesets(settings.ruleset_packages), _waker(settings.redis_url))
        mailer = None if settings.smtp_url is None else Mailer(settings.smtp_url, settings.mail_from)
        return cls(settings, engine, redis, games, mailer)


def connect_redis(redis_url: str, patience: float = 0.5) -> Redis:
    """Return a client that gives up after so many seconds and never sends a command twice."""
    return Redis.from_url(
        redis_url,
        socket_connect_timeout=patience,
        socket_timeout=patience,
        retry=Retry(NoBackoff(), 0),
        health_check_interval=30,
    )


def _waker(redis_url: str | None) -> Callable[[], None]:
    redis = None if redis_url is None else connect_redis(redis_url, PATIENCE)
    fuse = Fuse()

    def wake() -> None:
        # The relay polls anyway, so a wake-up that gets lost costs at most a second.
        if redis is not None and fuse.intact:
            try:
                redis.publish(WAKE_CHANNEL, "")
            except RedisError:
                fuse.blow()

    return wake
