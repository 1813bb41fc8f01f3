"""Chat at tables, and private notes of players."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers.append import record
from service.handlers.gate import TALK, grow, reach
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import NotRunning, NotSeated
from service.handlers.transaction import transaction
from service.log.recorded import Door
from service.rules.shared_events import SomethingSaid
from service.store import notices, outbox, people
from service.store.events import Cause
from service.store.games import Games, Position, require_known
from service.store.quotas import UNCOUNTED, Budget, MailsSpent

_SAY = text("""
insert into talk (game_id, number, seat, text, at)
select :game, coalesce(max(number), 0) + 1, :seat, :text, :at from talk where game_id = :game
returning number
""")
_SAID = text(
    "select t.number, t.seat, t.text, t.at from talk t join seat s on (s.game_id, s.seat) = (t.game_id, t.seat)"  # noqa: S608 - constants
    " where t.game_id = :game and t.at >= :since and t.at < :until and not exists ("
    "select from former_player f where (f.game_id, f.seat) = (t.game_id, t.seat) and t.at < f.left_at)"
    f" and not {people.UNHEARD.format(listener=':listener', speaker='s.player_id')} order by t.number"
)
_NOTE = text("""
insert into note (game_id, player_id, text, at)
select game_id, player_id, :text, :at from seat where game_id = :game and player_id = :player
on conflict (game_id, player_id) do update set text = excluded.text, at = excluded.at
""")


@dataclass(frozen=True, slots=True)
class Said:
    """A chat message; `number` counts a game's messages from 1."""

    number: int
    seat: int
    at: datetime
    text: str


def say(
    games: Games,
    game: UUID,
    player: UUID,
    words: str,
    door: Door,
    now: datetime,
    receipt: Receipt[Said] | None = None,
    budget: Budget = UNCOUNTED,
) -> Said:
    """Post a chat message; UnknownGame, NotSeated, NotRunning before the game begins; Repeated, KeyReused.

    Mails announce it within the mail quota; the page of the table shows it anyway. The log of a running game notes that
    something was said. A finished game's log stays unchanged.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        position = games.lock(db, game)
        require_known(db, position, player)
        seat, after = position.seat_of(player), position
        if seat is None:
            raise NotSeated
        if position.state is None:
            raise NotRunning(position.game.status)
        grow(db, TALK, position, player, now)
        if position.game.status == "running":
            cause = Cause(seat, door, position.decision)
            after, _ = record(db, position, [SomethingSaid(seat=seat)], cause)
        number: int = db.execute(_SAY, {"game": game, "seat": seat, "text": words, "at": now}).scalar_one()
        said = Said(number, seat, now, words)
        for told in _readers(db, position, seat):
            with suppress(MailsSpent), db.begin_nested():
                # Messages of the next minutes share the mail.
                if outbox.post(db, game, [notices.message(game, told, now)]):
                    reach(db, budget, TALK, player, [position.seats[told].player_id], now)
        keep(db, receipt, said)
    if after is not position:
        games.committed(after)
        games.wake(after)
    return said


def _readers(db: Connection, position: Position, speaker: int) -> list[int]:
    rows = [row for row in position.seats if row.channels or (row.email and row.confirmed)]
    others = [row for row in rows if row.seat not in (speaker, *position.resigned)]
    heard = people.heard_by(db, position.seats[speaker].player_id, [row.player_id for row in others])
    return [row.seat for row in others if row.player_id in heard]


def said_in(db: Connection, game: UUID, listener: UUID, since: datetime, until: datetime) -> list[Said]:
    """Return the seated players' messages to a listener from `since` up to `until`, in order."""
    rows = db.execute(_SAID, {"game": game, "listener": listener, "since": since, "until": until})
    return [Said(row.number, row.seat, row.at, row.text) for row in rows]


def note(games: Games, game: UUID, player: UUID, words: str, now: datetime) -> None:
    """Replace the player's private notes on the game; UnknownGame, NotSeated."""
    with transaction(games.engine) as db:
        written = db.execute(_NOTE, {"game": game, "player": player, "text": words, "at": now})
        if not written.rowcount:
            require_known(db, games.open(db, game), player)
            raise NotSeated
