"""Tournaments: open, enter, begin, next round, close."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.competition.leagues import rounds_of_round_robin, table_sizes
from service.handlers.gate import TOURNAMENT_INVITATION, reach
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.leagues import require_person
from service.handlers.lobby import Plan, options_at_all_tables
from service.handlers.people import lock_both_players
from service.handlers.refusals import (
    BadOption,
    EntryOver,
    NotHost,
    OwnAccount,
    RoundNotReady,
    TooMany,
    UnknownTournament,
)
from service.handlers.rounds import begin_round, end_competition, next_round, smallest
from service.handlers.tokens import hold
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.rules.pace import PACES, Pace
from service.shared.refusal import NotFound
from service.store import competition, notices, outbox, people
from service.store.access import PlayerRow
from service.store.competition import Competition, Placed
from service.store.games import Games
from service.store.quotas import UNCOUNTED, Budget

MOST_HOSTED: Final = 5
"""Limit of a host's unfinished tournaments (L-20)."""
MOST_ENTRANTS: Final = 64
"""Limit of a tournament's entrants and invited players (L-21)."""

_PERSON = text("""
select email is not null and email_confirmed from player
 where id = :player and owner is null and computer is null and blocked is null
""")


@dataclass(frozen=True, slots=True)
class Tournament:
    """A planned tournament; without `rounds` their number follows from the number of entrants."""

    title: str
    ruleset: str
    seats: int
    pace: Pace
    system: Literal["round-robin", "swiss"]
    rounds: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    public: bool = True
    by_itself: bool = True


def planned(asked: Mapping[str, Any]) -> Tournament:
    """Return the tournament of a request to the API; BadOption without a clock."""
    if "pace" in asked and asked["pace"] is None:
        raise BadOption("pace")
    return Tournament(
        title=asked["title"],
        ruleset=asked["ruleset"],
        seats=asked["seats"],
        pace=Pace(**asked["pace"]) if "pace" in asked else PACES["daily"],
        system=asked["system"],
        rounds=asked.get("rounds"),
        options=asked.get("options", {}),
        public=asked.get("access", "public") == "public",
        by_itself=asked.get("next_round", "by-itself") == "by-itself",
    )


def open_tournament(
    games: Games, host: PlayerRow, wanted: Tournament, now: datetime, receipt: Receipt[Competition] | None = None
) -> Competition:
    """Open a tournament for entry; BotsMayNot, UnknownRuleset, BadOption, TooMany, under a key Repeated, KeyReused."""
    require_person(host)
    options = options_at_all_tables(games, Plan(wanted.ruleset, wanted.seats, wanted.options))
    new = Competition(
        id=new_id(),
        league=None,
        number=None,
        host=host.id,
        title=wanted.title,
        public=wanted.public,
        ruleset=wanted.ruleset,
        seats=wanted.seats,
        options=options,
        pace=wanted.pace,
        system=wanted.system,
        rounds=wanted.rounds,
        by_itself=wanted.by_itself,
        state="entry",
        round=0,
        entry_until=None,
        created_at=now,
    )
    with transaction(games.engine) as db:
        claim(db, receipt)
        hold(db, host.id)
        if competition.count_hosted(db, host.id) >= MOST_HOSTED:
            raise TooMany(MOST_HOSTED)
        competition.add_competition(db, new)
        keep(db, receipt, new)
    return new


def enter(games: Games, tournament: UUID, player: PlayerRow, now: datetime) -> Competition:
    """Enter a tournament; idempotent. UnknownTournament, EntryOver, BotsMayNot."""
    require_person(player)
    with transaction(games.engine) as db:
        hold(db, player.id)
        found = _lock(db, tournament, player.id)
        _require_room(db, found, player.id)
        competition.enter_competition(db, found.id, player.id, now)
    return found


def leave(games: Games, tournament: UUID, player: UUID) -> Competition:
    """Leave a tournament before its start, or its later rounds (L-22); idempotent. UnknownTournament, EntryOver."""
    with transaction(games.engine) as db:
        found = _lock(db, tournament, player)
        if found.state == "entry":
            competition.leave_competition(db, found.id, player)
        elif found.state == "running":
            competition.withdraw_from_competition(db, found.id, player)
        else:
            raise EntryOver
    return found


