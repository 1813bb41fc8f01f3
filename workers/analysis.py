"""Analyses finished games, a second at a time: the mails of the same queue do not wait longer for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from time import monotonic
from typing import Any, Final

from service.log.folding import Timeline
from service.players.analysis import Chances, PlayedStep, analyse_step
from service.runtime import Runtime
from service.store import outbox, proof
from service.store.games import Position
from service.views.analysis import as_stored, steps_of

SECONDS: Final = 1.0
"""After these no other step is looked at in one go."""
_AT_ONCE: Final = timedelta(0)


def analyse(runtime: Runtime, row_id: int) -> None:
    """Look at some more steps of the game that the row is about, and settle the row once all are looked at.

    What is found follows from the log and the version alone, so that it makes no difference how often this happens.
    """
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
        before = None if row is None else proof.find_analysis(db, row.game_id)
        if row is None:
            return
        if before is None or before.ready:
            outbox.finish(db, row_id, "skipped")
            return
        position = runtime.games.open(db, row.game_id)
        timeline = runtime.games.timeline(db, position)
    steps = steps_of(timeline)
    found = list(_looked(position, timeline, steps[len(before.found) :]))
    ready = len(before.found) + len(found) == len(steps)
    with runtime.engine.begin() as db:
        proof.add_analysis_steps(db, row.game_id, before, found, ready=ready)
        if ready:
            outbox.finish(db, row_id, "done")
        else:
            outbox.later(db, row_id, _AT_ONCE, 0)


def _looked(position: Position, timeline: Timeline, steps: Sequence[PlayedStep]) -> Iterator[Mapping[str, Any]]:
    """Yield what is found of the first of these steps at least, until the time is over."""
    chances, until = Chances(timeline.ruleset, position.game.seats), monotonic() + SECONDS
    for step in steps:
        yield as_stored(analyse_step(chances, str(position.game.id), step))
        if monotonic() > until:
            return
