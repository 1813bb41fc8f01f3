"""Reports by players: of a remark, a name, a profile, or a tournament's title.

Operators answer them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, func, insert, select, text

from service.handlers import tournaments
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import NotSeated, OwnAccount, TooMany, UnknownRemark
from service.handlers.tokens import hold
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.shared.refusal import NotFound
from service.store.games import Games, Position, require_known
from service.store.people import find_visible_profile
from service.store.tables import report as report_table

MOST: Final = 20
"""Limit of a player's unanswered reports."""

_REMARK = text("""
select t.text, coalesce(f.player_id, s.player_id) as player from talk t
  left join former_player f on (f.game_id, f.seat) = (t.game_id, t.seat) and t.at >= f.joined_at and t.at < f.left_at
  left join seat s on (s.game_id, s.seat) = (t.game_id, t.seat)
 where t.game_id = :game and t.number = :number
""")
_NAME = text("select name from player where id = :player")
_OPEN = select(func.count()).where(report_table.c.answer.is_(None))


@dataclass(frozen=True, slots=True)
class Complaint:
    """A report at a table: of the remark or the seat's name with this `number`, and the complaint."""

    game: UUID
    about: Literal["talk", "name"]
    number: int
    words: str


def complain(
    games: Games, reporter: UUID, complaint: Complaint, now: datetime, receipt: Receipt[UUID] | None = None
) -> UUID:
    """Store a report with a quote of its subject as of now, and return its id.

    UnknownGame, NotSeated, UnknownRemark, NotFound, TooMany; under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.open(db, complaint.game)
        require_known(db, position, reporter)
        hold(db, reporter)
        reported, quoted = _subject(db, position, reporter, complaint)
        where = {"game_id": complaint.game, "number": complaint.number if complaint.about == "talk" else None}
        made = _write(db, reporter, reported, now, about=complaint.about, quoted=quoted, words=complaint.words, **where)
        keep(db, receipt, made)
    return made


def complain_of_profile(
    games: Games, reporter: UUID, handle: str, words: str, now: datetime, receipt: Receipt[UUID] | None = None
) -> UUID:
    """Store a report of a profile with its handle and name as of now, and return its id.

    NotFound for a profile that the reporter may not see, OwnAccount, TooMany; under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        reported = find_visible_profile(db, reporter, handle)
        if reported is None:
            raise NotFound("player")
        if reported == reporter:
            raise OwnAccount
        hold(db, reporter)
        name: str = db.execute(_NAME, {"player": reported}).scalar_one()
        made = _write(db, reporter, reported, now, about="profile", quoted=f"@{handle.lower()} {name}", words=words)
        keep(db, receipt, made)
    return made


def complain_of_tournament(
    games: Games, reporter: UUID, tournament: UUID, words: str, now: datetime, receipt: Receipt[UUID] | None = None
) -> UUID:
    """Store a report of a tournament's title, against its host, and return its id.

    UnknownTournament, OwnAccount, TooMany; under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        found = tournaments.known(db, tournament, reporter)
        if found.host is None or found.host == reporter:
            raise OwnAccount
        hold(db, reporter)
        what = {"about": "tournament", "competition_id": found.id, "quoted": found.title, "words": words}
        made = _write(db, reporter, found.host, now, **what)
        keep(db, receipt, made)
    return made


def _write(db: Connection, reporter: UUID, reported: UUID, now: datetime, **what: Any) -> UUID:
    """Insert a report by a locked account and return its id; TooMany."""
    if db.execute(_OPEN.where(report_table.c.reporter == reporter)).scalar_one() >= MOST:
        raise TooMany(MOST)
    made = new_id()
    values = {"id": made, "reporter": reporter, "reported": reported, "created_at": now}
    db.execute(insert(report_table).values(**values, **what))
    return made


def _subject(db: Connection, position: Position, reporter: UUID, complaint: Complaint) -> tuple[UUID, str]:
    """Return the reported player and the quoted words."""
    if complaint.about == "name":
        seat = next((each for each in position.seats if each.seat == complaint.number), None)
        if seat is None or seat.player_id == reporter:
            raise NotFound("seat")
        return seat.player_id, seat.name
    if position.seat_of(reporter) is None:
        raise NotSeated
    row = db.execute(_REMARK, {"game": complaint.game, "number": complaint.number}).one_or_none()
    if row is None or row.player is None or row.player == reporter:
        raise UnknownRemark
    return row.player, row.text
