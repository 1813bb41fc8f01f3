"""Metrics of a process for Prometheus, and a port that shows them; the only module that knows prometheus_client.

All processes of a machine write to files in one folder (PROMETHEUS_MULTIPROC_DIR), and each web process shows the sums.
Without the folder a process shows what it has counted by itself. Labels hold no ids, addresses or tokens: a route is
shown as its template. Every metric has a label, because the values of one without are made when this module is loaded,
before it is known whether there is a folder.
"""

from __future__ import annotations

import errno
import fcntl
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from time import sleep
from typing import IO, Any, Final, Literal, get_args

import structlog
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
    multiprocess,
    values,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from service.rules.pace import OnLapse

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
UNMATCHED: Final = "unmatched"
"""The route of a request that no route matches, and its method, which may be any text."""
ROOM: Final = {"counter": 1 << 18, "histogram": 1 << 20, "gauge_livesum": 1 << 16}
"""Bytes of each file. They are taken on the disk at once: to write through a mapping to a full one ends the process."""
ALARMING_ERRORS: Final = (
    "TimeoutError",
    "OperationalError",
    "ConnectionTimeout",
    "TooManyConnections",
    "CannotConnectNow",
    "AdminShutdown",
    "CrashShutdown",
    "Hanging",
    "DiskFull",
    "OutOfMemory",
    "ReadOnlySqlTransaction",
    "LockNotAvailable",
    "QueryCanceled",
    "DeadlockDetected",
)
"""The classes of errors of the database of which alarms hear."""
_REQUEST_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_JOB_SECONDS: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
_OWN: Final = CollectorRegistry()
# A command that finds the folder in its environment is no part of the service, and writes nothing there.
values.ValueClass = values.MutexValue
# Several processes could not agree on when a metric was made, and a third of all lines would say so.
disable_created_metrics()  # type: ignore[no-untyped-call] # it has no types
log = structlog.get_logger()

_requests = Counter("boardroom_requests", "Requests answered", ["method", "route", "status"], registry=_OWN)
_latency = Histogram(
    "boardroom_request_seconds",
    "Time until the head of the answer, without requests that wait for events",
    ["method", "route"],
    buckets=_REQUEST_SECONDS,
    registry=_OWN,
)
_waiting = Gauge(
    "boardroom_waiting", "Open streams and waits for events", ["kind"], registry=_OWN, multiprocess_mode="livesum"
)
_pool = Gauge(
    "boardroom_pool_connections",
    "Database connections of the web processes",
    ["state"],
    registry=_OWN,
    multiprocess_mode="livesum",
)
_database_errors = Counter("boardroom_database_errors", "Errors of the database", ["error"], registry=_OWN)
_jobs = Counter("boardroom_jobs", "Effects that were attempted", ["kind", "outcome"], registry=_OWN)
_job_seconds = Histogram(
    "boardroom_job_seconds", "Time that an effect took", ["kind"], buckets=_JOB_SECONDS, registry=_OWN
)
_mails = Counter("boardroom_mails", "Mails that were due", ["kind", "outcome"], registry=_OWN)
_lapses = Counter("boardroom_lapses", "Time that lapsed, by what that leads to", ["leads_to"], registry=_OWN)
_claims = Counter("boardroom_claims", "Outbox rows that were handed out", ["kind"], registry=_OWN)
AGAIN_SECONDS: Final = 5.0
"""Seconds between two tries for a port that another process of the machine has, which shows the same sums."""
TIMEOUT_S: Final = 5
"""Seconds that a client may take for each step of a request."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A gauge that is read at the scrape: its values by the values of its labels."""

    name: str
    about: str
    labels: Sequence[str]
    values: Mapping[tuple[str, ...], float]


class _Readings(Collector):
    def __init__(self, readings: Sequence[Reading]) -> None:
        self._readings = readings

    def collect(self) -> Iterable[GaugeMetricFamily]:
        for each in self._readings:
            family = GaugeMetricFamily(each.name, each.about, labels=each.labels)
            for labels, value in each.values.items():
                family.add_metric(labels, value)
            yield family


