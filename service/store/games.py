"""The shelf of games: every game's row, its seats, and its state folded from the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec.json import Decoder
from sqlalchemy import Connection, Engine

from service.rules.kernel import AnyRuleset, fold
from service.store import events
from service.store.codec import Codec
from service.store.state_cache import StateCache

_OPEN = """
select g.id, g.ruleset, g.status, g.seats, g.options, g.host, g.version, g.created_at, g.commitment, g.watched,
       (select json_agg(json_build_object('seat', s.seat, 'player_id', s.player_id, 'name', p.name,
                                          'language', p.language, 'email', p.email, 'watching', p.watching)
                        order by s.seat)
        from seat s join player p on p.id = s.player_id where s.game_id = g.id)::text
from game g where g.id = %s
"""
_LOCK = f"{_OPEN} for no key update of g"


class UnknownGame(Exception):
    """There is no such game."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as the lobby knows it; `host` is a player's id, `version` the number of its events.

    `watched` if its table has a webhook.
    """

    id: UUID
    ruleset: str
    status: str
    seats: int
    options: Mapping[str, Any]
    host: UUID
    version: int
    created_at: datetime
    commitment: str
    watched: bool


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A taken seat and the player in it, who is `watching` if a webhook of the player's own wants to be told."""

    seat: int
    player_id: UUID
    name: str
    language: str
    email: str | None
    watching: bool


_SEATS = Decoder(tuple[SeatRow, ...])


@dataclass(frozen=True, slots=True)
class Position:
    """A game at one version; `state` is the fold of that many events, None while the game has not started.

    The state holds all that is hidden; it is left out of the repr.
    """

    game: GameRow
    ruleset: AnyRuleset = field(repr=False)
    version: int
    state: Any = field(repr=False)
    seats: tuple[SeatRow, ...]
    codec: Codec = field(repr=False, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The display names of the players, in the order of their seats."""
        return tuple(seat.name for seat in self.seats)

    @property
    def watched(self) -> bool:
        """Whether webhooks may have to be told of what happens here."""
        return self.game.watched or any(seat.watching for seat in self.seats)


def _nobody() -> None:
    """Wake nobody."""


class Games:
    """All games of one database under the rulesets known here; shared by the threads of a process."""

    def __init__(self, engine: Engine, rulesets: Mapping[str, AnyRuleset], wake: Callable[[], None] = _nobody) -> None:
        """`wake` is called after each commit that wrote to the outbox; it must not raise."""
        self.engine = engine
        self.rulesets = rulesets
        self.wake = wake
        self._codecs = {name: Codec(ruleset) for name, ruleset in rulesets.items()}
        self._states = StateCache()

    def open(self, db: Connection, game_id: UUID) -> Position:
        """Return the game as it is now; UnknownGame. Not to be called after an append in the same transaction."""
        row, seats = _row(db, _OPEN, game_id)
        if self._states.get(game_id)[0] > row.version:
            # Another thread has read a commit later than our row; a row read now is not older than that.
            row, seats = _row(db, _OPEN, game_id)
        return self._folded(db, row, seats)

    def lock(self, db: Connection, game_id: UUID) -> Position:
        """Lock the game for this transaction and return it as it is; UnknownGame."""
        row, seats = _row(db, _LOCK, game_id)
        if row.status == "open" or len(seats) < row.seats:
            # After waiting for the lock PostgreSQL looks again at the locked row, but not at the seats beside it.
            row, seats = _row(db, _OPEN, game_id)
        # READ COMMITTED: the tail is read by a statement of its own, whose snapshot is taken after the lock is granted.
        return self._folded(db, row, seats)

    def at_version(self, db: Connection, position: Position, version: int) -> Position:
        """Return the game as it was at an earlier version."""
        state = fold(position.ruleset, events.facts(db, position.codec, position.game.id, 0, version))
        status = "running" if position.ruleset.outcome(state) is None else "finished"
        game = replace(position.game, status=status, version=version)
        return replace(position, game=game, version=version, state=state)

    def codec(self, ruleset: str) -> Codec:
        """Return the codec of a ruleset."""
        return self._codecs[ruleset]

    def _folded(self, db: Connection, row: GameRow, seats: tuple[SeatRow, ...]) -> Position:
        ruleset, codec = self.rulesets[row.ruleset], self.codec(row.ruleset)
        version, state = self._states.get(row.id)
        if version > row.version:
            # Only a database that was set back can be behind what we have seen committed.
            self._states.forget(row.id)
            version, state = 0, None
        if version < row.version:
            state = fold(ruleset, events.facts(db, codec, row.id, version, row.version), state)
            self._states.put(row.id, row.version, state)
        return Position(row, ruleset, row.version, state, seats, codec)

    def committed(self, position: Position) -> None:
        """Remember the state of a position that is committed."""
        self._states.put(position.game.id, position.version, position.state)


def _row(db: Connection, statement: str, game_id: UUID) -> tuple[GameRow, tuple[SeatRow, ...]]:
    row = db.exec_driver_sql(statement, (game_id,)).first()
    if row is None:
        raise UnknownGame(game_id)
    columns: list[Any]
    *columns, seats = tuple[Any, ...](row)
    return GameRow(*columns), _SEATS.decode(seats or b"[]")
