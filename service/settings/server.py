"""The settings of the database, of Redis and of the web server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.settings import kinds
from service.settings.database import DATABASE, POOLER
from service.settings.kinds import number, url
from service.settings.setting import setting
from service.store.pooling import Pooler

PROCESSES: Final = 2
"""The default number of web processes."""
THREADS: Final = 1280
"""The default number of threads of a web process."""
POOL: Final = 10
"""The default number of database connections of a process: those of one process of each part, two of the web server,
fit into the 100 that PostgreSQL allows by default."""
SMALLEST_POOL: Final = 4
"""As many as the relay has threads at work, and one for its heartbeat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Where the database and Redis are, and what the web server is like.

    Without `redis_url` jobs run in the relay. Without `migration_url`, which is then '', migrations use
    `database_url`. `base_url` has no trailing slash. `rate_limits` is 0 for no limits.
    """

    database_url: str = setting(
        "DATABASE_URL",
        DATABASE,
        "The PostgreSQL database, as a URL of libpq: `postgresql://user:password@host/database`. With several hosts "
        "(`host1:5432,host2:5432`) and `?target_session_attrs=read-write`, the one that takes writes is used. "
        "`boardroom migrate` makes the tables and keeps them up to date.",
        required=True,
        without="`make up` starts one; elsewhere it has to be set",
        secret=True,
    )
    database_read_url: str = setting(
        "DATABASE_READ_URL",
        DATABASE,
        "A replica of the database (streaming replication), with the same role: games are read there for those who "
        "look on, and public games are listed from there. Players read their own games from the primary, and so does "
        "everybody what the replica does not have yet, or while it does not answer.",
        without="everything is read from `DATABASE_URL`",
        secret=True,
    )
    pool_size: int = setting(
        "POOL_SIZE",
        number(SMALLEST_POOL, 1000, " of connections"),
        "The most database connections that a process keeps open, and as many again to a replica. All processes on all "
        "machines together have to fit into `max_connections` of the server, or into `max_client_conn` of a pooler; "
        "`boardroom doctor` adds them up.",
        default=str(POOL),
        unit="connections",
    )
    pooler: Pooler = setting(  # noqa: RUF009 - a field, not a value
        "DATABASE_POOLER",
        POOLER,
        "What stands before PostgreSQL at `DATABASE_URL`: `none`, or a pooler such as PgBouncer in transaction mode, "
        "with `transaction` for one that does not know named prepared statements, and `transaction-prepared` for one "
        "that does (PgBouncer 1.21 or later with `max_prepared_statements`). The limits of a session then stand at the "
        "role ([operating](operating.md#pgbouncer)).",
        default="none",
    )
    migration_url: str = setting(
        "MIGRATION_DATABASE_URL",
        DATABASE,
        "The database for `boardroom migrate`, which needs connections of its own: PostgreSQL itself, not a pooler, as "
        "the owner of the tables.",
        without="`DATABASE_URL`",
        secret=True,
    )
    redis_url: str | None = setting(
        "REDIS_URL",
        url("redis", "rediss", "unix"),
        "The Redis server that wakes the workers up: `redis://host:6379/0`. It may be emptied at any time.",
        without="`make up` starts one; elsewhere the relay does the work of the workers",
        secret=True,
    )
    host: str = setting(
        "HOST",
        kinds.TEXT,
        "The address at which the web server listens. At another than a loopback address it takes an `SMTP_URL`, or "
        "`LOCAL_MAIL`.",
        default="127.0.0.1",
    )
    port: int = setting("PORT", number(1, 65535), "The port at which the web server listens.", default="8000")
    base_url: str = setting(
        "BASE_URL",
        url("http", "https"),
        "The address in links, and the only one, besides those of loopback, under which pages are served. A proxy has "
        "to pass the `Host` on.",
        required=True,
        without="`http://HOST:PORT`",
    )
    proxies: int = setting(
        "TRUSTED_PROXIES",
        number(0, 9),
        "How many proxies of one's own stand before the web server and add to `X-Forwarded-For`. With the right "
        "number, limits by address count the clients. With `0` behind a proxy everybody counts as one address, which "
        "may have 100 requests under way and 15 streams in each web process.",
        default="0",
        unit="proxies",
    )
    web_processes: int = setting(
        "WEB_PROCESSES",
        number(1, 64, " of processes"),
        "How many web processes a web server has; one for each core is enough.",
        default=str(PROCESSES),
        unit="processes",
    )
    web_threads: int = setting(
        "WEB_THREADS",
        number(16, 8192, " of threads"),
        "The most threads of a web process; they start when they are needed. A quarter of them may wait for events.",
        default=str(THREADS),
        unit="threads",
    )
    rate_limits: float = setting(
        "RATE_LIMITS",
        kinds.FACTOR,
        "The factor by which the limits of the API, and of the mails that one may cause, are multiplied, or `off`.",
        default="1",
    )
    take_back_seconds: int = setting(
        "TAKE_BACK_SECONDS",
        number(0, 999_999, " of seconds"),
        "For how long a player may take an action back; `0` for never.",
        default="600",
        unit="seconds",
    )
    ruleset_packages: tuple[str, ...] = setting(
        "RULESET_PACKAGES",
        kinds.PACKAGES,
        "The Python packages in which games are looked for, with commas between "
        "([how to write one](add-a-game.md)). Games that are installed beside Boardroom are found without it. "
        "Commands for records read it from the environment only.",
        without="`service.rules.games`",
    )
