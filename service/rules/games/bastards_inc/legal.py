"""Legal actions of a seat, one for each distinct outcome (B-14), and the conditions that `decide` shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import Final, Literal, NamedTuple

from service.rules.games.bastards_inc.actions import (
    Action,
    Agree,
    BuyPrize,
    Campaign,
    Collect,
    Deal,
    Decline,
    Delegate,
    Done,
    Draw,
    Drop,
    Expose,
    Fight,
    Give,
    Hire,
    Instruct,
    Invite,
    Keep,
    KeepSilent,
    Launder,
    Let,
    OrderWars,
    Pass,
    Place,
    Play,
    Push,
    Sell,
    Withdraw,
    Yield,
)
from service.rules.games.bastards_inc.costs import (
    can_pay,
    effort,
    entry_effort,
    laundering_effort,
    media_effort,
    selling_effort,
    stuff_of,
)
from service.rules.games.bastards_inc.edition import (
    BUSINESS_DATA,
    CARD_DATA,
    EFFORT_PRICES,
    GIFT_SIZES,
    MAX_BUSINESSES,
    MAX_INVITATIONS_PER_ROUND,
    MAX_SCORE,
    MAX_STUFF,
    MAX_VPS,
    MAX_WARS,
    PAPERS,
    PRIZE_PRICE,
    SIDE_PAYMENTS,
    VP_PRICE,
    CardKind,
)
from service.rules.games.bastards_inc.state import NEW_TURN, Company, State, updated
from service.rules.games.bastards_inc.terms import (
    FIELDS,
    LOUNGE,
    REGIONS,
    SCORES,
    SETTINGS,
    SQUARES,
    ActionCard,
    Business,
    Entry,
    Location,
    Phase,
    Region,
    Score,
)

Numbers = Callable[[Company], Sequence[int]]
"""Numbers of a company's VPs to be told apart."""
Pair = tuple[int, Delegate]
"""An own VP, and another seat's."""
Slots = Sequence[Sequence[Region]]

ENTRY_SCORES: Mapping[Entry | None, Score] = {"cor": "cor", "cri": "cri"}
"""The entries that need a score."""
_BUSINESSES: Final[Mapping[str, Business]] = {card: card for card in BUSINESS_DATA}
_ACTION_CARDS: Final[Mapping[str, ActionCard]] = {card: card for card in CARD_DATA}
_REGIONS: Final[Mapping[str, Region]] = {region: region for region in REGIONS}


def legal(state: State, seat: int) -> Sequence[Action]:
    """Return every legal action of the seat, one per distinct outcome; none unless it is asked."""
    return _LEGAL[state.phase](state, seat) if seat in state.asked else []


def ahead(state: State, seat: int) -> Sequence[Action]:
    """Return what a seat could do if its turn in the business phase began now."""
    if state.phase == "over":
        return []
    return legal_business(_with_new_turn(state, seat)._replace(phase="business", active=seat), seat)


def has_a_reason(state: State, seat: int) -> bool:
    """Say whether a seat has an action, or an invitation to make or answer; otherwise it passes unasked (B-52).

    Since revision 2 a new turn is looked at: an invitation made in the last turn is no obstacle.
    """
    begun = state if state.revision < 2 else _with_new_turn(state, seat)
    return next(_worth_a_turn(begun, seat), None) is not None


def _with_new_turn(state: State, seat: int) -> State:
    """Return the state with the seat's free acts of the turn still open (B-16, B-54)."""
    return updated(state, seat, **NEW_TURN)


# The phases before business.


def legal_draw(state: State, seat: int) -> Sequence[Action]:
    """Return the bonuses that can be had, to draw nothing, the cards to drop, the instructions (B-16, B-20, B-21)."""
    company = state.companies[seat]
    bonuses = [0, *(bonus for bonus in range(1, len(EFFORT_PRICES)) if buys_a_card(company, bonus))]
    return [
        *(Draw(bonus=bonus) for bonus in bonuses if can_pay(company, EFFORT_PRICES[bonus])),
        *((Keep(),) if may_keep(state, seat) else ()),
        *(Drop(card=card) for card in company.hand if card not in company.dropped),
        *legal_instructions(state, seat),
    ]


