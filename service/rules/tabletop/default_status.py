"""Default panels, status, result and thumbnail, from standings, names and outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from service.rules.svg import element
from service.rules.table_parts import Glimpse, Panel, PointsPart, Result, Seat, Status, Turning
from service.rules.table_plugin import Contributions, Sight
from service.rules.tabletop.default_words import LONGEST, SHORTEST, all_of, fitting, plain
from service.rules.tabletop.drawing import Plate

SYMBOLS: Final[Mapping[str, str]] = {
    name: element(
        "symbol",
        element("path", d=drawing, fill="none", stroke="currentColor", stroke_width=2),
        id=name,
        viewBox="0 0 24 24",
    )
    for name, drawing in {
        "icon-move": "M3 12h14M12 6.500l6 5.500-6 5.500M21 5v14",
        "icon-event": "M12 8a4 4 0 1 0 .01 0z",
    }.items()
}
"""The icons of the defaults."""


def panel(parts: Contributions, sight: Sight, seat: Seat) -> Panel:
    """Return what a seat has."""
    return Panel(points=_scored(sight, seat)) if parts.panel is None else parts.panel(sight, seat)


def _scored(sight: Sight, seat: Seat) -> int | None:
    """Return a seat's number in the standings: of `scores`, or the `total` of its entry in `seats`."""
    told = sight.standings
    if "scores" in told:
        return int(told["scores"][seat])
    found = [each["total"] for each in told.get("seats", ()) if each["seat"] == seat]
    return found[0] if found else None


def plate(sight: Sight, seat: Seat) -> Plate:
    """Return a seat as a plate of a plain board."""
    return Plate(name_of(sight, seat), number=_scored(sight, seat))


def name_of(sight: Sight, seat: Seat) -> str:
    """Return the name of a seat; one for which there is none goes by its number."""
    return sight.names[seat] if seat < len(sight.names) else f"#{seat + 1}"


def _scores(sight: Sight, panels: int) -> list[int]:
    known = (_scored(sight, seat) for seat in range(panels))
    return [each for each in known if each is not None]


def status(sight: Sight, panels: int) -> Status:
    """Return who is to act, or who has won."""
    return Status(_status(sight, panels, LONGEST), _status(sight, panels, SHORTEST))


def _status(sight: Sight, panels: int, most: int) -> str:
    names = [name_of(sight, seat) for seat in range(panels)]
    if sight.outcome is not None:
        return _over(sight, names, most)
    others = sorted(sight.to_act - {sight.viewer})
    key = ("yours.with" if others else "yours") if sight.mine else "theirs.many" if len(others) > 1 else "theirs"
    you = [plain(sight.language, "you")] if sight.mine else []

    def named(short: Sequence[str]) -> str:
        return all_of(sight.language, [*you, *(short[seat] for seat in others)])

    return fitting(
        most,
        names,
        lambda short: plain(sight.language, key, names=named(short)),
        lambda _: plain(sight.language, "yours" if sight.mine else "theirs", names=str(len(others))),
    )


def _over(sight: Sight, names: Sequence[str], most: int) -> str:
    outcome = sight.outcome
    won = [] if outcome is None else list(outcome["winners"])
    return fitting(
        most,
        names,
        lambda short: _won(sight, won, short, _sums(sight)),
        lambda short: _won(sight, won, short, ""),
        lambda _: plain(sight.language, "shared.plain" if len(won) > 1 else "nobody"),
    )


def _won(sight: Sight, won: Sequence[Seat], names: Sequence[str], sums: str) -> str:
    if len(won) != 1:
        told = all_of(sight.language, [names[seat] for seat in won] or [""])
        return plain(sight.language, "shared", names=told) if won else plain(sight.language, "nobody")
    key = "you-win" if won[0] == sight.viewer else "wins"
    return plain(sight.language, key if sums else f"{key}.plain", names=names[won[0]], points=sums)


def _sums(sight: Sight) -> str:
    outcome = sight.outcome
    if outcome is None or outcome["scores"] is None:
        return ""
    won = set(outcome["winners"])
    order = sorted(enumerate(outcome["scores"]), key=lambda each: (each[0] not in won, -each[1]))
    return plain(sight.language, "to").join(str(score) for _, score in order)


def result(sight: Sight) -> Result:
    """Return who has won, and everybody's points as one part."""
    outcome = sight.outcome
    scores = () if outcome is None or outcome["scores"] is None else outcome["scores"]
    label = plain(sight.language, "total")
    names = [name_of(sight, seat) for seat in range(max(len(scores), len(sight.names)))]
    parts = tuple((PointsPart(f"seat-{seat + 1}", "", label, score),) for seat, score in enumerate(scores))
    reason = plain(sight.language, "most") if scores else ""
    return Result(headline=_over(sight, names, LONGEST), reason=reason, parts=parts)


def turned(made: Result, winners: Sequence[Seat], curve: Sequence[Sequence[int]]) -> Result:
    """Return a result with its turning point, if there is one."""
    found = turning_point(winners, curve)
    return made if found is None else replace(made, turning=found)


def turning_point(winners: Sequence[Seat], curve: Sequence[Sequence[int]]) -> Turning | None:
    """Return the turn that won or lost the winner most points on the best other seat; None without one winner.

    `curve` has the scores by seat after each turn, from turn 0.
    """
    if len(winners) != 1 or len(curve) < 2 or len(curve[0]) < 2:
        return None
    won = winners[0]
    leads = [scores[won] - max(each for seat, each in enumerate(scores) if seat != won) for scores in curve]
    turn = max(range(1, len(leads)), key=lambda turn: leads[turn] - leads[turn - 1])
    gained = leads[turn] - leads[turn - 1]
    return Turning(turn, gained) if gained > 0 else None


def glimpse(sight: Sight, panels: int) -> Glimpse:
    """Return a cell for each seat."""
    return Glimpse(min(panels, 4), tuple(f"seat-{seat + 1}" for seat in range(panels)))
