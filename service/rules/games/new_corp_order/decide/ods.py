"""Moves of ODS: the marker, then the first priority that applies (R-60 to R-66)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from service.rules.games.new_corp_order.actions import PlayOds
from service.rules.games.new_corp_order.decide.turns import begin_next_turn, check_display
from service.rules.games.new_corp_order.events import (
    AgentsPlaced,
    CardsRotated,
    CardSwept,
    CardTaken,
    CompanyTakenOver,
    GameEnded,
    MarkerMoved,
    Priority,
    PriorityFollowed,
    TableFlipped,
)
from service.rules.games.new_corp_order.evolve import Course
from service.rules.games.new_corp_order.grid import edge_distance, neighbours_of, scan_order
from service.rules.games.new_corp_order.legal import is_last_of_colour
from service.rules.games.new_corp_order.scoring import final_scores
from service.rules.games.new_corp_order.state import Hq, State
from service.rules.games.new_corp_order.terms import ODS, SLOTS, Colour, Source, Square

PLAYER = 0


class Attack(NamedTuple):
    """A company within ODS's reach, from where, and with how many agents."""

    target: Square
    source: Square
    agents: int


def play_ods(course: Course, _: PlayOds) -> None:
    """Move the marker one column to the right and follow the first priority that applies."""
    course.record(MarkerMoved(column=(course.state.marker + 1) % 4))

    # A: take over a company of the player's.
    if attacks := within_reach(course.state):
        priority, attack = choose(course.state, attacks)
        colour, defender = course.state.companies[attack.source].colour, course.state.companies[attack.target]
        course.record(PriorityFollowed(priority=priority))
        course.record(CardsRotated(hq=ODS, colour=colour, cards=attack.agents))
        won = CompanyTakenOver(
            seat=ODS,
            source=attack.source,
            target=attack.target,
            colour=colour,
            agents=attack.agents,
            defender=defender.colour,
            defenders=defender.agents,
        )
        course.record(won)
        begin_next_turn(course)

    # B and C: take cards of its own colours, or else discard the player's.
    elif plot_to_infiltrate(course) or discard_from_display(course):
        check_display(course)

    # D: flip the table, and win.
    else:
        course.record(PriorityFollowed(priority="D"))
        course.record(TableFlipped())
        course.record(GameEnded(scores=final_scores(course.state), winners=(ODS,)))


def within_reach(state: State) -> list[Attack]:
    """Return the player's companies that ODS can take over, in scan order, each from its best source (R-61)."""
    order = scan_order(len(state.companies), state.marker)
    attacks = (_attack(state, square) for square in order)
    return [attack for attack in attacks if attack is not None]


def _attack(state: State, target: Square) -> Attack | None:
    company = state.companies[target]
    if company.colour not in state.colours[PLAYER] or is_last_of_colour(state, company.colour):
        return None
    needed = company.agents + 1
    neighbours = neighbours_of(len(state.companies))[target]
    order = scan_order(len(state.companies), state.marker)
    sources = [square for square in order if square in neighbours and _can_send(state, square, needed)]
    if not sources:
        return None
    return Attack(target, max(sources, key=lambda square: state.companies[square].agents), needed)


def _can_send(state: State, square: Square, agents: int) -> bool:
    company = state.companies[square]
    unrotated = state.hqs[ODS].cards[company.colour]
    return company.colour in state.colours[ODS] and agents <= unrotated and agents < company.agents


def choose(state: State, attacks: Sequence[Attack]) -> tuple[Priority, Attack]:
    """Return the attack that A-1 to A-4 leave, or else the first in scan order, and what decided (R-62)."""
    if len(attacks) == 1:
        return "A", attacks[0]
    for priority, score in _CRITERIA:
        best = max(score(state, attack.target) for attack in attacks)
        attacks = [attack for attack in attacks if score(state, attack.target) == best]
        if len(attacks) == 1:
            return priority, attacks[0]
    return "A-scan", attacks[0]


def _adjacent_to_player(state: State, square: Square) -> int:
    neighbours = neighbours_of(len(state.companies))[square]
    return sum(state.companies[other].colour in state.colours[PLAYER] for other in neighbours)


