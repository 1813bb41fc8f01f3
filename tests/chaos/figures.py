"""The figures of a run: how long nobody was served after each kind of fault, and what share of requests was."""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import median

from tests.chaos.book import Book
from tests.chaos.nemesis import Fault
from tests.chaos.prober import PATIENCE, Prober

BOUND = 97.0
"""The least percentage of requests that are answered in time while one part after the other is killed."""
TOO_BUSY = 90.0
"""Where not even so many are answered while nothing is broken, nothing can be said."""


def outages(book: Book, prober: Prober, faults: list[Fault], ended: float) -> None:
    """Print for each kind of fault how often it was, for how long nobody was served, and when the part was back.

    An outage counts for the last fault before it; nothing is known of a fault while nobody was served anyway.
    """
    times: Counter[str] = Counter()
    unserved: dict[str, list[float]] = defaultdict(list)
    back: dict[str, list[float]] = defaultdict(list)
    ends = [each.began for each in faults[1:]] + [ended]
    for each, end in zip(faults, ends, strict=True):
        kind = f"{each.what} {each.part}"
        times[kind] += 1
        outage = prober.outage(each.began, end)
        if outage is not None:
            unserved[kind].append(outage)
        if each.revived is not None:
            back[kind].append(each.revived)
    for kind, number in sorted(times.items()):
        book.say("fault", kind=kind, times=number, unserved=_seconds(unserved[kind]), back=_seconds(back[kind]))
    share, asked = prober.share(faults[0].began if faults else ended, ended)
    kills = sum(each.what == "kill" for each in faults)
    book.say("faults", kills=kills, others=len(faults) - kills, probes=asked, answered_percent=round(share, 1))


def availability(book: Book, prober: Prober, times: tuple[float, float, float]) -> None:
    """Judge the share of requests that were answered in time, against that of the calm time before.

    `times` is when the calm time began, when the faults did, and when they ended. What a busy machine does not answer
    in time while nothing is broken is not held against the faults.
    """
    began, broken, ended = times
    calm, before = prober.share(began, broken - PATIENCE)
    share, asked = prober.share(broken, ended)
    relative = 100 * share / calm if calm else 0.0
    judged = calm >= TOO_BUSY
    book.say(
        "availability",
        answered_percent=round(share, 2),
        calm_percent=round(calm, 2),
        against_calm_percent=round(relative, 2),
        at_least=BOUND,
        probes=asked,
        calm_probes=before,
        judged=judged,
    )
    if judged:
        book.expect(
            relative >= BOUND, f"only {relative:.1f} % of requests were answered within {PATIENCE:g} s, not {BOUND:g}"
        )


def _seconds(values: list[float]) -> dict[str, float] | None:
    return (
        {"known": len(values), "median_s": round(median(values), 1), "most_s": round(max(values), 1)}
        if values
        else None
    )
