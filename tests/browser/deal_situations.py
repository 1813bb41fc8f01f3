"""The page of a day's deal: before a try, with results, and of a day that is over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from uuid import uuid4

from service.handlers.people import take_handle
from service.runtime import Runtime
from service.shared import clock
from service.store import daily_deals
from tests.dealing import commit, counted, played, today, tried
from tests.people import Person, register
from workers.competition import settle_deals

YESTERDAY = (9, 6, 4, -2)
"""The margins of yesterday's tries."""


def deal_situations(runtime: Runtime, people: Sequence[Person]) -> Iterator[tuple[str, str, Person | None]]:
    """Yield each page by its name and path, and whose browser it is."""
    games, day = runtime.games, today()
    before = day - timedelta(hours=12)
    for each in (day - timedelta(days=1), day):
        commit(runtime, each)
    for number, margin in enumerate(YESTERDAY):
        player = people[0] if not number else register(games, f"Player {number}", None, "en")
        take_handle(games, player.id, f"player-{uuid4().hex[:8]}", clock.now())
        begun = tried(games, player, before)
        with runtime.engine.begin() as db:
            daily_deals.end(db, begun.game.id, before, margin, margin > 0, margin + 4)
    settle_deals(runtime, clock.now())
    done = played(games, tried(games, people[0], clock.now()), moment=clock.now())
    counted(runtime, games, done.game.id)
    yield "deal-before", "/deal", people[1]
    yield "deal-tried", "/deal", people[0]
    yield "deal-over", f"/deal/{(day - timedelta(days=1)).date()}", people[1]
    yield "deal-on-start", "/", people[1]
