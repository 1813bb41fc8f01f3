"""The abilities that touch cards in an HQ: Guerrilla, Print, Ambient and Social (R-32 to R-35)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

from service.rules.games.new_corp_order.actions import Card, ExchangeCards, RemoveCard, RotateCards, UnrotateCards
from service.rules.games.new_corp_order.course import Course
from service.rules.games.new_corp_order.events import CardRemoved, CardsExchanged, CardsRotated, CardsUnrotated
from service.rules.games.new_corp_order.state import Hq, State
from service.rules.games.new_corp_order.terms import COLOURS, Colour, count
from service.rules.kernel import Illegal

_CARDS = {(colour, rotated): Card(colour=colour, rotated=rotated) for colour in COLOURS for rotated in (False, True)}


def guerrilla_options(state: State) -> Iterator[RotateCards]:
    """One or two unrotated cards of a colour in any HQ."""
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
    """Every card of the own HQ against every different one of another."""
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
    """One or two rotated cards, any colours, in any HQ."""
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
    """Every card of every HQ."""
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
