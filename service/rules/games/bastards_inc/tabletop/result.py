"""How a game has ended: who won, what ended it, and what everybody's worth is made of."""

from __future__ import annotations

from service.rules.contributions import Sight
from service.rules.games.bastards_inc.edition.numbers import INFLUENCE_WORTH, PRIZE_WORTH
from service.rules.games.bastards_inc.tabletop.status import status
from service.rules.games.bastards_inc.tabletop.symbols import PARTS
from service.rules.games.bastards_inc.tabletop.words import speaker, speaker_in
from service.rules.kernel import Json
from service.rules.shapes import PointsPart, Result


def result(sight: Sight) -> Result:
    """Return the result of a game that is over."""
    parts = tuple(_parts(sight, each) for each in sight.view["companies"])
    return Result(headline=status(sight).sentence, reason=_reason(sight), parts=parts)


def sources(language: str) -> tuple[PointsPart, ...]:
    """Return what a worth is made of: Billions, Influence and the prize."""
    told = speaker_in(language, ())
    return (
        PointsPart(PARTS["billions"], "part-billions", told.word("part.billions"), 0),
        PointsPart(PARTS["influence"], "part-influence", told.word("part.influence"), 0),
        PointsPart("star", "prize", told.word("part.prize"), 0),
    )


def _parts(sight: Sight, company: Json) -> tuple[PointsPart, ...]:
    """Return what a company's worth is made of; after a nuclear war it is worth nothing, but for the Bunker's owner."""
    view, seat = sight.view, company["seat"]
    if not view["result"]["worths"][seat]:
        return ()
    prize = PRIZE_WORTH if view["laureate"] == seat else 0
    counted = company["billions"], INFLUENCE_WORTH * company["influence"], prize
    made = zip(sources(sight.language), counted, strict=True)
    return tuple(part._replace(points=points) for part, points in made if points)


def _reason(sight: Sight) -> str:
    told, view = speaker(sight), sight.view
    reason = view["result"]["reason"]
    if reason == "nuclear-war" and view["result"]["winners"]:
        return told.word("reason.bunker", name=told.player(view["result"]["winners"][0]))
    ended = told.word(f"reason.{reason}", round=view["round"], target=view["target"])
    worths, winners = view["result"]["worths"], view["result"]["winners"]
    tie_broken = reason != "nuclear-war" and worths.count(max(worths)) > len(winners)
    return f"{ended} {told.word('reason.tie')}" if tie_broken else ended
