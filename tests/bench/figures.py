"""How a figure is taken and printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

ROUNDS = 5


def figure(name: str, value: float, unit: str, least: float, aim: float, **more: Any) -> None:
    """Print one figure as a line of JSON, with the bound it has to keep and the one it aims at."""
    rounded = {key: round(each, 4) if isinstance(each, float) else each for key, each in more.items()}
    line = {"name": name, "value": round(value, 4), "unit": unit, "at_least": least, "aim": aim, **rounded}
    print(json.dumps(line), flush=True)


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the median CPU time of several runs, in seconds; what else the machine does hardly counts."""
    taken = []
    for _ in range(ROUNDS):
        start = process_time()
        work()
        taken.append(process_time() - start)
    return median(taken)


def percentile(values: list[float], share: float) -> float:
    """Return the value below which that share of the values lies."""
    return sorted(values)[int(share * (len(values) - 1))]
