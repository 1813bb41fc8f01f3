"""`make turns-with-orders`: the same game of four by mail without moves given ahead, and with those of one player."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from service.handlers.orders import choose_auto_answers, seen_by
from service.local.servers import LocalServers
from tests.bench.figures import figure
from tests.builders import now_at
from tests.e2e.mail_game import (
    Habit,
    Table,
    answer,
    begun,
    chosen,
    is_over,
    log_of,
    moves_in,
    people_at,
    played,
    seeded,
)
from tests.e2e.moving_clock import service_of_its_own
from tests.letters import Letter

AHEAD: Final = 5
"""Moves that are given ahead at a time."""
PLOT: Final = "P D D"
"""A move that is the same whatever the others do."""
AFTER: Final = timedelta(hours=3)
SEED: Final = 7
SECOND: Final = 1
"""The seat of the player who gives moves ahead."""
DISCARDS: Final = "discard-commonest"
"""The auto-answer for hands that grow too large, of the player who gives moves ahead."""


@dataclass(frozen=True, slots=True)
class Course:
    """What a game was like: its moves, the mails, how often it waited for a person, and how long it took."""

    moves: Sequence[tuple[int, Any]]
    mails: int
    waits: int
    took: timedelta


def plots(table: Table, letter: Letter) -> None:
    """Answer a mail with a Plot if there is one, with the discard of an auto-answer, or with one of its moves."""
    table.write(letter, PLOT if _can_plot(letter) else _discard(table, letter) or chosen(letter))


def plots_ahead(table: Table, letter: Letter) -> None:
    """Answer a mail as `plots` does, and give moves ahead."""
    if _can_plot(letter):
        table.write(letter, "\n".join([PLOT, *[f"dann {PLOT}"] * AHEAD]))
    else:
        plots(table, letter)


def course(servers: LocalServers, ahead: bool) -> Course:
    """Play the game, in which the second player gives moves ahead or not, and return what it was like."""
    with service_of_its_own(servers, "orders") as clock, seeded(SEED):
        table = begun(clock, "new-corp-order", people_at(clock), **{"short-game": True, "first-player": 0})
        if ahead:
            games, player = clock.runtime.games, table.people[SECOND].id
            choose_auto_answers(games, table.game, player, [DISCARDS], clock.now)
        answers = [answer, plots_ahead if ahead else plots, answer, answer]
        people = zip(table.people, answers, strict=True)
        began, mails = clock.now, list(played(table, {each.email or "": Habit(AFTER, how) for each, how in people}))
        assert is_over(table)
        log = log_of(table)
    deeds = [each for each in log if each.action is not None and each.seat is not None]
    turns = (list(deeds) for _, deeds in groupby(deeds, lambda each: each.seat))
    waits = sum(any(deed.door != "order" for deed in turn) for turn in turns)
    return Course([(each.seat or 0, each.action) for each in deeds], len(mails), waits, log[-1].at - began)


def _discard(table: Table, letter: Letter) -> str | None:
    """Return the discard that the auto-answer would choose, None if no discard is asked for."""
    position = now_at(table.runtime.games, table.game)
    ruleset, state = position.ruleset, position.state
    discards = next(each for each in ruleset.auto_answers if each.name == DISCARDS)
    action = discards.answer(seen_by(position, SECOND), ruleset.legal(state, SECOND))
    return None if action is None or letter.kind == "problem" else ruleset.notate(action)


def _can_plot(letter: Letter) -> bool:
    return letter.kind != "problem" and any(each.startswith("P ") for each in moves_in(letter))


def main() -> None:
    """Print mails and waits of both games, and the hours that they take if everybody answers after three."""
    with tempfile.TemporaryDirectory(prefix="boardroom-orders-") as folder:
        Path(folder).chmod(0o711)
        with LocalServers(Path(folder), durable=False) as servers:
            without, with_orders = course(servers, ahead=False), course(servers, ahead=True)
    assert with_orders.moves == without.moves, "the games are not the same"
    for name in ("mails", "waits"):
        before, after = getattr(without, name), getattr(with_orders, name)
        figure(f"{name}_with_orders", after, name, before, 0, without=before, moves=len(without.moves))
    hours, before_hours = (each.took / timedelta(hours=1) for each in (with_orders, without))
    figure("hours_with_orders", hours, "h", before_hours, 0, without=before_hours)


if __name__ == "__main__":
    main()
