"""What has changed on the table, as marks: arrows, gains and losses of agents, cards turned in an HQ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.rules.contributions import Sight
from service.rules.games.new_corp_order.actions import Infiltrate, TakeOver
from service.rules.games.new_corp_order.consultants import agents_of
from service.rules.shapes import Mark, Seen

_ATTEMPTS = frozenset({"company-taken-over", "takeover-failed", "agents-moved"})


def changes(_: Sight, seen: Sequence[Seen]) -> list[Mark]:
    """Return the marks for what a viewer saw happen."""
    return [
        mark
        for index, each in enumerate(seen)
        if each.name in _MARKS and not pays(seen, index) and not infiltrates(seen, index)
        for mark in _MARKS[each.name](each, index)
    ]


def intended(_: Sight, action: Any) -> list[Mark]:
    """Return the marks of an action for a later turn: where agents go from and to, or where they are added."""
    if isinstance(action, TakeOver):
        return [Mark(kind="move", at=action.target, origin=action.source, count=action.agents)]
    if isinstance(action, Infiltrate):
        return [Mark(kind="gain", at=each.company, count=agents_of(each, action)) for each in action.placements]
    return []


def pays(seen: Sequence[Seen], index: int) -> bool:
    """Return whether an event rotates the cards of a Takeover, which is told with the Takeover itself."""
    following = seen[index + 1].name if index + 1 < len(seen) else ""
    return seen[index].name == "cards-rotated" and following in _ATTEMPTS


def infiltrates(seen: Sequence[Seen], index: int) -> bool:
    """Return whether an event places cards of an Infiltrate, which is told with the agents that follow."""
    following = seen[index + 1].name if index + 1 < len(seen) else ""
    return seen[index].name == "cards-placed" and following in {"cards-placed", "agents-placed"}


def _moved(each: Seen, event: int) -> list[Mark]:
    told = each.fields
    fails = each.name == "takeover-failed"
    ends = {"at": told["target"], "origin": told["source"]}
    return [Mark(kind="fails" if fails else "move", **ends, count=told["agents"], actor=each.seat, event=event)]


def _placed(each: Seen, event: int) -> list[Mark]:
    return [Mark(kind="gain", at=each.fields["company"], count=each.fields["agents"], actor=each.seat, event=event)]


def _swapped(each: Seen, event: int) -> list[Mark]:
    return [Mark(kind="swap", at=each.fields["second"], origin=each.fields["first"], actor=each.seat, event=event)]


def _turned(each: Seen, event: int) -> list[Mark]:
    told = each.fields
    count = told["cards"] if each.name == "cards-rotated" else len(told["colours"])
    return [Mark(kind="turn", at=f"@{told['hq']}", count=count, actor=each.seat, event=event)]


def _exchanged(each: Seen, event: int) -> list[Mark]:
    ends = (each.fields["seat"], each.fields["hq"])
    return [Mark(kind="turn", at=f"@{seat}", actor=each.seat, event=event) for seat in ends]


def _removed(each: Seen, event: int) -> list[Mark]:
    return [Mark(kind="loss", at=f"@{each.fields['hq']}", actor=each.seat, event=event)]


def _withdrawn(each: Seen, event: int) -> list[Mark]:
    return [Mark(kind="loss", at=each.fields["company"], count=each.fields["agents"], actor=each.seat, event=event)]


def _taken(each: Seen, event: int) -> list[Mark]:
    return [Mark(kind="new", at=f"@{each.fields['seat']}", actor=each.seat, event=event)]


_MARKS: Mapping[str, Callable[[Seen, int], list[Mark]]] = {
    "company-taken-over": _moved,
    "takeover-failed": _moved,
    "agents-moved": _moved,
    "agents-placed": _placed,
    "agents-exchanged": _swapped,
    "cards-rotated": _turned,
    "cards-unrotated": _turned,
    "cards-exchanged": _exchanged,
    "card-removed": _removed,
    "consultant-taken": _taken,
    "cards-placed": _taken,
    "agents-withdrawn": _withdrawn,
    "defender-hired": _taken,
}
