"""What a company that was taken over can do: one entry for each company type (R-07, R-30)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from service.rules.games.new_corp_order import ability_agents as agents
from service.rules.games.new_corp_order import ability_cards as cards
from service.rules.games.new_corp_order import ability_deluxe as deluxe
from service.rules.games.new_corp_order.actions import (
    Ability,
    AddAgents,
    ExchangeAgents,
    ExchangeCards,
    MoveAgents,
    PlaceCard,
    RemoveCard,
    RotateCards,
    SkipAbility,
    UnrotateCards,
    WithdrawAgents,
)
from service.rules.games.new_corp_order.course import Course
from service.rules.games.new_corp_order.events import AbilitySkipped
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.terms import CompanyType
from service.rules.kernel import Illegal


class AbilityUse(NamedTuple):
    """One ability: the action that uses it, its options (one per distinct outcome), and what it does."""

    action: type[Ability]
    options: Callable[[State], Iterator[Ability]]
    use: Callable[[Course, Any], None]


EFFECTS: Mapping[CompanyType, AbilityUse] = {
    "online-marketing": AbilityUse(ExchangeAgents, agents.online_options, agents.exchange_agents),
    "guerrilla-marketing": AbilityUse(RotateCards, cards.guerrilla_options, cards.rotate_cards),
    "broadcast-network": AbilityUse(MoveAgents, agents.broadcast_options, agents.move_agents),
    "print-media": AbilityUse(ExchangeCards, cards.print_options, cards.exchange_cards),
    "social-media": AbilityUse(RemoveCard, cards.social_options, cards.remove_card),
    "ambient-advertising": AbilityUse(UnrotateCards, cards.ambient_options, cards.unrotate_cards),
    "viral-marketing": AbilityUse(AddAgents, deluxe.viral_options, deluxe.add_agents),
    "product-placement": AbilityUse(PlaceCard, deluxe.placement_options, deluxe.place_card),
    "negative-campaigning": AbilityUse(WithdrawAgents, deluxe.negative_options, deluxe.withdraw_agents),
}


def options(state: State) -> Iterator[Ability]:
    """Return every use of the ability of the company just taken over that would change something."""
    return EFFECTS[_kind(state)].options(state)


def can_use(state: State) -> bool:
    """Return whether the ability could change anything; if not, it is no decision (R-10)."""
    return next(options(state), None) is not None


def use_ability(course: Course, action: Ability) -> None:
    """Use the ability of the company just taken over, or skip it."""
    state = course.state
    kind = _kind(state)
    if isinstance(action, SkipAbility):
        if state.taken_over is not None:
            course.record(AbilitySkipped(seat=state.active, company=state.taken_over))
        return
    if type(action) is not EFFECTS[kind].action:
        raise Illegal("other-ability", "R-30", ability=kind)
    EFFECTS[kind].use(course, action)


def _kind(state: State) -> CompanyType:
    if state.taken_over is None:
        raise ValueError("no company has been taken over in this turn")
    return state.companies[state.taken_over].type
