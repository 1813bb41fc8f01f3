"""How a game has ended: who won, what decided it, and where everybody's points come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.rules.contributions import Sight
from service.rules.games.new_corp_order.tabletop.looks import CLASS
from service.rules.games.new_corp_order.tabletop.status import status
from service.rules.games.new_corp_order.tabletop.words import CONGLOMERATES, word, word_in
from service.rules.games.new_corp_order.terms import COLOURS, ODS
from service.rules.kernel import Json
from service.rules.shapes import PointsPart, Result


def result(sight: Sight) -> Result:
    """Return the result of a game that is over."""
    seats = sight.standings["seats"]
    parts = tuple(_solo_parts(sight, each) if sight.view["solo"] else _parts(sight, each) for each in seats)
    reason = _solo_reason(sight) if sight.view["solo"] else _reason(sight)
    return Result(headline=status(sight).sentence, reason=reason, parts=parts)


def sources(language: str) -> tuple[PointsPart, ...]:
    """Return what points are made of in a game among people, in the order of `_by_source`."""
    return (
        *(PointsPart(CLASS[colour], f"sign-{colour}", CONGLOMERATES[colour], 0) for colour in COLOURS),
        PointsPart("star", "star", word_in(language, "part.objectives"), 0),
        PointsPart("c6", "consultant-dealmaker", word_in(language, "part.consultants"), 0),
    )


def _parts(sight: Sight, told: Json) -> tuple[PointsPart, ...]:
    made = zip(sources(sight.language), _by_source(told).values(), strict=True)
    return tuple(part._replace(points=points) for part, points in made if points)


def _solo_parts(sight: Sight, told: Json) -> tuple[PointsPart, ...]:
    total = told["total"]
    return (PointsPart("star", "star", word(sight, "part.solo"), total),) if total else ()


def _solo_reason(sight: Sight) -> str:
    won = _winners(sight)[0]
    points = [each["total"] for each in sight.standings["seats"]]
    if points[0] != points[ODS]:
        return word(sight, "by-solo", points=points[won], others=points[1 - won])
    agents = [each["agents"] for each in sight.standings["seats"]]
    if won == 0:
        return word(sight, "by-agents", points=agents[0], others=agents[ODS])
    return word(sight, "by-solo-tie")


def _winners(sight: Sight) -> list[int]:
    return [] if sight.outcome is None else list(sight.outcome["winners"])


def _reason(sight: Sight) -> str:
    """What made most of the difference between the winner and the best of the others."""
    won, seats = _winners(sight), sight.standings["seats"]
    if len(won) > 1:
        return word(sight, "by-nothing")
    best = max((each for each in seats if each["seat"] not in won), key=lambda each: (each["total"], _agents(each)))
    winner = seats[won[0]]
    if winner["total"] == best["total"]:
        return word(sight, "by-agents", points=_agents(winner), others=_agents(best))
    ours, theirs = _by_source(winner), _by_source(best)
    source = max(ours, key=lambda name: ours[name] - theirs[name])
    fields: dict[str, Any] = {"points": ours[source], "others": theirs[source]}
    if source in {"objectives", "consultants"}:
        return word(sight, f"by-{source}", **fields)
    return word(sight, "by-colour", name=next(name for each, name in CONGLOMERATES.items() if each == source), **fields)


def _by_source(told: Json) -> Mapping[str, int]:
    colours: dict[str, int] = {colour: told["conglomerates"][colour]["vp"] for colour in COLOURS}
    return {**colours, "objectives": told["objectives"]["vp"] or 0, "consultants": told["consultants"]["vp"]}


def _agents(told: Json) -> int:
    return sum(row["agents"] for row in told["conglomerates"].values())
