"""Leagues: listed, entered, and their seasons with groups and tables."""

from __future__ import annotations

from typing import Any

from flask import Response

from schemas.competition import (
    GroupsListed,
    GroupsWanted,
    League,
    LeaguesListed,
    LeaguesWanted,
    SeasonsListed,
    SeasonsWanted,
)
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.handlers import leagues as handlers
from service.handlers.leagues import LeagueEntry
from service.handlers.refusals import UnknownLeague
from service.handlers.transaction import transaction
from service.http.responses import as_json, at_creation, paged
from service.shared import clock
from service.store import competition
from service.store import competition as store
from service.views import leagues as views
from service.views.competitions import groups, groups_after
from service.views.leagues import ListedLeague
from service.views.pages import TOP, PageWanted

leagues = Resource("leagues", __name__, description="Leagues, whose seasons begin and end by themselves.")
guard(leagues)

PAGE, GROUPS = 20, 10
_ONE = "/leagues/<name>"


@leagues.operation("/leagues", Answers(schema=LeaguesListed), scope="games:read", query=LeaguesWanted)
def list_leagues(wanted: dict[str, Any]) -> Response:
    """List the leagues with their newest seasons, the newest league first."""
    limit, asking = wanted.get("limit", PAGE), player()
    with transaction(runtime().games.engine) as db:
        found = views.leagues_listed(db, asking.id, PageWanted(limit + 1, wanted.get("after", TOP)))

    def shown(row: ListedLeague) -> dict[str, Any]:
        return views.shown_league(row, asking.language)

    return as_json(paged(found, limit, lambda row: at_creation(row.league), shown))


@leagues.operation(_ONE, Answers(schema=League), refuses=(404,), scope="games:read")
def get_league(name: str) -> Response:
    """Show a league with its newest season."""
    return as_json(_shown(name))


@leagues.operation(f"{_ONE}/entry", Answers(schema=League), method="POST", refuses=(403, 404, 409), scope="games:play")
def enter_league(name: str) -> Response:
    """Enter the season of a league that is open for entry, once or again; only a person may.

    The season begins by itself at its `entry_until`: its groups are made, and the first games begin. Each season is
    entered anew.
    """
    handlers.enter(runtime().games, LeagueEntry(name, player()), clock.now())
    return as_json(_shown(name))


@leagues.operation(f"{_ONE}/entry", Answers(schema=League), method="DELETE", refuses=(404, 409), scope="games:play")
def leave_league(name: str) -> Response:
    """Take one's entry back before the season begins, once or again."""
    handlers.leave(runtime().games, LeagueEntry(name, player()), clock.now())
    return as_json(_shown(name))


@leagues.operation(
    f"{_ONE}/seasons", Answers(schema=SeasonsListed), refuses=(404,), scope="games:read", query=SeasonsWanted
)
def list_seasons(wanted: dict[str, Any], name: str) -> Response:
    """List the seasons of a league, the newest first."""
    limit, before = wanted.get("limit", PAGE), wanted.get("after", competition.LAST)
    with transaction(runtime().games.engine) as db:
        league = store.league_by_slug(db, name)
        if league is None:
            raise UnknownLeague
        found = views.seasons_before(db, league.id, before, limit + 1)
    return as_json(paged(found, limit, lambda row: row.number, views.shown_season))


@leagues.operation(
    f"{_ONE}/seasons/<int:number>/groups",
    Answers(schema=GroupsListed),
    refuses=(404,),
    scope="games:read",
    query=GroupsWanted,
)
def list_groups(wanted: dict[str, Any], name: str, number: int) -> Response:
    """List the groups of a season that has begun, with their tables and games, the highest tier first."""
    limit, after = wanted.get("limit", GROUPS), wanted.get("after", 0)
    with transaction(runtime().games.engine) as db:
        league = store.league_by_slug(db, name)
        season = None if league is None else competition.read_season(db, league.id, number)
        if season is None:
            raise UnknownLeague
        numbers = groups_after(db, season.id, after, limit + 1)
        shown = groups(db, season.id, numbers[:limit], player().language)
    return as_json({"items": shown, "next": numbers[limit - 1] if len(numbers) > limit else None})


def _shown(name: str) -> dict[str, Any]:
    asking = player()
    with transaction(runtime().games.engine) as db:
        league = store.league_by_slug(db, name)
        season = None if league is None else competition.read_season(db, league.id)
        if league is None or season is None:
            raise UnknownLeague
        entry = competition.entry_state(db, season.id, asking.id)
    return views.shown_league(ListedLeague(league, season, entry), asking.language)
