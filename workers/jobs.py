"""The only function that jobs may call: carry out the effect of an outbox row."""

from __future__ import annotations

from functools import cache
from time import perf_counter

import structlog

from service.runtime import Runtime
from service.settings import Settings
from service.shared import metrics, traces
from service.shared.error_class import error_class
from service.store import outbox
from service.store.heartbeats import JOB
from workers.effects import EFFECTS
from workers.outage import is_outage

log = structlog.get_logger()


def perform(row_id: int) -> None:
    """Carry out the effect of the row with this process's runtime; called by RQ."""
    carry_out(runtime(), row_id)


@cache
def runtime() -> Runtime:
    """Return this process's runtime, built from the settings.

    Before it connects to anything, processes may be forked that use it.
    """
    return Runtime.build(Settings.from_env())


def carry_out(runtime: Runtime, row_id: int) -> None:
    """Count the attempt, then carry out the effect unless it is already done; a failure leaves the row pending.

    The attempt commits on its own, so that a row that kills its worker is still counted; after the third attempt that
    was killed or failed the row is dead. While the service is read-only nothing happens, and the row comes back. The
    same holds for a row of a kind unknown to this version: a relay of the newer version hands the row out again, and
    carries it out itself if no worker of its version takes it.
    """
    runtime.heart.beat(JOB)
    if runtime.mode.read_only:
        return
    with runtime.engine.begin() as db:
        attempt = outbox.attempt(db, row_id, tuple(EFFECTS))
        context = outbox.contexts(db, [row_id]).get(row_id) if attempt is not None and traces.active() else None
    if attempt is None:
        return
    if attempt.dead:
        _name_dead(row_id, attempt.kind, outbox.KILLED)
        return
    kind = attempt.kind
    with traces.span(f"carry out {kind}", "consumer", context, outbox__id=row_id, outbox__kind=kind) as span:
        error = _carry_out(runtime, row_id, kind)
        if span is not None and error is not None:
            traces.fail(span, error)


def _carry_out(runtime: Runtime, row_id: int, kind: str) -> str | None:
    """Carry out the effect of a row; return the class of the error if it failed."""
    begun, failed = perf_counter(), None
    try:
        EFFECTS[kind].perform(runtime, row_id)
    except Exception as error:
        # The row stays and the worker continues. Log only the class: a message may quote hidden information.
        failed = error_class(error)
        log.warning("effect failed", outbox=row_id, kind=kind, error=failed)
        with runtime.engine.begin() as db:
            if is_outage(error):
                outbox.without_server(db, row_id, failed)
            elif outbox.broken(db, row_id, failed):
                _name_dead(row_id, kind, failed)
    finally:
        metrics.count_job(kind, "failed" if failed else "carried-out", perf_counter() - begun)
    return failed


def _name_dead(row_id: int, kind: str, why: str) -> None:
    todo = "boardroom admin outbox list shows it; run or drop it"
    log.error("effect is dead", outbox=row_id, kind=kind, why=why, todo=todo)