def may_keep(state: State, seat: int) -> bool:
    """Say whether a seat would draw a card, and may do without (B-20; since revision 2)."""
    return state.revision > 1 and buys_a_card(state.companies[seat], 0)


def buys_a_card(company: Company, bonus: int) -> bool:
    """Say whether the hand after discarding leaves room for a card, with the bonus (B-21)."""
    return len(company.hand) - len(company.dropped) < len(company.vps) + bonus


def legal_collect(state: State, seat: int) -> Sequence[Action]:
    """Return every set of VPs that may be collected, none at all first (B-23)."""
    may = collectable(state, seat)
    return [Collect(vps=vps) for number in range(len(may) + 1) for vps in combinations(may, number)]


def collectable(state: State, seat: int) -> tuple[int, ...]:
    """Return the VPs of a seat that may be collected."""
    vps = enumerate(state.companies[seat].vps, 1)
    return tuple(number for number, vp in vps if may_leave(state, seat, vp.at))


def may_leave(state: State, seat: int, place: Location) -> bool:
    """Say whether VPs of a seat may leave a field by its will: only the laureate's leave a war (B-48, B-71)."""
    return place != LOUNGE and (place not in state.wars or seat == state.laureate)


def legal_place(state: State, seat: int) -> Sequence[Action]:
    """Return where the next free VP may go, and how; and the instructions (B-16, B-31, B-35)."""
    company = state.companies[seat]
    squares = ((square, media_effort(state, seat, square)) for square in SQUARES)
    return [
        *(Place(to=region, by=by) for region in REGIONS for by in _entries(state, seat, region)),
        *(Place(to=square) for square, price in squares if price is not None and can_pay(company, price)),
        Place(to=LOUNGE),
        *legal_instructions(state, seat),
    ]


def _entries(state: State, seat: int, region: Region) -> Iterator[Entry | None]:
    company = state.companies[seat]
    if seat == state.laureate:
        yield "prize"
    elif region not in state.wars:
        for by, score in ENTRY_SCORES.items():
            price = entry_effort(state, seat, region, score)
            if price is not None and can_pay(company, price):
                yield by
        if PAPERS in company.hand:
            yield "papers"


def legal_challenge(state: State, seat: int) -> Sequence[Action]:
    """Return to let the newcomer in, and every bid (B-32)."""
    return [Let(), *(Fight(influence=bid) for bid in range(state.companies[seat].influence + 1))]


def legal_push(_state: State, _seat: int) -> Sequence[Action]:
    """Return both answers of a newcomer who is fought (B-33)."""
    return [Push(), Yield()]


def legal_wars(state: State, _: int) -> Sequence[Action]:
    """Return every order of the wars, that of the board first (B-42)."""
    wars = [region for region in REGIONS if region in state.wars]
    return [OrderWars(regions=regions) for regions in permutations(wars)]


def legal_instructions(state: State, seat: int) -> list[Instruct]:
    """Return every instruction that the seat may change, with its other settings (B-16)."""
    own = state.companies[seat]
    return [
        Instruct(instruction=instruction, setting=setting)
        for instruction, settings in SETTINGS.items()
        if instruction not in own.instructed
        for setting in settings
        if setting != getattr(own, instruction)
    ]


# The business phase (B-51 to B-60), and journalists (B-61).


def legal_business(state: State, seat: int) -> Sequence[Action]:
    """Return the legal actions of a seat in its turn of the business phase."""
    return [
        *_worth_a_turn(state, seat),
        *((Withdraw(),) if state.companies[seat].invitation is not None else ()),
        *legal_gifts(state, seat),
        *legal_instructions(state, seat),
        Pass(),
        Done(),
    ]


def _worth_a_turn(state: State, seat: int) -> Iterator[Action]:
    own = state.companies[seat]
    yield from legal_deals(state, seat)
    yield from _moves_of_vps(state, seat)
    if len(own.vps) < MAX_VPS and can_pay(own, VP_PRICE):
        yield Hire()
    if own.influence >= PRIZE_PRICE and state.laureate != seat:
        yield BuyPrize()
    for card in own.hand:
        action_card = _ACTION_CARDS.get(card)
        if action_card is not None:
            yield from plays(state, seat, action_card, unlike_vps)
    for host in hosts(state, seat):
        yield Agree(seat=host)
        yield Decline(seat=host)
    yield from legal_invitations(state, seat)


