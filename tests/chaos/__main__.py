"""`python -m tests.chaos [availability]`: plays against a nemesis, heals everything, and judges; SEED and SECONDS.

The figures are JSON objects, one a line. The exit code is 1 if anything was found, and each finding is a line, too.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from random import Random, SystemRandom
from time import monotonic

from tests.chaos.faketime import PARTS, faked_apart
from tests.chaos.figures import availability, outages
from tests.chaos.nemesis import Nemesis
from tests.chaos.players import Register, newcomers, open_table
from tests.chaos.prober import Prober
from tests.chaos.run import Cast, Run

CASTS = {
    "chaos": Cast(tables=(1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 4), links=3, replies=3, followers=5),
    "availability": Cast(tables=(1, 1, 2, 3), links=1, replies=1, followers=2),
}
SECONDS = {"chaos": 60, "availability": 75}
CALM_SECONDS = {"chaos": 2.0, "availability": 15.0}
LEAST_KILLS = 15
"""In a minute of chaos."""
MOST_TIMES = 3
"""So many times as long again a run may take to come to its kills."""


def play(run: Run, mode: str, seconds: float) -> None:
    """Start everything, let it be broken for so long, heal it, and judge."""
    book, running = run.book, run.running
    run.begin()
    # Nobody plays at the table that is looked at.
    prober = Prober(running.port, book, open_table(run.client, Register(), newcomers(run.client, 2)))
    book.thread(prober.run, "prober")
    began = monotonic()
    book.closing.wait(CALM_SECONDS[mode])
    nemesis = Nemesis(running, book, run.mail, run.hooks, Random(run.dice.random()), run.clocks)
    broken, least = monotonic(), LEAST_KILLS * seconds / 60
    breaker = book.thread(nemesis.rotation if mode == "availability" else nemesis.chaos, "nemesis")
    book.closing.wait(seconds)
    if mode == "chaos":
        # On a busy machine starts take up the time: then it takes longer.
        book.comes_true(lambda: nemesis.kills >= least or not breaker.is_alive(), MOST_TIMES * seconds)
        book.expect(nemesis.kills >= least, f"there were only {nemesis.kills} kills")
    ended = monotonic()
    book.closing.set()
    breaker.join()
    nemesis.heal()
    outages(book, prober, nemesis.faults, ended)
    if mode == "availability":
        availability(book, prober, (began, broken, ended))
    run.settle()
    run.judge(nemesis.faults)


def main(words: list[str]) -> int:
    """Run; return 0 if nothing was found."""
    mode = words[0] if words else "chaos"
    seed = os.environ.get("SEED") or str(SystemRandom().randrange(10**6))
    seconds = float(os.environ.get("SECONDS") or SECONDS[mode])
    folder = Path(tempfile.mkdtemp(prefix="boardroom-chaos-"))
    folder.chmod(0o711)
    began = monotonic()
    with ExitStack() as stack:
        told = faked_apart(folder / "clocks", Random(seed).choice(PARTS)) if mode == "chaos" else {}
        run = Run(stack, folder, f"{mode}:{seed}", CASTS[mode], told)
        run.book.say("run", mode=mode, seed=seed, seconds=seconds, folder=folder, clocks=bool(told))
        play(run, mode, seconds)
    findings = run.book.findings
    if not findings:
        shutil.rmtree(folder)
    print(f"SEED={seed} SECONDS={seconds:g}: {len(findings)} findings in {monotonic() - began:.0f} s", file=sys.stderr)
    if findings:
        print(f"The logs are in {folder}.", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
