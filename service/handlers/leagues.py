"""Leagues: opened and closed by operators; entries; the start of a season."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from service.competition.leagues import GROUP_SIZE, MIN_GROUP_SIZE, groups_of, next_ladder, tiers_of
from service.handlers.lobby import Plan, options_at_all_tables, options_of
from service.handlers.refusals import BotsMayNot, EntryOver, UnknownLeague, UnknownSubject
from service.handlers.rounds import begin_round, keep_open, kept_apart, open_season
from service.handlers.tokens import hold
from service.handlers.transaction import transaction
from service.log.recorded import milliseconds
from service.store import competition
from service.store.access import PlayerRow
from service.store.competition import Competition, League, Placed
from service.store.games import Games
from service.store.operation import Operator, note_operator_act


class LeagueExists(Exception):
    """A league of this name exists."""


@dataclass(frozen=True, slots=True)
class LeagueEntry:
    """A player's entry to a season of a league, or its withdrawal."""

    league: str
    player: PlayerRow


def open_league(games: Games, new: League, by: Operator, now: datetime) -> Competition:
    """Open a league, and its first season for entry; UnknownRuleset, BadOption, LeagueExists."""
    options_of(games, Plan(new.ruleset, MIN_GROUP_SIZE, new.options))
    options = options_at_all_tables(games, Plan(new.ruleset, GROUP_SIZE, new.options))
    try:
        with transaction(games.engine) as db:
            competition.add_league(db, replace(new, options=options))
            note_operator_act(db, by, "league-opened", "league", new.id, now, slug=new.slug)
            return open_season(db, new, 1, now)
    except IntegrityError as error:
        raise LeagueExists from error


def close_league(games: Games, slug: str, by: Operator, now: datetime) -> None:
    """Close a league: no season follows, and a season before its start is cancelled (L-18); UnknownSubject."""
    with transaction(games.engine) as db:
        found = competition.league_by_slug(db, slug)
        if found is None:
            raise UnknownSubject
        # Lock the season first, in the order of a season's end.
        season = _lock_newest(db, found.id)
        if not competition.close_league(db, found.id, now):
            raise UnknownSubject
        if season is not None and season.state == "entry":
            competition.change_competition(db, season, state="cancelled", over_at=now)
        note_operator_act(db, by, "league-closed", "league", found.id, now, slug=slug)


def enter(games: Games, entry: LeagueEntry, now: datetime) -> Competition:
    """Enter the season that is open for entry; idempotent. UnknownLeague, EntryOver, BotsMayNot."""
    require_person(entry.player)
    with transaction(games.engine) as db:
        hold(db, entry.player.id)
        found = _open_season_of(db, entry.league, now)
        competition.enter_competition(db, found.id, entry.player.id, now)
    return found


def leave(games: Games, entry: LeagueEntry, now: datetime) -> Competition:
    """Withdraw the entry before the season begins; idempotent. UnknownLeague, EntryOver."""
    with transaction(games.engine) as db:
        found = _open_season_of(db, entry.league, now)
        competition.leave_competition(db, found.id, entry.player.id)
    return found


def begin_season(db: Connection, games: Games, season: UUID, until: int, now: datetime) -> None:
    """Begin a season whose entry ended at `until` (ms since 1970): groups and first games; idempotent.

    With too few entrants entry stays open (L-03).
    """
    found = competition.lock_competition(db, season)
    if found is None or found.league is None or found.state != "entry" or found.entry_until is None:
        return
    if milliseconds(found.entry_until) != until:
        return
    entered = competition.playing(db, season)
    if len(entered) < MIN_GROUP_SIZE:
        keep_open(db, found, competition.lock_league(db, found.league), now)
        return
    ladder = competition.ladder(db, found.league, (found.number or 1) - 1)
    competition.place(db, season, _placed(next_ladder(ladder, entered), db))
    begin_round(db, games, competition.change_competition(db, found, state="running", started_at=now), 1, now)


def require_person(player: PlayerRow) -> None:
    """Refuse bots (L-04, L-20); BotsMayNot."""
    if player.owner is not None:
        raise BotsMayNot


def _placed(ladder: list[UUID], db: Connection) -> list[Placed]:
    """Return the places of a ladder's players, best first; groups are numbered across tiers."""
    placed, groups = list[Placed](), 0
    apart = kept_apart(db, ladder)
    rank = {player: at for at, player in enumerate(ladder, 1)}
    for tier, players in enumerate(tiers_of(ladder), 1):
        for group in groups_of(players, apart):
            groups += 1
            placed += [Placed(player, rank[player], tier, groups) for player in group]
    return placed


def _open_season_of(db: Connection, slug: str, now: datetime) -> Competition:
    league = competition.league_by_slug(db, slug)
    found = None if league is None else _lock_newest(db, league.id)
    if found is None:
        raise UnknownLeague
    if found.state != "entry" or found.entry_until is None or found.entry_until <= now:
        raise EntryOver
    return found


def _lock_newest(db: Connection, league: UUID) -> Competition | None:
    """Lock and return the newest season; if a newer one appears while waiting for the lock, that one."""
    locked, newest = None, competition.read_season(db, league)
    while newest is not None and (locked is None or locked.id != newest.id):
        locked, newest = competition.lock_competition(db, newest.id), competition.read_season(db, league)
    return locked
