"""Servers of `boardroom up`: their data stays, killed starts leave nothing in the way, and rights are few."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import smtplib
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path
from threading import Event
from typing import IO

import psycopg
import pytest
from redis import Redis
from redis.exceptions import ResponseError

from service.local import servers as servers_module
from service.local.postgres import Postgres, may_enter, reachable_home, server_account
from service.local.servers import LocalServers, clear_leftovers, redis_program, redis_version, socket_folder
from service.local.supervisor import Account, CannotStart, wait_until

pytestmark = pytest.mark.servers

ROUNDS = 30
DIE_WITHIN = """
import os, sys
from pathlib import Path
from service.local import servers
servers._SOCKETS_PARENT = Path(sys.argv[1])
with servers.socket_folder() as folder:
    (folder / "redis").mkdir()
    (folder / "environment.json").touch()
    print(folder, flush=True)
    os._exit(9)
"""

START_AND_STAY = """
import sys, signal
from pathlib import Path
from service.local.servers import LocalServers
with LocalServers(Path(sys.argv[1]), durable=False) as servers:
    print(servers.postgres.data / "postmaster.pid", servers.database_url, flush=True)
    signal.pause()
"""


@pytest.fixture
def place(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Parent of the socket folders, instead of /tmp."""
    monkeypatch.setattr(servers_module, "_SOCKETS_PARENT", scratch)
    return scratch


@pytest.fixture
def server(place: Path) -> Iterator[socket.socket]:
    """A server that listens in a folder whose lock is lost."""
    folder = place / "boardroom-run-unlocked"
    (folder / "redis").mkdir(parents=True)
    (folder / "held").touch()
    with socket.socket(socket.AF_UNIX) as line:
        line.bind(str(folder / "redis" / "redis.sock"))
        line.listen()
        yield line


def test_the_folder_of_a_killed_process_is_removed(place: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", DIE_WITHIN, place], capture_output=True, text=True, check=False)
    assert killed.returncode == 9
    left = Path(killed.stdout.strip())
    assert left.is_dir()
    clear_leftovers()
    assert list(place.iterdir()) == []


def test_a_folder_without_a_lock_in_which_a_server_listens_stays_until_it_ends(
    place: Path, server: socket.socket
) -> None:
    clear_leftovers()
    assert Path(server.getsockname()).is_socket()
    server.close()
    clear_leftovers()
    assert list(place.iterdir()) == []


def test_a_folder_that_is_removed_before_it_has_its_file_is_made_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def mkdtemp(prefix: str, dir: Path) -> str:  # noqa: A002 - as the library has it
        made.append(real(prefix=prefix, dir=dir))
        if len(made) == 1:
            clear_leftovers()
        return made[-1]

    real = tempfile.mkdtemp
    monkeypatch.setattr(tempfile, "mkdtemp", mkdtemp)
    with socket_folder() as folder:
        assert [str(folder)] == made[1:]
        clear_leftovers()
        assert folder.is_dir()
    assert list(place.iterdir()) == []


def test_a_folder_that_is_removed_before_it_is_locked_is_made_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Path] = []

    def flock(file: IO[str], how: int) -> None:
        if how == fcntl.LOCK_EX and not found:
            found.extend(place.iterdir())
            clear_leftovers()
        real(file, how)

    real = fcntl.flock
    monkeypatch.setattr(fcntl, "flock", flock)
    with socket_folder() as folder:
        assert [folder] != found
        clear_leftovers()
        assert folder.is_dir()
    assert list(place.iterdir()) == []


def test_starts_at_the_same_time_take_no_folder_from_each_other(place: Path) -> None:
    over = Event()

    def clear() -> None:
        while not over.is_set():
            clear_leftovers()

    def start() -> None:
        for _ in range(ROUNDS):
            with socket_folder() as folder:
                (folder / "redis").mkdir()
                os.sched_yield()
                assert {each.name for each in folder.iterdir()} == {"held", "redis"}

    with ThreadPoolExecutor(6) as threads:
        clearing = [threads.submit(clear) for _ in range(3)]
        starting = [threads.submit(start) for _ in range(3)]
        try:
            for each in starting:
                each.result()
        finally:
            over.set()
        for each in clearing:
            each.result()
    assert list(place.iterdir()) == []


