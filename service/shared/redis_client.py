"""Redis client for everything but RQ."""

from __future__ import annotations

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry


def connect_redis(redis_url: str, patience: float = 0.5) -> Redis:
    """Return a client that times out after `patience` seconds and never sends a command twice.

    `?socket_timeout=` and `?socket_connect_timeout=` in the URL override `patience`.
    """
    return Redis.from_url(
        redis_url,
        socket_connect_timeout=patience,
        socket_timeout=patience,
        retry=Retry(NoBackoff(), 0),
        health_check_interval=30,
    )
