"""Positions of the guide: a small table, on which real actions are decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.rules.games.bastards_inc.actions import Action, Deal, Place
from service.rules.games.bastards_inc.decide import decide
from service.rules.games.bastards_inc.edition import NORMAL, PLAN_DATA, REGION_DATA
from service.rules.games.bastards_inc.events import EventRevealed
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.state import Company, Folder, State, VicePresident
from service.rules.games.bastards_inc.terms import CARDS, EVENT_CARDS, REGIONS, Card, Location, Plan

ADA, BEN, CLEO = range(3)
_PLACED = Place(to="TIG", by="cor")
_DEALT = Deal(card="b03", vps=(2,))


def to_place() -> State:
    """The first seat places its first VP; the others have placed one each."""
    state = _table(ada=(("VIP", 0), ("VIP", 0)), ben=(("ROG", 0), ("VIP", 0)), cleo=(("TLK", 0), ("VIP", 0)))
    company = state.companies[ADA]._replace(free=(1, 2))
    others = [each._replace(free=(2,)) for each in state.companies[1:]]
    return state._replace(companies=(company, *others), phase="place")


def placed() -> State:
    """After the first seat has sent a VP to the Tigers."""
    return _after(to_place(), _PLACED)


def to_deal() -> State:
    """The first seat has a VP in Corruptistan and a business for it in its hand."""
    return _table(ada=(("TIG", 0), ("KOR", 0)), ben=(("ROG", 4), ("KOR", 0)), cleo=(("TLK", 0), ("NWS", 0)))


def dealt() -> State:
    """After the first seat has made the business."""
    return _after(to_deal(), _DEALT)


def glance() -> State:
    """The first seat can sell Stuff and launder money."""
    state = _table(ada=(("TIG", 0), ("KOR", 3)), ben=(("ROG", 4), ("KOR", 0)), cleo=(("TLK", 0), ("NWS", 0)))
    company = state.companies[ADA]._replace(hand=("a03",), portfolio=(Folder("b03", turned=True),))
    return state._replace(companies=(company, *state.companies[1:]))


def at_war() -> State:
    """War in a region where the first seat has black money."""
    state = glance()
    return state._replace(wars=("KOR",), in_force=EventRevealed(event="e01"), revealed=("e01",))


def happened(position: Callable[[], State]) -> tuple[tuple[Any, int], ...]:
    """Return the events that led to a position, each with the seat that acted; none if nothing did."""
    led: Mapping[Callable[[], State], tuple[Callable[[], State], Action]] = {
        placed: (to_place, _PLACED),
        dealt: (to_deal, _DEALT),
    }
    if position not in led:
        return ()
    earlier, action = led[position]
    return tuple((event, ADA) for event in decide(earlier(), ADA, action, _Still()))


def _after(state: State, action: Action) -> State:
    for event in decide(state, ADA, action, _Still()):
        state = evolve(state, event)
    return state


class _Still:
    """Chance that changes nothing; none of these actions asks for it."""

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        """Return the items as they are."""
        return list(items)

    def roll(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return ones."""
        return (1,) * count


_Stand = tuple[tuple[Location, int], ...]


def _table(*, ada: _Stand, ben: _Stand, cleo: _Stand) -> State:
    """A table of three in the business phase, the first seat to act; each VP is a place and its black money."""
    hands: tuple[tuple[Card, ...], ...] = (("a03", "b03"), ("a19", "b04"), ("a04", "b05"))
    plans: tuple[Plan, ...] = ("p4", "p2", "p3")
    companies = tuple(
        _company(plan, stand, hand) for plan, stand, hand in zip(plans, (ada, ben, cleo), hands, strict=True)
    )
    held = {card for hand in hands for card in hand}
    return State(
        revision=1,
        companies=companies,
        rounds=NORMAL.rounds,
        target=NORMAL.target,
        stuff=tuple(REGION_DATA[region].stuff for region in REGIONS),
        cards=tuple(card for card in CARDS if card not in held),
        events=EVENT_CARDS[1:-1],
        in_force=EventRevealed(event="e18"),
        revealed=("e18",),
        round=2,
        phase="business",
        decision=20,
        active=ADA,
        asked=frozenset({ADA}),
    )


def _company(plan: Plan, stand: _Stand, hand: tuple[Card, ...]) -> Company:
    dealt_out = PLAN_DATA[plan]
    return Company(
        plan=plan,
        scores=dealt_out.scores,
        billions=dealt_out.billions,
        influence=dealt_out.influence,
        vps=tuple(VicePresident(at, black) for at, black in stand),
        hand=hand,
    )
