"""Which action each consultant changes (R-11), and how many cards and agents it makes of an action (R-72, R-78).

What else it changes is written where the action is decided.
"""

from __future__ import annotations

from collections.abc import Mapping

from service.rules.games.new_corp_order.actions import Infiltrate, Placement, TakeOver
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.terms import Consultant
from service.rules.kernel import Illegal

CHANGES: Mapping[Consultant, type[Infiltrate] | type[TakeOver]] = {
    "media-advisor": Infiltrate,
    "dealmaker": TakeOver,
    "corporate-lawyer": Infiltrate,
    "military-contractor": TakeOver,
    "corporate-accountant": TakeOver,
    "spin-doctor": Infiltrate,
    "headhunter": TakeOver,
}


def check_use(state: State, action: Infiltrate | TakeOver) -> None:
    """Refuse a consultant that is not in the HQ or does not go with the action."""
    if action.use is None:
        return
    if CHANGES[action.use] is not type(action):
        fits = "infiltrate" if CHANGES[action.use] is Infiltrate else "take-over"
        raise Illegal("consultant-does-not-fit", "R-11", consultant=action.use, fits=fits)
    if not state.hqs[state.active].consultants.get(action.use):
        raise Illegal("consultant-not-held", "R-11", consultant=action.use)


def rotated_by(action: TakeOver) -> int:
    """Return how many cards a Takeover rotates: one for each agent, one fewer with the Corporate Accountant (R-72)."""
    return action.agents - (action.use == "corporate-accountant")


def cards_of(placement: Placement, action: Infiltrate) -> int:
    """Return how many cards count as the placement's colour: its own and a joker (R-17)."""
    return placement.cards + (action.joker is not None)


def agents_of(placement: Placement, action: Infiltrate) -> int:
    """Return how many agents a placement brings: one for each card, one more with the Spin Doctor (R-78)."""
    return cards_of(placement, action) + (action.use == "spin-doctor")
