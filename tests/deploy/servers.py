"""PostgreSQL, Redis and a mail server as an operator has them: elsewhere, reached by TCP and with a password."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
from redis import Redis
from redis.exceptions import RedisError

from service.local.postgres import own, reachable_binaries, server_account
from service.local.servers import MailSink, redis_program
from service.local.supervisor import Child, Program, wait_until
from tests.ports import free_port

SECONDS = 60


@dataclass(frozen=True, slots=True)
class Servers:
    """Their addresses, for a superuser, the tables' owner and the parts, and the folder of PostgreSQL's programs."""

    admin_url: str
    owner_url: str
    database_url: str
    redis_url: str
    smtp_url: str
    programs: Path
    mailbox: Path

    def forget_roles(self) -> None:
        """Leave PostgreSQL as it was installed."""
        with psycopg.connect(self.admin_url, autocommit=True) as db:
            for each in ("database boardroom", "role boardroom", "role boardroom_app"):
                db.execute(f"drop {each}")

    @property
    def environment(self) -> dict[str, str]:
        """Addresses of the servers, as variables for the parts."""
        return {"DATABASE_URL": self.database_url, "REDIS_URL": self.redis_url, "SMTP_URL": self.smtp_url}


@contextmanager
def external_servers(folder: Path) -> Iterator[Servers]:
    """Run them with their data in the folder, which PostgreSQL's account has to be able to enter."""
    postgres, redis = free_port(), free_port()
    programs, server = _postgres(folder, postgres)
    try:
        roles = "create role boardroom login password 'owns'; create role boardroom_app login password 'uses'"
        admin = f"host={folder} port={postgres} user=postgres dbname=postgres"
        assert wait_until(lambda: _answers(admin), SECONDS), (folder / "postgres.log").read_text()
        with psycopg.connect(admin, autocommit=True) as db:
            db.execute(roles)
            db.execute("alter role postgres password 'may-all'")
            db.execute("create database boardroom owner boardroom")
        program = redis_program()
        assert program, "there is neither a redis-server nor a valkey-server"
        words = [program, "--port", str(redis), "--bind", "127.0.0.1", "--save", "", "--requirepass", "wakes"]
        cache = Child(Program(name="Redis", command=words, log=folder / "redis.log"))
        try:
            with suppress(RedisError), Redis(port=redis, password="wakes") as client:
                wait_until(lambda: _pings(client), SECONDS)
            (folder / "mailbox").mkdir()
            with MailSink(folder / "mailbox") as sink:
                yield Servers(
                    admin_url=f"postgresql://postgres:may-all@127.0.0.1:{postgres}/postgres",
                    owner_url=f"postgresql://boardroom:owns@127.0.0.1:{postgres}/boardroom",
                    database_url=f"postgresql://boardroom_app:uses@127.0.0.1:{postgres}/boardroom",
                    redis_url=f"redis://:wakes@127.0.0.1:{redis}/0",
                    smtp_url=sink.url,
                    programs=programs,
                    mailbox=folder / "mailbox",
                )
        finally:
            cache.stop()
    finally:
        server.stop()


def _postgres(folder: Path, port: int) -> tuple[Path, Child]:
    account = server_account()
    programs = reachable_binaries(folder, account)
    data = folder / "postgres"
    own(data, account)
    if account:
        shutil.chown(folder, account.uid, account.gid)
    log = folder / "postgres.log"
    words = [str(programs / "initdb"), "-D", str(data), "-U", "postgres", "--encoding=UTF8", "--locale=C", "--no-sync"]
    words += ["--auth-local=trust", "--auth-host=scram-sha-256"]
    initialising = Child(Program(name="initdb", command=words, log=log, account=account))
    assert wait_until(lambda: initialising.exit_code is not None, SECONDS) and initialising.exit_code == 0, (
        log.read_text()
    )
    words = [str(programs / "postgres"), "-D", str(data), "-p", str(port)]
    words += ["-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}", "-c", "fsync=off"]
    return programs, Child(
        Program(name="PostgreSQL", command=words, log=log, account=account, stop_signal=signal.SIGINT)
    )


def _answers(conninfo: str) -> bool:
    try:
        psycopg.connect(conninfo, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def _pings(client: Redis) -> bool:
    try:
        return bool(client.ping())
    except RedisError:
        return False
