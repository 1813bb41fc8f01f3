"""The pages of leagues and tournaments with something to show."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from freezegun import freeze_time

from service.handlers import tournaments
from service.runtime import Runtime
from service.shared import clock
from tests.competing import carried, league_of, played, tournament_of, under_way
from tests.people import Person, register


class Shown(NamedTuple):
    """A page by its name, and whose browser is there."""

    name: str
    path: str
    person: Person | None = None


def competing_situations(runtime: Runtime, host: Person) -> Iterator[Shown]:
    """Yield the pages of a season that is over and one that can be entered, and of a tournament in its first round."""
    games = runtime.games
    others = [register(games, name, None, host.language) for name in ("Maximiliane Wolkenstein-Trostburg", "Bo", "Zoë")]
    league, season = league_of(games, [host, *others])
    with freeze_time(clock.now() + timedelta(days=7), tick=True):
        carried(runtime, "season")
        carried(runtime, "pairing")
    for game in under_way(games, season.id):
        played(games, game)
    carried(runtime, "counted")
    yield Shown("leagues", "/leagues")
    yield Shown("league", f"/leagues/{league.slug}", host)
    yield Shown("season", f"/leagues/{league.slug}/1", host)
    yield Shown("season-entry", f"/leagues/{league.slug}/2")
    waiting = tournament_of(games, host, others)
    running = tournament_of(games, host, [host, *others], rounds=1)
    tournaments.start_round(games, running.id, host.id, 0, clock.now())
    carried(runtime, "pairing")
    yield Shown("tournaments", "/tournaments", host)
    yield Shown("tournament-entry", f"/tournaments/{waiting.id}", host)
    yield Shown("tournament", f"/tournaments/{running.id}")
    yield Shown("tournaments-mine", "/tournaments/mine", host)
    yield Shown("new-tournament", "/tournaments/new", host)
