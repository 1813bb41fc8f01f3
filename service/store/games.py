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
from service.store.names import shown
from service.store.state_cache import StateCache

_OPEN = """
select g.id, g.ruleset, g.status, g.seats, g.options, g.host, g.version, g.created_at, g.commitment,
       g.name, g.access, g.spectators, g.start, g.on_resignation, g.watched,
       (select json_agg(json_build_object('seat', s.seat, 'player_id', s.player_id, 'name', p.name,
                                          'language', p.language, 'email', p.email, 'watching', p.watching,
                                          'bot', p.owner is not null, 'owner', o.name)
                        order by s.seat)
        from seat s join player p on p.id = s.player_id left join player o on o.id = p.owner
        where s.game_id = g.id)::text
from game g where g.id = %s
"""
_LOCK = f"{_OPEN} for no key update of g"


class UnknownGame(Exception):
    """There is no such game."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a table is run, as its host wishes it."""

    name: str | None = None
    access: str = "invitation"
    """`public`: anybody may find it and join; `invitation`: nobody knows of it but the seated and the invited."""
    spectators: bool = True
    """Whether those who have no seat may look on at a public game."""
    start: str = "host"
    """`full`: the game starts by itself with the last seat taken; `host`: the host starts it."""
    on_resignation: str = "play-on"
    """`play-on`: the others play on without whoever resigns; `end`: the game ends."""


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
    terms: Terms
    watched: bool


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A taken seat and the player in it, by the name that is stored.

    `watching` if a webhook of the player's own wants to be told; `owner` is the name of a bot's owner.
    """

    seat: int
    player_id: UUID
    name: str
    language: str
    email: str | None
    watching: bool = False
    bot: bool = False
    owner: str | None = None


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

    def names_in(self, language: str) -> tuple[str, ...]:
        """Return the names of the players for readers of the language, in the order of their seats."""
        return tuple(shown(seat.name, language) for seat in self.seats)

    @property
    def automata(self) -> tuple[str, ...]:
        """The name of the opponent in the seat after the players', if the service plays one."""
        name = self.ruleset.meta.automata.get(self.game.seats)
        return () if name is None else (name,)

    def seat_of(self, player: UUID) -> int | None:
        """Return the seat of the player, or None."""
        return next((seat.seat for seat in self.seats if seat.player_id == player), None)

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
    *columns, name, access, spectators, start, on_resignation, watched, seats = tuple[Any, ...](row)
    columns += [Terms(name, access, spectators, start, on_resignation), watched]
    return GameRow(*columns), _SEATS.decode(seats or b"[]")
