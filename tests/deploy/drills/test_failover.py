"""The primary dies again and again while people play, and the standby takes over; `make test-failover`.

FAILOVERS is how often, with a synchronous standby and with an asynchronous one. Each prints a line of JSON.
"""

from __future__ import annotations

import json
import os
import signal
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest

from service.local.postgres import OWNER
from service.local.supervisor import wait_until
from service.store.migrations import upgrade
from tests.chaos.client import Unresolved
from tests.chaos.nemesis import Fault
from tests.chaos.players import Act, act, newcomers, open_table
from tests.chaos.run import Cast, Run
from tests.deploy.drills.cluster import Pair
from tests.deploy.drills.shell import carried_out, documented

pytestmark = pytest.mark.slow

TIMES = int(os.environ.get("FAILOVERS") or 10)
BACK_SECONDS = 10.0
"""The most seconds from the promotion to the first effect of each part."""
HUNG_SECONDS = 30.0
"""The same if the old primary hangs: each part first finds out that it waits in vain."""
PATIENCE = 120
CAST = Cast(tables=(1, 1, 1, 2, 2, 4), links=1, replies=1, followers=2)


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
    """Recovery times of the parts after a promotion."""

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


def fail_over(pair: Pair, run: Run, watch: Watch) -> tuple[list[Act], dict[str, Any]]:
    """Kill the primary, promote the standby, and wait until all works; return what had been sent, and the times."""
    died = monotonic()
    pair.primary.kill()
    sent = list(run.register.acts)
    pair.promote()
    promoted = round(monotonic() - died, 2)
    back = watch.after_promotion()
    run.book.expect(max(back.values()) <= BACK_SECONDS, f"back after {back}")
    return sent, {"acked": sum(each.acked for each in sent), "promoted_s": promoted, "back_s": back}


def test_ten_times_the_primary_dies_and_no_acknowledged_move_is_lost_or_doubled(stack: ExitStack, folder: Path) -> None:
    pair, run = begun(stack, folder, synchronous=True)
    watch, faults = Watch(pair, run), list[Fault]()
    for number in range(1, TIMES + 1):
        # when the primary dies while people play, and the standby is promoted, then all parts work on by themselves
        run.go_on()
        died = monotonic()
        _, figures = fail_over(pair, run, watch)
        faults.append(Fault("failover", "postgres", died, monotonic()))
        # and the old primary follows the new one
        run.book.say("failover", number=number, **figures, by=pair.return_old())
    # and in the end nothing is lost, doubled or stuck, every mail has left, and the audit finds nothing
    run.settle()
    run.judge(faults)
    assert run.book.findings == []


class Restless:
    """People who play game after game, and open another table when theirs, or their account, is lost."""

    def __init__(self, run: Run, seats: tuple[int, ...]) -> None:
        self._run = run
        self._threads = [run.book.thread(lambda n=n: self._play(n), f"table of {n}") for n in seats]

    def _play(self, seats: int) -> None:
        run, dice = self._run, Random(seats)
        while not run.book.closing.is_set():
            try:
                table = open_table(run.client, run.register, newcomers(run.client, seats))
                while not (run.book.closing.is_set() or table.finished):
                    act(run.client, run.register, table, dice)
                    run.book.closing.wait(0.2)
            except (ValueError, KeyError):
                run.book.count("tables that were_lost")
            except Unresolved:
                return

    def stop(self) -> None:
        """Have them end what they are doing."""
        self._run.book.closing.set()
        self._run.book.join(self._threads, PATIENCE)


def lost(pair: Pair, acts: list[Act]) -> list[Act]:
    """Return those of the acknowledged actions that the database knows nothing of."""
    stored = {row[0] for row in pair.primary.ask("select key from idempotency where operation = 'act'")}
    return [each for each in acts if each.acked and sha256(each.key.encode()).hexdigest() not in stored]


def audited(pair: Pair, run: Run, heads: Path) -> dict[str, str]:
    """Carry out the audit of the page; return what it finds wrong, by game."""
    told = {**run.running.noted(), "HEADS": heads, "DAY": "2026-01-01"}
    done = carried_out(f"{documented('Failover')[2].strip()} --json", told, programs=pair.primary.programs)
    found = {each["game"]: each["wrong"] for each in json.loads(done.stdout)["altered"]}
    assert done.returncode == bool(found), done.stderr
    return found


def test_what_an_asynchronous_standby_had_not_received_is_found_by_the_audit(stack: ExitStack, folder: Path) -> None:
    pair, run = begun(stack, folder, synchronous=False, cast=Cast(tables=()))
    people = Restless(run, (1, 1, 1, 2, 2, 4))
    run.go_on()
    watch, all_gone = Watch(pair, run), list[Act]()
    for number in range(1, TIMES + 1):
        # given moves that only the primary has; every other time they are more than by chance
        run.go_on()
        if held_back := bool(number % 2):
            pair.primary.hold_back()
            run.go_on(5)
        sent, figures = fail_over(pair, run, watch)
        # when the disk of the old primary is asked for the heads of its games
        heads = folder / f"heads{number}.jsonl"
        pair.keep_heads(heads)
        gone = [each for each in lost(pair, sent) if each not in all_gone]
        found = audited(pair, run, heads)
        # then the audit knows each game of which an acknowledged move was lost, and nothing else is wrong
        games = {str(each.game) for each in gone}
        run.book.expect(games <= found.keys(), f"the audit does not know of {games - found.keys()}")
        strange = [each for each in found.values() if heads.name not in each]
        run.book.expect(not strange, f"the audit has found something else: {strange[:3]}")
        all_gone += gone
        told = {"held_back": held_back, **figures, "lost": len(gone), "games_lost": len(games), "found": len(found)}
        run.book.say("asynchronous failover", number=number, **told, by=pair.return_old())
    people.stop()
    code, said = run.running.audit()
    run.book.expect(code == 0, f"the audit alone finds {said[-300:]}")
    run.book.say(
        "asynchronous", lost=len(all_gone), tables=len(run.register.tables), **run.book.counted("tables that ")
    )
    assert [each for each in run.book.findings if not each.startswith("key ")] == []
    assert all_gone, "nothing was lost that only the primary had: the drill shows nothing"


def test_a_primary_that_hangs_is_left_when_the_standby_is_promoted(stack: ExitStack, folder: Path) -> None:
    pair, run = begun(stack, folder, synchronous=True)
    watch = Watch(pair, run)
    run.go_on()
    # given a primary all of whose processes are stopped, so that it keeps its connections and answers nobody
    died = monotonic()
    pair.primary.send(signal.SIGSTOP)
    assert wait_until(lambda: not run.running.is_ready(), PATIENCE)
    pair.promote()
    promoted = round(monotonic() - died, 2)
    # then all parts leave it by themselves
    back = watch.after_promotion()
    run.book.say("hanging primary", promoted_s=promoted, back_s=back)
    run.book.expect(max(back.values()) <= HUNG_SECONDS, f"hanging primary: back after {back}")
    pair.standby.kill()
    run.settle()
    run.judge([Fault("hang", "postgres", died, monotonic())])
    assert run.book.findings == []
