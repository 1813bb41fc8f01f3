"""Tables before a game: plan, open, join, leave, start, cancel, fork."""

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

# Plans of hosts, checked against the ruleset.


@dataclass(frozen=True, slots=True)
class Plan:
    """A game that a host plans; omitted options take the ruleset's defaults.

    `nonce` is the host's nonce, as in Newcomer. `computers` are the levels of the computer players seated with the
    host.
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
    """Return all options of a plan, valid at every table from two seats to the plan's; UnknownRuleset, BadOption.

    Refuse a value that a smaller table does not allow: no game could be made when players are missing.
    """
    options = options_of(games, plan)
    for seats in games.rulesets[plan.ruleset].meta.seats:
        if 1 < seats < plan.seats:
            options_of(games, replace(plan, seats=seats))
    return options


def has_house_rules(meta: Meta, options: Mapping[str, Any]) -> bool:
    """Return whether the options include house rules, which make the game unrated (P-22)."""
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


# Terms of a table, in the shape of the API.


def people_of(asked: Mapping[str, Any]) -> int:
    """Return the number of human seats at a requested table."""
    seats: int = asked["seats"]
    return seats - len(asked.get("computers", ()))


def terms_of(asked: Mapping[str, Any], people: int) -> Terms:
    """Return the terms of a requested table; omitted terms take their defaults (T-01).

    `asked["pace"]` has the fields of a Pace, or is None for no clock. A table that may be rated is rated by default.
    """
    chosen = {name: asked[name] for name in Terms.__dataclass_fields__ if name in asked}
    own = chosen.pop("pace", None)
    pace = (None if own is None else Pace(**own)) if "pace" in asked else usual_pace(people)
    terms = Terms(**chosen, pace=pace)
    if "rated" in chosen or "seats" not in asked:
        return terms
    return replace(terms, rated=may_be_rated(asked["seats"], people, terms))


def may_be_rated(seats: int, people: int, terms: Terms) -> bool:
    """Return whether a table may be rated (P-01): several seats, all human, with a clock and no hints."""
    return seats == people > 1 and terms.pace is not None and not terms.training


# Before the game: create, join, start.

_NONCES = """
select array_agg(nonce order by seat) as nonces, array_agg(drawn_by order by seat) as drawn_by
from seat where game_id = %s
"""
# The share lock makes a deletion of the account wait until the seat is visible; a deleted account takes no seat.
_TAKE = """
insert into seat (game_id, seat, player_id, joined_at, nonce, drawn_by)
select %(game)s, %(seat)s, id, %(now)s, %(nonce)s, %(drawn_by)s
from player where id = %(player)s and deleted_at is null and blocked is null for share
"""
# In two steps: seat numbers are unique at every moment.
_RENUMBER = """
update seat set seat = -1 - arrived.place
from (select player_id, row_number() over (order by arrival) - 1 as place, seat from seat where game_id = %s) as arrived
where game_id = %s and seat.player_id = arrived.player_id and arrived.place <> arrived.seat
"""
# A bot or a computer player makes the table unrated at once (P-01, P-03).
_UNRATED = """
update game set rated = false where id = %(game)s and rated
   and exists (select from player where id = %(player)s and (computer is not null or owner is not null))
"""
_SETTLE = "update seat set seat = -1 - seat where game_id = %s and seat < 0"


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A player who takes a seat. `nonce` is the player's own, in hex; `invited` by a link.

    Without a nonce the server draws one. The log tells both facts. `level` is that of a computer player, else None.
    `paired` by a competition: blocks between players do not count (L-07).
    """

    player: UUID
    nonce: str | None = None
    invited: bool = False
    level: Level | None = None
    paired: bool = False


def create(games: Games, host: UUID, plan: Plan, now: datetime, receipt: Receipt[Position] | None = None) -> Position:
    """Open a game with the host in seat 0, and return the position; UnknownRuleset, BadOption.

    The seed is drawn and committed to before anybody can join. Under a key also Repeated, KeyReused.
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
    """Take the lowest free seat for the player and return the seat; UnknownGame, NotOpen; under a key as `create`."""
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
    """Begin a full game for its host and return the first position; UnknownGame, NotHost, NotOpen.

    The seats are renumbered in the order of joining.
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
    """Write a new game with the host in seat 0, begin it if it starts when full, and return the position.

    `origin` has the columns of its origin: `rematch_of`, `fork_of` with `fork_seq`, `competition_id`, or the `deal`
    whose seed it uses.
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
    # All seats are taken: begin at once.
    if plan.computers and position.state is None and len(position.seats) == plan.seats:
        position = _begin(db, games, position, position.seat_of(host))
    return position


def take_seat(
    db: Connection, games: Games, position: Position, newcomer: Newcomer, now: datetime
) -> tuple[Position, int]:
    """Put a newcomer into the lowest free seat of a locked game, and begin the game if it starts when full.

    Return the position and the seat. NotOpen, AccountBlocked, Unavailable (account deleted). If the newcomer or a
    seated player blocks the other: UnknownGame, or InvitationOver for the invited.
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
    """Seat a computer player in the lowest free seat of a locked, open game; returns as `take_seat`.

    NoSuchLevel, NotOpen.
    """
    levels = levels_for(position.ruleset, position.game.seats)
    if level not in levels:
        raise NoSuchLevel(levels)
    player = play.take_computer(db, level, {seat.player_id for seat in position.seats}, now)
    return take_seat(db, games, position, Newcomer(player, level=level), now)