def test_what_our_redis_does_not_need_it_may_not_do(redis_url: str) -> None:
    with Redis.from_url(redis_url) as client:
        for words in ("CONFIG SET dir /tmp", "MODULE LIST", "REPLICAOF NO ONE", "SAVE", "DEBUG SLEEP 0", "KEYS *"):
            with pytest.raises(ResponseError):
                client.execute_command(*words.split())  # type: ignore[no-untyped-call]
        with pytest.raises(ResponseError):
            client.eval("return 1", 0)
        # It may be emptied at any moment, by whoever tries that too.
        client.flushall()


def test_a_redis_of_the_machine_comes_before_the_one_that_is_brought_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = str(Path(sys.executable).parent), tmp_path / "redis-server"
    monkeypatch.setenv("PATH", os.pathsep.join([ours, str(tmp_path)]))
    without = redis_program()
    assert without is None or Path(without).parent != Path(ours)
    theirs.write_text("#!/bin/sh\necho Redis server v=9.1.2 sha=0\n")
    theirs.chmod(0o755)
    assert redis_program() == str(theirs)
    assert redis_version(str(theirs)) == "9.1.2"


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A data folder for all that may find a cluster there: making one takes long."""
    folder = Path(tempfile.mkdtemp(prefix="boardroom-test-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


def connect(url: str) -> psycopg.Connection:
    return psycopg.connect(url.replace("+psycopg", ""), autocommit=True)


def running(pid: int) -> bool:
    """Return whether the process is there and no zombie."""
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def start_elsewhere(folder: Path) -> tuple[subprocess.Popen[str], int, str]:
    process = subprocess.Popen([sys.executable, "-c", START_AND_STAY, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    with process.stdout as lines:
        pid_file, url = lines.readline().split()
    return process, int(Path(pid_file).read_text().split()[0]), url


def test_a_second_start_finds_the_data_of_the_first(home: Path) -> None:
    with LocalServers(home, durable=False) as servers, connect(servers.owner_url) as db:
        db.execute("CREATE TABLE kept AS SELECT 42 AS answer")

    with LocalServers(home, durable=False) as servers, connect(servers.owner_url) as db:
        assert db.execute("SELECT answer FROM kept").fetchone() == (42,)


def test_the_applications_role_cannot_change_the_tables(database_url: str) -> None:
    with connect(database_url) as db, pytest.raises(psycopg.errors.InsufficientPrivilege):
        db.execute("CREATE TABLE mine ()")
    with connect(database_url) as db:
        found = db.execute("SELECT current_user, rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
        assert found == ("boardroom_app", False)


def test_only_the_wanted_servers_are_started(scratch: Path) -> None:
    with LocalServers(scratch, wanted=frozenset({"mail"})) as servers:
        assert servers.database_url == ""
        assert servers.redis_url is None
        assert servers.smtp_url


def test_nothing_is_left_after_an_orderly_stop(home: Path) -> None:
    with LocalServers(home, durable=False) as servers:
        assert servers.postgres
        sockets, pid_file = servers.postgres.sockets.parent, servers.postgres.data / "postmaster.pid"
        assert sockets.is_dir()
        assert pid_file.exists()

    assert not sockets.exists()
    assert not pid_file.exists()
    assert not (home / "run").is_symlink()


def test_servers_end_with_a_killed_parent_and_the_next_start_finds_the_data(home: Path) -> None:
    process, pid, url = start_elsewhere(home)
    with connect(url.replace("boardroom_app@", "boardroom@")) as db:
        db.execute("CREATE TABLE survived AS SELECT 42 AS answer")
    left = (home / "run").readlink()

    process.kill()
    process.wait()

    with LocalServers(home, durable=False) as servers, connect(servers.owner_url) as db:
        assert db.execute("SELECT answer FROM survived").fetchone() == (42,)
    assert not running(pid)
    assert not left.exists()


def test_a_killed_postgresql_does_not_block_the_next_start(home: Path) -> None:
    process, pid, _ = start_elsewhere(home)

    os.kill(pid, signal.SIGKILL)
    process.kill()
    process.wait()

    with LocalServers(home, durable=False) as servers, connect(servers.owner_url) as db:
        assert db.execute("SELECT 1").fetchone() == (1,)


def test_a_pid_file_whose_number_is_another_process_by_now_does_not_block(home: Path) -> None:
    with LocalServers(home, durable=False) as servers:
        assert servers.postgres
        pid_file = servers.postgres.data / "postmaster.pid"
        old = pid_file.read_text().split("\n")
    with subprocess.Popen(["sleep", "60"]) as innocent:
        pid_file.write_text("\n".join([str(innocent.pid), *old[1:]]))
        try:
            with LocalServers(home, durable=False) as servers:
                assert servers.database_url
            assert innocent.poll() is None
        finally:
            innocent.kill()


def test_a_start_that_was_killed_while_making_the_cluster_does_not_block(scratch: Path) -> None:
    half = scratch / "postgres.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")

    with LocalServers(scratch, durable=False) as servers:
        assert servers.database_url
    assert not half.exists()


def test_a_second_start_on_the_same_folder_is_told_who_has_it(scratch: Path) -> None:
    with LocalServers(scratch, wanted=frozenset()):
        with pytest.raises(CannotStart) as refusal, LocalServers(scratch):
            pass
        assert f"in use by process {os.getpid()}" in str(refusal.value)
        assert "\n" not in str(refusal.value)


def test_a_folder_that_cannot_be_made_is_one_clear_line(scratch: Path) -> None:
    (scratch / "file").write_text("")

    with pytest.raises(CannotStart, match="cannot be used"), LocalServers(scratch / "file" / "data"):
        pass


def test_a_deep_data_folder_does_not_make_the_sockets_paths_too_long(scratch: Path) -> None:
    deep = scratch / ("deep" * 20) / ("er" * 40)

    with (
        LocalServers(deep, wanted=frozenset({"postgres"}), durable=False) as servers,
        connect(servers.database_url) as db,
    ):
        assert db.execute("SELECT 1").fetchone() == (1,)


def test_a_mail_is_one_whole_file_and_files_are_in_order_of_arrival(smtp_url: str, mailbox: Path) -> None:
    host, port = smtp_url.removeprefix("smtp://").split(":")
    with smtplib.SMTP(host, int(port)) as client:
        for subject in ("Zug 1", "Zug 2 für Zoë"):
            mail = EmailMessage()
            mail["From"], mail["To"], mail["Subject"] = "boardroom@localhost", "alice@example.org", subject
            mail.set_content("Du bist dran.\n")
            client.send_message(mail)

    files = sorted(mailbox.iterdir())
    assert [file.suffix for file in files] == [".eml", ".eml"]
    assert [len(message_from_bytes(file.read_bytes()).get_payload()) > 0 for file in files] == [True, True]
    assert b"Zug 1" in files[0].read_bytes()


def test_a_folder_is_entered_only_with_the_right_on_every_folder_above(scratch: Path) -> None:
    inner = scratch / "closed" / "inner"
    inner.mkdir(parents=True)
    stranger = Account("stranger", 54321, 54321)
    assert may_enter(inner, stranger)

    (scratch / "closed").chmod(0o700)

    assert not may_enter(inner, stranger)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has PostgreSQL run as another user")
def test_below_a_closed_home_folder_the_data_goes_where_postgresqls_user_can_go(scratch: Path) -> None:
    closed = scratch / "root"
    closed.mkdir(mode=0o700)
    said: list[str] = []
    (closed / "data").mkdir()
    elsewhere = reachable_home(closed / "data", server_account())

    try:
        with LocalServers(closed / "data", wanted=frozenset({"postgres"}), durable=False, say=said.append) as servers:
            assert servers.postgres
            assert servers.postgres.data.parent == elsewhere
            with connect(servers.database_url) as db:
                assert db.execute("SELECT 1").fetchone() == (1,)
        assert any(str(elsewhere) in line for line in said)
    finally:
        shutil.rmtree(elsewhere)


def test_the_wait_for_a_condition_ends() -> None:
    assert not wait_until(lambda: False, 0.05)
    assert wait_until(lambda: True, 0)


def test_servers_of_a_run_are_reached_through_sockets_alone(database_url: str, redis_url: str) -> None:
    with connect(database_url) as db:
        assert db.execute("SHOW listen_addresses").fetchone() == ("",)
    with Redis.from_url(redis_url) as client:
        assert client.info("server")["tcp_port"] == 0


def test_the_address_names_role_and_database(scratch: Path) -> None:
    postgres = Postgres(scratch, Path("/tmp/s"), scratch / "log")

    assert postgres.url("boardroom", "games") == "postgresql+psycopg://boardroom@/games?host=/tmp/s"


def test_mails_and_logs_are_for_their_owner_alone(servers: LocalServers, smtp_url: str, mailbox: Path) -> None:
    host, port = smtp_url.removeprefix("smtp://").split(":")
    with smtplib.SMTP(host, int(port)) as client:
        client.sendmail("boardroom@localhost", ["alice@example.org"], "Subject: Zug\n\nDu bist dran.\n")
    files = [*mailbox.iterdir(), *servers.logs.iterdir()]
    assert {each.stat().st_mode & 0o777 for each in files} == {0o600}
    assert {each.stat().st_mode & 0o777 for each in (servers.mailbox, servers.logs)} == {0o700}


def test_a_mail_sink_that_ends_is_started_again_at_the_same_address(scratch: Path) -> None:
    with LocalServers(scratch, wanted=frozenset({"mail"})) as servers:
        first, url = servers.sink, servers.smtp_url
        assert first is not None and url is not None
        first.__exit__()
        servers.restart_ended()
        assert servers.sink is not first
        host, port = url.removeprefix("smtp://").split(":")
        with smtplib.SMTP(host, int(port)) as client:
            client.sendmail("boardroom@localhost", ["alice@example.org"], "Subject: Zug\n\nDu bist dran.\n")
        assert len([*servers.mailbox.iterdir()]) == 1


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGQUIT])
def test_a_postgresql_that_ends_is_started_again_and_has_all_its_data(home: Path, number: signal.Signals) -> None:
    said: list[str] = []
    with LocalServers(home, wanted=frozenset({"postgres"}), say=said.append) as servers:
        assert servers.postgres and servers.postgres.watched
        with connect(servers.owner_url) as db:
            db.execute("CREATE TABLE IF NOT EXISTS again (number integer)")
            db.execute("INSERT INTO again VALUES (%s)", [number])
            first = servers.postgres.watched.child
            os.kill(first.pid, number)
            assert wait_until(lambda: first.exit_code is not None, 60)

            def answers() -> bool:
                servers.restart_ended()
                assert servers.postgres and servers.postgres.watched
                return servers.postgres.watched.ends == 0 and servers.postgres.watched.child is not first

            assert wait_until(answers, 60), said
        with connect(servers.owner_url) as db:
            assert db.execute("SELECT count(*) FROM again WHERE number = %s", [number]).fetchone() == (1,)
    assert any("PostgreSQL ended" in line for line in said)


def test_a_postgresql_that_waits_for_its_clients_to_leave_is_started_again(home: Path) -> None:
    said: list[str] = []
    with LocalServers(home, wanted=frozenset({"postgres"}), say=said.append) as servers:
        assert servers.postgres and servers.postgres.watched
        first = servers.postgres.watched.child
        # Given a client that stays, when somebody sends the server SIGTERM
        with connect(servers.owner_url):
            os.kill(first.pid, signal.SIGTERM)

            def answers() -> bool:
                servers.restart_ended()
                assert servers.postgres and servers.postgres.watched
                return servers.postgres.watched.ends == 0 and servers.postgres.watched.child is not first

            # Then new clients are served again
            assert wait_until(answers, 60), said
        with connect(servers.owner_url) as db:
            assert db.execute("SELECT 1").fetchone() == (1,)
    assert any("takes no more connections" in line for line in said)


def test_folders_of_sockets_that_killed_processes_left_are_cleared_away_and_no_others(scratch: Path) -> None:
    process, *_ = start_elsewhere(scratch / "left")
    left = (scratch / "left" / "run").readlink()
    process.kill()
    process.wait()
    shutil.rmtree(scratch / "left", ignore_errors=True)
    with LocalServers(scratch / "held", wanted=frozenset()), socket_folder() as held:
        assert wait_until(lambda: (clear_leftovers(), not left.exists())[1], 60)
        assert held.is_dir() and (scratch / "held" / "run" / "held").exists()
    assert not held.exists()
