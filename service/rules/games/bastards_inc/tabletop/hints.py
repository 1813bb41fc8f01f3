"""What can be done now, in a sentence below the status: who comes, what it costs, what is announced."""

from __future__ import annotations

from typing import Any

from service.rules.contributions import Sight
from service.rules.games.bastards_inc.edition.numbers import SCOOP
from service.rules.games.bastards_inc.tabletop.words import Speaker, speaker
from service.rules.kernel import Json


def hint(sight: Sight) -> str:
    """Return what a reader who is asked can do."""
    told, view = speaker(sight), sight.view
    fields: dict[str, Any] = {"scoop": told.counted("influence", SCOOP)}
    if view["arrival"] is not None:
        fields |= {"name": told.player(view["arrival"]["seat"])}
        fields |= {"price": told.counted("influence", (view["arrival"]["bids"] or 0) + 1)}
    if view["act"] is not None:
        fields |= {"name": told.player(view["act"]["seat"]), "what": announced(told, view["act"])}
    return told.word(f"hint.{view['phase']}", **fields)


def announced(told: Speaker, act: Json) -> str:
    """Return an illegal act in words: the name of its card, or a sale."""
    what = next(act[each] for each in ("deal", "play", "sell") if act[each] is not None)
    return told.name(what["card"]) if "card" in what else told.word("a-sale")
