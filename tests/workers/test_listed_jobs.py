"""A worker runs what we list, whatever somebody else puts into Redis."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from rq import Callback, Queue
from rq.serializers import JSONSerializer

from service.runtime import Runtime
from tests.workers import solo
from workers import jobs
from workers.main import new_worker
from workers.queue import PERFORM, Jobs, name_in_redis


def leave_a_mark(job: Any, *_: Any) -> None:
    """Tell that it was called."""
    Path(job.meta["mark"]).touch()


def work_off(redis: Redis, runtime: Runtime) -> None:
    new_worker(redis, "moves", runtime.heart).work(burst=True, logging_level="CRITICAL")


def test_a_listed_job_runs(runtime: Runtime, queue: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "runtime", lambda: runtime)
    game = solo.owed(runtime.games).game.id
    Jobs(queue, "moves").add(solo.row_of(runtime, game))
    work_off(queue, runtime)
    solo.assert_moved_once_per_debt(runtime.games, game, 1)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        ("os.system", ["touch {mark}"]),
        ("pathlib.Path.touch", ["{mark}"]),
        (PERFORM, ["{mark}"]),
        (PERFORM, [1, 2]),
    ],
)
def test_any_other_job_is_refused(
    runtime: Runtime, queue: Redis, tmp_path: Path, function: str, args: list[Any]
) -> None:
    mark = tmp_path / "mark"
    filled = [each.format(mark=mark) if isinstance(each, str) else each for each in args]
    evil = Queue(name_in_redis("moves"), connection=queue, serializer=JSONSerializer)
    job = evil.enqueue_call(function, args=tuple(filled))
    work_off(queue, runtime)
    assert job.is_failed
    assert not mark.exists()


@pytest.mark.parametrize("occasion", ["on_success", "on_failure"])
@pytest.mark.parametrize("function", [PERFORM, "os.getpid"])
def test_a_job_that_brings_a_callback_is_refused_and_the_callback_too(
    runtime: Runtime, queue: Redis, tmp_path: Path, function: str, occasion: str
) -> None:
    mark = tmp_path / "mark"
    evil = Queue(name_in_redis("moves"), connection=queue, serializer=JSONSerializer)
    callback: Any = {occasion: Callback(leave_a_mark)}
    job = evil.enqueue_call(function, args=(1,), meta={"mark": str(mark)}, **callback)
    work_off(queue, runtime)
    assert job.is_failed
    assert not mark.exists()


def test_a_pickled_job_is_not_unpickled(runtime: Runtime, queue: Redis, tmp_path: Path) -> None:
    mark = tmp_path / "mark"

    class Evil:
        def __reduce__(self) -> Any:
            return os.system, (f"touch {mark}",)

    evil = Queue(name_in_redis("moves"), connection=queue, serializer=JSONSerializer)
    job = evil.enqueue_call(PERFORM, args=(1,))
    queue.hset(job.key, "data", pickle.dumps((PERFORM, None, (Evil(),), {})))
    work_off(queue, runtime)
    assert not mark.exists()
