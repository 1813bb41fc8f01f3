"""Which action each consultant changes (R-11); what it changes is written where the action is decided."""

from __future__ import annotations

from collections.abc import Mapping

from service.rules.games.new_corp_order.actions import Infiltrate, TakeOver
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.terms import Consultant
from service.rules.kernel import Illegal

CHANGES: Mapping[Consultant, type[Infiltrate] | type[TakeOver]] = {
    "media-advisor": Infiltrate,
    "dealmaker": TakeOver,
    "corporate-lawyer": Infiltrate,
    "military-contractor": TakeOver,
}


def check_use(state: State, action: Infiltrate | TakeOver) -> None:
    """Refuse a consultant that is not in the HQ or does not go with the action."""
    if action.use is None:
        return
    if CHANGES[action.use] is not type(action):
        raise Illegal("consultant-does-not-fit", "R-11", consultant=action.use)
    if not state.hqs[state.active].consultants[action.use]:
        raise Illegal("consultant-not-held", "R-11", consultant=action.use)