def _moves_of_vps(state: State, seat: int) -> Iterator[Launder | Sell | Campaign]:
    """Yield the actions that send a VP to the Lounge (B-48, B-59, B-60)."""
    own = state.companies[seat]
    for number in unlike_vps(own):
        vp = own.vps[number - 1]
        region = _REGIONS.get(vp.at)
        if vp.at in SQUARES:
            yield Campaign(vp=number)
        elif region is not None and may_leave(state, seat, region):
            if vp.black and _payable(state, seat, laundering_effort(state, seat, region)):
                yield Launder(vp=number)
            if stuff_of(state, region) < MAX_STUFF and _payable(state, seat, selling_effort(state, seat, region)):
                yield Sell(vp=number)


def _payable(state: State, seat: int, price: int | None) -> bool:
    return price is not None and can_pay(state.companies[seat], price)


def legal_gifts(state: State, seat: int) -> Iterator[Give]:
    """Return every gift that the seat may make."""
    own = state.companies[seat]
    if own.gave:
        return
    for other in range(len(state.companies)):
        if other != seat:
            yield from (Give(seat=other, billions=gift) for gift in GIFT_SIZES if gift <= own.billions)


def legal_expose(_state: State, _seat: int) -> Sequence[Action]:
    """Return both answers of a journalist (B-61)."""
    return [Expose(), KeepSilent()]


# Businesses and joint ventures (B-55, B-58).


def upright(own: Company, card: Business) -> bool:
    """Say whether a business lies upright in the portfolio."""
    return any(folder.card == card and not folder.turned for folder in own.portfolio)


def is_full(own: Company) -> bool:
    """Say whether a further business has to replace one of the portfolio (B-58)."""
    return len(own.portfolio) >= MAX_BUSINESSES


def fits(slots: Slots, first: Location, second: Location) -> bool:
    """Say whether two VPs, in either order, stand in regions of the two slots of a business (B-55)."""
    return (first in slots[0] and second in slots[1]) or (second in slots[0] and first in slots[1])


def deal_effort(own: Company, card: Business) -> int | None:
    """Return the effort for the score that a business needs, None if too much is missing (B-58)."""
    data = BUSINESS_DATA[card]
    return effort(getattr(own.scores, data.score), data.least)


def legal_deals(state: State, seat: int) -> Iterator[Deal]:
    """Return every business that the seat may make now."""
    own = state.companies[seat]
    for card, price in _usable(state, seat):
        replacing: tuple[Business | None, ...] = (None,)
        if card in own.hand and is_full(own):
            replacing = tuple(folder.card for folder in own.portfolio)
        for deal in _deals_with(state, seat, card, price):
            for replaces in replacing:
                yield Deal(card=card, vps=deal.vps, partner=deal.partner, pay=deal.pay, replaces=replaces)


def _usable(state: State, seat: int) -> Iterator[tuple[Business, int]]:
    """Return the businesses in the hand, and upright ones, with the effort of those that can be paid."""
    own = state.companies[seat]
    for held in (*own.hand, *(folder.card for folder in own.portfolio)):
        card = _BUSINESSES.get(held)
        if card is not None and (card in own.hand or upright(own, card)):
            price = deal_effort(own, card)
            if price is not None and can_pay(own, price):
                yield card, price


def _deals_with(state: State, seat: int, card: Business, price: int) -> Iterator[Deal]:
    """Return the ways to make a business, whatever it replaces."""
    own, slots = state.companies[seat], BUSINESS_DATA[card].slots
    numbers = [number for number in unlike_vps(own) if own.vps[number - 1].at != LOUNGE]
    by_slot = ([number for number in numbers if own.vps[number - 1].at in slot] for slot in slots)
    yield from (Deal(card=card, vps=vps) for vps in product(*by_slot))
    open_pairs = {pair: None for pair in _pairs(state, seat, slots) if state.companies[pair[1].seat].venture == "open"}
    yield from (Deal(card=card, vps=(vp,), partner=partner) for vp, partner in open_pairs)
    invitation = own.invitation
    if invitation is None or not invitation.agreed or invitation.card != card:
        return
    vp, partner, pay = invitation.vp, invitation.partner, invitation.pay
    payable = can_pay(own, price, kept=max(0, pay)) and state.companies[partner.seat].billions >= -pay
    if payable and not (pay == 0 and (vp, partner) in open_pairs):
        yield Deal(card=card, vps=(vp,), partner=partner, pay=pay)


