"""Tables before and after a game: opened, joined, left, started, cancelled, forked."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from msgspec import UNSET
from sqlalchemy import Connection, insert

from service.audit.log import LobbyEnd, add_to_lobby, last_of_lobby
from service.handlers.append import SealedChance, record
from service.handlers.gate import SITTING_DOWN, grow
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.pace import note_absences
from service.handlers.refusals import (
    AccountBlocked,
    BadOption,
    InvitationOver,
    NoSuchEvent,
    NoSuchLevel,
    NotHost,
    NotOpen,
    NotOver,
    NotRunning,
    NotSeated,
    OneTry,
    Unavailable,
    UnknownRuleset,
)
from service.handlers.transaction import transaction
from service.log.chain import NO_HEAD
from service.log.codec import stored_name
from service.log.folding import counted_events
from service.log.ids import new_id
from service.players.levels import Level, levels_for
from service.players.player import computer_seated
from service.record.lobby import (
    GameCancelled,
    GameOpened,
    Happened,
    LobbyEvent,
    PlayerKicked,
    SeatFilled,
    SeatLeft,
    SeatTaken,
    StartGiven,
    lobby_head,
)
from service.record.reading import MONOTONE
from service.rules.chance import commit, commit_nonce
from service.rules.kernel import GameStarted, Meta, begin
from service.rules.pace import Pace, usual_pace
from service.rules.shared_events import DealSet, GameForked, PaceSet
from service.shared import clock
from service.store import daily_deals, heartbeats, notices, operation, outbox, people, play
from service.store.events import Cause, head_at
from service.store.game_row import Terms, UnknownGame
from service.store.games import Games, Position, require_known
from service.store.tables import game as game_table
from service.store.tables import seed as seed_table

# What a host plans: the game, its seats, options and terms, held against what the ruleset offers.


@dataclass(frozen=True, slots=True)
class Plan:
    """A game that somebody wants to host; options left out take the ruleset's defaults.

    `nonce` is the host's own value of chance, as a Newcomer's. `computers` are the levels of the computer players
    who sit down with the host.
    """

    ruleset: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    terms: Terms = field(default_factory=Terms)
    nonce: str | None = None
    computers: Sequence[Level] = ()


def options_of(games: Games, plan: Plan) -> dict[str, Any]:
    """Return all options of a planned game with their values; UnknownRuleset, BadOption."""
    if plan.ruleset not in games.rulesets:
        raise UnknownRuleset
    return _options(games.rulesets[plan.ruleset].meta, plan)


def options_at_all_tables(games: Games, plan: Plan) -> dict[str, Any]:
    """Return all options of games at tables of the plan's seats or fewer, two at least; UnknownRuleset, BadOption.

    A value that a smaller table does not allow is refused: when players are missing, no game could be made with it.
    """
    options = options_of(games, plan)
    for seats in games.rulesets[plan.ruleset].meta.seats:
        if 1 < seats < plan.seats:
            options_of(games, replace(plan, seats=seats))
    return options


def has_house_rules(meta: Meta, options: Mapping[str, Any]) -> bool:
    """Return whether a game is played with house rules, which makes it another game than that of the book (P-22)."""
    return any(each.house_rules and options.get(each.name) is True for each in meta.options)


def _options(meta: Meta, plan: Plan) -> dict[str, Any]:
    if plan.seats not in meta.seats:
        raise BadOption("seats")
    if plan.seats == 1 and plan.terms.access == "public":
        raise BadOption("access")
    if plan.seats == 1 and plan.terms.pace is not None:
        raise BadOption("pace")
    if plan.computers and len(plan.computers) >= plan.seats:
        raise BadOption("computers")
    if plan.terms.rated and not may_be_rated(plan.seats, plan.seats - len(plan.computers), plan.terms):
        raise BadOption("rated")
    offered = {option.name: option for option in meta.options}
    for name, value in plan.options.items():
        if name not in offered or not offered[name].allows(value, plan.seats):
            raise BadOption(name)
    return {name: option.default for name, option in offered.items()} | dict(plan.options)


# The terms of a table, as a host asks for them.


def people_of(asked: Mapping[str, Any]) -> int:
    """Return for how many people a table is that is asked for in the shape of the API: computer players are none."""
    seats: int = asked["seats"]
    return seats - len(asked.get("computers", ()))


def terms_of(asked: Mapping[str, Any], people: int) -> Terms:
    """Return the terms of a table that is asked for in the shape of the API; what is left out is as usual (T-01).

    `asked["pace"]` has the fields of a Pace, or is None for no clock. A table that may be rated is, unless told not to.
    """
    chosen = {name: asked[name] for name in Terms.__dataclass_fields__ if name in asked}
    own = chosen.pop("pace", None)
    pace = (None if own is None else Pace(**own)) if "pace" in asked else usual_pace(people)
    terms = Terms(**chosen, pace=pace)
    if "rated" in chosen or "seats" not in asked:
        return terms
    return replace(terms, rated=may_be_rated(asked["seats"], people, terms))


def may_be_rated(seats: int, people: int, terms: Terms) -> bool:
    """Return whether a table may be rated (P-01): several seats, all for people, with a clock and no hints."""
    return seats == people > 1 and terms.pace is not None and not terms.training


# Before the game: it is created, joined and started.

_NONCES = """
select array_agg(nonce order by seat) as nonces, array_agg(drawn_by order by seat) as drawn_by
from seat where game_id = %s
"""
# A deletion of the account waits until the seat is visible; a deleted account takes no seat.
_TAKE = """
insert into seat (game_id, seat, player_id, joined_at, nonce, drawn_by)
select %(game)s, %(seat)s, id, %(now)s, %(nonce)s, %(drawn_by)s
from player where id = %(player)s and deleted_at is null and blocked is null for share
"""
# In two steps, since no two may have one number even for a moment.
_RENUMBER = """
update seat set seat = -1 - arrived.place
from (select player_id, row_number() over (order by arrival) - 1 as place, seat from seat where game_id = %s) as arrived
where game_id = %s and seat.player_id = arrived.player_id and arrived.place <> arrived.seat
"""
# The table says at once that its result will not count (P-01, P-03).
_UNRATED = """
update game set rated = false where id = %(game)s and rated
   and exists (select from player where id = %(player)s and (computer is not null or owner is not null))
