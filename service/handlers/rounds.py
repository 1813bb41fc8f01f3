"""Rounds of a competition: make games, count results, begin the next round or season."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.competition.leagues import (
    FULL_POINTS,
    GROUP_SIZE,
    Pair,
    game_points,
    moves,
    rotated,
    round_robin,
    seated,
    swiss,
    table,
    without_game,
)
from service.handlers.lobby import Newcomer, Plan, set_up, take_seat
from service.handlers.refusals import UnknownRuleset
from service.log.ids import new_id
from service.shared import clock
from service.store import competition, notices, outbox
from service.store.competition import Competition, League, Pairing
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.store.people import blocked_pairs

# Rounds: games are made and count when finished; the last one of a round begins the next.

# The share lock makes deletions of players wait until the game is made; ordered as a deletion locks players.
_THERE = text(
    "select id from player where id = any(:players) and deleted_at is null and blocked is null order by id for share"
)


def kept_apart(db: Connection, players: Collection[UUID]) -> frozenset[Pair[UUID]]:
    """Return the pairs that block each other, to be kept apart where possible (L-07, L-24)."""
    return frozenset(frozenset(pair) for pair in blocked_pairs(db, players))


def begin_round(db: Connection, games: Games, found: Competition, number: int, now: datetime) -> None:
    """Begin a round of a locked competition; end the competition if nobody is left to play."""
    found = competition.change_competition(db, found, round=number)
    made = _of_groups(db, found) if found.system == "groups" else _of_tournament(db, games, found)
    competition.add_pairing(db, made)
    for each in made:
        if each.points is None:
            outbox.add(db, notices.pairing(each.id))
    if not any(each.points is None for each in made):
        end_competition(db, found, now)
    elif found.system != "groups":
        _score(db, found, None)


def make_game(db: Connection, games: Games, pairing: UUID, now: datetime) -> Position | None:
    """Make and return the game of a pairing; None if it exists, or cannot be played (L-12)."""
    found = competition.lock_competition(db, competition.read_pairings(db, pairing).competition)
    paired = competition.read_pairings(db, pairing)
    if found is None or paired.game is not None or paired.points is not None:
        return None
    there: set[UUID] = set(db.execute(_THERE, {"players": list(paired.players)}).scalars())
    players = [player for player in paired.players if player in there]
    if len(players) < 2 or len(players) not in games.rulesets[found.ruleset].meta.seats:
        gained = dict(zip(players, without_game(len(players)), strict=True))
        _settle(db, games, found, paired, [gained.get(player, 0) for player in paired.players], now)
        return None
    position = _set_up(db, games, found, players, now)
    competition.note_pairing_game(db, paired.id, position.game.id)
    if found.round == 1:
        begun = [notices.competition_begun(found.id, player) for player in players]
        outbox.post(db, position.game.id, begun)
    return position


def count_game(db: Connection, games: Games, game: UUID, now: datetime) -> None:
    """Count a finished game of a competition; idempotent. The last one of a round begins the next."""
    found = competition.lock_competition(db, competition.pairing_of_game(db, game).competition)
    paired = competition.pairing_of_game(db, game)
    position = games.open(db, game)
    if found is None or paired.points is not None or position.outcome is None:
        return
    finished = _finished(position, paired.players)
    points = game_points(position.outcome, position.game.seats, finished.keys())
    gained = {player: points[seat] for seat, player in finished.items()}
    _settle(db, games, found, paired, [gained.get(player, 0) for player in paired.players], now)


def next_round(db: Connection, games: Games, found: Competition, now: datetime) -> None:
    """Begin the next round of a locked competition whose games are finished; after the last round end it."""
    if found.rounds is not None and found.round >= found.rounds:
        end_competition(db, found, now)
    else:
        begin_round(db, games, found, found.round + 1, now)


def end_competition(db: Connection, found: Competition, now: datetime) -> None:
    """End a locked competition whose games are finished: write its final table, enqueue mails to its players."""
    found = competition.change_competition(db, found, state="over", over_at=now)
    _score(db, found, None) if found.league is None else close_season(db, found, now)
    there = set(competition.playing(db, found.id))
    for row in competition.last_games(db, found.id):
        if row.player in there:
            outbox.post(db, row.game, [notices.competition_over(found.id, row.player)])


def _settle(
    db: Connection, games: Games, found: Competition, paired: Pairing, points: Sequence[int], now: datetime
) -> None:
    competition.note_pairing_points(db, paired.id, points)
    _score(db, found, paired.group)
    last = found.rounds is not None and found.round >= found.rounds
    if not competition.has_open_pairings(db, found.id) and (found.by_itself or last):
        next_round(db, games, found, now)


def _score(db: Connection, found: Competition, group: int | None) -> None:
    """Write the table of a group or tournament."""
    players: list[UUID] = [row.player_id for row in competition.ranked(db, found.id, group)]
    lines = table(players, competition.pairing_results(db, found.id, group))
    competition.score(
        db, found.id, [(line.player, place, line.points, line.wins) for place, line in enumerate(lines, 1)]
    )


def _set_up(db: Connection, games: Games, found: Competition, players: Sequence[UUID], now: datetime) -> Position:
    access = "public" if found.public else "invitation"
    terms = Terms(name=found.title, access=access, start="full", pace=found.pace, rated=True)
    plan = Plan(found.ruleset, len(players), found.options, terms)
    position = set_up(db, games, players[0], plan, now, {"competition_id": found.id})
    for player in players[1:]:
        position, _ = take_seat(db, games, position, Newcomer(player, paired=True), now)
    return position


def _finished(position: Position, players: Sequence[UUID]) -> dict[int, UUID]:
    """Return, by seat, those of the players who have played the game to its end (L-10, L-11)."""
    absent = frozenset[int]() if position.clocks is None else position.clocks.absent
    gone = absent | frozenset(position.resigned)
    return {row.seat: row.player_id for row in position.seats if row.player_id in players and row.seat not in gone}


def _of_groups(db: Connection, found: Competition) -> list[Pairing]:
    groups: dict[int, list[UUID]] = {}
    for row in competition.ranked(db, found.id):
        groups.setdefault(row.group_number, []).append(row.player_id)
    return [
        Pairing(new_id(), found.id, found.round, group, group, rotated(groups[group], found.round))
        for group in sorted(groups)
    ]


def _of_tournament(db: Connection, games: Games, found: Competition) -> list[Pairing]:
    playing, results = competition.playing(db, found.id), competition.pairing_results(db, found.id)
    if found.system == "round-robin" and found.seats == 2:
        # The ring keeps the places of players who have left, so that the others meet as planned.
        ring: list[UUID] = [row.player_id for row in competition.ranked(db, found.id)]
        met = [[player for player in pair if player in playing] for pair in round_robin(ring, found.round)]
        tables = [pair for pair in met if len(pair) == 2]
    else:
        ranked = [line.player for line in table(playing, results)] if found.system == "swiss" else playing
        sizes = found.seats, smallest(games, found)
        tables = swiss(ranked, results, sizes, kept_apart(db, playing))
    ordered = [seated(each, results) for each in tables]
    at_tables = {player for each in tables for player in each}
    made = [Pairing(new_id(), found.id, found.round, number, None, each) for number, each in enumerate(ordered, 1)]
    resting = [player for player in playing if player not in at_tables]
    return made + [
        Pairing(new_id(), found.id, found.round, number, None, [player], points=[FULL_POINTS])
        for number, player in enumerate(resting, len(made) + 1)
    ]


def smallest(games: Games, found: Competition) -> int:
    """Return the seats of a tournament's smallest table: one less than of the others, if the ruleset allows.

    UnknownRuleset if the ruleset is no longer installed.
    """
    if found.ruleset not in games.rulesets:
        raise UnknownRuleset
    fewer = found.seats - 1
    return fewer if fewer > 1 and fewer in games.rulesets[found.ruleset].meta.seats else found.seats


# Seasons of a league: entry, promotion and relegation, the next season.

REMINDED: Final = timedelta(days=2)
"""Time before the end of entry of the reminder to players of the previous season (L-16)."""


def open_season(db: Connection, league: League, number: int, now: datetime) -> Competition:
    """Open a season of a league for entry, and schedule its start."""
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
    """Keep entry into a season open for the league's number of days from now (L-02, L-03)."""
    lasting = timedelta(days=league.entry_days)
    until = clock.to_the_millisecond(now + lasting)
    outbox.add_at(db, notices.season_notice(found.id, until), until)
    outbox.add_at(db, notices.entry_closing(found.id, until), until - min(REMINDED, lasting / 2))
    return competition.change_competition(db, found, entry_until=until)


def remind_of_season(db: Connection, found: Competition) -> None:
    """Remind the previous season's players who have not entered this one, if its entry is open (L-16)."""
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
    """Write promotion and relegation of a finished season, and open the next unless the league is closed."""
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
