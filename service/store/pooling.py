"""What stands between a process and PostgreSQL: nothing, or a pooler such as PgBouncer in transaction mode.

A pooler gives each transaction one of a few connections of its own. What belongs to a connection, such as session
settings and named prepared statements, is then that of another transaction, too.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, cast

import psycopg
from psycopg.errors import DuplicatePreparedStatement, InvalidSqlStatementName
from sqlalchemy import Connection, Engine, make_url, text

from service.shared import process_name

SESSION: Final = {
    "timezone": "UTC",
    "statement_timeout": "5s",
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "10s",
    # Statements are look-ups by key: planning them anew for each value would gain nothing.
    "plan_cache_mode": "force_generic_plan",
    "jit": "off",
}
"""The settings of each session. A process has its connections begin with them; a pooler has them from the role."""
LONGEST_MS: Final = 4000
"""The longest statement_timeout through a pooler, in ms: a web process waits no longer (client_timeouts.SECONDS)."""
PREFIX: Final = "boardroom:"
"""What the application_name of each of our sessions begins with; the name of the part or command follows."""
_TRIES: Final = 5
_WHO: Final = "select pg_backend_pid()"
_SESSION = text("select lower(name) as name, setting from pg_settings where lower(name) = any(:names)")


class Pooler(StrEnum):
    """The pooler before PostgreSQL: none, one in transaction mode, or one that also keeps named prepared statements."""

    NONE = "none"
    TRANSACTION = "transaction"
    PREPARED = "transaction-prepared"


@dataclass(frozen=True, slots=True)
class PoolerSigns:
    """What two connections show of a pooler.

    `pooled` says whether there is one, `shared` whether it gives a connection to each transaction alone, `prepared`
    whether a named prepared statement is found again; it is None if that was not tried.
    """

    pooled: bool
    shared: bool = False
    prepared: bool | None = None


def connect_arguments(database_url: str, pooler: Pooler, statement_timeout: str) -> dict[str, Any]:
    """Return what psycopg is to connect with: the session settings, or no named statements through a pooler.

    `options` of the URL itself count, too, such as `-c search_path=games`.
    """
    if pooler is Pooler.NONE:
        session = SESSION | {"statement_timeout": statement_timeout}
        ours = " ".join(f"-c {name}={value}" for name, value in session.items())
        # What is said last counts.
        theirs = make_url(database_url).query.get("options", "")
        return {"options": f"{ours} {theirs if isinstance(theirs, str) else ' '.join(theirs)}".strip()}
    return {} if pooler is Pooler.PREPARED else {"prepare_threshold": None}


def named_session() -> dict[str, str]:
    """Return the argument by which a session tells whose it is, unless the address or PGAPPNAME has a name for it."""
    return {"fallback_application_name": f"{PREFIX}{process_name.own()}"}


def plain_address(database_url: str) -> str:
    """Return an address of ours as libpq reads it, with its password."""
    return make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)


def is_pooled(db: Connection) -> bool:
    """Return whether a pooler stands before PostgreSQL: the number of the server process is then not its own."""
    driver: psycopg.Connection[Any] = cast(Any, db.connection.driver_connection)
    return driver.info.backend_pid != db.exec_driver_sql(_WHO).scalar_one()


def look(engine: Engine, prepared: bool) -> PoolerSigns:
    """Return what is seen of a pooler; with `prepared` try whether a named prepared statement is found again.

    `engine` is one for Pooler.PREPARED with two connections. Raises psycopg.Error, SQLAlchemyError.
    """
    with closing(engine.raw_connection()) as first, closing(engine.raw_connection()) as second:
        one, other = (cast("psycopg.Connection[Any]", each.driver_connection) for each in (first, second))
        if _who(one) == one.info.backend_pid:
            return PoolerSigns(pooled=False)
        shared = any(_who(one) == _who(other) for _ in range(_TRIES))
        return PoolerSigns(True, shared, _finds_again(one, other) if shared and prepared else None)


def _who(db: psycopg.Connection[Any], prepare: bool = False) -> int:
    (number,) = cast("tuple[int]", db.execute(_WHO, prepare=prepare).fetchone())
    return number


def _finds_again(one: psycopg.Connection[Any], other: psycopg.Connection[Any]) -> bool:
    """Return whether the server connection of another transaction knows a named statement of this one."""
    try:
        for _ in range(_TRIES):
            before = _who(one, prepare=True)
            with other.transaction():
                # It takes the connection that was used last.
                _who(other)
                if _who(one, prepare=True) != before:
                    return True
    except (InvalidSqlStatementName, DuplicatePreparedStatement):
        return False
    return False


def unlimited(db: Connection) -> dict[str, str]:
    """Return the session settings that are not as they have to be, with the values that they have (times in ms)."""
    found = {row.name: row.setting for row in db.execute(_SESSION, {"names": [*SESSION]})}
    return {name: value for name, value in found.items() if not _suits(name, value)}


def _suits(name: str, value: str) -> bool:
    if name == "statement_timeout":
        return 0 < int(value) <= LONGEST_MS
    return int(value) > 0 if name.endswith("_timeout") else value == SESSION[name]
