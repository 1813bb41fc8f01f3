"""Queues between relay and workers: they carry row ids to one function, and nothing else.

Each queue has a worker of its own, so that no effect waits behind unrelated ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from redis import Redis
from rq import Queue
from rq.job import Job
from rq.serializers import JSONSerializer

from workers.effects import Urgency

QUEUES: Final[Mapping[str, tuple[Urgency, ...]]] = {
    "moves": ("move",),
    "replies": ("awaited",),
    "mails": ("mail", "rest"),
    "computers": ("computer",),
}
"""Urgencies of the effects that each queue carries. `moves` never waits for a mail server. `replies`, the mails that
somebody waits for, never wait for other mails. Nothing waits for `computers`, which think."""
PERFORM = "workers.jobs.perform"
_KEEP_FAILED_SECONDS = 86_400
_TIMEOUT_SECONDS = 120


class ListedJob(Job):
    """Job that runs only the one listed function, without callbacks.

    A process that can write to Redis could otherwise name any function of any module.
    """

    _came_alone = True

    def restore(self, raw_data: Any) -> None:
        """Read the job from Redis, without its callbacks and webhooks."""
        super().restore(raw_data)
        names = (self._success_callback_name, self._failure_callback_name, self._stopped_callback_name)
        self._came_alone = not any(names) and not self.webhooks
        # A refused job fails, and RQ calls failure callbacks then.
        self._success_callback_name = self._failure_callback_name = self._stopped_callback_name = None
        self.webhooks = []

    def _execute(self) -> Any:
        listed = self.func_name == PERFORM and self.instance is None
        row_id_only = len(self.args) == 1 and type(self.args[0]) is int and not self.kwargs
        if not (listed and row_id_only and self._came_alone):
            raise PermissionError("only the listed function may be run")
        return super()._execute()


def name_in_redis(queue: str) -> str:
    """Return the name of a queue in Redis, which may be shared with others."""
    return f"boardroom-{queue}"


class Jobs:
    """Producer's side of a queue."""

    def __init__(self, redis: Redis, queue: str) -> None:
        name = name_in_redis(queue)
        self._queue = Queue(name, connection=redis, serializer=JSONSerializer, job_class=ListedJob)

    def waiting(self) -> int:
        """Return the number of waiting jobs."""
        return self._queue.count

    def add(self, row_id: int) -> None:
        """Enqueue the effect of an outbox row."""
        self._queue.enqueue_call(
            PERFORM,
            args=(row_id,),
            timeout=_TIMEOUT_SECONDS,
            result_ttl=0,
            failure_ttl=_KEEP_FAILED_SECONDS,
        )
