"""Each PostgreSQL from 15 to 18, with an own schema, TLS that is checked, and roles that own nothing but their tables.

The programs are those of tests/deploy/postgres, which npm fetches.
"""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Final
from urllib.parse import urlencode

import psycopg
import pytest

from service.commands.cli import main
from service.local.postgres import own, server_account
from service.local.supervisor import Account, Child, Program, wait_until
from service.settings import Settings
from tests.deploy.parts import behind, web
from tests.deploy.tables import play
from tests.docs.rooms import ROOT
from tests.messages.services import certificate
from tests.ports import free_port
from tests.serving import wait_for

PROGRAMS: Final = ROOT / "tests" / "deploy" / "postgres" / "node_modules"
VERSIONS: Final = ("15", "16", "17", "18")
SECONDS: Final = 90
OWNER, APPLICATION = "house_keeper", "boardroom_app"
SCHEMA: Final = "games"
# Nobody gets in without TLS.
ACCESS: Final = "local all postgres trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n"
MADE: Final = f"""
create role {OWNER} login nosuperuser nocreatedb nocreaterole noinherit password 'keeps';
create role {APPLICATION} login nosuperuser nocreatedb nocreaterole noinherit password 'plays';
create schema {SCHEMA} authorization {OWNER};
revoke all on schema public from public;
revoke all on database everybodys from public;
grant connect on database everybodys to {OWNER}, {APPLICATION};
"""
_OWNED: Final = """
select nspname, relkind, count(*) from pg_class c join pg_namespace n on n.oid = relnamespace
 where pg_get_userbyid(relowner) = any(%s) group by 1, 2
"""

pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True)
class Server:
    """A PostgreSQL of a version, reached by TCP and TLS as `localhost`; `admin` is the address of its superuser."""

    port: int
    admin: str
    certificate: Path

    def url(self, role: str, password: str, **others: str) -> str:
        """Return the address of our schema for the role, which has the server's certificate checked."""
        words = {"options": f"-c search_path={SCHEMA}", "sslmode": "verify-full", "sslrootcert": str(self.certificate)}
        return f"postgresql://{role}:{password}@localhost:{self.port}/everybodys?{urlencode(words | others)}"

    def ask(self, statement: str, *words: object) -> list[tuple[object, ...]]:
        """Return what the superuser is answered."""
        with psycopg.connect(self.admin, autocommit=True) as db:
            found = db.execute(statement.encode(), words)
            return found.fetchall() if found.description else []


def installed(version: str, folder: Path) -> Path:
    """Return the folder of the version's programs, in a copy that its account can enter."""
    package = PROGRAMS / f"postgresql-{version}"
    copy = folder / f"programs-{version}"
    shutil.copytree(package / "native", copy)
    for link in json.loads((package / "native" / "pg-symlinks.json").read_text()):
        source, target = (copy / Path(link[each]).relative_to("native") for each in ("source", "target"))
        target.unlink(missing_ok=True)
        target.symlink_to(source)
    return copy / "bin"


@contextmanager
def running(version: str, folder: Path) -> Iterator[Server]:
    """Run a server of the version with its data in the folder."""
    account, programs, data, log = server_account(), installed(version, folder), folder / "data", folder / "log"
    own(data, account)
    initdb = [str(programs / "initdb"), "-D", str(data), "-U", "postgres", "--encoding=UTF8", "--locale=C", "--no-sync"]
    initialising = Child(Program(name="initdb", command=initdb, log=log, account=account))
    assert wait_until(lambda: initialising.exit_code is not None, SECONDS) and not initialising.exit_code, (
        log.read_text()
    )
    signed = certificate(folder, ("localhost",))
    _give(account, data, {"server.pem": signed.read_bytes(), "pg_hba.conf": ACCESS.encode()})
    port = free_port()
    options = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": folder, "fsync": "off"}
    options |= {"ssl": "on", "ssl_cert_file": "server.pem", "ssl_key_file": "server.pem"}
    command = [str(programs / "postgres"), "-D", str(data)]
    command += [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
    child = Child(
        Program(name=f"PostgreSQL {version}", command=command, log=log, account=account, stop_signal=signal.SIGINT)
    )
    where = f"host={folder} port={port} user=postgres dbname="
    try:
        wait_for(child, lambda: _answers(f"{where}postgres"), SECONDS)
        with psycopg.connect(f"{where}postgres", autocommit=True) as db:
            db.execute("create database everybodys")
        found = Server(port, f"{where}everybodys", signed)
        found.ask(MADE)
        yield found
    finally:
        child.stop()


def _give(account: Account | None, folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files that only the account can read."""
    for name, content in files.items():
        (folder / name).touch(0o600)
        (folder / name).write_bytes(content)
        if account:
            shutil.chown(folder / name, account.uid, account.gid)


def _answers(conninfo: str) -> bool:
    try:
        psycopg.connect(conninfo, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


@pytest.fixture(params=VERSIONS)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    if not (PROGRAMS / f"postgresql-{request.param}").exists():
        pytest.skip(f"PostgreSQL {request.param} is not here; `make test-postgres` fetches it by npm, for Linux on x64")
    folder = Path(mkdtemp(prefix="boardroom-postgres-"))
    account = server_account()
    if account:
        shutil.chown(folder, account.uid, account.gid)
    try:
        with running(request.param, folder) as found:
            (number,) = found.ask("show server_version")[0]
            assert str(number).split(".")[0] == request.param
            yield found
    finally:
        shutil.rmtree(folder)


Run = Callable[..., int]


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Carries a command out with the settings of the tests, but this database."""

    def carry_out(url: str, *command: str) -> int:
        for name, value in (settings.environment() | {"DATABASE_URL": url}).items():
            monkeypatch.setenv(name, value)
        return main(list(command))

    return carry_out


def test_the_tables_are_made_games_are_played_and_all_of_them_hold(
    server: Server, settings: Settings, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    owner, application = server.url(OWNER, "keeps"), server.url(APPLICATION, "plays")
    # given a server whose certificate another authority has signed, then nothing is done, and the reason is said
    others = tmp_path / "others"
    others.mkdir()
    assert run(server.url(OWNER, "keeps", sslrootcert=str(certificate(others, ("localhost",)))), "migrate") == 1
    assert "certificate verify failed" in capsys.readouterr().err
    # when the tables are made, by an owner without rights, and games are played by all parts
    assert run(owner, "migrate") == 0
    there = replace(settings, database_url=application.replace("postgresql:", "postgresql+psycopg:"))
    with web(there, tmp_path) as ours, behind(there, tmp_path):
        tables = play(ours.port, 4)
        encrypted = server.ask(
            "select ssl from pg_stat_ssl s join pg_stat_activity using (pid) where usename = %s", APPLICATION
        )
        assert set(encrypted) == {(True,)}
    # then every game holds
    assert run(application, "audit", *(str(game) for game, _, _ in tables)) == 0
    # and the owner has nothing but its tables, indexes and sequences, and the application nothing at all
    assert {(name, kind) for name, kind, _ in server.ask(_OWNED, [OWNER])} >= {(SCHEMA, "r"), (SCHEMA, "i")}
    assert {name for name, _, _ in server.ask(_OWNED, [OWNER])} <= {SCHEMA, "pg_toast"}
    assert server.ask(_OWNED, [APPLICATION]) == []