def lock_as_host(db: Connection, games: Games, game: UUID, player: UUID) -> Position:
    """Lock an open game for its host; UnknownGame, NotHost, NotOpen."""
    position = games.lock(db, game)
    require_known(db, position, player)
    if position.game.host != player:
        raise NotHost
    require_open(position)
    return position


def require_open(position: Position) -> None:
    """Raise NotOpen unless the game takes players."""
    status = position.game.status
    if status != "open":
        raise NotOpen("cancelled" if status == "cancelled" else "started")


def notify(games: Games, position: Position) -> None:
    """Cache the committed position, and wake the processes that wait for events of the game."""
    if position.state is not None:
        games.committed(position)
        games.wake(position)


def _begin(db: Connection, games: Games, position: Position, by: int | None) -> Position:
    game = position.game
    gathered = note_lobby_event(db, game.id, by, StartGiven())
    # A player who took the seat of one who left may have a lower number than earlier players.
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


# First events of a game: the ruleset's setup, or for a fork those of the original game.

_ORIGIN = """
select fork_of, fork_seq, (select (data ->> 'format')::int from lobby_event where game_id = game.id and seq = 1) as form
  from game where id = %s
"""


def opening(
    db: Connection, games: Games, position: Position, nonces: Sequence[str], drawn_by: Sequence[str], lobby: str
) -> list[Any]:
    """Return the opening events of a full game; `nonces` and `drawn_by` are ordered by seat.

    `lobby` is the head of the lobby's hash chain, in hex.
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
    # The cards lie as in the original; chance is new from this step on.
    return [started, forked, *(each.event for each in counted_events(games.timeline(db, over), forked.seq))]


# Log of the lobby.

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def note_lobby_event(db: Connection, game: UUID, seat: int | None, happened: Happened) -> LobbyEnd | None:
    """Append an event to the lobby log of a locked game, and return the end of the log.

    Times of the log never fall. None for games older than lobby logs.
    """
    last = LobbyEnd(0, NO_HEAD, _EPOCH) if isinstance(happened, GameOpened) else last_of_lobby(db, game)
    if last is None:
        return None
    at = max(clock.to_the_millisecond(clock.now()), last.at)
    event = LobbyEvent(last.seq + 1, at, seat, stored_name(type(happened)), happened)
    head = lobby_head(last.head, event)
    add_to_lobby(db, game, event, head)
    return LobbyEnd(event.seq, head, at)


# Lobby: leave, kick, cancel.

_VACATE = "delete from seat where game_id = %s and player_id = %s"
_CLEAR = """
with cleared as (delete from seat where game_id = %s and player_id = %s returning arrival, game_id, player_id)
insert into vacated_seat (arrival, game_id, player_id) select arrival, game_id, player_id from cleared returning arrival
"""
# The new host is the player who joined first.
_HAND_OVER = """
update game set host = (
  select s.player_id from seat s join player p on p.id = s.player_id
  where s.game_id = game.id and p.computer is null order by s.arrival limit 1) where id = %s
"""
_CANCEL = "update game set status = 'cancelled' where id = %s"


def leave_table(games: Games, game: UUID, player: UUID) -> None:
    """Free the player's seat in an open game; UnknownGame, NotSeated, NotOpen.

    When the host leaves, the player who joined first becomes host. Without other people the game is cancelled.
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
    """Remove another player from an open game, and enqueue a mail to that player; UnknownGame, NotHost, NotOpen."""
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
    """Cancel an open game, enqueue mails to the others, and return the position; UnknownGame, NotHost, NotOpen."""
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


# Forks: new games that go on from a step of a finished game.


@dataclass(frozen=True, slots=True)
class Fork:
    """A requested fork: the finished game, an event `seq` of the step to go on from, the new game's terms."""

    game: UUID
    seq: int
    terms: Terms


def fork(games: Games, host: UUID, wanted: Fork, now: datetime, receipt: Receipt[Position] | None = None) -> Position:
    """Fork a finished game, with the host in seat 0, and return the new position.

    Seats and options are those of the original; the fork begins when its seats are taken. UnknownGame, NotOver, OneTry,
    NoSuchEvent, NotRunning (game over at that step); under a key also Repeated, KeyReused.
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