def invite(
    games: Games, tournament: UUID, host: UUID, player: UUID, now: datetime, budget: Budget = UNCOUNTED
) -> Competition:
    """Invite another person to a tournament, also by mail; idempotent.

    NotFound for a player who may not be invited. UnknownTournament, NotHost, EntryOver, OwnAccount, MailsSpent.
    """
    with transaction(games.engine) as db:
        # Players are locked before the competition, as on entry; a concurrent block waits or is seen.
        if player != host:
            lock_both_players(db, host, player)
        found = _lock_as_host(db, tournament, host)
        if player == host:
            raise OwnAccount
        mailed: bool | None = db.execute(_PERSON, {"player": player}).scalar()
        if mailed is None or people.either_blocks(db, host, player):
            raise NotFound("handle")
        _require_room(db, found, player)
        if competition.invite_to_competition(db, found.id, player, now) and mailed:
            reach(db, budget, TOURNAMENT_INVITATION, host, [player], now)
            outbox.add(db, notices.tournament_invited(found.id, player))
    games.wake()
    return found


def start_round(games: Games, tournament: UUID, host: UUID, after: int, now: datetime) -> Competition:
    """Begin the round after round `after` (0 for the first); idempotent.

    UnknownTournament, NotHost, RoundNotReady, UnknownRuleset.
    """
    with transaction(games.engine) as db:
        found = _lock_as_host(db, tournament, host)
        if found.round > after:
            return found
        if found.state in ("over", "cancelled") or found.round < after:
            raise RoundNotReady("over")
        if found.state == "entry":
            _begin(db, games, found, now)
        elif competition.has_open_pairings(db, found.id):
            raise RoundNotReady("games")
        else:
            next_round(db, games, found, now)
        begun = competition.read_competition(db, found.id)
    assert begun is not None  # noqa: S101 # just locked
    games.wake()
    return begun


def go_on(db: Connection, games: Games, tournament: UUID, number: int, now: datetime) -> None:
    """Begin round `number` of a tournament without a host, unless games of the last one are open; idempotent."""
    found = competition.lock_competition(db, tournament)
    if (
        found is None
        or found.state != "running"
        or found.round >= number
        or competition.has_open_pairings(db, found.id)
    ):
        return
    next_round(db, games, found, now)


def close(games: Games, tournament: UUID, host: UUID, now: datetime) -> Competition:
    """Cancel a tournament before its start, or end it between two rounds (L-27); idempotent.

    UnknownTournament, NotHost, RoundNotReady.
    """
    with transaction(games.engine) as db:
        found = _lock_as_host(db, tournament, host)
        if found.state == "entry":
            return competition.change_competition(db, found, state="cancelled", over_at=now)
        if found.state == "running":
            if competition.has_open_pairings(db, found.id):
                raise RoundNotReady("games")
            end_competition(db, found, now)
            found = competition.read_competition(db, found.id) or found
    games.wake()
    return found


def known(db: Connection, tournament: UUID, player: UUID) -> Competition:
    """Return a tournament that is visible to the player; UnknownTournament."""
    return _require_known(db, competition.read_competition(db, tournament), player)


def _begin(db: Connection, games: Games, found: Competition, now: datetime) -> None:
    entered = competition.playing(db, found.id)
    if not table_sizes(len(entered), found.seats, smallest(games, found)):
        raise RoundNotReady("entrants")
    if found.system == "round-robin":
        rounds = rounds_of_round_robin(len(entered), found.seats)
    else:
        rounds = found.rounds or (len(entered) - 1).bit_length()
    competition.place(db, found.id, [Placed(player, rank) for rank, player in enumerate(entered, 1)])
    begun = competition.change_competition(db, found, state="running", started_at=now, rounds=rounds)
    begin_round(db, games, begun, 1, now)


def _require_room(db: Connection, found: Competition, player: UUID) -> None:
    if found.state != "entry":
        raise EntryOver
    state = competition.entry_state(db, found.id, player)
    if state is None and competition.entrants(db, found.id) >= MOST_ENTRANTS:
        raise EntryOver("full")


def _lock_as_host(db: Connection, tournament: UUID, host: UUID) -> Competition:
    found = _lock(db, tournament, host)
    if found.host != host:
        raise NotHost
    return found


def _lock(db: Connection, tournament: UUID, player: UUID) -> Competition:
    return _require_known(db, competition.lock_competition(db, tournament), player)


def _require_known(db: Connection, found: Competition | None, player: UUID) -> Competition:
    if found is None or found.league is not None:
        raise UnknownTournament
    if not found.public and found.host != player and competition.entry_state(db, found.id, player) is None:
        raise UnknownTournament
    return found
