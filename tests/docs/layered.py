"""A layered drawing of a graph: where each box stands on its floor, and through which points each arrow goes.

The method is Sugiyama's. An arrow over several floors becomes a chain of bends, one on each floor between. Each floor
is ordered by the mean place of its neighbours. Then boxes and bends move to the mean of their neighbours, as far as
their order allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

SWEEPS = 24
GAP = 16.0
BEND = 8.0
STRAIGHT = 60
"""How much more two bends of an arrow pull at each other than a box and a bend."""

Node = str
"""A room, or a bend: `room>room@floor`."""


@dataclass(frozen=True)
class Drawing:
    """Centres of boxes and bends by node, and the nodes of each arrow from its room to the room that it imports."""

    x: Mapping[Node, float]
    chains: Mapping[tuple[str, str], Sequence[Node]]


def lay_out(floors: Sequence[Sequence[str]], arrows: Iterable[tuple[str, str]], box: float, width: float) -> Drawing:
    """Return a drawing of rooms that are all `box` wide on a sheet of the given width; the same each time."""
    level = {room: number for number, floor in enumerate(floors) for room in floor}
    chains = {arrow: _chain(arrow, level) for arrow in sorted(arrows)}
    links = sorted({link for chain in chains.values() for link in pairwise(chain)})
    rows = [list(floor) for floor in floors]
    for chain in chains.values():
        for number, bend in enumerate(chain[1:-1], level[chain[0]] + 1):
            rows[number].append(bend)
    wide = {node: BEND if ">" in node else box for row in rows for node in row}
    best = min(_orders(rows, links), key=lambda order: _crossings(order, links))
    x = _places(best, links, wide, width)
    for chain in chains.values():
        _straighten(x, chain[1:-1])
    return Drawing(x, chains)


def _chain(arrow: tuple[str, str], level: Mapping[str, int]) -> list[Node]:
    here, there = arrow
    return [here, *(f"{here}>{there}@{floor}" for floor in range(level[here] + 1, level[there])), there]


def _orders(rows: Sequence[Sequence[Node]], links: Sequence[tuple[Node, Node]]) -> Iterable[list[list[Node]]]:
    """Yield ever better orders of the floors: swept down by the nodes above, then up by the nodes below."""
    up, down = _neighbours(links)
    order = [list(row) for row in rows]
    for sweep in range(SWEEPS):
        numbers = range(1, len(order)) if sweep % 2 == 0 else range(len(order) - 2, -1, -1)
        near, step = (up, -1) if sweep % 2 == 0 else (down, 1)
        for number in numbers:
            place = {
                node: index / max(1, len(order[number + step]) - 1) for index, node in enumerate(order[number + step])
            }
            mean = {
                node: _mean([place[each] for each in near.get(node, ()) if each in place]) for node in order[number]
            }
            order[number].sort(key=lambda node, mean=mean: mean[node] if mean[node] is not None else 0.5)
        yield [list(row) for row in order]


def _neighbours(links: Sequence[tuple[Node, Node]]) -> tuple[dict[Node, list[Node]], dict[Node, list[Node]]]:
    up: dict[Node, list[Node]] = {}
    down: dict[Node, list[Node]] = {}
    for above, below in links:
        down.setdefault(above, []).append(below)
        up.setdefault(below, []).append(above)
    return up, down


def _crossings(rows: Sequence[Sequence[Node]], links: Sequence[tuple[Node, Node]]) -> int:
    floor = {node: number for number, row in enumerate(rows) for node in row}
    index = {node: place for row in rows for place, node in enumerate(row)}
    crossed = 0
    for (above, below), (other, under) in combinations(links, 2):
        if floor[above] == floor[other]:
            crossed += (index[above] - index[other]) * (index[below] - index[under]) < 0
    return crossed


def _places(
    rows: Sequence[Sequence[Node]], links: Sequence[tuple[Node, Node]], wide: Mapping[Node, float], width: float
) -> dict[Node, float]:
    up, down = _neighbours(links)
    x = {node: width * (place + 1) / (len(row) + 1) for row in rows for place, node in enumerate(row)}
    for sweep in range(SWEEPS * 40):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = []
            for node in row:
                pulls = [
                    (x[each], STRAIGHT if ">" in each and ">" in node else 1)
                    for each in (*up.get(node, ()), *down.get(node, ()))
                ]
                wanted.append(
                    sum(at * pull for at, pull in pulls) / sum(pull for _, pull in pulls) if pulls else x[node]
                )
            x |= zip(row, _apart(wanted, [wide[node] for node in row], width), strict=True)
    return x


def _straighten(x: dict[Node, float], bends: Sequence[Node]) -> None:
    """Put bends that follow each other, and are no further apart than a gap, exactly below each other."""
    run: list[Node] = []
    for bend in bends:
        if run and abs(x[bend] - x[run[0]]) > GAP:
            run = []
        run.append(bend)
        mean = sum(x[each] for each in run) / len(run)
        x |= dict.fromkeys(run, mean)


def _apart(wanted: Sequence[float], wide: Sequence[float], width: float) -> list[float]:
    """Return the centres nearest to the wanted ones (least squares, same order) with a gap between neighbours."""
    offsets = [0.0]
    for left, right in pairwise(wide):
        offsets.append(offsets[-1] + (left + right) / 2 + GAP)
    blocks: list[tuple[float, int]] = []
    for want, offset in zip(wanted, offsets, strict=True):
        mean, count = want - offset, 1
        while blocks and blocks[-1][0] > mean:
            before, many = blocks.pop()
            mean, count = (before * many + mean * count) / (many + count), many + count
        blocks.append((mean, count))
    least, most = wide[0] / 2 + GAP, width - GAP - wide[-1] / 2 - offsets[-1]
    spread = [min(max(mean, least), most) for mean, count in blocks for _ in range(count)]
    return [base + offset for base, offset in zip(spread, offsets, strict=True)]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