"""
_SETTLE = "update seat set seat = -1 - seat where game_id = %s and seat < 0"


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A player who sits down, `nonce` being their own value of chance, in hex, and `invited` whether by a link.

    Without a value of their own one is drawn here, and the log says so; and so it does of who was invited. `level` is
    that of a computer player, None of anybody else. A competition has `paired` its players, whoever blocks whom (L-07).
    """

    player: UUID
    nonce: str | None = None
    invited: bool = False
    level: Level | None = None
    paired: bool = False


def create(games: Games, host: UUID, plan: Plan, now: datetime, receipt: Receipt[Position] | None = None) -> Position:
    """Open a game with the host, a player, in seat 0, and return it; UnknownRuleset, BadOption.

    The seed is drawn, and committed to, before anybody else can join. Under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = set_up(db, games, host, plan, now)
        keep(db, receipt, position)
    notify(games, position)
    return position


def join(
    games: Games,
    game: UUID,
    player: UUID,
    now: datetime,
    receipt: Receipt[int] | None = None,
    nonce: str | None = None,
) -> int:
    """Put the player into the lowest free seat and return it; UnknownGame, NotOpen, under a key as `create`."""
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.lock(db, game)
        require_known(db, position, player)
        grow(db, SITTING_DOWN, position, player, now)
        position, seat = take_seat(db, games, position, Newcomer(player, nonce), now)
        keep(db, receipt, seat)
    notify(games, position)
    return seat


def start(games: Games, game: UUID, player: UUID, now: datetime) -> Position:
    """Set the game up and return the first position; only its host may, once all seats are taken.

    The seats are numbered anew in the order of joining. UnknownGame, NotHost, NotOpen.
    """
    with transaction(games.engine) as db:
        position = lock_as_host(db, games, game, player)
        if len(position.seats) < position.game.seats:
            raise NotOpen("seats-free")
        after = _begin(db, games, position, position.seat_of(player))
    notify(games, after)
    return after


def set_up(
    db: Connection, games: Games, host: UUID, plan: Plan, now: datetime, origin: Mapping[str, Any] | None = None
) -> Position:
    """Write a new game with the host in seat 0, begin it if it is to begin when full, and return it.

    `origin` tells which game it follows (`rematch_of`, or `fork_of` and `fork_seq`), its `competition_id`, or of which
    `deal` it is, by whose seed it is then played.
    """
    chosen = options_of(games, plan)
    terms = plan.terms
    if has_house_rules(games.rulesets[plan.ruleset].meta, chosen):
        terms = replace(terms, rated=False)
    deal = (origin or {}).get("deal")
    game_id, seed = new_id(), secrets.token_bytes(32) if deal is None else daily_deals.seed_of(db, deal)
    commitment = commit(seed)
    row = {"id": game_id, "ruleset": plan.ruleset, "status": "open", "seats": plan.seats, "options": chosen}
    row |= {"host": host, "commitment": commitment, "created_at": now, **(origin or {})}
    db.execute(insert(game_table).values(**row, **asdict(terms)))
    db.execute(insert(seed_table).values(game_id=game_id, seed=seed))
    position = games.open(db, game_id)
    meta = position.ruleset.meta
    opened = GameOpened(
        ruleset=meta.name,
        revision=meta.revision,
        seats=plan.seats,
        options=chosen,
        commitment=commitment,
        format=UNSET if heartbeats.has_older_process(db) else MONOTONE,
    )
    note_lobby_event(db, game_id, 0, opened)
    position, _ = take_seat(db, games, position, Newcomer(host, plan.nonce), now)
    for level in plan.computers:
        position, _ = seat_computer(db, games, position, level, now)
    # Nobody is waited for.
    if plan.computers and position.state is None and len(position.seats) == plan.seats:
        position = _begin(db, games, position, position.seat_of(host))
    return position


def take_seat(
    db: Connection, games: Games, position: Position, newcomer: Newcomer, now: datetime
) -> tuple[Position, int]:
    """Put the newcomer into the lowest free seat of a locked game, begin the game if it is to begin when full.

    Returns the game afterwards, and the player's seat in it; NotOpen, AccountBlocked, and Unavailable if their account
    has gone. Next to a player whom the newcomer blocks, or who blocks the newcomer, UnknownGame, or InvitationOver.
    """
    require_open(position)
    player = newcomer.player
    if position.seat_of(player) is not None:
        raise NotOpen("taken")
    others = () if newcomer.paired else [seat.player_id for seat in position.seats]
    if others and people.is_apart(db, player, others):
        raise InvitationOver if newcomer.invited else UnknownGame(position.game.id)
    free = set(range(position.game.seats)) - {seat.seat for seat in position.seats}
    if not free:
        raise NotOpen("full")
    game, drawn_by = position.game.id, "server" if newcomer.nonce is None else "client"
    nonce = newcomer.nonce or secrets.token_hex(16)
    values = {"game": game, "seat": min(free), "player": player, "now": now, "nonce": nonce, "drawn_by": drawn_by}
    if not db.exec_driver_sql(_TAKE, values).rowcount:
        reason = operation.player_block_reason(db, player)
        raise Unavailable if reason is None else AccountBlocked(reason)
    db.exec_driver_sql(_UNRATED, values)
    note_lobby_event(db, game, min(free), _sat_down(newcomer, commit_nonce(str(game), nonce), drawn_by))
    after = games.open(db, game)
    if len(free) == 1 and after.game.terms.start == "full":
        after = _begin(db, games, after, None)
    seat = after.seat_of(player)
    assert seat is not None  # noqa: S101 # just taken
    return after, seat


def _sat_down(newcomer: Newcomer, nonce: str, drawn_by: str) -> SeatTaken | SeatFilled:
    if newcomer.level is not None:
        return SeatFilled(nonce=nonce, drawn_by=drawn_by, level=newcomer.level)
    return SeatTaken(nonce=nonce, drawn_by=drawn_by, invited=newcomer.invited)


def seat_computer(
    db: Connection, games: Games, position: Position, level: Level, now: datetime
) -> tuple[Position, int]:
    """Give the lowest free seat of a locked, open game to a computer player; returns as `take_seat`.

    NoSuchLevel, NotOpen.
    """
    levels = levels_for(position.ruleset, position.game.seats)
    if level not in levels:
        raise NoSuchLevel(levels)
    player = play.take_computer(db, level, {seat.player_id for seat in position.seats}, now)
    return take_seat(db, games, position, Newcomer(player, level=level), now)


def lock_as_host(db: Connection, games: Games, game: UUID, player: UUID) -> Position:
    """Lock an open game for what only its host may do; UnknownGame, NotHost, NotOpen."""
    position = games.lock(db, game)
    require_known(db, position, player)
    if position.game.host != player:
        raise NotHost
    require_open(position)
    return position


def require_open(position: Position) -> None:
    """Refuse unless the game takes players; NotOpen."""
    status = position.game.status
    if status != "open":
        raise NotOpen("cancelled" if status == "cancelled" else "started")


def notify(games: Games, position: Position) -> None:
    """Keep the committed position in the cache, and wake the processes that wait for events of the game."""
    if position.state is not None:
        games.committed(position)
        games.wake(position)


def _begin(db: Connection, games: Games, position: Position, by: int | None) -> Position:
    game = position.game
    gathered = note_lobby_event(db, game.id, by, StartGiven())
    # A player who came after another had left may have a lower number than the earlier ones.
    if db.exec_driver_sql(_RENUMBER, (game.id, game.id)).rowcount:
        db.exec_driver_sql(_SETTLE, (game.id,))
        position = games.open(db, game.id)
    own = db.exec_driver_sql(_NONCES, (game.id,)).one()
    happened = opening(db, games, position, own.nonces, own.drawn_by, gathered.head.hex() if gathered else "")
    happened += [computer_seated(each.seat, each.computer) for each in position.seats if each.computer is not None]
    if game.deal is not None:
        happened.append(DealSet(day=game.deal.isoformat()))
    if game.terms.pace is not None:
        happened.append(PaceSet(pace=game.terms.pace))
    after, _ = record(db, position, happened, Cause(None, "api", 0), at=gathered and gathered.at)
    return note_absences(db, after, clock.now())


# The first events of a game: the setup by its ruleset, or for a fork those of the original game.

_ORIGIN = """
select fork_of, fork_seq, (select (data ->> 'format')::int from lobby_event where game_id = game.id and seq = 1) as form
  from game where id = %s