def _pairs(state: State, seat: int, slots: Slots) -> Iterator[Pair]:
    """Yield the pairs of VPs, own and another seat's, in the regions of a business for two."""
    if len(slots) < 2:
        return
    own = state.companies[seat]
    for number in unlike_vps(own):
        place = own.vps[number - 1].at
        if place not in slots[0] and place not in slots[1]:
            continue
        for seat_of, other in enumerate(state.companies):
            for theirs in unlike_vps(other) if seat_of != seat else ():
                if fits(slots, place, other.vps[theirs - 1].at):
                    yield number, Delegate(seat=seat_of, vp=theirs)


def legal_invitations(state: State, seat: int) -> Iterator[Invite]:
    """Return every invitation that the seat may make now, with every side payment that can be met (B-55)."""
    own = state.companies[seat]
    if not may_invite(state, seat):
        return
    for card, price in _usable(state, seat):
        for vp, partner in _pairs(state, seat, BUSINESS_DATA[card].slots):
            for pay in side_payments(state, partner.seat):
                if can_pay(own, price, kept=max(0, pay)):
                    yield Invite(card=card, vp=vp, partner=partner, pay=pay)


def may_invite(state: State, seat: int) -> bool:
    """Say whether a seat may invite: once per turn, three times a round, one invitation at a time (B-54)."""
    own = state.companies[seat]
    return own.invitation is None and not own.invited and own.invitations < MAX_INVITATIONS_PER_ROUND


def side_payments(state: State, partner: int) -> tuple[Literal[-2, 0, 2], ...]:
    """Return the side payments to offer a partner: an open partner may only pay, a closed one gets no offer (B-55)."""
    venture = state.companies[partner].venture
    if venture == "closed":
        return ()
    offered = [pay for pay in SIDE_PAYMENTS if pay < 0 or venture == "ask"]
    return tuple(pay for pay in offered if pay >= 0 or state.companies[partner].billions >= -pay)


def hosts(state: State, seat: int) -> list[int]:
    """Return the seats whose invitation waits for an answer of this one."""
    invitations = ((host, own.invitation) for host, own in enumerate(state.companies))
    return [host for host, each in invitations if each is not None and each.partner.seat == seat and not each.agreed]


# Action cards (B-75, B-76).


class HeldCard(NamedTuple):
    """A card in the hand of a seat; `numbers` are those of the VPs of a company that are told apart."""

    state: State
    seat: int
    card: ActionCard
    numbers: Numbers

    @property
    def own(self) -> Company:
        """The company of the seat."""
        return self.state.companies[self.seat]

    @property
    def others(self) -> Iterator[tuple[int, Company]]:
        """The other seats and their companies."""
        return ((seat, each) for seat, each in enumerate(self.state.companies) if seat != self.seat)


def all_vps(company: Company) -> Sequence[int]:
    """Return the numbers of all VPs of a company."""
    return range(1, len(company.vps) + 1)


def unlike_vps(company: Company) -> Sequence[int]:
    """Return the lowest numbers of VPs in the same place with the same black money (B-14)."""
    vps = company.vps
    return [number for number, vp in enumerate(vps, start=1) if vps.index(vp) == number - 1]


def plays(state: State, seat: int, card: ActionCard, numbers: Numbers = all_vps) -> Iterator[Play]:
    """Return every way to play a card of the hand in the business phase, if its price can be paid (B-76)."""
    data = CARD_DATA[card]
    if data.timing != "placement" and can_pay(state.companies[seat], data.cost):
        yield from _PLAYS[data.kind](HeldCard(state, seat, card, numbers))


def _always(held: HeldCard) -> Iterator[Play]:
    yield Play(card=held.card)


def _haven(held: HeldCard) -> Iterator[Play]:
    vps = held.own.vps
    return (Play(card=held.card, vp=number) for number in held.numbers(held.own) if vps[number - 1].black)