class _Slot:
    """A number in the folder that no other process has at the moment, after which the files of this one are named.

    A process that is started again goes on in the files of one that has ended: counters never fall, and there are no
    more files than processes at a time. The lock on a number ends with its process, in whatever container that runs; a
    process that is forked takes a number of its own.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = ""
        self._lock: IO[bytes] | None = None
        self.take()
        os.register_at_fork(after_in_child=self._forget)

    def __call__(self) -> str:
        return self._number or self.take()

    def take(self) -> str:
        """Take the first free number; raises OSError."""
        for number in count(1):
            self._lock = _locked(self._folder, str(number))
            if self._lock is not None:
                self._number = str(number)
                # The process before is gone, and so are its streams.
                multiprocess.mark_process_dead(number, str(self._folder))  # type: ignore[no-untyped-call] # it has no types
                for kind, size in ROOM.items():
                    _take_room(self._folder / f"{kind}_{number}.db", size)
                break
        return self._number

    def _forget(self) -> None:
        self._number = ""
        if self._lock is not None:
            self._lock.close()


def _locked(folder: Path, number: str) -> IO[bytes] | None:
    """Return the lock of a number, which is free again once the file is closed; None if a process has it."""
    file = (folder / f"{number}.lock").open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def begin(folder: Path | None) -> None:
    """Write from now on what this process counts to its files in the folder, if there is one.

    One that cannot be used is said in the log: then the process counts alone.
    """
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            slot = _Slot(folder)
        except OSError as error:
            log.error("no folder for metrics, this process counts alone", folder=str(folder), error=error.strerror)
        else:
            # Where the library looks for the folder, and what it keeps the values of new labels in.
            os.environ[FOLDER] = str(folder)
            values.ValueClass = values.MultiProcessValue(slot)  # type: ignore[no-untyped-call] # it has no types
    for name in ALARMING_ERRORS:
        _database_errors.labels(name)
    for kind in ("stream", "wait"):
        _waiting.labels(kind)


def expect(kinds: Iterable[str], mails: Iterable[str]) -> None:
    """Show zeros for the effects of these kinds and for the mails among them: an alarm hears of the first that fails.

    Prometheus cannot tell a series that begins at one from one that has stood there.
    """
    for kind in kinds:
        _claims.labels(kind)
        for outcome in ("carried-out", "failed"):
            _jobs.labels(kind, outcome)
    for kind in mails:
        for outcome in ("sent", "not-sent-policy"):
            _mails.labels(kind, outcome)
    for leads_to in get_args(OnLapse):
        _lapses.labels(leads_to)


@contextmanager
def folder_for_forks(folder: Path | None) -> Iterator[Path]:
    """Give the folder for the processes that this one forks: the one named, or one in memory while the block runs."""
    if folder is not None:
        yield folder
        return
    memory = Path("/dev/shm")  # noqa: S108 - a folder of a new name is made there
    place = memory if os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="boardroom-metrics-", dir=place) as made:
        yield Path(made)


def _take_room(file: Path, size: int) -> None:
    """Make a file that has its place on the disk; one of an earlier process with the same number goes on."""
    if not file.exists():
        # A scrape reads whatever bears such a name, and fails at an empty file.
        made = file.with_suffix(".new")
        with made.open("wb") as room:
            os.posix_fallocate(room.fileno(), 0, size)
        made.rename(file)


def exposition(readings: Sequence[Reading]) -> bytes:
    """Return all metrics in Prometheus' text format, with what was read for this scrape."""
    registry = CollectorRegistry()
    if values.ValueClass is not values.MutexValue:
        folder = os.environ[FOLDER]
        _forget_the_dead(Path(folder))
        multiprocess.MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call] # it has no types
    else:
        registry.register(_OWN)
    registry.register(_Readings(readings))
    return generate_latest(registry)


def _forget_the_dead(folder: Path) -> None:
    """Remove the gauges of processes that are gone: nobody else says that their streams have ended."""
    for file in folder.glob("gauge_live*.db"):
        number = file.stem.rpartition("_")[2]
        lock = _locked(folder, number)
        if lock is not None:
            # Nobody can take the number meanwhile.
            multiprocess.mark_process_dead(number, str(folder))  # type: ignore[no-untyped-call] # it has no types
            lock.close()


def count_request(method: str, route: str | None, status: int, seconds: float | None) -> None:
    """Count an answered request; `seconds` is None for one that waited because it wanted to."""
    count, observe = _of_request(*((UNMATCHED, UNMATCHED) if route is None else (method, route)), status // 100)
    count()
    if seconds is not None:
        observe(seconds)


@cache
def _of_request(method: str, route: str, status: int) -> tuple[Callable[[], None], Callable[[float], None]]:
    return _requests.labels(method, route, f"{status}xx").inc, _latency.labels(method, route).observe


def count_waiting(kind: Literal["stream", "wait"], change: Literal[1, -1]) -> None:
    """Count a stream or a wait for events that begins (1) or ends (-1)."""
    _waiting.labels(kind).inc(change)


def note_connections(in_use: int, limit: int) -> None:
    """Note how many connections this process uses, and how many it may use."""
    _pool.labels("in-use").set(in_use)
    _pool.labels("limit").set(limit)


def count_database_error(error: BaseException) -> None:
    """Count an error of the database by its class."""
    _database_errors.labels(type(error).__name__).inc()


def count_job(kind: str, outcome: Literal["carried-out", "failed"], seconds: float) -> None:
    """Count an attempt to carry out an effect of the kind."""
    _jobs.labels(kind, outcome).inc()
    _job_seconds.labels(kind).observe(seconds)


def count_mail(kind: str, outcome: str) -> None:
    """Count what came of a mail that was due.

    It is sent, skipped, unwanted, put-off, or not-sent-again, -address, -policy, -unknown, -outage.
    """
    _mails.labels(kind, outcome).inc()


def count_lapse(leads_to: str) -> None:
    """Count time that lapsed, by what it leads to at the table (Pace.on_lapse)."""
    _lapses.labels(leads_to).inc()


def count_claims(kind: str, rows: int) -> None:
    """Count outbox rows of a kind that were claimed."""
    if rows:
        _claims.labels(kind).inc(rows)


class _Handler(BaseHTTPRequestHandler):
    timeout = TIMEOUT_S

    def do_GET(self) -> None:
        """Answer a scrape."""
        found = self.path == "/metrics"
        body = exposition([]) if found else b"only /metrics is here\n"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", CONTENT_TYPE if found else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing of each scrape."""


def show_metrics(host: str, port: int) -> None:
    """Show /metrics from now on at the port, in a thread, or once the process that has it is gone."""
    Thread(target=_serve, args=(host, port), name="metrics", daemon=True).start()


def _serve(host: str, port: int) -> None:
    while True:
        try:
            with ThreadingHTTPServer((host, port), _Handler) as server:
                server.daemon_threads = True
                server.serve_forever()
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                log.error("metrics cannot be shown", host=host, port=port, error=error.strerror)
                return
            sleep(AGAIN_SECONDS)
