"""The terms of a table, as a host asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from service.rules.pace import Pace, usual_pace
from service.store.game_row import Terms


def people_of(asked: Mapping[str, Any]) -> int:
    """Return for how many people a table is that is asked for in the shape of the API: computer players are none."""
    seats: int = asked["seats"]
    return seats - len(asked.get("computers", ()))


def terms_of(asked: Mapping[str, Any], people: int) -> Terms:
    """Return the terms of a table that is asked for in the shape of the API; what is left out is as usual (T-01).

    `asked["pace"]` has the fields of a Pace, or is None for no clock. A table that may be rated is, unless told not to.
    """
    chosen = {name: asked[name] for name in Terms.__dataclass_fields__ if name in asked}
    own = chosen.pop("pace", None)
    pace = (None if own is None else Pace(**own)) if "pace" in asked else usual_pace(people)
    terms = Terms(**chosen, pace=pace)
    if "rated" in chosen or "seats" not in asked:
        return terms
    return replace(terms, rated=may_be_rated(asked["seats"], people, terms))


def may_be_rated(seats: int, people: int, terms: Terms) -> bool:
    """Return whether a table may be rated (P-01): several seats, all for people, with a clock and no hints."""
    return seats == people > 1 and terms.pace is not None and not terms.training