def _improve(held: HeldCard) -> Iterator[Play]:
    score, scores = CARD_DATA[held.card].score, held.own.scores
    if score == "any":
        below = [each for each in SCORES if getattr(scores, each) < MAX_SCORE]
        yield from (Play(card=held.card, score=each) for each in below)
    elif score is not None and getattr(scores, score) < MAX_SCORE:
        yield Play(card=held.card)


def _smear(held: HeldCard) -> Iterator[Play]:
    for seat, other in held.others:
        above = [score for score in SCORES if getattr(other.scores, score)]
        yield from (Play(card=held.card, seat=seat, score=score) for score in above)


def _war(held: HeldCard) -> Iterator[Play]:
    regions = (region for region in REGIONS if may_break_out(held.state, region))
    return (Play(card=held.card, field=region) for region in regions)


def _peace(held: HeldCard) -> Iterator[Play]:
    return (Play(card=held.card, field=region) for region in REGIONS if region in held.state.wars)


def _stuff(held: HeldCard) -> Iterator[Play]:
    more = CARD_DATA[held.card].number > 0
    for region in REGIONS:
        stuff = stuff_of(held.state, region)
        if stuff < MAX_STUFF if more else stuff > 0:
            yield Play(card=held.card, field=region)


def _evict(held: HeldCard) -> Iterator[Play]:
    for seat, other in held.others:
        for number in held.numbers(other):
            if other.vps[number - 1].at != LOUNGE:
                yield Play(card=held.card, target=Delegate(seat=seat, vp=number))


def _sue(held: HeldCard) -> Iterator[Play]:
    return (Play(card=held.card, seat=seat) for seat, other in held.others if other.billions)


def _extort(held: HeldCard) -> Iterator[Play]:
    for own in held.numbers(held.own):
        place = held.own.vps[own - 1].at
        for seat, other in held.others if place in REGIONS else ():
            for number in held.numbers(other):
                vp = other.vps[number - 1]
                if vp.at == place and vp.black:
                    yield Play(card=held.card, vp=own, target=Delegate(seat=seat, vp=number))


def _draw(held: HeldCard) -> Iterator[Play]:
    if held.state.cards or held.state.discards:
        yield Play(card=held.card)


def _skeleton(held: HeldCard) -> Iterator[Play]:
    if held.state.laureate not in (None, held.seat):
        yield Play(card=held.card)


def _nepotism(held: HeldCard) -> Iterator[Play]:
    if len(held.own.vps) < MAX_VPS:
        yield Play(card=held.card)


def _again(held: HeldCard) -> Iterator[Play]:
    return (Play(card=held.card, business=folder.card) for folder in held.own.portfolio if folder.turned)


def _telethon(held: HeldCard) -> Iterator[Play]:
    if any(vp.at in SQUARES for vp in held.own.vps):
        yield Play(card=held.card)


def _jet(held: HeldCard) -> Iterator[Play]:
    state, seat = held.state, held.seat
    fields = [field for field in FIELDS if field not in state.wars or state.laureate == seat]
    for number in held.numbers(held.own):
        place = held.own.vps[number - 1].at
        if place == LOUNGE or may_leave(state, seat, place):
            yield from (Play(card=held.card, vp=number, field=field) for field in fields if field != place)


_PLAYS: Mapping[CardKind, Callable[[HeldCard], Iterator[Play]]] = {
    "haven": _haven,
    "money": _always,
    "influence": _always,
    "improve": _improve,
    "smear": _smear,
    "war": _war,
    "peace": _peace,
    "stuff": _stuff,
    "evict": _evict,
    "sue": _sue,
    "extort": _extort,
    "draw": _draw,
    "bunker": _always,
    "skeleton": _skeleton,
    "nepotism": _nepotism,
    "again": _again,
    "telethon": _telethon,
    "jet": _jet,
    "immunity": _always,
}


def may_break_out(state: State, region: Region) -> bool:
    """Say whether a war may break out in a region: not if it is at war, or three are (B-15, B-41)."""
    return region not in state.wars and len(state.wars) < MAX_WARS


_LEGAL: Mapping[Phase, Callable[[State, int], Sequence[Action]]] = {
    "draw": legal_draw,
    "collect": legal_collect,
    "place": legal_place,
    "challenge": legal_challenge,
    "push": legal_push,
    "wars": legal_wars,
    "business": legal_business,
    "expose": legal_expose,
}
