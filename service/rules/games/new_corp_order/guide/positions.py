"""The positions that the guide shows: small tables, on which real actions are then decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from service.rules.games.new_corp_order.actions import Action, Infiltrate, Placement, Plot, TakeOver
from service.rules.games.new_corp_order.decide import decide
from service.rules.games.new_corp_order.evolve import evolve
from service.rules.games.new_corp_order.grid import squares_of
from service.rules.games.new_corp_order.state import Company, Hq, State
from service.rules.games.new_corp_order.terms import (
    COLOURS,
    COMPANY_TYPES,
    CONSULTANTS,
    NAMES,
    NONE,
    Colour,
    CompanyType,
    Counts,
)

Objectives = tuple[tuple[CompanyType, ...], ...]

_COLOUR: dict[str, Colour] = dict(zip("rkbw", COLOURS, strict=True))
_TYPE: dict[str, CompanyType] = dict(zip("ogbpsa", COMPANY_TYPES, strict=True))

# Type, colour and agents of each company, row by row.
_SMALL = "or1 gk1 bb2 pw1 sr2 ak3 ob1 gr1 bw1 pk1 sb1 aw2"
_LARGE = "pr2 gk1 br1 pw1 sr1 ak1 ob2 gr2 bw1 pk1 sb1 aw2 or1 gb1 bk1 sw1"
_DECK: tuple[Colour, ...] = ("white", "black", "red", "blue", "white", "red", "black", "blue", "red", "white")
_PLOTTED = Plot(sources=("2", "5"))
_INFILTRATED = Infiltrate(placements=(Placement(colour="red", cards=3, company="A2"),), take="military-contractor")
_TAKEN_OVER = TakeOver(source="A2", target="B2", agents=4)


def before() -> State:
    """A game of two: the first seat has three red cards in its hand, and two in its HQ."""
    hqs = (_hq({"red": 2, "blue": 1}, dealmaker=1), _hq({"black": 2, "white": 1}, {"black": 1}, media_advisor=1))
    hands = (_counts({"red": 2, "blue": 1}), _counts({"black": 1, "white": 2, "blue": 1}))
    objectives: Objectives = (("social-media", "ambient-advertising"), ("print-media", "broadcast-network"))
    return _state(2, _SMALL, ("blue", "red", "white", "black", "white"), hands, hqs, objectives)


def plotted() -> State:
    """The same game after the first seat has taken the red card of slot 2 and the white one of slot 5."""
    return _after(before(), _PLOTTED)


def to_infiltrate() -> State:
    """The game when it is the first seat's turn again."""
    return _turn_of_first(plotted())


def infiltrated() -> State:
    """After the first seat has placed three red cards, and their agents on A2, and taken a consultant."""
    return _after(to_infiltrate(), _INFILTRATED)


def to_take_over() -> State:
    """The game when it is the first seat's turn once more."""
    return _turn_of_first(infiltrated())


def taken_over() -> State:
    """After four red agents have gone from A2 to B2, where three black ones were."""
    return _after(to_take_over(), _TAKEN_OVER)


def scored() -> State:
    """The end of a game of three, of which the guide counts the red conglomerate."""
    hqs = (
        _hq({"red": 3, "blue": 2}, {"red": 3}, dealmaker=1),
        _hq({"red": 1, "black": 2}, {"red": 3}, agents={"red": 1}, media_advisor=1, dealmaker=1),
        _hq({"red": 1, "white": 3}, {"red": 2}),
    )
    objectives: Objectives = (
        ("print-media", "ambient-advertising"),
        ("guerrilla-marketing", "online-marketing"),
        ("broadcast-network", "social-media"),
    )
    state = _state(3, _LARGE, (None,) * 5, (NONE,) * 3, hqs, objectives)
    return state._replace(phase="over", deck=())


def alone() -> State:
    """A game against ODS: the player has red and blue."""
    hqs = (_hq({"red": 2}, agents={"red": 1, "blue": 1}), _hq({"black": 1}, agents={"black": 1, "white": 1}))
    objectives: tuple[CompanyType, ...] = ("social-media", "print-media", "guerrilla-marketing")
    state = _state(1, _SMALL, ("red", "black", "white", None), (NONE,) * 2, hqs, (objectives, objectives))
    return state._replace(colours=(("red", "blue"), ("black", "white")), marker=1)


def happened(position: Callable[[], State]) -> tuple[tuple[Any, int], ...]:
    """Return the events that led to a position, each with the seat that acted; none if nothing did."""
    led: Mapping[Callable[[], State], tuple[Callable[[], State], Action]] = {
        plotted: (before, _PLOTTED),
        infiltrated: (to_infiltrate, _INFILTRATED),
        taken_over: (to_take_over, _TAKEN_OVER),
    }
    if position not in led:
        return ()
    earlier, action = led[position]
    state = earlier()
    return tuple((event, state.active) for event in decide(state, state.active, action, _Still()))


def _after(state: State, action: Action) -> State:
    for event in decide(state, state.active, action, _Still()):
        state = evolve(state, event)
    return state


def _turn_of_first(state: State) -> State:
    return state._replace(active=0, phase="turn", decision=state.decision + 1, turn=state.turn + 1)


class _Still:
    """Chance that changes nothing; no action of a turn asks for it."""

    def shuffle(self, label: str, items: Sequence[Any]) -> list[Any]:
        """Return the items as they are."""
        return list(items)

    def roll(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return ones."""
        return (1,) * count


def _state(
    seats: int,
    grid: str,
    display: tuple[Colour | None, ...],
    hands: tuple[Counts, ...],
    hqs: tuple[Hq, ...],
    objectives: Objectives,
) -> State:
    return State(
        revision=1,
        seats=seats,
        companies=_companies(grid),
        supply=_counts(dict.fromkeys(COLOURS, 15)),
        consultants={each: seats > 2 or (seats == 2 and each != "corporate-lawyer") for each in CONSULTANTS},
        display=display,
        deck=_DECK,
        box=NONE,
        hands=hands,
        hqs=hqs,
        objectives=objectives,
        turn=5,
        decision=9,
    )


def _companies(grid: str) -> dict[Any, Company]:
    names = {kind: list(of_kind) for kind, of_kind in NAMES.items()}
    tiles = grid.split()
    return {
        square: Company(names[_TYPE[kind]].pop(0), _TYPE[kind], _COLOUR[colour], int(agents))
        for square, (kind, colour, agents) in zip(squares_of(len(tiles)), map(tuple, tiles), strict=True)
    }


def _hq(
    cards: dict[Colour, int],
    rotated: dict[Colour, int] | None = None,
    agents: dict[Colour, int] | None = None,
    **consultants: int,
) -> Hq:
    held = {each: consultants.get(each.replace("-", "_"), 0) for each in CONSULTANTS}
    return Hq(_counts(cards), _counts(rotated or {}), _counts(agents or {}), held)


def _counts(some: dict[Colour, int]) -> Counts:
    return {**NONE, **some}
