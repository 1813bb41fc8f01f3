"""How a turn ends and the next begins: refill, hand limit, last round, end of the game."""

from __future__ import annotations

from service.rules.games.new_corp_order.actions import Discard
from service.rules.games.new_corp_order.course import Course
from service.rules.games.new_corp_order.events import (
    CardsDiscarded,
    CardsDrawn,
    DecisionReached,
    DisplayRefilled,
    EndTriggered,
    GameEnded,
    TurnBegan,
    TurnPassed,
)
from service.rules.games.new_corp_order.legal import can_act
from service.rules.games.new_corp_order.scoring import final_scores, winners
from service.rules.games.new_corp_order.terms import COLOURS, HAND_LIMIT, SLOTS, count
from service.rules.kernel import Illegal

DEALMAKER_CARDS = 2


def refill_display(course: Course) -> bool:
    """Fill the empty slots from the left; return whether the deck had enough cards (R-12, R-13)."""
    state = course.state
    empty = [slot for slot, card in zip(SLOTS, state.display, strict=False) if card is None]
    cards = tuple(zip(empty, state.deck, strict=False))
    if cards:
        course.record(DisplayRefilled(cards=cards))
    return len(cards) == len(empty)


def finish_plot(course: Course) -> None:
    """Refill the display after a Plot of a game for 2 to 4, and end the turn."""
    refilled = refill_display(course)
    if not refilled and course.state.final_turns is None:
        course.record(EndTriggered(seat=course.state.active))
    finish_turn(course)


def finish_takeover(course: Course) -> None:
    """Let a Dealmaker draw after the takeover and its ability (R-21), and end the turn."""
    state = course.state
    if state.used == "dealmaker" and state.deck:
        course.record(CardsDrawn(seat=state.active, cards=state.deck[:DEALMAKER_CARDS]))
    finish_turn(course)


def finish_turn(course: Course) -> None:
    """Ask for discards above the hand limit (R-14), or pass the turn on."""
    state = course.state
    if sum(state.hands[state.active].values()) > HAND_LIMIT:
        course.record(DecisionReached(seat=state.active, decision="discard"))
    else:
        begin_next_turn(course)


def begin_next_turn(course: Course) -> None:
    """Give the turn to the next seat that can act, or end the game after the last round (R-10, R-40)."""
    while course.state.final_turns != 0:
        seat = (course.state.active + 1) % len(course.state.hqs)
        if can_act(course.state, seat):
            course.record(TurnBegan(seat=seat))
            return
        course.record(TurnPassed(seat=seat))
    end_game(course)


def end_game(course: Course) -> None:
    """Score the table and name the winners."""
    scores = final_scores(course.state)
    course.record(GameEnded(scores=scores, winners=winners(course.state, scores)))


def discard(course: Course, action: Discard) -> None:
    """Discard down to the hand limit, face down (R-14)."""
    seat, hand = course.state.active, course.state.hands[course.state.active]
    above = sum(hand.values()) - HAND_LIMIT
    if len(action.cards) != above:
        raise Illegal("wrong-number-of-cards", "R-14", least=above, most=above)
    chosen = count(action.cards)
    for colour in COLOURS:
        if chosen[colour] > hand[colour]:
            raise Illegal("cards-not-in-hand", "R-14", colour=colour, held=hand[colour])
    course.record(CardsDiscarded(seat=seat, cards=action.cards))
    begin_next_turn(course)
