"""What has changed on the table, as marks: arrows of vice presidents, gains and losses, wars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.rules.contributions import Sight
from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.terms import LOUNGE
from service.rules.shapes import Mark, Seen


def changes(_: Sight, seen: Sequence[Seen]) -> list[Mark]:
    """Return the marks for what a viewer saw happen; what is not known in a preview has none."""
    return [mark for index, each in enumerate(seen) if each.name in _MARKS for mark in _MARKS[each.name](each, index)]


def intended(sight: Sight, action: Any) -> list[Mark]:
    """Return the marks of an action for a later turn: where the vice presidents are that it needs, where they go."""
    seat = sight.viewer
    if seat is None:
        return []
    if isinstance(action, a.Place):
        return [Mark(kind="move", at=action.to, origin=LOUNGE, actor=seat)] if action.to != LOUNGE else []
    numbers = _needed(action)
    vps = sight.view["companies"][seat]["vps"]
    places = dict.fromkeys(vp["at"] for vp in vps if vp["vp"] in numbers)
    return [Mark(kind="new", at=place, actor=seat) for place in places]


def _needed(action: Any) -> tuple[int, ...]:
    if isinstance(action, a.Deal):
        return action.vps
    return (action.vp,) if isinstance(action, a.Launder | a.Sell | a.Campaign) else ()


def _moved(kind: str) -> Callable[[Seen, int], list[Mark]]:
    return lambda each, event: _at(each, event, kind, "field", origin=LOUNGE)


def _at(each: Seen, event: int, kind: Any, field: str, **more: Any) -> list[Mark]:
    """Return a mark at the place that a field of the event names, if it is known."""
    place = each.fields.get(field)
    return [] if place is None else [Mark(kind=kind, at=place, actor=each.seat, event=event, **more)]


def _panel(kind: Any, amount: str | None = None, field: str = "seat") -> Callable[[Seen, int], list[Mark]]:
    def mark(each: Seen, event: int) -> list[Mark]:
        seat, count = each.fields.get(field), 1 if amount is None else each.fields.get(amount)
        if seat is None or not count:
            return []
        return [Mark(kind=kind, at=f"@{seat}", count=abs(count), actor=each.seat, event=event)]

    return mark


def _war(each: Seen, event: int) -> list[Mark]:
    return _at(each, event, "new", "region")


def _stuff(each: Seen, event: int) -> list[Mark]:
    change = each.fields.get("change")
    return _at(each, event, "gain" if change > 0 else "loss", "region", count=abs(change)) if change else []


def _sold(each: Seen, event: int) -> list[Mark]:
    return [*_at(each, event, "gain", "region"), *_panel("gain", "billions")(each, event)]


def _taken(each: Seen, event: int) -> list[Mark]:
    return [*_panel("gain", "billions")(each, event), *_panel("loss", "billions", "victim")(each, event)]


def _given(each: Seen, event: int) -> list[Mark]:
    return [*_panel("loss", "billions")(each, event), *_panel("gain", "billions", "to")(each, event)]


def _bought(each: Seen, event: int) -> list[Mark]:
    return [*_panel("new")(each, event), *_panel("loss", None, "former")(each, event)]


_MARKS: Mapping[str, Callable[[Seen, int], list[Mark]]] = {
    "vice-president-placed": _moved("move"),
    "arrival-forced": _moved("move"),
    "arrival-repelled": _moved("fails"),
    "vice-president-flown": _moved("move"),
    "vice-presidents-collected": _panel("turn"),
    "vice-president-sent-home": _panel("loss"),
    "war-broke-out": _war,
    "war-ended": _war,
    "war-fought": _war,
    "stuff-changed": _stuff,
    "stuff-sold": _sold,
    "money-taxed": _panel("loss", "billions"),
    "subsidy-paid": _panel("gain", "billions"),
    "award-given": _panel("gain", "influence"),
    "fee-paid": _panel("gain", "influence"),
    "deal-made": _panel("new"),
    "money-laundered": _panel("gain", "billions"),
    "campaign-run": _panel("gain", "influence"),
    "vice-president-hired": _panel("new"),
    "prize-bought": _bought,
    "prize-returned": _panel("loss"),
    "money-given": _given,
    "act-exposed": _panel("gain", "influence", "journalist"),
    "billions-gained": _panel("gain", "billions"),
    "influence-gained": _panel("gain", "influence"),
    "billions-taken": _taken,
    "black-money-taken": _panel("new"),
    "score-changed": _panel("turn"),
    "bunker-taken": _panel("new"),
}
