"""The queues between relay and workers: they carry row ids to one function, and nothing else.

Each queue has a worker of its own, so that nothing waits behind what it has nothing to do with.
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
"""How urgent the effects are that each queue carries: `moves` never waits for a mail server, and `replies`, the mails
that somebody waits for, for no other mails. Nothing waits for `computers`, which think."""
PERFORM = "workers.jobs.perform"
_KEEP_FAILED_SECONDS = 86_400
_TIMEOUT_SECONDS = 120


class ListedJob(Job):
    """A job that runs only if it is the one function we list, and brings no callbacks along.

    A process that can write to Redis could otherwise name any function of any module.
    """

    _came_alone = True

    def restore(self, raw_data: Any) -> None:
        """Read the job from Redis, without the functions and addresses to call after it."""
        super().restore(raw_data)
        names = (self._success_callback_name, self._failure_callback_name, self._stopped_callback_name)
        self._came_alone = not any(names) and not self.webhooks
        # A refused job has failed, and that is when RQ would call its failure callback.
        self._success_callback_name = self._failure_callback_name = self._stopped_callback_name = None
        self.webhooks = []

    def _execute(self) -> Any:
        listed = self.func_name == PERFORM and self.instance is None
        row_id_only = len(self.args) == 1 and type(self.args[0]) is int and not self.kwargs
        if not (listed and row_id_only and self._came_alone):
            raise PermissionError("only the listed function may be run")
        return super()._execute()


def name_in_redis(queue: str) -> str:
    """Return the name that a queue has in Redis, where others may have some, too."""
    return f"boardroom-{queue}"


class Jobs:
    """The producer's side of a queue."""

    def __init__(self, redis: Redis, queue: str) -> None:
        name = name_in_redis(queue)
        self._queue = Queue(name, connection=redis, serializer=JSONSerializer, job_class=ListedJob)

    def waiting(self) -> int:
        """Return how many jobs wait."""
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
