"""`boardroom up`: everything on one machine, started in order, watched, and stopped in the opposite order."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
import urllib.request
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import psycopg
from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from service.local import ALL, LocalServers
from service.processes import CannotStart, Child, Program, wait_for, wait_until
from service.running import note
from service.settings import Settings, default_base_url
from service.store.migrations import upgrade
from service.webhooks.secrets import new_key

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE = 3.0
SHORTEST_PAUSE, LONGEST_PAUSE = 0.5, 10.0


@dataclass(slots=True)
class Watched:
    """A part that is started again when it ends: at `again_at` (monotonic clock), after a pause that grows."""

    child: Child
    pause: float = SHORTEST_PAUSE
    again_at: float | None = None

    def stop(self) -> None:
        """Stop whichever child it is now."""
        self.child.stop()


def up(data: Path) -> int:
    """Run everything with its data in the folder until Ctrl-C, SIGTERM or SIGHUP; raises CannotStart, BadSetting."""
    asked = Settings.from_env(partial=True)
    for each in ENDINGS:
        signal.signal(each, _interrupt)
    try:
        with ExitStack() as stack:
            settings, logs = _servers(stack, data, asked)
            watched = _parts(stack, settings, logs)
            _welcome(settings, logs)
            while True:
                _restart(watched)
                time.sleep(0.2)
    except KeyboardInterrupt:
        print("Stopped.", flush=True)
    return 0


def migrate(database_url: str) -> None:
    """Bring the database up to date; raises CannotStart."""
    try:
        upgrade(database_url)
    except SQLAlchemyError as refusal:
        where = make_url(database_url)
        raise CannotStart(f"The database {where!r} cannot be brought up to date: {_one_line(refusal)}") from refusal


def _interrupt(number: int, frame: FrameType | None) -> None:
    # Stopping takes a moment; a second Ctrl-C must not break off half-way.
    for each in ENDINGS:
        signal.signal(each, signal.SIG_IGN)
    print("\nStopping ...", flush=True)
    raise KeyboardInterrupt


def _servers(stack: ExitStack, data: Path, asked: Settings) -> tuple[Settings, Path]:
    """Start the servers that the settings do not name, look at those they do; return whole settings, folder of logs."""
    named = {"postgres": asked.database_url, "redis": asked.redis_url, "mail": asked.smtp_url}
    _expect_answers(asked)
    killed_before = (data / "run").is_symlink()
    listen = asked.inbound_listen or (None if asked.smtp_url else f"lmtp://127.0.0.1:{_free_port()}")
    wanted = frozenset(each for each in ALL if not named[each])
    local = stack.enter_context(LocalServers(data, wanted=wanted, house=listen, say=_say))
    _expect_free_port(asked.host, asked.port, PATIENCE if killed_before else 0)
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
    )
    note(data, settings)
    migrate(local.owner_url or settings.database_url)
    _say("Database        up to date")
    return settings, local.logs


def _parts(stack: ExitStack, settings: Settings, logs: Path) -> list[Watched]:
    """Start workers, relay, courier, inbox and web server and wait for the last; stopped in the opposite order."""
    modules = {
        "worker moves": "workers.main moves",
        "worker replies": "workers.main replies",
        "worker mails": "workers.main mails",
        "relay": "workers.relay",
        "courier": "workers.courier",
        "inbox": "workers.inbox",
        "web server": "service.serve",
    }
    if settings.redis_url is None:
        modules = {name: module for name, module in modules.items() if not name.startswith("worker ")}
    if settings.inbound_listen is None:
        del modules["inbox"]
    watched = []
    for name, module in modules.items():
        log = logs / f"{name.split()[0]}.log"
        log.write_bytes(b"")
        environment = settings.environment() | {"PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", *module.split()]
        part = Watched(Child(Program(name=f"The {name}", command=command, log=log, environment=environment)))
        stack.callback(part.stop)
        watched.append(part)
    address = f"{default_base_url(settings.host, settings.port)}/livez"
    wait_for(watched[-1].child, lambda: _is_alive(address), 30)
    _say(f"Processes       {', '.join(modules)}")
    return watched


def _kept_key(path: Path) -> str:
    """Return the key of this data folder, made the first time: without it what it has sealed or signed is lost."""
    if not path.exists():
        # Whole or not at all, and for nobody else's eyes.
        new = path.with_suffix(".new")
        new.unlink(missing_ok=True)
        new.touch(0o600)
        new.write_text(new_key())
        new.rename(path)
    return path.read_text()


def _restart(watched: list[Watched]) -> None:
    now = time.monotonic()
    for part in watched:
        code, program = part.child.exit_code, part.child.program
        if code is None:
            continue
        if part.again_at is None:
            lived = now - part.child.started
            part.pause = SHORTEST_PAUSE if lived > LONGEST_PAUSE else min(part.pause * 2, LONGEST_PAUSE)
            part.again_at = now + part.pause
            _say(f"{program.name} ended (exit {code}) and is started again; its log is {program.log}")
        elif now >= part.again_at:
            part.child, part.again_at = Child(program), None


def _expect_answers(asked: Settings) -> None:
    """Look whether the servers that somebody named are there; raises CannotStart without any password in it."""
    if asked.database_url:
        where = make_url(asked.database_url)
        try:
            psycopg.connect(where.set(drivername="postgresql").render_as_string(False), connect_timeout=5).close()
        except psycopg.Error as refusal:
            raise CannotStart(f"DATABASE_URL {where!r} does not answer: {_one_line(refusal)}") from refusal
    if asked.redis_url:
        try:
            with Redis.from_url(asked.redis_url, socket_connect_timeout=5) as client:
                client.ping()
        except (RedisError, OSError) as refusal:
            raise CannotStart(f"REDIS_URL {_place(asked.redis_url)} does not answer: {_one_line(refusal)}") from refusal
    if asked.smtp_url:
        where_to = urlsplit(asked.smtp_url)
        try:
            socket.create_connection((where_to.hostname or "", where_to.port or 25), timeout=5).close()
        except OSError as refusal:
            raise CannotStart(f"SMTP_URL {_place(asked.smtp_url)} does not answer: {_one_line(refusal)}") from refusal


def _place(url: str) -> str:
    split = urlsplit(url)
    return split.path if split.hostname is None else f"{split.hostname}:{split.port or 'its usual port'}"


def _one_line(refusal: Exception) -> str:
    return " ".join(str(refusal).split()) or type(refusal).__name__


def _expect_free_port(host: str, port: int, patience: float) -> None:
    """Raise CannotStart when the port is taken, still so after `patience` seconds."""
    refusals: list[OSError] = []

    def free() -> bool:
        try:
            family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            with socket.socket(family, kind) as trial:
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                trial.bind(address)
        except OSError as refusal:
            refusals.append(refusal)
            return False
        return True

    if not wait_until(free, patience):
        raise CannotStart(
            f"Port {port} on {host} cannot be used ({refusals[-1].strerror}). Another one: PORT={port + 1} make up"
        )


def _free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


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
