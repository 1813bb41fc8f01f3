"""Playing action cards: who holds them, what they cost, what they are aimed at (B-75, B-76)."""

from __future__ import annotations

from service.rules.games.bastards_inc.actions import Play
from service.rules.games.bastards_inc.business_events import ActAnnounced
from service.rules.games.bastards_inc.card_effects import take_effect
from service.rules.games.bastards_inc.card_events import CardPlayed
from service.rules.games.bastards_inc.course import Course
from service.rules.games.bastards_inc.edition.action_cards import CARD_DATA
from service.rules.games.bastards_inc.journalism import goes_ahead
from service.rules.games.bastards_inc.legal_cards import plays
from service.rules.games.bastards_inc.paying import can_pay, pay
from service.rules.games.bastards_inc.state import State
from service.rules.kernel import Illegal


def is_free(action: Play) -> bool:
    """Say whether a card is played beside the action of the turn (B-54)."""
    return CARD_DATA[action.card].timing == "free"


def play(course: Course, seat: int, action: Play) -> None:
    """Pay for a card and play it; it takes effect, if nobody exposes that (B-75, B-76)."""
    _check(course.state, seat, action)
    data = CARD_DATA[action.card]
    pay(course, seat, data.cost)
    course.record(CardPlayed(seat=seat, play=action, free=is_free(action)))
    if goes_ahead(course, ActAnnounced(seat=seat, play=action), data.illegal):
        take_effect(course, seat, action)


def _check(state: State, seat: int, action: Play) -> None:
    own, data = state.companies[seat], CARD_DATA[action.card]
    if action.card not in own.hand:
        raise Illegal("card-not-in-hand", "B-75", card=action.card)
    if data.timing == "placement":
        raise Illegal("only-when-placing", "B-35", card=action.card)
    if not can_pay(own, data.cost):
        raise Illegal("cannot-pay", "B-76", price=data.cost)
    ways = list(plays(state, seat, action.card))
    if not ways:
        raise Illegal("not-playable", "B-76", card=action.card)
    if action not in ways:
        raise Illegal("wrong-target", "B-75", card=action.card)