_CRITERIA: tuple[tuple[Priority, Callable[[State, Square], int]], ...] = (
    ("A-1", lambda state, square: state.companies[square].type in state.objectives[ODS]),
    ("A-2", lambda state, square: state.companies[square].agents),
    ("A-3", _adjacent_to_player),
    ("A-4", lambda state, square: -edge_distance(len(state.companies), square)),
)


# Plots of ODS: B takes its own cards and places their agents, C discards the player's.

Shown = list[tuple[Source, Colour]]


def plot_to_infiltrate(course: Course) -> bool:
    """Take up to two cards of ODS's colours and place their agents (B); return whether there was such a card."""
    state = course.state
    own = _shown(state, state.colours[ODS])
    if not own:
        return False
    chosen, kind = _pick(own, state.hqs[ODS])
    priorities: tuple[Priority, ...] = ("B-1", "B-2", "B-3")
    course.record(PriorityFollowed(priority=priorities[kind]))
    for slot, card in chosen:
        course.record(CardTaken(seat=ODS, source=slot, card=card, to="hq"))
    theirs = _shown(state, state.colours[0])
    if len(chosen) == 1 and theirs:
        _sweep(course, _prefer(theirs, state.hqs[0])[:1])
    for colour in dict.fromkeys(card for _, card in chosen):
        _place_agents(course, colour)
    return True


def discard_from_display(course: Course) -> bool:
    """Put up to two of the player's cards into the box (C); return whether there was one."""
    state = course.state
    theirs = _shown(state, state.colours[0])
    if not theirs:
        return False
    chosen, kind = _pick(theirs, state.hqs[0])
    priorities: tuple[Priority, ...] = ("C-1", "C-2", "C-3")
    course.record(PriorityFollowed(priority=priorities[kind]))
    _sweep(course, chosen)
    return True


def _pick(cards: Shown, hq: Hq) -> tuple[Shown, int]:
    """Return two alike (0), else one of each colour (1), else the only card (2); pairs are weighed by the HQ."""
    colours = [card for _, card in cards]
    paired = [(slot, card) for slot, card in cards if colours.count(card) > 1]
    if paired:
        return _prefer(paired, hq)[:2], 0
    return cards, 1 if len(cards) == 2 else 2


def _prefer(cards: Shown, hq: Hq) -> Shown:
    """Return the cards of the colour of which the HQ has more, rotated or not; then of the one further left."""
    colours = dict.fromkeys(card for _, card in cards)
    best = max(colours, key=lambda colour: hq.cards[colour] + hq.rotated[colour])
    return [(slot, card) for slot, card in cards if card == best]


def _shown(state: State, colours: Sequence[Colour]) -> Shown:
    return [
        (slot, card) for slot, card in zip(SLOTS, state.display, strict=False) if card is not None and card in colours
    ]


def _sweep(course: Course, cards: Shown) -> None:
    for slot, card in cards:
        course.record(CardSwept(slot=slot, card=card))


def _place_agents(course: Course, colour: Colour) -> None:
    priority, square = placement(course.state, colour)
    agents = course.state.to_place.count(colour)
    course.record(PriorityFollowed(priority=priority))
    course.record(AgentsPlaced(seat=ODS, company=square, colour=colour, agents=agents))


def placement(state: State, colour: Colour) -> tuple[Priority, Square]:
    """Return where ODS puts agents of a colour, and the priority that says so (BB-1 to BB-4; R-64)."""
    order = scan_order(len(state.companies), state.marker)
    own = [square for square in order if state.companies[square].colour == colour]
    matching = [square for square in own if state.companies[square].type in state.objectives[ODS]]
    choices: tuple[tuple[Priority, list[Square]], ...] = (
        ("BB-1", [square for square in matching if _is_matched(state, square)]),
        ("BB-2", matching),
        ("BB-3", [square for square in own if _is_matched(state, square)]),
        ("BB-4", own),
    )
    return next((priority, squares[0]) for priority, squares in choices if squares)


def _is_matched(state: State, square: Square) -> bool:
    """Return whether at least one neighbour has as many agents or more."""
    neighbours = neighbours_of(len(state.companies))[square]
    return any(state.companies[other].agents >= state.companies[square].agents for other in neighbours)
