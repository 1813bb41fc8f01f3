"""Preview an action: what follows in all states that its seat cannot tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.rules.kernel import AnyRuleset, by_name, state_after
from service.rules.lookahead import Future, futures_in, reveals
from service.rules.table_parts import Chip, Foreseen, Panel, Points, Seat, Seen
from service.rules.table_plugin import Sight
from service.rules.tabletop.default_status import panel


def foresee(ruleset: AnyRuleset, sight: Sight, seats: int, panels: int, action: Any) -> Foreseen:
    """Return what the reader can foresee of an action of their own; raises Illegal.

    The action is decided on the imagined states alone. Points that differ among them are unknown.
    """
    seat = sight.viewer
    if seat is None:
        raise ValueError("a spectator plays no action")
    made = futures_in(ruleset, sight.imagined, seat, action)
    ends = [state_after(ruleset, each.table, each.facts) for each in made]
    before = [panel(ruleset.contributions, sight, number) for number in range(panels)]
    after = list(zip(*(_panels(ruleset, end, sight, panels) for end in ends), strict=True))
    events = _common(ruleset, made, seat)
    return Foreseen(
        events=events,
        points=tuple(Points(old.points, _points(new)) for old, new in zip(before, after, strict=True)),
        chips=tuple(_changed(old, new) for old, new in zip(before, after, strict=True)),
        reveals=reveals(ruleset, made, ends, seats, seat),
        complete=all(len(each.facts) == len(events) for each in made),
    )


def foresee_events(ruleset: AnyRuleset, sight: Sight, panels: int, action: Any) -> Foreseen:
    """Return what the reader can foresee of an action but for the points, at a fraction of the cost; raises Illegal."""
    if sight.viewer is None:
        raise ValueError("a spectator plays no action")
    made = futures_in(ruleset, sight.imagined, sight.viewer, action)
    events = _common(ruleset, made, sight.viewer)
    unknown = tuple(Points(panel(ruleset.contributions, sight, number).points, None) for number in range(panels))
    return Foreseen(
        events=events,
        points=unknown,
        reveals=any(each.chance for each in made),
        complete=all(len(each.facts) == len(events) for each in made),
    )


def _panels(ruleset: AnyRuleset, end: Any, sight: Sight, panels: int) -> list[Panel]:
    after = Sight(
        view=ruleset.view(end, sight.viewer),
        viewer=sight.viewer,
        language=sight.language,
        names=sight.names,
        to_act=ruleset.to_act(end),
        turn=ruleset.turn(end),
        outcome=ruleset.outcome(end),
        imagine=lambda: ruleset.imagine(end, sight.viewer),
        score=lambda: ruleset.standings(end, sight.viewer),
    )
    return [panel(ruleset.contributions, after, seat) for seat in range(panels)]


def _points(ends: Sequence[Panel]) -> int | None:
    return ends[0].points if len({each.points for each in ends}) == 1 else None


def _changed(before: Panel, ends: Sequence[Panel]) -> tuple[Chip, ...]:
    """Return the chips whose numbers change, if they do so in all ends alike, with the difference as their number."""
    known = {chip.symbol: chip.number for chip in before.chips}
    found = {
        tuple(
            chip._replace(number=chip.number - known.get(chip.symbol, 0), small=None)
            for chip in end.chips
            if chip.number != known.get(chip.symbol)
        )
        for end in ends
    }
    return next(iter(found)) if len(found) == 1 else ()


def _common(ruleset: AnyRuleset, made: Sequence[Future], seat: Seat) -> tuple[Seen, ...]:
    """Return the events that all futures have, with None for each field in which they differ."""
    events = []
    for alike in zip(*(each.facts for each in made), strict=False):
        if len({type(event) for event in alike}) > 1:
            break
        name = next(iter(by_name([type(alike[0])])))
        told = [ruleset.redact(event, seat) for event in alike]
        events.append(Seen(name, _agreed(told), seat))
    return tuple(events)


def _agreed(told: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    first, *others = told
    return {key: value if all(each.get(key) == value for each in others) else None for key, value in first.items()}
