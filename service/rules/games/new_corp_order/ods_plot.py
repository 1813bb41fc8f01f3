"""ODS's Plots: B takes its own cards and places their agents, C discards the player's (R-63 to R-65)."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.games.new_corp_order.course import Course
from service.rules.games.new_corp_order.events import AgentsPlaced, CardSwept, CardTaken, Priority, PriorityFollowed
from service.rules.games.new_corp_order.grid import neighbours_of, scan_order
from service.rules.games.new_corp_order.state import Hq, State
from service.rules.games.new_corp_order.terms import ODS, SLOTS, Colour, Source, Square

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
        _place(course, colour)
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


def _place(course: Course, colour: Colour) -> None:
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
