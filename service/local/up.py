"""`boardroom up`: everything on one machine, started in order, watched, and stopped in the opposite order."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Final
from urllib.parse import urlsplit

import psycopg
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from service.inbound.listener import LISTEN_RETRY_S, listen_refusal, place_of
from service.local.environment import write_environment
from service.local.servers import ALL_SERVERS, LocalServers
from service.local.supervisor import (
    CannotStart,
    Child,
    Program,
    Supervised,
    Watchdog,
    one_line,
    rotate,
    stop_all,
    wait_for,
    wait_until,
    wakened_by_ends,
)
from service.messages.keys import new_key
from service.settings import Settings, default_base_url
from service.shared import die_with_parent
from service.shared.network import LISTENER_VARIABLE, inheritable_listener
from service.store.engine import build_engine
from service.views.operation import QUEUES, planned_connections

INBOX_TIMEOUT_S: Final = 1.0
"""Seconds for an answer of the inbox; no process is restarted meanwhile."""
INBOX_LOOK_S: Final = 5.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PORT_WAIT_S = 3.0
"""Seconds for a killed earlier start to give the port back."""
LOOK_S = 2.0
"""Seconds between two looks at servers, processes and the lengths of their logs; the end of a process wakes at once."""
RESTART_LOOK_S = 0.1
"""The same, while a process waits for its restart."""
PARTS_MODULE = "workers.parts"
"""The program that runs several parts, each with its own name in heartbeats."""
MAX_ENDS_AT_START = 5
"""Most ends of a process in a row before the web server answers for the first time."""


def port_refusal(host: str, port: int) -> OSError | None:
    """Return why nobody can listen on the port at the moment, None if somebody could."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except OSError as refusal:
        return refusal
    return None


