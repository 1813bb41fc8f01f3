"""RQ worker: carry out the effects whose row ids come through one of the queues (workers.main QUEUE ...).

With several queues each has a process of its own; they share the memory of the code.
"""

from __future__ import annotations

import signal
import sys
from dataclasses import replace
from threading import Event
from typing import Any

import structlog
from redis import Redis, RedisError
from redis.client import Pipeline
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from service.runtime import games_here
from service.settings import Settings, ended_by_bad_settings
from service.shared import metrics
from service.shared.error_class import error_class
from service.store.heartbeats import Heart
from workers.begin import begin_part
from workers.forks import Forks
from workers.jobs import runtime
from workers.queue import QUEUES, ListedJob, name_in_redis
from workers.repeated_lines import say_once

_AGAIN_SECONDS = 0.5
log = structlog.get_logger()


class Worker(SimpleWorker):
    """Worker on a single queue, which lets RQ recover jobs taken by a killed worker.

    Jobs run in its own process: their connections and folded states stay warm, and PostgreSQL ends slow statements.
    """

    max_connection_wait_time = 2.0
    stopping = False
    heart: Heart

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Tell Redis and the database that this worker is alive; RQ calls it in each turn of its loop."""
        self.heart.beat()
        super().heartbeat(timeout, pipeline)

    def handle_warm_shutdown_request(self) -> None:
        """Note that the end was requested, and not caused by Redis."""
        self.stopping = True
        super().handle_warm_shutdown_request()  # type: ignore[no-untyped-call] # RQ has no types


def run(redis_url: str, queue: str, heart: Heart) -> None:
    """Work on a queue until SIGTERM or SIGINT; finish a running job first. Redis may go away and come back."""
    stop = Event()
    redis = Redis.from_url(redis_url)
    while not stop.is_set():
        _on_signals(lambda *_: stop.set())
        heart.beat()
        if not _answers(redis):
            stop.wait(_AGAIN_SECONDS)
            continue
        worker = new_worker(redis, queue, heart)
        try:
            worker.work(logging_level="WARNING")
        except RedisError as error:
            log.warning("redis out of reach", error=error_class(error))
        if worker.stopping:
            return


def new_worker(redis: Redis, queue: str, heart: Heart) -> Worker:
    """Return a worker on one of our queues; RQ's maintenance runs every half minute, unlike by default."""
    worker = Worker(
        [name_in_redis(queue)],
        connection=redis,
        serializer=JSONSerializer,
        job_class=ListedJob,
        # RQ waits for jobs 15 seconds less than this, and so shows signs of life thrice within heartbeats.IDLE.
        worker_ttl=20,
        maintenance_interval=30,
        job_monitoring_interval=5,
    )
    worker.heart = heart
    return worker


def _answers(redis: Redis) -> bool:
    try:
        return bool(redis.ping())
    except RedisError:
        return False


def _on_signals(handler: Any) -> None:
    signal.signal(signal.SIGTERM, handler)
    signal.signal(signal.SIGINT, handler)


@ended_by_bad_settings()
def main() -> None:
    """Run a worker on each queue that the command line names, in the Redis of the settings."""
    queues = sys.argv[1:]
    if not queues or len(set(queues)) < len(queues) or not set(queues) <= set(QUEUES):
        sys.exit(f"workers.main needs the name of a queue: {', '.join(QUEUES)}")
    settings = Settings.from_env()
    redis_url = redis_of(settings)
    if len(queues) == 1:
        work(settings, redis_url, queues[0], settings.part or f"worker-{queues[0]}")
    else:
        load(settings)
        with metrics.folder_for_forks(settings.metrics_folder) as folder:
            told = replace(settings, metrics_folder=folder)
            Forks(queues, lambda queue: work(told, redis_url, queue, one_of_several(told, queue))).run()


def redis_of(settings: Settings) -> str:
    """Return the address of the Redis that has the queues; SystemExit if the settings name none."""
    if settings.redis_url is None:
        sys.exit("workers.main needs REDIS_URL; without Redis the relay carries everything out itself")
    return settings.redis_url


def one_of_several(settings: Settings, queue: str) -> str:
    """Return the name in heartbeats of a worker that was started together with others."""
    return f"{settings.part}-{queue}" if settings.part else f"worker-{queue}"


def load(settings: Settings) -> None:
    """Load all that the forked processes share; SystemExit as `games_here`.

    Whatever a process creates or changes itself is memory of its own.
    """
    if settings.traces_endpoint is None:
        runtime()
    else:
        # Each process has to begin its traces by itself, before it creates what is traced.
        games_here(settings)


def work(settings: Settings, redis_url: str, queue: str, part: str) -> None:
    """Run the worker on a queue, under a name in heartbeats, until SIGTERM or SIGINT."""
    say_once()
    begin_part(settings, part)
    runtime().mode.watch()
    heart = runtime().heart
    heart.begin(part)
    run(redis_url, queue, heart)


if __name__ == "__main__":
    main()
