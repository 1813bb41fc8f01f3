"""Shortcuts of an accepted action: one statement on a pinned connection.

An action of a player who has acted in this process lately (service/api/direct.py) is one statement: the token
(`RememberedTokens`) and the position come from caches, and the append writes only if the Precondition still holds.
The statement runs on a pinned connection (`Hand`). Measured in one process that played 5,000 actions and left out
one of the two in turn, by the CPU time of the action's thread, PostgreSQL's not counted (same code twice: 0.98 to 1.02;
four runs):

- without the caches 1.30 to 1.41 as much, and a second statement for PostgreSQL;
- without the pinned connections 1.12 to 1.20 as much.

Shortcuts that gained less were removed (skipping Flask's own steps, answers with final headers, the request without
its proxy: 1.02 to 1.04 each).
"""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import Any
from uuid import UUID

import psycopg
from msgspec import Struct
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

from service.shared.circuit_breaker import CircuitBreaker
from service.store import connections
from service.store.connections import Demotion

HAND = "hand"
"""Execution option of our engines that holds their Hand."""
_IDLE_SINCE = "idle_since"
_TRUSTED_SECONDS = 10.0
"""Seconds without a ping. An idle process asks the database every second or so; a ping each time would double that."""
_MOST_IN_HAND = 4
"""Limit of pinned connections; most of the pool stays free for transactions."""
SITTING = "seat s join player p on p.id = s.player_id left join player o on o.id = p.owner"
"""Players at a table, and the owners of bots among them."""
# PostgreSQL numbers the transaction that wrote a row, so a change to a person changes the number. One transaction may
# have written two people, but a seat that another person takes over gets a new arrival.
VERSIONS = "concat_ws(' ', s.arrival, p.xmin, o.xmin)"
# The same for a seat. A join would be planned as a scan of all players as long as those are some hundreds: with only a
# hundred players an append would cost PostgreSQL a tenth more CPU.
_OWNER = "case when p.owner is not null then (select o.xmin from player o where o.id = p.owner) end"
_VERSIONS = (
    f"concat_ws(' ', s.arrival, (select concat_ws(' ', p.xmin, {_OWNER}) from player p where p.id = s.player_id))"  # noqa: S608 - constants
)
STAMP = f"""concat_ws(' ', watched,
    array_to_string(array(select {_VERSIONS} from seat s where s.game_id = %(game)s order by s.seat), ' '),
    (select xmin from token
      where id = %(token)s and revoked_at is null and (expires_at > clock_timestamp()) is not false))"""  # noqa: S608 - constants
"""Current stamp of a Precondition, for a statement that reads or writes the game's row."""


# A Struct, as in store/events.py.
class Precondition(Struct, frozen=True):
    """Cached facts that an action relies on: the token, by its id, and the people at the game's table.

    `stamp` is the value of STAMP when they were read.
    """

    token: UUID
    stamp: str


class Hand:
    """A few autocommit connections for single statements; thread-safe.

    They do not return to the pool between statements. The pool keeps connections in autocommit, too, so that no
    statement is needed to switch.
    """

    def __init__(self, engine: Engine, breaker: CircuitBreaker | None, demotion: Demotion) -> None:
        """Take an `engine` in autocommit, and the `breaker` and `demotion` of its server."""
        self.engine = engine
        self._breaker = breaker
        self._demotion = demotion
        self._idle: deque[Connection] = deque()
        event.listen(engine, "engine_disposed", self._close)

    def __len__(self) -> int:
        """Return the number of idle connections."""
        return len(self._idle)

    def take(self) -> Connection:
        """Return an idle connection, or one from the pool; the caller gives it back or closes it."""
        connections.expect_answers(self._breaker)
        try:
            db = self._idle.pop()
        except IndexError:
            return self.engine.connect()
        try:
            ping_idle(self.engine.dialect, db.connection.dbapi_connection, db.info, self._demotion)
        except DisconnectionError:
            db.invalidate()
        return db

    def give_back(self, db: Connection) -> None:
        """Keep the connection for the next `take`."""
        if len(self._idle) >= _MOST_IN_HAND or db.in_transaction() or db.invalidated:
            db.close()
        else:
            db.info[_IDLE_SINCE] = monotonic()
            self._idle.append(db)

    def _close(self, _: Engine) -> None:
        while self._idle:
            db = self._idle.pop()
            # Its pool has been replaced.
            db.detach()
            db.close()


def hand_of(engine: Engine) -> Hand:
    """Return the Hand of one of our engines."""
    found: Hand = engine.get_execution_options()[HAND]
    return found


@contextmanager
def at_hand(engine: Engine) -> Iterator[Connection]:
    """Yield a pinned connection of one of our engines; each statement commits on its own."""
    hand = hand_of(engine)
    db = hand.take()
    try:
        yield db
    except BaseException:
        db.close()
        raise
    hand.give_back(db)


def note_idle(connection: object, record: ConnectionPoolEntry) -> None:
    """Note when a connection returned to the pool."""
    record.info[_IDLE_SINCE] = monotonic()


def ping_idle(dialect: Dialect, connection: Any, about: Mapping[str, Any], demotion: Demotion) -> None:
    """Require that a connection still reaches a usable server; DisconnectionError.

    Ping only after some idle time, since a ping at each use costs too much. Do not trust a connection whose server has
    closed it or sent something meanwhile.
    """
    demotion.require_later(about)
    if monotonic() - about.get(_IDLE_SINCE, monotonic()) > _TRUSTED_SECONDS or _is_readable(connection):
        try:
            dialect.do_ping(connection)
        except psycopg.Error as error:
            demotion.note(error)
            raise DisconnectionError from error


def _is_readable(connection: Any) -> bool:
    if connection.closed:
        return True
    looking = select.poll()
    looking.register(connection.fileno(), select.POLLIN)
    return bool(looking.poll(0))
