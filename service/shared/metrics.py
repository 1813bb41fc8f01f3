"""Metrics of a process for Prometheus, and a port that serves them; the only module that imports prometheus_client.

All processes of a machine write to files in one folder (PROMETHEUS_MULTIPROC_DIR), and each web process shows the sums.
Without the folder a process shows only its own counts. Labels hold no ids, addresses or tokens: a route is shown as its
template. Every metric has a label: values without labels are created when this module is loaded, before the folder is
known.
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
"""Route and method of a request that no route matches; its real method may be any text."""
ROOM: Final = {"counter": 1 << 18, "histogram": 1 << 20, "gauge_livesum": 1 << 16}
"""Bytes of each file, allocated on the disk at once: writing to a full disk by a mapping kills the process."""
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
"""Classes of database errors that alarms watch."""
_REQUEST_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_JOB_SECONDS: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
_OWN: Final = CollectorRegistry()
# A command with the folder in its environment is no part of the service, and writes nothing there.
values.ValueClass = values.MutexValue
# Several processes could not agree on a creation time, which would take a third of all lines.
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
"""Seconds between attempts to bind a port in use; the other process on this machine shows the same sums."""
TIMEOUT_S: Final = 5
"""Seconds that a client may take for each step of a request."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Gauge read at the scrape: its values by label values."""

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
    """Number that no other process holds; the files of this process are named after the number.

    A restarted process continues the files of an ended one: counters never fall, and there are no more files than
    concurrent processes. The lock on a number ends with its process, in any container; a forked process takes its own
    number.
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
                # The former process has ended, and so have its streams.
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
    """Return the lock of a number, to be released by closing the file; None if a process holds it."""
    file = (folder / f"{number}.lock").open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def begin(folder: Path | None) -> None:
    """Write the counts of this process to files in the folder from now on, if given.

    An unusable folder is logged; the process then counts alone.
    """
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            slot = _Slot(folder)
        except OSError as error:
            log.error("no folder for metrics, this process counts alone", folder=str(folder), error=error.strerror)
        else:
            # The library reads the folder from this variable, and stores the values of new labels in this class.
            os.environ[FOLDER] = str(folder)
            values.ValueClass = values.MultiProcessValue(slot)  # type: ignore[no-untyped-call] # it has no types
    for name in ALARMING_ERRORS:
        _database_errors.labels(name)
    for kind in ("stream", "wait"):
        _waiting.labels(kind)


def expect(kinds: Iterable[str], mails: Iterable[str]) -> None:
    """Initialise series of these effects, and of these mails, at zero, so that alarms notice the first failure.

    Prometheus cannot tell a series that starts at 1 from one that has always been 1.
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
    """Yield the folder for forked processes: the one given, or one in memory for the time of the block."""
    if folder is not None:
        yield folder
        return
    memory = Path("/dev/shm")  # noqa: S108 - a folder of a new name is made there
    place = memory if os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="boardroom-metrics-", dir=place) as made:
        yield Path(made)


def _take_room(file: Path, size: int) -> None:
    """Create a file with its disk space allocated; a file of an earlier process with the same number is continued."""
    if not file.exists():
        # A scrape reads any file with such a name, and fails at an empty one.
        made = file.with_suffix(".new")
        with made.open("wb") as room:
            os.posix_fallocate(room.fileno(), 0, size)
        made.rename(file)


def exposition(readings: Sequence[Reading]) -> bytes:
    """Return all metrics in Prometheus' text format, with the gauges read for this scrape."""
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
    """Remove the gauges of ended processes: nobody else reports the end of their streams."""
    for file in folder.glob("gauge_live*.db"):
        number = file.stem.rpartition("_")[2]
        lock = _locked(folder, number)
        if lock is not None:
            # The lock keeps other processes from taking the number.
            multiprocess.mark_process_dead(number, str(folder))  # type: ignore[no-untyped-call] # it has no types
            lock.close()


def count_request(method: str, route: str | None, status: int, seconds: float | None) -> None:
    """Count an answered request; `seconds` is None for a request that waits on purpose."""
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
    """Set the number of connections in use by this process, and their limit."""
    _pool.labels("in-use").set(in_use)
    _pool.labels("limit").set(limit)


def count_database_error(error: BaseException) -> None:
    _database_errors.labels(type(error).__name__).inc()


def count_job(kind: str, outcome: Literal["carried-out", "failed"], seconds: float) -> None:
    """Count an attempt to carry out an effect of the kind."""
    _jobs.labels(kind, outcome).inc()
    _job_seconds.labels(kind).observe(seconds)


def count_mail(kind: str, outcome: str) -> None:
    """Count the outcome of a mail that was due.

    Outcomes: sent, skipped, unwanted, put-off, or not-sent-again, -address, -policy, -unknown, -outage.
    """
    _mails.labels(kind, outcome).inc()


def count_lapse(leads_to: str) -> None:
    """Count a lapse of time, by its effect at the table (Pace.on_lapse)."""
    _lapses.labels(leads_to).inc()


def count_claims(kind: str, rows: int) -> None:
    """Count outbox rows of a kind that were claimed."""
    if rows:
        _claims.labels(kind).inc(rows)


class _Handler(BaseHTTPRequestHandler):
    timeout = TIMEOUT_S

    def do_GET(self) -> None:
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
    """Serve /metrics at the port, in a thread; if another process holds the port, retry until it is free."""
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
