"""The Redis that is brought along: which one, and what it may do."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from service.local.redis import redis_program, version_of

pytestmark = pytest.mark.servers


def test_what_our_redis_does_not_need_it_may_not_do(redis_url: str) -> None:
    with Redis.from_url(redis_url) as client:
        for words in ("CONFIG SET dir /tmp", "MODULE LIST", "REPLICAOF NO ONE", "SAVE", "DEBUG SLEEP 0", "KEYS *"):
            with pytest.raises(ResponseError):
                client.execute_command(*words.split())  # type: ignore[no-untyped-call]
        with pytest.raises(ResponseError):
            client.eval("return 1", 0)
        # It may be emptied at any moment, by whoever tries that too.
        client.flushall()


def test_a_redis_of_the_machine_comes_before_the_one_that_is_brought_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = str(Path(sys.executable).parent), tmp_path / "redis-server"
    monkeypatch.setenv("PATH", os.pathsep.join([ours, str(tmp_path)]))
    without = redis_program()
    assert without is None or Path(without).parent != Path(ours)
    theirs.write_text("#!/bin/sh\necho Redis server v=9.1.2 sha=0\n")
    theirs.chmod(0o755)
    assert redis_program() == str(theirs)
    assert version_of(str(theirs)) == "9.1.2"
