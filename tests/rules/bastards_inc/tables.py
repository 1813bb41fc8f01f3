"""Wanted positions of Ba$tard$ Inc.: a table in the middle of a game, and what an action makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from service.rules.chance import Chance
from service.rules.games.bastards_inc.actions import Action
from service.rules.games.bastards_inc.decide import decide
from service.rules.games.bastards_inc.edition import PLAN_DATA, REGION_DATA
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.state import Company, State, VicePresident, updated
from service.rules.games.bastards_inc.terms import CARDS, EVENT_CARDS, PLANS, REGIONS, Location, Scores
from service.rules.kernel import Dice, Illegal

ALICE, BOB, CAROL, DAVE = range(4)
MEDIOCRE = Scores(cor=3, cri=3, med=3, tec=3)


class Loaded:
    """Dice that fall as they are told to by label, or else show a 2; shuffles leave everything as it lies."""

    def __init__(self, dice: Mapping[str, int] = {}) -> None:
        self.dice = dice
        self.labels: list[str] = []

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        """Return the items in the order given."""
        self.labels.append(label)
        return list(items)

    def roll(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return what was told of the label."""
        self.labels.append(label)
        return (min(sides, self.dice.get(label, 2)),) * count


class Taken(NamedTuple):
    """What followed from an action: the events, and the state after them."""

    events: tuple[Any, ...]
    state: State

    def all(self, kind: type[Any]) -> list[Any]:
        """Return the events of a class, in order."""
        return [event for event in self.events if type(event) is kind]


def table(seats: int = 3, *, companies: Mapping[int, Mapping[str, Any]] = {}, **changes: Any) -> State:
    """Return a table in the business phase of the first round, Alice's turn, everybody's VPs in the Lounge.

    Every company has 10 Billions, 5 Influence, all scores 3, two VPs and no card; `companies` says by seat what is
    different, `changes` what else. `wars`, `stuff` and so on are the fields of State; `vps` may be places, or pairs
    of a place and black money. The draw pile holds all cards that lie nowhere else.
    """
    state = State(
        revision=2,
        companies=tuple(_company(seat) for seat in range(seats)),
        rounds=7,
        target=130,
        stuff=tuple(REGION_DATA[region].stuff for region in REGIONS),
        events=EVENT_CARDS,
        round=1,
        phase="business",
        decision=1,
        asked=frozenset({changes.get("active", ALICE)}),
    )
    for seat, fields in companies.items():
        state = updated(state, seat, **_read(fields))
    state = state._replace(**changes)
    return state if "cards" in changes else state._replace(cards=_left(state))


def placing(free: dict[int, int], **changes: Any) -> State:
    """Return a table at which Alice places; `free` says how many VPs of a seat are free."""
    companies = {seat: dict(each) for seat, each in changes.pop("companies", {}).items()}
    for seat, number in free.items():
        vps = ("VIP",) * max(2, number)
        companies[seat] = {"vps": vps, **companies.get(seat, {}), "free": tuple(range(1, number + 1))}
    return table(**{"phase": "place", "back": len(free) == 1, "companies": companies, **changes})


def take(state: State, seat: int, action: Action, chance: Dice | None = None) -> Taken:
    """Return what follows from an action."""
    events = tuple(decide(state, seat, action, chance or Chance(bytes(32))))
    for event in events:
        state = evolve(state, event)
    return Taken(events, state)


def play(state: State, *actions: tuple[int, Action], chance: Dice | None = None) -> State:
    """Return the state after actions of seats, one after the other."""
    for seat, action in actions:
        state = take(state, seat, action, chance).state
    return state


def refused(state: State, seat: int, action: Action) -> tuple[str, str | None]:
    """Return the code and the ruling of a refusal."""
    try:
        decide(state, seat, action, Chance(bytes(32)))
    except Illegal as refusal:
        return refusal.code, refusal.rule
    raise AssertionError(f"{action} is not refused")


def _company(seat: int) -> Company:
    plan = PLAN_DATA[PLANS[seat]].plan
    return Company(plan=plan, scores=MEDIOCRE, billions=10, influence=5, vps=(VicePresident(), VicePresident()))


def _read(fields: Mapping[str, Any]) -> dict[str, Any]:
    read = dict(fields)
    if "vps" in read:
        read["vps"] = tuple(_vp(each) for each in read["vps"])
    if "hand" in read:
        read["hand"] = tuple(sorted(read["hand"]))
    return read


def _vp(told: Location | tuple[Location, int]) -> VicePresident:
    return VicePresident(*told) if isinstance(told, tuple) else VicePresident(told)


def _left(state: State) -> tuple[Any, ...]:
    held = {card for company in state.companies for card in company.hand}
    held |= {folder.card for company in state.companies for folder in company.portfolio}
    held |= {*state.discards, *(() if state.bunker is None else ("a23",))}
    return tuple(card for card in CARDS if card not in held)
