"""Two logs of one game, alike in all that some may see: a hidden thing in them is another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from service.rules.games.bastards_inc.events import CardsDrawn, CardsReshuffled, PilesShuffled
from service.rules.games.new_corp_order.events import CardsDealt, ObjectivesDealt, ObjectivesLaidOut
from service.rules.games.new_corp_order.terms import COLOURS, COMPANY_TYPES
from service.rules.kernel import AnyRuleset
from tests.games.sealed_bids.events import BidSealed, HandDealt
from tests.games.sealed_bids.meta import CARDS
from tests.rules.new_corp_order.support import Log, exchanged, only, swapped
from tests.rules.playouts import RULESETS, RandomGame, random_game


@dataclass(frozen=True, slots=True)
class Twins:
    """A random game up to its first `steps` actions, and the same with another thing hidden.

    Only the seat `owner` can tell them apart, nobody where it is None.
    """

    name: str
    seats: int
    owner: int | None
    played: RandomGame
    steps: int
    logs: tuple[Log, Log]

    @property
    def ruleset(self) -> AnyRuleset:
        """The rules of the game."""
        return RULESETS[self.name]

    def batches(self, log: Log) -> Iterator[tuple[int | None, Sequence[Any]]]:
        """Return (seat, events) for the setup and each action, as the game was played."""
        start = len(self.played.setup)
        yield None, log[:start]
        for step in self.played.steps[: self.steps]:
            yield step.seat, log[start : start + len(step.facts)]
            start += len(step.facts)
        assert start == len(log)


EARLY, MIDDLE, LATE = 0, 0.5, 0.9
"""Parts of a game."""


def twins_of(name: str, seats: int, seed: int, *moments: float) -> Iterator[Twins]:
    """Return twins of a random game after such parts of it; each time another one owns what is hidden."""
    played = random_game(name, seats, seed)
    for number, part in enumerate(moments):
        owner = (seed + number) % seats
        steps = (twins_at(name, seats, owner, played, n) for n in range(int(part * len(played.steps)), -1, -1))
        yield next(each for each in steps if each)


def twins_at(name: str, seats: int, owner: int, played: RandomGame, steps: int) -> Twins | None:
    """Return the twins after so many actions; None if nothing is hidden then, or no player is to act."""
    log = played.log(steps)
    state = played.states[steps]
    if not all(seat < seats for seat in RULESETS[name].to_act(state)):
        return None
    other = _OTHERS[name, seats > 1](log, state, owner)
    return other and Twins(name, seats, owner if seats > 1 else None, played, steps, (log, other))


def _another_hand(log: Log, state: Any, owner: int) -> Log | None:
    """Exchange a card of the owner's hand for another one of the deck, and one of the owner's objectives."""
    dealt, aims = only(log, CardsDealt), only(log, ObjectivesDealt)
    hand, untouched = dealt.hands[owner], len(dealt.deck) - len(state.deck)
    pairs = (
        (place, other)
        for place, card in enumerate(hand)
        for other in reversed(range(untouched, len(dealt.deck)))
        if state.hands[owner][card] and dealt.deck[other] != card
    )
    place, other = next(pairs, (None, None))
    if place is None or other is None:
        return None
    hands = (*dealt.hands[:owner], swapped(hand, place, dealt.deck[other]), *dealt.hands[owner + 1 :])
    deck = swapped(dealt.deck, other, hand[place])
    aim = next(kind for kind in COMPANY_TYPES if kind not in aims.objectives[owner])
    own = swapped(aims.objectives[owner], 0, aim)
    objectives = (*aims.objectives[:owner], own, *aims.objectives[owner + 1 :])
    boxed = (own[0],) if aims.returned[owner] else ()
    returned = (*aims.returned[:owner], boxed, *aims.returned[owner + 1 :])
    log = exchanged(log, CardsDealt, lambda event: replace(event, hands=hands, deck=deck))
    return exchanged(log, ObjectivesDealt, lambda event: replace(event, objectives=objectives, returned=returned))


def _another_deck(log: Log, state: Any, _: int) -> Log | None:
    """Exchange two cards of the deck; alone, where nothing is chosen yet, also all else that lies face down."""
    dealt = only(log, CardsDealt)
    untouched = len(dealt.deck) - len(state.deck)
    pairs = ((untouched, n) for n in range(untouched, len(dealt.deck)) if dealt.deck[n] != dealt.deck[untouched])
    one, other = next(pairs, (None, None))
    if one is None or other is None:
        return None
    deck = swapped(swapped(dealt.deck, one, dealt.deck[other]), other, dealt.deck[one])
    log = exchanged(log, CardsDealt, lambda event: replace(event, deck=deck))
    if any(type(event).__name__ == "ConglomeratesChosen" for event in log):
        return log
    display = tuple(COLOURS[(COLOURS.index(card) + 1) % len(COLOURS)] for card in dealt.display)
    aims = tuple(kind for kind in COMPANY_TYPES if kind not in only(log, ObjectivesLaidOut).objectives)
    log = exchanged(log, CardsDealt, lambda event: replace(event, display=display))
    return exchanged(log, ObjectivesLaidOut, lambda event: replace(event, objectives=aims[:3]))


def _another_bid(log: Log, state: Any, owner: int) -> Log | None:
    """Exchange a card of the owner's that nobody has seen, sealed if possible, for one that was not dealt."""
    sealed = state.sealed.get(owner)
    if sealed is None and not state.hands[owner]:
        return None
    card = sealed if sealed is not None else state.hands[owner][0]
    dealt = {held for event in log if isinstance(event, HandDealt) for held in event.cards}
    other = next(each for each in range(1, CARDS + 1) if each not in dealt)

    def change(event: Any) -> Any:
        if isinstance(event, HandDealt) and event.seat == owner:
            return replace(event, cards=tuple(sorted({*event.cards, other} - {card})))
        return replace(event, card=other) if isinstance(event, BidSealed) and event.card == card else event

    return [change(event) for event in log]


def _another_draw(log: Log, state: Any, owner: int) -> Log | None:
    """Exchange a card that the owner has drawn and still holds for one that is still in the pile."""
    reshuffled = any(isinstance(event, CardsReshuffled) for event in log)
    held = [card for card in state.companies[owner].hand if card not in state.companies[owner].dropped]
    if reshuffled or not held or not state.cards:
        return None
    other = {held[0]: state.cards[-1], state.cards[-1]: held[0]}

    def change(event: Any) -> Any:
        if not isinstance(event, PilesShuffled | CardsDrawn):
            return event
        return replace(event, cards=tuple(other.get(card, card) for card in event.cards))

    return [change(event) for event in log]


_OTHERS: dict[tuple[str, bool], Callable[[Log, Any, int], Log | None]] = {
    ("new-corp-order", True): _another_hand,
    ("new-corp-order", False): _another_deck,
    ("sealed-bids", True): _another_bid,
    ("bastards-inc", True): _another_draw,
}
