"""The servers that the service needs: PostgreSQL, Redis and a mail sink, with their data under one folder."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from service.local.mail_sink import MailSink
from service.local.postgres import OWNER, Postgres
from service.local.processes import CannotStart
from service.local.redis import redis_program, start_redis, version_of
from service.local.sockets import clear_leftovers, socket_folder
from service.local.supervisor import Supervised

ALL = frozenset({"postgres", "redis", "mail"})


class LocalServers:
    """Context manager: starts the wanted servers, stops them in the opposite order.

    `folder` keeps PostgreSQL's data (where its user cannot go there: /var/tmp, said through `say`), the mailbox and
    the logs. One process at a time may have it. Sockets are in a folder of their own in /tmp, because a socket's
    path has at most 107 bytes. Redis keeps nothing. `redis_url` is None where there is no Redis to start. Servers
    end with the process that started them; leftovers of a killed start are removed by the next one.
    `durable=False` is for throw-away data. The mail sink forwards mails for the service to `inbound`.
    Raises CannotStart.
    """

    def __init__(
        self,
        folder: Path,
        *,
        wanted: frozenset[str] = ALL,
        durable: bool = True,
        inbound: str | None = None,
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
        self.sink: MailSink | None = None
        self.watched: list[Supervised] = []
        self._wanted = wanted
        self._durable = durable
        self._inbound = inbound
        self._say = say
        self._stack = ExitStack()

    def __enter__(self) -> LocalServers:
        """Start the servers; a failure or interruption stops those already started."""
        with ExitStack() as stack:
            self._stack = stack
            self._take_folder()
            sockets = self._sockets()
            if "postgres" in self._wanted:
                self._start_postgres(sockets)
            if "redis" in self._wanted:
                self._start_redis(sockets)
            if "mail" in self._wanted:
                self._start_mail()
            # By now what a killed start left of PostgreSQL has ended, too.
            clear_leftovers()
            self._stack = stack.pop_all()
        return self

    def restart_ended(self) -> None:
        """Start the servers again that have ended; raises CannotStart when one ends too often."""
        for each in self.watched:
            each.restart_ended(self._say)
        if self.sink is not None and not self.sink.listens:
            self._say("The mail sink ended and is started again")
            self.sink.__exit__()
            self.sink = self._stack.enter_context(MailSink(self.mailbox, self._inbound, self.sink.url))

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
        for each in (self.logs, self.mailbox):
            each.mkdir(mode=0o700, exist_ok=True)
            each.chmod(0o700)

    def _sockets(self) -> Path:
        """Make the folder of the sockets; the link `run` leads to it."""
        link = self.folder / "run"
        link.unlink(missing_ok=True)
        made = self._stack.enter_context(socket_folder())
        link.symlink_to(made)
        self._stack.callback(link.unlink, missing_ok=True)
        return made

    def _start_postgres(self, sockets: Path) -> None:
        postgres = Postgres(self.folder, sockets / "postgres", self.logs / "postgres.log", durable=self._durable)
        postgres.end_leftover()
        self._stack.callback(postgres.stop)
        self.watched.append(postgres.start(self._say))
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
        server = start_redis(program, folder, self.logs / "redis.log", self._say)
        self._stack.callback(server.stop)
        self.watched.append(server)
        self.redis_url = f"unix://{folder / 'redis.sock'}"
        self._say(f"Redis           {program} ({version_of(program)})")

    def _start_mail(self) -> None:
        self.sink = self._stack.enter_context(MailSink(self.mailbox, self._inbound))
        self.smtp_url = self.sink.url
        self._say(f"Mail sink       mails go to {self.mailbox}")