"""


def opening(
    db: Connection, games: Games, position: Position, nonces: Sequence[str], drawn_by: Sequence[str], lobby: str
) -> list[Any]:
    """Return the events that open a game whose seats are taken; `nonces` and `drawn_by` are the seats' own.

    `lobby` is the head of the chain over what happened before.
    """
    game = position.game
    origin = db.exec_driver_sql(_ORIGIN, (game.id,)).one()
    form = UNSET if origin.form is None else origin.form
    if origin.fork_of is None:
        chance = SealedChance(db, position)
        return begin(position.ruleset, game.seats, game.options, chance, game.commitment, nonces, drawn_by, lobby, form)
    over = games.open(db, origin.fork_of)
    head = head_at(db, over.game.id, origin.fork_seq)
    forked = GameForked(game=str(over.game.id), seq=origin.fork_seq, head=None if head is None else head.hex())
    started = GameStarted(
        ruleset=game.ruleset,
        revision=over.folded.revision,
        seats=game.seats,
        options=dict(game.options),
        commitment=game.commitment,
        nonces=tuple(nonces),
        drawn_by=tuple(drawn_by),
        lobby=lobby,
        origin=forked,
        format=form,
    )
    # Its cards lie as they lay, and chance is new from there on.
    return [started, forked, *(each.event for each in counted_events(games.timeline(db, over), forked.seq))]


# Writes the events of the lobby, before a game begins, to the log of the lobby.

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def note_lobby_event(db: Connection, game: UUID, seat: int | None, happened: Happened) -> LobbyEnd | None:
    """Add to the log of a locked game's lobby what a seat has caused, and return the end of the log after it.

    The moments in it never fall. The lobby of a game that was opened before lobbies were noted has no log: None.
    """
    last = LobbyEnd(0, NO_HEAD, _EPOCH) if isinstance(happened, GameOpened) else last_of_lobby(db, game)
    if last is None:
        return None
    at = max(clock.to_the_millisecond(clock.now()), last.at)
    event = LobbyEvent(last.seq + 1, at, seat, stored_name(type(happened)), happened)
    head = lobby_head(last.head, event)
    add_to_lobby(db, game, event, head)
    return LobbyEnd(event.seq, head, at)


# The lobby before a game begins: a player leaves, the host removes a player, or the host cancels the game.

_VACATE = "delete from seat where game_id = %s and player_id = %s"
_CLEAR = """
with cleared as (delete from seat where game_id = %s and player_id = %s returning arrival, game_id, player_id)
insert into vacated_seat (arrival, game_id, player_id) select arrival, game_id, player_id from cleared returning arrival
"""
# The person who has been there longest.
_HAND_OVER = """
update game set host = (
  select s.player_id from seat s join player p on p.id = s.player_id
  where s.game_id = game.id and p.computer is null order by s.arrival limit 1) where id = %s
