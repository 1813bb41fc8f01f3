"""Abilities of companies: the uses of each, and what a use changes (R-07, R-30 to R-36, R-74 to R-76)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

from service.rules.games.new_corp_order.actions import (
    Ability,
    AddAgents,
    Card,
    ExchangeAgents,
    ExchangeCards,
    Move,
    MoveAgents,
    PlaceCard,
    RemoveCard,
    RotateCards,
    SkipAbility,
    UnrotateCards,
    WithdrawAgents,
)
from service.rules.games.new_corp_order.events import (
    AbilitySkipped,
    AgentsExchanged,
    AgentsMoved,
    AgentsPlaced,
    AgentsWithdrawn,
    CardRemoved,
    CardsExchanged,
    CardsPlaced,
    CardsRotated,
    CardsUnrotated,
)
from service.rules.games.new_corp_order.evolve import Course
from service.rules.games.new_corp_order.state import Company, Hq, State
from service.rules.games.new_corp_order.terms import COLOURS, Colour, CompanyType, Square, count
from service.rules.kernel import Illegal


def broadcast_options(state: State) -> Iterator[MoveAgents]:
    """Yield every way to move one or two agents of a colour, one for each position that comes of it."""
    for colour in COLOURS:
        held = {square: company.agents for square, company in state.companies.items() if company.colour == colour}
        moves = {
            (source, target): Move(source=source, target=target)
            for source, agents in held.items()
            if agents > 1
            for target in held
            if target != source
        }
        yield from (MoveAgents(moves=(move,)) for move in moves.values())

        # Two agents: the order of the moves does not matter, and one agent stays on each company.
        for sources in combinations_with_replacement([square for square, agents in held.items() if agents > 1], 2):
            if sources[0] == sources[1] and held[sources[0]] < 3:
                continue
            targets = [square for square in held if square not in sources]
            for pair in combinations_with_replacement(targets, 2):
                yield MoveAgents(moves=(moves[sources[0], pair[0]], moves[sources[1], pair[1]]))


def move_agents(course: Course, action: MoveAgents) -> None:
    """Move the agents one after the other (R-31); together the moves have to change something (R-30)."""
    if not 1 <= len(action.moves) <= 2:
        raise Illegal("wrong-number-of-agents", "R-31")
    before = course.state.companies
    colour = _company(course.state, action.moves[0].source).colour
    for move in action.moves:
        source, target = _company(course.state, move.source), _company(course.state, move.target)
        if source.colour != colour:
            raise Illegal("several-colours", "R-31")
        if target.colour != colour:
            raise Illegal("other-colour-there", "R-31", square=move.target, colour=colour)
        if move.source == move.target:
            raise Illegal("changes-nothing", "R-30")
        if source.agents < 2:
            raise Illegal("last-agent-stays", "R-31", square=move.source)
        course.record(AgentsMoved(source=move.source, target=move.target, colour=colour, agents=1))
    if course.state.companies == before:
        raise Illegal("changes-nothing", "R-30")


def online_options(state: State) -> Iterator[ExchangeAgents]:
    """Yield every two companies whose agents differ in colour or number."""
    for (first, one), (second, other) in combinations(state.companies.items(), 2):
        if (one.colour, one.agents) != (other.colour, other.agents):
            yield ExchangeAgents(first=first, second=second)


def exchange_agents(course: Course, action: ExchangeAgents) -> None:
    """Let all agents of two companies change places (R-36)."""
    one, other = _company(course.state, action.first), _company(course.state, action.second)
    if (one.colour, one.agents) == (other.colour, other.agents):
        raise Illegal("changes-nothing", "R-30")
    course.record(AgentsExchanged(first=action.first, second=action.second))


def _company(state: State, square: Square) -> Company:
    if square not in state.companies:
        raise Illegal("no-such-company", square=square)
    return state.companies[square]


# Guerrilla, Print, Ambient and Social: cards in an HQ.

_CARDS = {(colour, rotated): Card(colour=colour, rotated=rotated) for colour in COLOURS for rotated in (False, True)}


def guerrilla_options(state: State) -> Iterator[RotateCards]:
    """Yield one or two unrotated cards of a colour in any HQ."""
    for seat, hq in enumerate(state.hqs):
        for colour in COLOURS:
            for cards in range(1, min(hq.cards[colour], 2) + 1):
                yield RotateCards(hq=seat, colour=colour, cards=cards)


def rotate_cards(course: Course, action: RotateCards) -> None:
    """Rotate one or two unrotated cards of one colour in one HQ (R-32)."""
    if not 1 <= action.cards <= 2:
        raise Illegal("wrong-number-of-cards", "R-32", least=1, most=2)
    if _hq(course.state, action.hq).cards[action.colour] < action.cards:
        raise Illegal("cards-not-in-hq", "R-32", hq=action.hq, colour=action.colour)
    course.record(CardsRotated(hq=action.hq, colour=action.colour, cards=action.cards))


def print_options(state: State) -> Iterator[ExchangeCards]:
    """Yield every card of the own HQ with every card of another HQ that differs."""
    own = _cards_in(state.hqs[state.active])
    for seat, hq in enumerate(state.hqs):
        if seat != state.active:
            theirs = _cards_in(hq)
            yield from (ExchangeCards(give=give, hq=seat, take=take) for give in own for take in theirs if give != take)


def exchange_cards(course: Course, action: ExchangeCards) -> None:
    """Exchange two cards that differ, each keeping its rotation (R-33)."""
    state = course.state
    other = _hq(state, action.hq)
    if action.hq == state.active:
        raise Illegal("own-hq", "R-33")
    for seat, hq, card in ((state.active, state.hqs[state.active], action.give), (action.hq, other, action.take)):
        if card not in _cards_in(hq):
            raise Illegal("cards-not-in-hq", "R-33", hq=seat, colour=card.colour)
    if action.give == action.take:
        raise Illegal("changes-nothing", "R-30")
    course.record(CardsExchanged(seat=state.active, gave=action.give, hq=action.hq, took=action.take))


def ambient_options(state: State) -> Iterator[UnrotateCards]:
    """Yield one or two rotated cards, any colours, in any HQ."""
    for seat, hq in enumerate(state.hqs):
        turned: list[Colour] = [colour for colour in COLOURS if hq.rotated[colour]]
        yield from (UnrotateCards(hq=seat, colours=(colour,)) for colour in turned)
        for pair in combinations_with_replacement(turned, 2):
            if pair[0] != pair[1] or hq.rotated[pair[0]] > 1:
                yield UnrotateCards(hq=seat, colours=pair)


def unrotate_cards(course: Course, action: UnrotateCards) -> None:
    """Unrotate one or two rotated cards in one HQ (R-34)."""
    if not 1 <= len(action.colours) <= 2:
        raise Illegal("wrong-number-of-cards", "R-34", least=1, most=2)
    rotated = _hq(course.state, action.hq).rotated
    for colour, cards in count(action.colours).items():
        if cards > rotated[colour]:
            raise Illegal("cards-not-in-hq", "R-34", hq=action.hq, colour=colour)
    course.record(CardsUnrotated(hq=action.hq, colours=action.colours))


def social_options(state: State) -> Iterator[RemoveCard]:
    """Yield every card of every HQ."""
    for seat, hq in enumerate(state.hqs):
        yield from (RemoveCard(hq=seat, card=card) for card in _cards_in(hq))


def remove_card(course: Course, action: RemoveCard) -> None:
    """Put one card of any HQ into the box (R-35)."""
    if action.card not in _cards_in(_hq(course.state, action.hq)):
        raise Illegal("cards-not-in-hq", "R-35", hq=action.hq, colour=action.card.colour)
    course.record(CardRemoved(hq=action.hq, card=action.card))


def _cards_in(hq: Hq) -> list[Card]:
    return [card for (colour, rotated), card in _CARDS.items() if (hq.rotated if rotated else hq.cards)[colour]]


def _hq(state: State, seat: int) -> Hq:
    if not 0 <= seat < len(state.hqs):
        raise Illegal("no-such-hq", hq=seat)
    return state.hqs[seat]


# Viral, Product Placement and Negative Campaigning, of the house rules.

MOST_DELUXE_AGENTS = 2
"""The most agents that come or go."""


def viral_options(state: State) -> Iterator[AddAgents]:
    """Yield one or two agents of the supply on any company of their colour."""
    for square, company in state.companies.items():
        for agents in range(1, min(state.supply[company.colour], MOST_DELUXE_AGENTS) + 1):
            yield AddAgents(company=square, agents=agents)


def add_agents(course: Course, action: AddAgents) -> None:
    """Add one or two agents of the supply to a company of their colour (R-74)."""
    company = _company(course.state, action.company)
    _check_number(action.agents, "R-74")
    left = course.state.supply[company.colour]
    if action.agents > left:
        raise Illegal("supply-too-small", "R-74", colour=company.colour, left=left)
    seat = course.state.active
    course.record(AgentsPlaced(seat=seat, company=action.company, colour=company.colour, agents=action.agents))


def placement_options(state: State) -> Iterator[PlaceCard]:
    """Yield one card of each colour in the hand."""
    yield from (PlaceCard(colour=colour) for colour in COLOURS if state.hands[state.active][colour])


def place_card(course: Course, action: PlaceCard) -> None:
    """Put one card from the hand into the own HQ, unrotated (R-75)."""
    seat = course.state.active
    if not course.state.hands[seat][action.colour]:
        raise Illegal("cards-not-in-hand", "R-75", colour=action.colour, held=0)
    course.record(CardsPlaced(seat=seat, colour=action.colour, cards=1))


def negative_options(state: State) -> Iterator[WithdrawAgents]:
    """Yield one or two agents of any company that keeps one at least."""
    for square, company in state.companies.items():
        for agents in range(1, min(company.agents - 1, MOST_DELUXE_AGENTS) + 1):
            yield WithdrawAgents(company=square, agents=agents)


def withdraw_agents(course: Course, action: WithdrawAgents) -> None:
    """Send one or two agents of a company back to the supply; one stays (R-76)."""
    company = _company(course.state, action.company)
    _check_number(action.agents, "R-76")
    if action.agents >= company.agents:
        raise Illegal("last-agent-stays", "R-76", square=action.company)
    course.record(AgentsWithdrawn(company=action.company, colour=company.colour, agents=action.agents))


def _check_number(agents: int, rule: str) -> None:
    if not 1 <= agents <= MOST_DELUXE_AGENTS:
        raise Illegal("wrong-number-of-agents", rule)


# The table of abilities.


class AbilityUse(NamedTuple):
    """Ability of a company type: its action, the options (one per distinct outcome), and the function that decides."""

    action: type[Ability]
    options: Callable[[State], Iterator[Ability]]
    use: Callable[[Course, Any], None]


EFFECTS: Mapping[CompanyType, AbilityUse] = {
    "online-marketing": AbilityUse(ExchangeAgents, online_options, exchange_agents),
    "guerrilla-marketing": AbilityUse(RotateCards, guerrilla_options, rotate_cards),
    "broadcast-network": AbilityUse(MoveAgents, broadcast_options, move_agents),
    "print-media": AbilityUse(ExchangeCards, print_options, exchange_cards),
    "social-media": AbilityUse(RemoveCard, social_options, remove_card),
    "ambient-advertising": AbilityUse(UnrotateCards, ambient_options, unrotate_cards),
    "viral-marketing": AbilityUse(AddAgents, viral_options, add_agents),
    "product-placement": AbilityUse(PlaceCard, placement_options, place_card),
    "negative-campaigning": AbilityUse(WithdrawAgents, negative_options, withdraw_agents),
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