def free_port() -> int:
    """Return a port of the loopback that nobody listens on."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


class InboxNotice:
    """Notices at the terminal: the inbox cannot listen, and later can. Make it before the inbox starts."""

    def __init__(self, settings: Settings, say: Callable[[str], None]) -> None:
        """Look whether the inbox will be able to listen, and say why not."""
        self._settings, self._say = settings, say
        self._waited_for = self._warn()
        self._next = 0.0

    def look(self) -> None:
        """Look whether an inbox that could not listen does so by now, every few seconds."""
        if self._waited_for is None or time.monotonic() < self._next:
            return
        # Imported late: what makes mails is large, and nothing else in this process needs it.
        from service.inbound.probe import is_our_inbox

        self._next = time.monotonic() + INBOX_LOOK_S
        try:
            listens = is_our_inbox(self._settings, self._waited_for, INBOX_TIMEOUT_S)
        except OSError:
            listens = False
        if listens:
            self._say(f"The inbox listens on {place_of(self._waited_for)} now")
            self._waited_for = None

    def _warn(self) -> str | None:
        listen = self._settings.inbound_listen
        if listen is None:
            return None
        where = urlsplit(listen)
        refusal = port_refusal(where.hostname or "", where.port or 0)
        if refusal is None:
            return None
        self._say(f"Warning         The inbox cannot listen on {place_of(listen)}: {listen_refusal(listen, refusal)}")
        self._say(
            f"                Until then no answers to mails are taken in; it tries again every {LISTEN_RETRY_S:.0f} s."
        )
        return listen


def up(data: Path, *, with_parent: bool = False) -> int:
    """Run all servers and processes, with their data in the folder, until Ctrl-C, SIGTERM or SIGHUP.

    With `with_parent` they stop when the process that started this one ends, too. Raises CannotStart, BadSetting.
    """
    parent = os.getppid()
    asked = Settings.from_env(partial=True)
    for each in STOP_SIGNALS:
        signal.signal(each, _interrupt)
    if with_parent:
        die_with_parent.die_with_parent(parent, signal.SIGTERM)
    try:
        with ExitStack() as stack:
            settings, local = _servers(stack, data, asked)
            parts: list[Supervised] = []
            engine = build_engine(settings.database_url, pooler=settings.pooler)
            stack.enter_context(Watchdog(engine, lambda: [each.child.pid for each in parts], _say))
            _warn_of_connections(settings)
            inbox = InboxNotice(settings, _say)
            _start_parts(stack, settings, local.logs, parts)
            _welcome(settings, local.logs)
            wait = stack.enter_context(wakened_by_ends())
            while True:
                local.restart_ended()
                for part in parts:
                    part.restart_ended(_say)
                inbox.look()
                rotate(local.logs.glob("*.log"))
                down = any(each.again_at is not None for each in (*parts, *local.watched))
                wait(RESTART_LOOK_S if down else LOOK_S)
    except KeyboardInterrupt:
        print("Stopped.", flush=True)
    return 0


def _interrupt(number: int, frame: FrameType | None) -> None:
    # Stopping takes a moment; a second Ctrl-C must not break off half-way.
    for each in STOP_SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    print("\nStopping ...", flush=True)
    raise KeyboardInterrupt


def _servers(stack: ExitStack, data: Path, asked: Settings) -> tuple[Settings, LocalServers]:
    """Start the servers that the settings do not name, and try the others; return complete settings and the former."""
    named = {"postgres": asked.database_url, "redis": asked.redis_url, "mail": asked.smtp_url}
    _require_servers(asked)
    killed_before = (data / "run").is_symlink()
    listen = asked.inbound_listen or (None if asked.smtp_url else f"lmtp://127.0.0.1:{free_port()}")
    wanted = frozenset(each for each in ALL_SERVERS if not named[each])
    local = stack.enter_context(LocalServers(data, wanted=wanted, inbound=listen, say=_say))
    _require_free_port(asked.host, asked.port, PORT_WAIT_S if killed_before else 0)
    settings = replace(
        asked,
        database_url=asked.database_url or local.database_url,
        redis_url=asked.redis_url or local.redis_url,
        smtp_url=asked.smtp_url or local.smtp_url,
        mailbox=asked.mailbox or (None if asked.smtp_url else local.mailbox),
        webhooks_keys=asked.webhooks_keys or (_kept_key(data / "webhooks.key"),),
        inbound_listen=listen,
        mail_keys=asked.mail_keys or (_kept_key(data / "mail.key"),),
        seal_key=asked.seal_key or _kept_key(data / "seal.key"),
        vapid_key=asked.vapid_key or _kept_key(data / "vapid.key"),
        # In the folder of the sockets, which is removed in the end.
        metrics_folder=asked.metrics_folder or (data / "run").resolve() / "metrics",
    )
    write_environment(data, settings)
    _migrate(local.owner_url or settings.migration_url or settings.database_url)
    _say("Database        up to date")
    return settings, local


def _migrate(database_url: str) -> None:
    """Bring the database up to date in a process of its own, whose memory ends with it; raises CannotStart."""
    environment = os.environ | {"DATABASE_URL": database_url}
    command = [sys.executable, "-m", "service.local.migrate"]
    done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise CannotStart(done.stderr.strip())


def _start_parts(stack: ExitStack, settings: Settings, logs: Path, watched: list[Supervised]) -> None:
    """Start the processes, add them to `watched`, and wait until the web server answers; they are stopped together."""
    # Without it nobody would listen while all web servers start again.
    try:
        listener = inheritable_listener(settings.host, settings.port)
    except OSError as refusal:
        raise CannotStart(f"Port {settings.port} on {settings.host} cannot be used: {one_line(refusal)}") from refusal
    inherits, told = [], {}
    if listener is not None:
        inherits, told = [stack.enter_context(listener).fileno()], {LISTENER_VARIABLE: str(listener.fileno())}
    stack.callback(stop_all, watched)
    for name, (title, *words) in _commands(settings).items():
        part_name = "" if words[0] == PARTS_MODULE else name
        environment = settings.environment() | {"PYTHONUNBUFFERED": "1", "PART": part_name}
        serves = words[0] != PARTS_MODULE
        program = Program(
            name=f"The {title}",
            command=[sys.executable, "-m", *words],
            log=logs / f"{name}.log",
            environment=environment | (told if serves else {}),
            inherits=inherits if serves else (),
        )
        part = Supervised(Child(program), most=MAX_ENDS_AT_START)
        watched.append(part)
    address = f"{default_base_url(settings.host, settings.port)}/livez"
    wait_for(watched, lambda: _is_alive(address), _say)
    for part in watched:
        # From now on people play: a process that does not work must not stop the others.
        part.most = None
    _say(f"Processes       {', '.join(_commands(settings))}")


def _commands(settings: Settings) -> dict[str, list[str]]:
    """Return the title and the command of each process by its name, the web servers last.

    There are several web servers that share nothing but the listener, so that the others serve on when one ends.
    """
    inbox = ["inbox"] if settings.inbound_listen else []
    queues = QUEUES if settings.redis_url else ()
    title = "main process of relay, courier, inbox and workers"
    parts = {"parts": [title, PARTS_MODULE, "relay", "courier", *inbox, *queues]}
    numbers = range(1, settings.web_processes + 1)
    servers = {f"web-{number}": [f"web server {number}", "service.serve", "1"] for number in numbers}
    return parts | servers


def _warn_of_connections(settings: Settings) -> None:
    """Say so if the processes may open more database connections than the server allows."""
    engine = build_engine(settings.database_url, pooler=settings.pooler)
    try:
        with engine.connect() as db:
            demand = planned_connections(db, settings, _processes(settings))
    except SQLAlchemyError:
        # The parts wait for the database, and say so.
        return
    finally:
        engine.dispose()
    if not demand.fits:
        _say(f"Warning         {demand}. {demand.todo}")


def _processes(settings: Settings) -> int:
    """Return the number of processes that have connections to the database: one for the relay and what is with it."""
    return settings.web_processes + 1 + len(QUEUES if settings.redis_url else ())


def _kept_key(path: Path) -> str:
    """Return the key of this data folder, made the first time; what was sealed or signed with it needs it for ever."""
    if not path.exists():
        # Written whole or not at all, and readable by its owner alone.
        new = path.with_suffix(".new")
        new.unlink(missing_ok=True)
        new.touch(0o600)
        new.write_text(new_key())
        new.rename(path)
    return path.read_text()


def _require_servers(asked: Settings) -> None:
    """Check that the servers named in the settings answer; raises CannotStart without any password in it."""
    if asked.database_url:
        where = make_url(asked.database_url)
        try:
            psycopg.connect(where.set(drivername="postgresql").render_as_string(False), connect_timeout=5).close()
        except psycopg.Error as refusal:
            raise CannotStart(f"DATABASE_URL {where!r} does not answer: {one_line(refusal)}") from refusal
    if asked.redis_url:
        # Imported late: it takes 10 MB, and nothing else in this process needs it.
        from redis import Redis
        from redis.exceptions import RedisError

        try:
            with Redis.from_url(asked.redis_url, socket_connect_timeout=5) as client:
                client.ping()
        except (RedisError, OSError) as refusal:
            raise CannotStart(f"REDIS_URL {_place(asked.redis_url)} does not answer: {one_line(refusal)}") from refusal
    if asked.smtp_url:
        where_to = urlsplit(asked.smtp_url)
        try:
            socket.create_connection((where_to.hostname or "", where_to.port or 25), timeout=5).close()
        except OSError as refusal:
            raise CannotStart(f"SMTP_URL {_place(asked.smtp_url)} does not answer: {one_line(refusal)}") from refusal


def _place(url: str) -> str:
    split = urlsplit(url)
    return split.path if split.hostname is None else f"{split.hostname}:{split.port or 'its usual port'}"


def _require_free_port(host: str, port: int, patience: float) -> None:
    """Raise CannotStart when the port is still taken after `patience` seconds."""
    if not wait_until(lambda: port_refusal(host, port) is None, patience) and (refusal := port_refusal(host, port)):
        raise CannotStart(
            f"Port {port} on {host} cannot be used ({refusal.strerror}). Another one: PORT={port + 1} make up"
        )


def _is_alive(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2) as answer:  # noqa: S310 - our own
            return bool(answer.status == 200)
    except OSError:
        return False


def _welcome(settings: Settings, logs: Path) -> None:
    command = os.path.relpath(Path(sys.executable).with_name("boardroom"))
    where = settings.base_url
    mails = f"{where}/mailbox" if settings.mailbox else "(mails go to your own SMTP_URL)"
    print(
        f"""
Boardroom is open at {where}

  {command} play --api {where}
      plays a solo game of New Corp Order in a terminal (add --random to watch it play by itself)
  {mails}
      shows the mails that players get when it is their turn, and takes answers to them
  curl {where}/api/v1/rulesets
      asks the API which games there are

Ctrl-C stops everything. Logs are in {logs}.
""",
        flush=True,
    )


def _say(line: str) -> None:
    print(f"  {line}", flush=True)