"""
_CANCEL = "update game set status = 'cancelled' where id = %s"


def leave_table(games: Games, game: UUID, player: UUID) -> None:
    """Free the player's seat in an open game; UnknownGame, NotSeated, NotOpen.

    After the host, the player who has been there longest is the host; if there is none, the game is cancelled.
    """
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        require_known(db, position, player)
        seat = position.seat_of(player)
        if seat is None:
            raise NotSeated
        require_open(position)
        if sum(each.computer is None for each in position.seats) == 1:
            _call_off(db, game, seat)
            return
        db.exec_driver_sql(_VACATE, (game, player))
        note_lobby_event(db, game, seat, SeatLeft())
        if position.game.host == player:
            db.exec_driver_sql(_HAND_OVER, (game,))


def kick_player(games: Games, game: UUID, seat: int, host: UUID) -> None:
    """Free another player's seat in an open game, and queue a mail to that player; UnknownGame, NotHost, NotOpen."""
    with transaction(games.engine) as db:
        position = lock_as_host(db, games, game, host)
        there = next((each for each in position.seats if each.seat == seat), None)
        if there is None:
            raise NotOpen("empty")
        if there.player_id == host:
            raise NotOpen("own-seat")
        arrival: int = db.exec_driver_sql(_CLEAR, (game, there.player_id)).scalar_one()
        note_lobby_event(db, game, position.seat_of(host), PlayerKicked(kicked=seat))
        if there.email is not None:
            outbox.post(db, game, [notices.removed(game, there.player_id, arrival)])
    games.wake()


