"""A position in numbers, as one seat can know it: what it scores, holds, can take over and has to fear.

Of the others only what lies open counts. Each number stands twice, the second time multiplied by what is left of the
deck: cards in a hand are worth much early in the game and nothing at its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from service.rules.games.new_corp_order.grid import neighbours_of
from service.rules.games.new_corp_order.scoring import consultant_points, shares
from service.rules.games.new_corp_order.state import Company, State
from service.rules.games.new_corp_order.terms import COLOURS, HAND_LIMIT, Colour, CompanyType

DECK = 50
"""About as many cards as a deck has at first."""
MARGIN = 5
"""A lead in shares of one colour counts no further than this."""

OPEN = (
    "lead", "lead-over-mean", "margins", "hand-worth", "hand", "above-limit", "agents", "unrotated", "rotated",
    "their-unrotated", "consultants", "kinds-of-consultants", "capture", "threat", "their-hands", "agents-behind",
    "second-card", "ability", "one",
)  # fmt: skip
NAMES = (*OPEN, *(f"{name}-early" for name in OPEN))

RULES_OF_THUMB = {"lead": 1.0, "margins": 0.4, "hand-worth": 0.1, "hand": 0.2, "above-limit": -0.3, "agents": 0.3,
    "unrotated": 0.1, "consultants": 0.3, "capture": 0.3, "threat": -0.3, "second-card": 0.6,
    "ability": 0.5}  # fmt: skip
"""Points at once, leads that hold, cards that can be used, companies in reach: weights by hand."""


class Scoring(NamedTuple):
    """What the colours are worth, and who scores for them.

    By colour: the companies, those of the seat's objectives, and by how many shares the seat is ahead; by seat and
    colour: the points for a company (R-42, R-43).
    """

    companies: dict[Colour, int]
    objectives: dict[Colour, int]
    margins: dict[Colour, int]
    rates: list[dict[Colour, int]]
    types: Sequence[CompanyType]


def features(state: State, seat: int) -> tuple[float, ...]:
    """Return the numbers that NAMES names, for a seat of a game of two to four players."""
    scoring = _scoring(state, seat)
    numbers = (*_points(state, seat, scoring), *_holdings(state, seat, scoring), *_due(state, seat))
    early = len(state.deck) / DECK
    return (*numbers, *(number * early for number in numbers))


def _scoring(state: State, seat: int) -> Scoring:
    scoring = Scoring(dict.fromkeys(COLOURS, 0), dict.fromkeys(COLOURS, 0), {}, [{} for _ in state.hqs], [])
    types = state.objectives[seat]
    for company in state.companies.values():
        scoring.companies[company.colour] += 1
        scoring.objectives[company.colour] += company.type in types
    for colour in COLOURS:
        held = [(shares(hq, colour), hq.agents[colour]) for hq in state.hqs]
        for rates, rate in zip(scoring.rates, _rates(held), strict=True):
            rates[colour] = rate
        own, _ = held.pop(seat)
        scoring.margins[colour] = max(-MARGIN, min(MARGIN, own - max(held)[0]))
    return scoring._replace(types=types)


def _rates(held: Sequence[tuple[int, int]]) -> list[int]:
    """What `scoring.ranks` comes to in points for a company; thousands of positions are valued for one choice."""
    first = max(held)
    if not first[0]:
        return [0] * len(held)
    second = max((pair for pair in held if pair < first and pair[0]), default=first) if len(held) > 2 else first
    return [2 if pair == first else 1 if pair == second else 0 for pair in held]


def _points(state: State, seat: int, scoring: Scoring) -> tuple[float, float, float]:
    """The lead over the best other seat and over all others' mean, and how firm the leads in the colours are."""
    companies, objectives = scoring.companies, scoring.objectives
    totals = []
    for hq, rates in zip(state.hqs, scoring.rates, strict=True):
        pairs, all_four = consultant_points(hq.consultants)
        totals.append(pairs + all_four + sum([rates[colour] * companies[colour] for colour in COLOURS]))
    own = totals.pop(seat) + sum([2 * objectives[colour] for colour in COLOURS if scoring.rates[seat][colour]])
    margins = sum([(companies[colour] + objectives[colour]) * scoring.margins[colour] for colour in COLOURS])
    return own - max(totals), own - sum(totals) / len(totals), margins / MARGIN


def _holdings(state: State, seat: int, scoring: Scoring) -> Iterator[float]:
    """What the seat holds in hand and HQ, against what the others hold, and the takeovers that are in reach."""
    hand, hq = state.hands[seat], state.hqs[seat]
    others = [other for who, other in enumerate(state.hqs) if who != seat]
    cards = sum(hand.values())
    yield sum(hand[colour] * (scoring.companies[colour] + scoring.objectives[colour]) for colour in COLOURS) / 4
    yield min(cards, HAND_LIMIT)
    yield max(0, cards - HAND_LIMIT)
    yield sum(hq.agents.values()) - max(sum(other.agents.values()) for other in others)
    yield sum(hq.cards.values())
    yield sum(hq.rotated.values())
    yield sum(sum(other.cards.values()) for other in others) / len(others)
    yield sum(hq.consultants.values())
    yield sum(map(bool, hq.consultants.values()))
    yield from _captures(state, seat, scoring)
    yield (sum(sum(other.values()) for other in state.hands) - cards) / len(others)
    yield sum(company.agents for company in state.companies.values() if scoring.rates[seat][company.colour] == 2) / 4


def _captures(state: State, seat: int, scoring: Scoring) -> tuple[float, float]:
    """The most that the seat could win by one takeover, and the most that it could lose by one of another seat."""
    best = worst = 0
    for source, target in _reachable(state):
        needed = target.agents + 1
        for who, hq in enumerate(state.hqs):
            if hq.cards[source.colour] >= needed:
                gain = _gain(scoring, seat, source, target)
                if who == seat:
                    best = max(best, gain + 1)
                elif scoring.rates[who][source.colour] >= scoring.rates[who][target.colour]:
                    worst = max(worst, -gain)
    return best, worst


def _reachable(state: State) -> Iterator[tuple[Company, Company]]:
    """Adjacent companies of two colours, of which the first has the agents for a takeover of the second (R-20)."""
    neighbours = neighbours_of(len(state.companies))
    for square, source in state.companies.items():
        if source.agents > 2:
            for other in neighbours[square]:
                target = state.companies[other]
                if target.colour != source.colour and target.agents + 1 < source.agents:
                    yield source, target


def _gain(scoring: Scoring, seat: int, source: Company, target: Company) -> int:
    """The points that a change of colour brings the seat."""
    rates, bonus = scoring.rates[seat], 2 if target.type in scoring.types else 0
    won, lost = rates[source.colour], rates[target.colour]
    return (won + bonus if won else 0) - (lost + bonus if lost else 0)


def _due(state: State, seat: int) -> tuple[int, int, int]:
    """Whether the seat has yet a second card or an ability before it, and one for what is the same in all positions."""
    own = state.active == seat
    return own and state.phase == "second-card", own and state.phase == "ability", 1
