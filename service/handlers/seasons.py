"""The seasons of a league: opened for entry, and ended with promotion, relegation and the next one."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection

from service.competition.leagues import GROUP_SIZE, moves, table
from service.log.ids import new_id
from service.shared import clock
from service.store import competition, notices, outbox
from service.store.competition import Competition, League

REMINDED: Final = timedelta(days=2)
"""How long before the end of entry those who have not entered again are reminded (L-16)."""


def open_season(db: Connection, league: League, number: int, now: datetime) -> Competition:
    """Open a season of a league for entry, and see to it that it begins."""
    new = Competition(
        id=new_id(),
        league=league.id,
        number=number,
        host=None,
        title=league.title,
        public=True,
        ruleset=league.ruleset,
        seats=GROUP_SIZE,
        options=league.options,
        pace=league.pace,
        system="groups",
        rounds=league.rounds,
        by_itself=True,
        state="entry",
        round=0,
        entry_until=None,
        created_at=now,
    )
    competition.add_competition(db, new)
    return keep_open(db, new, league, now)


def keep_open(db: Connection, found: Competition, league: League, now: datetime) -> Competition:
    """Let entry into a season end after the league's days from now on (L-02, L-03)."""
    lasting = timedelta(days=league.entry_days)
    until = clock.to_the_millisecond(now + lasting)
    outbox.add_at(db, notices.season_notice(found.id, until), until)
    outbox.add_at(db, notices.entry_closing(found.id, until), until - min(REMINDED, lasting / 2))
    return competition.change_competition(db, found, entry_until=until)


def remind(db: Connection, found: Competition) -> None:
    """Remind those who have played in the season before and not entered this one, which is open for entry (L-16)."""
    before = None
    if found.league is not None and found.number is not None and found.state == "entry":
        before = competition.read_season(db, found.league, found.number - 1)
    if before is None:
        return
    entered, there = set(competition.playing(db, found.id)), set(competition.playing(db, before.id))
    for row in competition.last_games(db, before.id):
        if row.player in there - entered:
            outbox.post(db, row.game, [notices.entry_reminder(found.id, row.player)])


def close_season(db: Connection, found: Competition, now: datetime) -> None:
    """Write who goes up and down after a season that is over, and open the next one unless the league is closed."""
    assert found.league is not None  # noqa: S101 # for the type checker
    ranked = sorted(competition.ranked(db, found.id), key=lambda row: row.group_number)
    tiers: dict[int, list[Any]] = {}
    for group, rows in groupby(ranked, key=lambda row: row.group_number):
        members = list(rows)
        players: list[UUID] = [row.player_id for row in members]
        lines = table(players, competition.pairing_results(db, found.id, group))
        tiers.setdefault(members[0].tier, []).append(lines)
    ended = moves([tiers[tier] for tier in sorted(tiers)])
    competition.move(db, found.id, ended.ladder, ended.up, ended.down)
    league = competition.lock_league(db, found.league)
    if league.closed_at is None:
        open_season(db, league, (found.number or 0) + 1, now)
