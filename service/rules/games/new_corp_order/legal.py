"""Legal actions of a seat, one for each distinct outcome; and the conditions that `decide` shares with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, product

from service.rules.games.new_corp_order import abilities
from service.rules.games.new_corp_order.actions import (
    Action,
    ChooseConglomerates,
    Discard,
    Infiltrate,
    PlaceAgents,
    Placement,
    PlayOds,
    Plot,
    SkipAbility,
    TakeOver,
)
from service.rules.games.new_corp_order.grid import neighbours_of
from service.rules.games.new_corp_order.house_rules import ACCOUNTANT
from service.rules.games.new_corp_order.state import Company, State, available, cards_due
from service.rules.games.new_corp_order.terms import (
    CARDS_FOR_CONSULTANT,
    COLOURS,
    HAND_LIMIT,
    ODS,
    SLOTS,
    Colour,
    Consultant,
    Source,
    Square,
)
from service.rules.kernel import Illegal

CONSULTANT_ACTIONS: Mapping[Consultant, type[Infiltrate] | type[TakeOver]] = {
    "media-advisor": Infiltrate,
    "dealmaker": TakeOver,
    "corporate-lawyer": Infiltrate,
    "military-contractor": TakeOver,
    "corporate-accountant": TakeOver,
    "spin-doctor": Infiltrate,
    "headhunter": TakeOver,
}


def check_consultant(state: State, action: Infiltrate | TakeOver) -> None:
    """Refuse a consultant that is not in the HQ or does not go with the action."""
    if action.use is None:
        return
    if CONSULTANT_ACTIONS[action.use] is not type(action):
        fits = "infiltrate" if CONSULTANT_ACTIONS[action.use] is Infiltrate else "take-over"
        raise Illegal("consultant-does-not-fit", "R-11", consultant=action.use, fits=fits)
    if not state.hqs[state.active].consultants.get(action.use):
        raise Illegal("consultant-not-held", "R-11", consultant=action.use)


# When arriving agents win a company, and when they may not.


def takeover_succeeds(target: Company, colour: Colour, agents: int, use: Consultant | None) -> bool:
    """Return whether agents of a colour take the target over: more than it holds, with Military Contractor as many."""
    if target.colour == colour:
        return False
    return agents > target.agents or (agents == target.agents and use == "military-contractor")


def is_last_of_colour(state: State, colour: Colour) -> bool:
    """Return whether only one company on the grid holds the colour."""
    return sum(company.colour == colour for company in state.companies.values()) == 1


def legal(state: State, seat: int) -> Sequence[Action]:
    """Return the legal actions of the seat; none unless it has to act."""
    if state.phase == "over" or seat != state.active:
        return []
    if state.phase in ("turn", "second-card"):
        return list(_turn(state, seat))
    if state.phase == "ability":
        return [*abilities.options(state), SkipAbility()]
    if state.phase == "discard":
        return list(discards(state))
    if state.phase == "placement":
        return list(solo_placements(state))
    return [ChooseConglomerates(colours=pair) for pair in combinations(COLOURS, 2)]


def ahead(state: State, seat: int) -> Sequence[Action]:
    """Return what the seat could do if its turn began now; nothing before the conglomerates are chosen (R-50)."""
    if state.phase in ("over", "conglomerates"):
        return []
    return list(_turn(state._replace(active=seat, phase="turn"), seat))


def can_act(state: State, seat: int) -> bool:
    """Return whether the seat could do anything with a turn (R-10)."""
    # Where there is a card, it can plot.
    return available(state) > 0 or next(_turn(state._replace(active=seat, phase="turn"), seat), None) is not None


def _turn(state: State, seat: int) -> Iterator[Action]:
    if state.solo and seat == ODS:
        yield PlayOds()
        return
    yield from plots(state)
    if state.phase == "second-card":
        return
    if not state.solo:
        yield from _infiltrations(state)
    yield from takeovers(state)


def plots(state: State) -> Iterator[Plot]:
    """Return every Plot of one card or two (R-12)."""
    slots: list[Source] = [slot for slot, card in zip(SLOTS, state.display, strict=False) if card is not None]
    sources: list[Source] = [*slots, "deck"] if state.deck else slots
    yield from (Plot(sources=(source,)) for source in sources)
    if cards_due(state) == 2:
        yield from (Plot(sources=pair) for pair in combinations(sources, 2))
        if len(state.deck) > 1:
            yield Plot(sources=("deck", "deck"))


def _infiltrations(state: State) -> Iterator[Infiltrate]:
    held = held_for(state, Infiltrate)
    for colour in COLOURS:
        for cards in range(1, min(state.hands[state.active][colour], state.supply[colour]) + 1):
            for company in companies_of(state, colour):
                placement = Placement(colour=colour, cards=cards, company=company)
                yield from with_take(state, (placement,), None, None)
                if "media-advisor" in held:
                    yield from _with_joker(state, placement)
                if "spin-doctor" in held and cards < state.supply[colour]:
                    yield from with_take(state, (placement,), "spin-doctor", None)
    if "corporate-lawyer" in held:
        yield from _with_lawyer(state)


def with_take(
    state: State, placements: tuple[Placement, ...], use: Consultant | None, joker: Colour | None
) -> Iterator[Infiltrate]:
    """Return the Infiltrate with these placements, without a consultant and with each that may be taken (R-16)."""
    yield Infiltrate(placements=placements, use=use, joker=joker)
    if max(placement.cards for placement in placements) + (joker is not None) >= CARDS_FOR_CONSULTANT:
        for take in state.consultants:
            if take != use and state.consultants[take]:
                yield Infiltrate(placements=placements, use=use, joker=joker, take=take)


def _with_joker(state: State, placement: Placement) -> Iterator[Infiltrate]:
    if placement.cards + 1 <= state.supply[placement.colour]:
        for joker in COLOURS:
            if joker != placement.colour and state.hands[state.active][joker]:
                yield from with_take(state, (placement,), "media-advisor", joker)


def _with_lawyer(state: State) -> Iterator[Infiltrate]:
    hand = state.hands[state.active]
    one_colour = {
        colour: [
            Placement(colour=colour, cards=cards, company=company)
            for cards in range(1, min(hand[colour], state.supply[colour]) + 1)
            for company in companies_of(state, colour)
        ]
        for colour in COLOURS
    }
    for first, second in combinations(COLOURS, 2):
        for pair in product(one_colour[first], one_colour[second]):
            yield from with_take(state, pair, "corporate-lawyer", None)


def takeovers(state: State) -> Iterator[TakeOver]:
    """Return every Takeover, those that fail too (R-19, R-20, R-72)."""
    neighbours = neighbours_of(len(state.companies))
    held = held_for(state, TakeOver)
    uses = (None, *(consultant for consultant in held if consultant != ACCOUNTANT))
    accountant = (ACCOUNTANT,) if ACCOUNTANT in held else ()
    protected = {colour for colour in COLOURS if is_last_of_colour(state, colour)}
    own: Sequence[Colour] = state.colours[state.active] if state.solo else COLOURS
    for source, company in state.companies.items():
        unrotated = state.hqs[state.active].cards[company.colour] if company.colour in own else 0
        paid = product(range(1, min(unrotated, company.agents - 1) + 1), neighbours[source], uses)
        spared = product(range(2, min(unrotated + 1, company.agents - 1) + 1), neighbours[source], accountant)
        for agents, square, use in chain(paid, spared):
            target = state.companies[square]
            if target.colour not in protected or not takeover_succeeds(target, company.colour, agents, use):
                yield TakeOver(source=source, target=square, agents=agents, use=use)


def discards(state: State) -> Iterator[Discard]:
    """Return every way to discard down to the hand limit (R-14)."""
    hand = state.hands[state.active]
    above = sum(hand.values()) - HAND_LIMIT
    for numbers in product(*(range(min(hand[colour], above) + 1) for colour in COLOURS)):
        if sum(numbers) == above:
            cards = tuple(colour for colour, number in zip(COLOURS, numbers, strict=True) for _ in range(number))
            yield Discard(cards=cards)


def solo_placements(state: State) -> Iterator[PlaceAgents]:
    """Return every way to place the agents of the cards just taken (R-51)."""
    colours = dict.fromkeys(state.to_place)
    for companies in product(*(companies_of(state, colour) for colour in colours)):
        yield PlaceAgents(companies=companies)


def held_for(state: State, action: type[Infiltrate] | type[TakeOver]) -> list[Consultant]:
    """Return the consultants in the HQ of the active seat that change this kind of action (R-11)."""
    held = state.hqs[state.active].consultants
    return [consultant for consultant, number in held.items() if number and CONSULTANT_ACTIONS[consultant] is action]


def companies_of(state: State, colour: Colour) -> list[Square]:
    """Return the companies that hold a colour."""
    return [square for square, company in state.companies.items() if company.colour == colour]
