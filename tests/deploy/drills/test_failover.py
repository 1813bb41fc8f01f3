"""The primary dies again and again while people play, and the standby takes over; `make test-failover`.

FAILOVERS is how often. Each prints a line of JSON.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import pytest

from service.local.postgres import OWNER
from service.local.processes import wait_until
from service.store.migrations import upgrade
from tests.chaos.nemesis import Fault
from tests.chaos.run import Cast, Run
from tests.deploy.drills.cluster import Pair

pytestmark = pytest.mark.slow

TIMES = int(os.environ.get("FAILOVERS") or 10)
BACK_SECONDS = 10.0
"""The most seconds from the promotion to the first effect of each part."""
PATIENCE = 120
CAST = Cast(tables=(1, 1, 1, 2, 2, 4), links=1, replies=1, followers=2)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that PostgreSQL's account can enter, and whose path is short."""
    made = Path(tempfile.mkdtemp(prefix="boardroom-failover-"))
    made.chmod(0o777)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as made:
        yield made


def begun(stack: ExitStack, folder: Path, *, synchronous: bool, cast: Cast = CAST) -> tuple[Pair, Run]:
    """Return two servers, and people who play on them."""
    pair = Pair(folder, synchronous=synchronous)
    stack.callback(pair.stop)
    pair.start()
    upgrade(pair.url(OWNER).replace("postgresql://", "postgresql+psycopg://"))
    run = Run(stack, folder, "failover", cast, {"DATABASE_URL": pair.url()})
    run.begin()
    return pair, run


class Watch:
    """How long each part takes to work again after a promotion."""

    def __init__(self, pair: Pair, run: Run) -> None:
        self._pair = pair
        self._run = run
        self._parts = {row[0] for row in pair.primary.ask("select part from heartbeat")}

    def after_promotion(self) -> dict[str, float]:
        """Return the seconds from now to the first answer of the web server, effect of a worker, and beat of all."""
        began, found = monotonic(), dict[str, float]()
        (promoted,) = self._pair.primary.ask("select clock_timestamp()")[0]
        acked = self._run.acknowledged
        looks = {
            "web": lambda: self._run.acknowledged > acked,
            "worker": lambda: bool(self._done("automaton", promoted)),
            "parts": lambda: self._parts <= self._beaten(promoted),
        }

        def all_back() -> bool:
            for name in looks.keys() - found.keys():
                if looks[name]():
                    found[name] = round(monotonic() - began, 2)
            return looks.keys() == found.keys()

        assert wait_until(all_back, PATIENCE), f"only {found} work again; {self._parts - self._beaten(promoted)} do not"
        return found

    def _done(self, kind: str, since: object) -> int:
        statement = f"select count(*) from outbox where kind = '{kind}' and done_at > '{since}'"
        return int(self._pair.primary.ask(statement)[0][0])

    def _beaten(self, since: object) -> set[str]:
        return {row[0] for row in self._pair.primary.ask(f"select part from heartbeat where beat_at > '{since}'")}


def go_on(run: Run, number: int = 15) -> None:
    """Let people play for a while."""
    before = run.acknowledged
    assert wait_until(lambda: run.acknowledged >= before + number, PATIENCE)


def test_ten_times_the_primary_dies_and_no_acknowledged_move_is_lost_or_doubled(stack: ExitStack, folder: Path) -> None:
    pair, run = begun(stack, folder, synchronous=True)
    watch, faults = Watch(pair, run), list[Fault]()
    for number in range(1, TIMES + 1):
        # given people who play, when the primary dies under them and the standby is promoted
        go_on(run)
        acked, died = run.acknowledged, monotonic()
        pair.primary.kill()
        pair.promote()
        promoted = monotonic()
        # then all parts work on by themselves
        back = watch.after_promotion()
        faults.append(Fault("failover", "postgres", died, monotonic()))
        run.book.expect(max(back.values()) <= BACK_SECONDS, f"failover {number}: back after {back}")
        # and the old primary follows the new one
        by = pair.standby.return_to(pair.primary)
        pair.settle()
        run.book.say("failover", number=number, acked=acked, promoted_s=round(promoted - died, 2), back_s=back, by=by)
    # and in the end nothing is lost, doubled or stuck, every mail has left, and the audit finds nothing
    run.settle()
    run.judge(faults)
    assert run.book.findings == []


def test_a_primary_that_hangs_is_left_when_the_standby_is_promoted(stack: ExitStack, folder: Path) -> None:
    pair, run = begun(stack, folder, synchronous=True)
    watch = Watch(pair, run)
    go_on(run)
    # given a primary all of whose processes are stopped, so that it keeps its connections and answers nobody
    died = monotonic()
    pair.primary.send(signal.SIGSTOP)
    pair.promote()
    # then all parts leave it by themselves
    back = watch.after_promotion()
    run.book.say("hanging primary", back_s=back)
    run.book.expect(max(back.values()) <= BACK_SECONDS, f"hanging primary: back after {back}")
    pair.standby.kill()
    run.settle()
    run.judge([Fault("hang", "postgres", died, monotonic())])
    assert run.book.findings == []
