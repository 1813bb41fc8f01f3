"""Pages of leagues: open entries, seasons, and their groups with tables and games."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

from flask import Response, request, url_for

from schemas.fields import cursor
from service.handlers import leagues as handlers
from service.handlers.leagues import LeagueEntry
from service.handlers.refusals import UnknownLeague, UnknownTournament
from service.handlers.tournaments import known
from service.handlers.transaction import transaction
from service.http.problems import reason
from service.shared import clock
from service.shared.refusal import Refusal
from service.store import competition
from service.store import competition as store
from service.store.competition import Competition
from service.texts.catalog import count, say
from service.texts.games import pace_text
from service.texts.when import moment
from service.views import leagues as views
from service.views.leagues import group_of, groups, groups_after
from service.views.pages import PageWanted
from service.web.blueprint import web
from service.web.page import admitted, current_runtime, requested_place
from service.web.session import NOBODY, Visitor, current_visitor, language, missing_page, page, see_other, signed_in

AT_ONCE, GROUPS, SEASONS = 20, 10, 50


@web.get("/leagues")
def show_leagues() -> Response:
    """List the leagues with their newest seasons."""
    with transaction(current_runtime().games.engine) as db:
        found = views.leagues_listed(db, NOBODY, PageWanted(AT_ONCE + 1, requested_place()))
    last = found[AT_ONCE - 1].league if len(found) > AT_ONCE else None
    shown = [
        {
            "name": each.league.slug,
            "title": each.league.title,
            "game": title_of(each.league.ruleset),
            "pace": pace_text(language(), each.league.pace),
            "number": each.season.number,
            "state": state_text(each.season),
        }
        for each in found[:AT_ONCE]
    ]
    return page(
        "competition/leagues.html", leagues=shown, following=None if last is None else cursor(last.created_at, last.id)
    )


@web.get("/leagues/<name>")
def show_league(name: str) -> Response:
    """Show a league, its newest season with the form to enter, and earlier seasons."""
    return _league_page(name)


@web.post("/leagues/<name>/<any(enter, leave):act>")
@signed_in
def change_entry(visitor: Visitor, name: str, act: str) -> Response:
    """Enter the open season, or withdraw the entry."""
    if not admitted("games", visitor.id):
        return page("notice.html", 429, notice="too-often")
    entry, change = LeagueEntry(name, visitor.browser.player), handlers.enter if act == "enter" else handlers.leave
    try:
        change(current_runtime().games, entry, clock.now())
    except UnknownLeague:
        return missing_page()
    except Refusal as refusal:
        return _league_page(name, refusal)
    return see_other(url_for("web.show_league", name=name))


@web.get("/leagues/<name>/<int:number>")
def show_season(name: str, number: int) -> Response:
    """Show the groups of a season: from the visitor's own group on, or after the group of the query (`after`)."""
    visitor, after = current_visitor(), request.args.get("after", type=int)
    with transaction(current_runtime().games.engine) as db:
        league = store.league_by_slug(db, name)
        season = None if league is None else competition.read_season(db, league.id, number)
        if league is None or season is None:
            return missing_page()
        mine = None if visitor is None else group_of(db, season.id, visitor.id)
        first = min(max(after or 0, 0), competition.LAST)
        numbers = groups_after(db, season.id, first, GROUPS + 1)
        own = [mine] if mine is not None and after is None and mine not in numbers[:GROUPS] else []
        shown = groups(db, season.id, [*own, *numbers[:GROUPS]], language())
        entry = None if visitor is None else competition.entry_state(db, season.id, visitor.id)
    return page(
        "competition/season.html",
        league=league,
        season=season,
        state=state_text(season),
        groups=shown,
        mine=mine,
        entry=entry,
        following=numbers[GROUPS - 1] if len(numbers) > GROUPS else None,
    )


@web.get("/competitions/<uuid:competition_id>")
def show_competition(competition_id: UUID) -> Response:
    """Redirect from a game to its season or its tournament."""
    visitor = current_visitor()
    with transaction(current_runtime().games.engine) as db:
        found = competition.read_competition(db, competition_id)
        if found is not None and found.league is not None:
            league = store.read_league(db, found.league)
            return see_other(url_for("web.show_season", name=league.slug, number=found.number))
        try:
            known(db, competition_id, NOBODY if visitor is None else visitor.id)
        except UnknownTournament:
            return missing_page()
    return see_other(url_for("web.show_tournament", tournament_id=competition_id))


def state_text(found: Competition) -> str:
    """Return the state of a competition in words."""
    spoken, visitor = language(), current_visitor()
    if found.state == "entry" and found.entry_until is not None:
        zone = "UTC" if visitor is None else visitor.time_zone
        return say(spoken, "league-entry", until=moment(found.entry_until, spoken, zone))
    if found.state == "running":
        return say(spoken, "league-running", round=found.round, rounds=found.rounds)
    return say(spoken, "tournament-entry" if found.state == "entry" else f"league-{found.state}")


def title_of(ruleset: str) -> str:
    """Return the title of a ruleset, or its name if the rules are no longer installed."""
    known = current_runtime().games.rulesets.get(ruleset)
    return ruleset if known is None else known.meta.title


def _league_page(name: str, refusal: Refusal | None = None) -> Response:
    visitor = current_visitor()
    with transaction(current_runtime().games.engine) as db:
        league = store.league_by_slug(db, name)
        seasons = [] if league is None else views.seasons_before(db, league.id, competition.LAST, SEASONS)
        if league is None or not seasons:
            return missing_page()
        entry = None if visitor is None else competition.entry_state(db, seasons[0].id, visitor.id)
    context: dict[str, Any] = {
        "league": league,
        "season": seasons[0],
        "game": title_of(league.ruleset),
        "pace": pace_text(language(), league.pace),
        "count": partial(count, language()),
        "seasons": [(each.number, state_text(each)) for each in seasons],
        "open": seasons[0].state == "entry",
        "entry": entry,
    }
    return page(
        "competition/league.html",
        200 if refusal is None else refusal.status,
        refusal=reason(refusal, language()),
        **context,
    )
