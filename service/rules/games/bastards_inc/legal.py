"""Every legal action of a seat, by the phase."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from service.rules.games.bastards_inc import legal_phases as phases
from service.rules.games.bastards_inc.actions import Action
from service.rules.games.bastards_inc.legal_business import legal_business, legal_expose
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import Phase

_LEGAL: Mapping[Phase, Callable[[State, int], Sequence[Action]]] = {
    "draw": phases.legal_draw,
    "collect": phases.legal_collect,
    "place": phases.legal_place,
    "challenge": phases.legal_challenge,
    "push": phases.legal_push,
    "wars": phases.legal_wars,
    "business": legal_business,
    "expose": legal_expose,
}


def legal(state: State, seat: int) -> Sequence[Action]:
    """Return every legal action of the seat, one per distinct outcome; none unless it is asked."""
    return _LEGAL[state.phase](state, seat) if seat in state.asked else []
