"""What follows an action in all states that its seat cannot tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.rules.contributions import Sight
from service.rules.foresight import Future, futures_in, reveals
from service.rules.kernel import AnyRuleset, by_name, fold
from service.rules.shapes import Foreseen, Points, Seat, Seen
from service.rules.tabletop.plain_scores import points


def foresee(ruleset: AnyRuleset, sight: Sight, seats: int, panels: int, action: Any) -> Foreseen:
    """Return what the reader can foresee of an action of their own; raises Illegal.

    The action is decided on the imagined states alone. Points that differ among them are unknown.
    """
    seat = sight.viewer
    if seat is None:
        raise ValueError("a spectator plays no action")
    made = futures_in(ruleset, sight.imagined, seat, action)
    ends = [fold(ruleset, each.facts, each.table) for each in made]
    scores = [_scores(ruleset, end, sight, panels) for end in ends]
    before = [points(ruleset.contributions, sight, number) for number in range(panels)]
    events = _common(ruleset, made, seat)
    return Foreseen(
        events=events,
        points=tuple(
            Points(old, after[0] if len(set(after)) == 1 else None)
            for old, after in zip(before, zip(*scores, strict=True), strict=True)
        ),
        reveals=reveals(ruleset, made, ends, seats, seat),
        complete=all(len(each.facts) == len(events) for each in made),
    )


def _scores(ruleset: AnyRuleset, end: Any, sight: Sight, panels: int) -> list[int | None]:
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
    return [points(ruleset.contributions, after, seat) for seat in range(panels)]


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
