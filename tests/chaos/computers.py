"""`GAMES=100 SEED=1 python -m tests.chaos.computers`: games with computer players, with workers killed at any moment.

It tells how many games got stuck, how many moves were made twice, and how many choices came out the same when they were
computed again from the records. The exit code is 1 if anything is wrong.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from re import findall
from time import monotonic, sleep
from uuid import UUID

from sqlalchemy import text

from service.audit.inspect import whole_record
from service.handlers.lobby import Plan, create
from service.handlers.play import Move, play
from service.handlers.refusals import StaleDecision, Unavailable
from service.local.servers import LocalServers
from service.players.levels import levels_for
from service.record.verify import verify
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from service.store import notices, outbox
from service.store.game_row import Terms
from service.store.migrations import upgrade
from tests.house import settings_on
from tests.people import alice
from tests.record.records import RULESETS
from workers.jobs import carry_out

WORKERS, AT_ONCE = 2, 4
STUCK_SECONDS = 300
BETWEEN_KILLS = (1.0, 4.0)
KINDS = ("computer", "automaton", "lapse")
_MOVES = text("""
select (select count(*) from event where game_id = :game and door = 'worker' and action is not null) as made,
       (select count(*) from outbox where game_id = :game and kind = any(:kinds) and state = 'done') as settled
""")
Workers = list[multiprocessing.process.BaseProcess]


@dataclass(slots=True)
class Played:
    """A game that is being played: its version when it was last looked at, and when it came to that."""

    game: UUID
    version: int = -1
    since: float = 0.0


def work(settings: Settings) -> None:
    """Carry out what is due, until killed."""
    runtime = Runtime.build(settings)
    while True:
        found = 0
        for kind in KINDS:
            with runtime.engine.begin() as db:
                rows = outbox.claim(db, kind, 4, hold=1)
            for row in rows:
                carry_out(runtime, row.id)
            found += len(rows)
        if not found:
            sleep(0.02)


def table(runtime: Runtime, host: UUID, dice: Random) -> Played:
    """Open a game of any ruleset and size that allows computer players, with any of their levels but `expert`."""
    while True:
        ruleset = RULESETS[dice.choice(sorted(RULESETS))]
        seats = dice.choice([each for each in ruleset.meta.seats if each > 1] or [0])
        levels = [each for each in levels_for(ruleset, seats) if each != "expert"] if 1 < seats < 5 else []
        if levels:
            break
    plan = Plan(ruleset.meta.name, seats, {}, Terms(), computers=[dice.choice(levels) for _ in range(seats - 1)])
    return Played(create(runtime.games, host, plan, clock.now()).game.id)


def step(runtime: Runtime, played: Played, dice: Random) -> str:
    """Let the person of a game act if they have to; return `running`, `finished` or `stuck`."""
    with runtime.engine.connect() as db:
        position = runtime.games.open(db, played.game)
    if position.version != played.version:
        played.version, played.since = position.version, monotonic()
    if position.game.status == "finished":
        return "finished"
    for seat in position.awaited:
        action = dice.choice(position.ruleset.legal(position.state, seat))
        with suppress(StaleDecision, Unavailable):
            play(runtime.games, Move(played.game, seat, position.decision, action, "web"))
    return "stuck" if monotonic() - played.since > STUCK_SECONDS else "running"


def judge(runtime: Runtime, game: UUID, told: Counter[str]) -> None:
    """Verify the record of a game, and count what its computer players did."""
    with runtime.engine.connect() as db:
        # A machine that is busy plays a whole game again for longer than a connection may be idle.
        db.execute(text("set local idle_in_transaction_session_timeout = 0"))
        row = db.execute(_MOVES, {"game": game, "kinds": list(KINDS)}).one()
        record = whole_record(db, runtime.games, game).text()
    report = verify(record, RULESETS)
    told["finished"] += 1
    told["moves"] += row.made
    told["twice"] += abs(row.made - row.settled)
    told["wrong"] += report.holds is False
    told["recomputed"] += sum(map(int, findall(r"computed again: (\d+)", report.findings[-1].said)))


def run(runtime: Runtime, settings: Settings, wanted: int, dice: Random) -> Counter[str]:
    """Play so many games while workers are killed, and return what was counted."""
    told, host = Counter[str](), alice(runtime.games, email=None).id
    fork = multiprocessing.get_context("fork")
    workers: Workers = []
    running: list[Played] = []
    opened, kill_at = 0, monotonic()
    try:
        while opened < wanted or running:
            while len(workers) < WORKERS:
                workers.append(fork.Process(target=work, args=(settings,), daemon=True))
                workers[-1].start()
            while opened < wanted and len(running) < AT_ONCE:
                running.append(table(runtime, host, dice))
                opened += 1
            for each in list(running):
                state = step(runtime, each, dice)
                if state != "running":
                    running.remove(each)
                    told["stuck"] += state == "stuck"
                    if state == "finished":
                        judge(runtime, each.game, told)
                        print(json.dumps(told), file=sys.stderr, flush=True)
            if monotonic() > kill_at:
                victim = workers.pop(dice.randrange(len(workers)))
                victim.kill()
                victim.join()
                told["kills"] += 1
                kill_at = monotonic() + dice.uniform(*BETWEEN_KILLS)
            sleep(0.01)
    finally:
        for worker in workers:
            worker.kill()
            worker.join()
    return told


def main() -> int:
    """Run; return 0 if nothing is wrong."""
    wanted, seed = int(os.environ.get("GAMES") or 100), os.environ.get("SEED") or "1"
    notices.PAUSE = 0  # type: ignore[misc]
    folder = Path(tempfile.mkdtemp(prefix="boardroom-computers-"))
    folder.chmod(0o711)
    began = monotonic()
    with LocalServers(folder, durable=False) as servers:
        upgrade(servers.owner_url)
        settings = settings_on(servers)
        told = run(Runtime.build(settings), settings, wanted, Random(seed))
    shutil.rmtree(folder)
    names = ("finished", "stuck", "twice", "wrong", "moves", "recomputed", "kills")
    figures = {name: told[name] for name in names} | {"seconds": round(monotonic() - began)}
    print(json.dumps({"games": wanted, "seed": seed, **figures}))
    return 1 if told["stuck"] or told["twice"] or told["wrong"] or told["finished"] < wanted else 0


if __name__ == "__main__":
    sys.exit(main())