def cancel_game(games: Games, game: UUID, host: UUID) -> Position:
    """Call an open game off, have the others told by mail, and return it; UnknownGame, NotHost, NotOpen."""
    with transaction(games.engine) as db:
        position = lock_as_host(db, games, game, host)
        _call_off(db, game, position.seat_of(host))
        others = [each.player_id for each in position.seats if each.player_id != host and each.email]
        outbox.post(db, game, [notices.called_off(game, each) for each in others])
        after = games.open(db, game)
    games.wake()
    return after


def _call_off(db: Connection, game: UUID, seat: int | None) -> None:
    db.exec_driver_sql(_CANCEL, (game,))
    note_lobby_event(db, game, seat, GameCancelled())
    outbox.post(db, game, [notices.seal(game)])


# The fork of a finished game: a new game that goes on from one of its steps.


@dataclass(frozen=True, slots=True)
class Fork:
    """The request for a fork: the finished game, the event `seq` whose step it follows, and the new game's terms."""

    game: UUID
    seq: int
    terms: Terms


def fork(games: Games, host: UUID, wanted: Fork, now: datetime, receipt: Receipt[Position] | None = None) -> Position:
    """Open a game that goes on from a finished one, with the host, a player, in seat 0, and return it.

    Seats and options are the same. It begins as any other game does, once its seats are taken. UnknownGame, NotOver,
    OneTry, NoSuchEvent, NotRunning where the game was over already; under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        over = games.open(db, wanted.game)
        require_known(db, over, host)
        if over.game.status != "finished":
            raise NotOver
        if over.game.sealed_up(now):
            raise OneTry("day-runs")
        if not 0 < wanted.seq <= over.version:
            raise NoSuchEvent(over.version)
        timeline = games.timeline(db, over)
        step = timeline.steps[timeline.place(wanted.seq)]
        if not over.ruleset.to_act(timeline.after(step).state):
            raise NotRunning("finished")
        row = over.game
        origin = {"fork_of": row.id, "fork_seq": step.last}
        position = set_up(db, games, host, Plan(row.ruleset, row.seats, row.options, wanted.terms), now, origin)
        keep(db, receipt, position)
    notify(games, position)
    return position
