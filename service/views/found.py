"""What an operator finds of players and games: what waits, and why; nothing hidden of a game, and no secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from service.shared.addresses import canonical
from service.store import mail, operation
from service.store.operation import OperatorEvent, acts_concerning, acts_on

MOST: Final = 20
"""The most players that one search finds."""
ROWS: Final = 100
"""The most outbox rows that are listed."""
Row = RowMapping

_PLAYER = "select id, name, email, language, created_at, deleted_at, owner, email_confirmed, email_verified, blocked"
_BY_ID = text(f"{_PLAYER} from player where id = :id")
_BY_WORDS = text(f"""
{_PLAYER} from player where deleted_at is null and (lower(email) = lower(:words) or lower(name) = lower(:words))
 order by created_at desc limit :most
""")
_NAMED = text("""
select id, name, email, email_verified, created_at, blocked, owner,
       exists (select from operator where player_id = player.id) as operator,
       (select count(*) from player bot where bot.owner = player.id and bot.deleted_at is null) as bots,
       (select count(*) from seat s join game g on g.id = s.game_id
         where s.player_id = player.id and g.status in ('open', 'running')) as playing,
       (select count(*) from seat s join game g on g.id = s.game_id
         where s.player_id = player.id and g.status = 'finished') as finished
  from player
 where deleted_at is null and computer is null and (id = :id or (lower(email) = lower(:address) and email_verified))
""")
_GAME = text("""
select id, ruleset, name, status, access, created_at, version, host, faces, since, pace is not null as timed, origin
  from game where id = :id
""")
_GAMES_BY_NAME = text("select id from game where lower(name) = lower(:words) order by created_at desc limit :most")
_SITS = """
select g.id as game, g.status, s.seat, p.id as player, p.name, g.host = p.id as host,
       s.seat = any(g.awaited) as awaited, g.since,
       g.deadlines[array_position(g.awaited, s.seat)] as deadline, p.blocked is not null as blocked,
       p.unreachable
  from seat s join game g on g.id = s.game_id join player p on p.id = s.player_id
"""
_SEATS_OF_GAME = text(f"{_SITS} where g.id = :id order by s.seat")
_SEATS_OF_PLAYER = text(f"{_SITS} where p.id = :id and g.status in ('open', 'running') order by g.id desc")
# The payload and the key of a row are not shown: they may name links and addresses.
_EFFECT = """
select o.id, o.kind, o.state, o.attempts, o.game_id as game, o.added_at, o.due_at, o.not_before, o.last_error,
       o.state = 'pending' and o.due_at < clock_timestamp() - interval '10 minutes' as late
  from outbox o
"""
_TROUBLED = text(f"""
{_EFFECT} where o.state = 'dead' or (o.state = 'pending' and o.due_at < clock_timestamp() - interval '10 minutes')
 order by o.due_at, o.id limit :most
""")
_OF_GAME = text(f"{_EFFECT} where o.game_id = :id and o.state in ('pending', 'dead') order by o.id limit :most")
_OF_PLAYER = text(f"""
{_EFFECT} where o.state in ('pending', 'dead') and (o.payload ->> 'player' = cast(:id as text)
   or exists (select from seat s where s.player_id = :id and s.game_id = o.game_id
                 and cast(s.seat as text) = o.payload ->> 'seat')) order by o.id limit :most
""")


@dataclass(frozen=True, slots=True)
class FoundPlayer:
    """An account: its row, its seats in open and running games, the effects that wait, and the acts on it.

    `mails` are the reasons for which mails do not reach it, as words.
    """

    account: Row
    seats: Sequence[Row]
    effects: Sequence[Row]
    mails: Sequence[str]
    acts: Sequence[OperatorEvent]


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A game: its row, its seats with what they are asked for until when, the effects that wait, and the acts on it."""

    game: Row
    seats: Sequence[Row]
    effects: Sequence[Row]
    acts: Sequence[OperatorEvent]


def find_players(db: Connection, words: str) -> list[FoundPlayer]:
    """Return the accounts with an id, an address, or a name, the newest first."""
    player = _as_id(words)
    statement, values = (_BY_ID, {"id": player}) if player else (_BY_WORDS, {"words": words, "most": MOST})
    return [_player(db, row) for row in db.execute(statement, values).mappings().all()]


def named_account(db: Connection, words: str) -> Row | None:
    """Return the account with an id, or with a verified address; None for anything else, which its player could choose.

    It has what an operator looks at before an act: name, address, age (`created_at`), games and bots.
    """
    return db.execute(_NAMED, {"id": _as_id(words), "address": canonical(words.strip())}).mappings().one_or_none()


def find_games(db: Connection, words: str) -> list[FoundGame]:
    """Return the game with an id, or those of a name, the newest first."""
    game = _as_id(words)
    ids = [game] if game else db.execute(_GAMES_BY_NAME, {"words": words, "most": MOST}).scalars().all()
    rows = [db.execute(_GAME, {"id": each}).mappings().one_or_none() for each in ids]
    return [_game(db, row) for row in rows if row is not None]


def troubled_effects(db: Connection, most: int = ROWS) -> Sequence[Row]:
    """Return the outbox rows that are dead or more than ten minutes late, the longest overdue first."""
    return db.execute(_TROUBLED, {"most": most}).mappings().all()


def _player(db: Connection, row: Row) -> FoundPlayer:
    who = {"id": row["id"]}
    effects = db.execute(_OF_PLAYER, {**who, "most": ROWS}).mappings().all()
    seats = db.execute(_SEATS_OF_PLAYER, who).mappings().all()
    return FoundPlayer(row, seats, effects, _troubles(db, row), acts_concerning(db, row["id"]))


def _game(db: Connection, row: Row) -> FoundGame:
    which = {"id": row["id"]}
    effects = db.execute(_OF_GAME, {**which, "most": ROWS}).mappings().all()
    return FoundGame(row, db.execute(_SEATS_OF_GAME, which).mappings().all(), effects, acts_on(db, "game", row["id"]))


def _troubles(db: Connection, row: Row) -> list[str]:
    address: str | None = row["email"]
    if address is None:
        return ["no-address"]
    suppressed = mail.find_suppression(db, address)
    stopped = {
        "account-blocked": row["blocked"] is not None,
        "address-blocked": operation.address_block_reason(db, address) is not None,
        "unconfirmed": not row["email_confirmed"],
        "refused": mail.are_mails_refused(db, address),
    }
    found = [why for why, holds in stopped.items() if holds]
    return found if suppressed is None else [*found, f"{suppressed.cause} {suppressed.status}".strip()]


def _as_id(words: str) -> UUID | None:
    try:
        return UUID(words)
    except ValueError:
        return None
