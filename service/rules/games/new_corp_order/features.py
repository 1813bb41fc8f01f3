"""Features: a position in numbers, as one seat can know it: points, holdings, takeovers in reach and threats.

Of the other seats only what lies open counts. Until the last round each number stands twice, the second time
multiplied by the share of the deck that is left: cards in a hand are worth much early in the game and nothing at its
end. The last round has numbers of its own, which know who has a turn left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from service.rules.games.new_corp_order.decide.ods import PLAYER, choose, within_reach
from service.rules.games.new_corp_order.grid import neighbours_of
from service.rules.games.new_corp_order.legal import is_last_of_colour
from service.rules.games.new_corp_order.scoring import consultant_points
from service.rules.games.new_corp_order.state import Company, Hq, State
from service.rules.games.new_corp_order.terms import CARDS_FOR_CONSULTANT, COLOURS, HAND_LIMIT, ODS, Colour, CompanyType

DECK = 50
"""About as many cards as a deck has at first."""
NARROW, WIDE = 2, 6
"""A lead in shares of one colour counts no further than this."""

OPEN = (
    "lead", "lead-over-mean", "narrow-margins", "wide-margins", "second-margins", "agents", "agents-behind",
    "capture", "captures", "threat", "threats", "lay", "lays", "second-card", "ability", "one",
    "hand-worth", "hand", "above-limit", "three-alike", "unrotated", "rotated", "their-unrotated", "consultants",
    "kinds-of-consultants", "their-hands",
)  # fmt: skip
LAST = (
    "lead", "lead-over-mean", "narrow-margins", "wide-margins", "second-margins", "agents", "ability", "one",
    "others-yet", "threat-yet", "threats-yet", "step", "hand-yet",
)  # fmt: skip
NAMES = (*OPEN, *(f"{name}-early" for name in OPEN), *(f"last-{name}" for name in LAST))

_NOT_OPEN = (0.0,) * (2 * len(OPEN))
_NOT_LAST = (0.0,) * len(LAST)

RULES_OF_THUMB = {"lead": 1.0, "narrow-margins": 0.4, "wide-margins": 0.4, "hand-worth": 0.1, "hand": 0.2,
    "above-limit": -0.3, "agents": 0.3, "unrotated": 0.1, "consultants": 0.3, "capture": 0.2, "threat": -0.3,
    "lay": 0.2, "second-card": 0.6, "ability": 0.5, "last-lead": 1.0, "last-narrow-margins": 0.3, "last-agents": 0.1,
    "last-step": 0.8, "last-threat-yet": -0.4, "last-ability": 1.0}  # fmt: skip
"""Points at once, leads that hold, cards that can be used, companies in reach: weights by hand."""
RULES_OF_THUMB_OF_FOUR_2 = {**RULES_OF_THUMB, "lead": 0.3}
"""Weights of `normal` 2: points at once count less. As strong as those above; `hard` 3 was fitted to their games."""
RULES_OF_THUMB_OF_FOUR_3 = {**RULES_OF_THUMB_OF_FOUR_2, "hand-worth": 0.2}
"""Weights of `normal` 3: the cards in the hand, by the companies of their colours, count twice as much besides."""

PLACE = {colour: place for place, colour in enumerate(COLOURS)}
Held = tuple[int, int]
"""Shares of a colour, and the agents among them, which break ties (R-42)."""


class Scoring(NamedTuple):
    """Worth of each colour, and points of each seat for it; all by the place of the colour in COLOURS.

    `companies` and `objectives` are how many there are, the latter of the seat's own. `held` and `rates` (the points
    for a company, R-42 and R-43) are by colour, then by seat.
    """

    types: Sequence[CompanyType]
    companies: list[int]
    objectives: list[int]
    held: list[tuple[Held, ...]]
    rates: list[tuple[int, ...]]


def features(state: State, seat: int) -> tuple[float, ...]:
    """Return the numbers that NAMES names, for a seat of a game of two to four players."""
    scoring = _scoring(state, seat)
    standing = (*_points(state, seat, scoring), *_margins(seat, scoring), _agents(state, seat))
    reach = (*_takeovers(state, seat, scoring), *_lays(state, seat, scoring))
    hand = _hand(state, seat, scoring)
    if state.final_turns is not None:
        return (*_NOT_OPEN, *standing, *_last(state, seat, reach, hand[0]))
    numbers = (*standing, _behind(state, seat, scoring), *reach, *_due(state, seat), *hand, *_open(state, seat))
    early = len(state.deck) / DECK
    return (*numbers, *[number * early for number in numbers], *_NOT_LAST)


def _scoring(state: State, seat: int) -> Scoring:
    types = state.objectives[seat]
    companies, objectives = dict.fromkeys(COLOURS, 0), dict.fromkeys(COLOURS, 0)
    for company in state.companies.values():
        companies[company.colour] += 1
        if company.type in types:
            objectives[company.colour] += 1
    held = [tuple([_held(hq, colour) for hq in state.hqs]) for colour in COLOURS]
    return Scoring(types, list(companies.values()), list(objectives.values()), held, [_rates(each) for each in held])


def _held(hq: Hq, colour: Colour) -> Held:
    agents = hq.agents[colour]
    return hq.cards[colour] + hq.rotated[colour] + 2 * agents, agents


# Positions that follow from each other differ in few colours: nearly all rates were needed shortly before.
@lru_cache(maxsize=10_000)
def _rates(held: tuple[Held, ...]) -> tuple[int, ...]:
    """Points for a company by seat, as from `scoring.ranks`, but faster: one choice values thousands of positions."""
    first = max(held)
    if not first[0]:
        return (0,) * len(held)
    second = max((pair for pair in held if pair < first and pair[0]), default=first) if len(held) > 2 else first
    return tuple([2 if pair == first else 1 if pair == second else 0 for pair in held])


def _points(state: State, seat: int, scoring: Scoring) -> tuple[float, float]:
    """The lead over the best other seat, and over all others' mean."""
    totals = []
    for who, hq in enumerate(state.hqs):
        pairs, all_four = consultant_points(hq.consultants)
        rated = zip(scoring.rates, scoring.companies, strict=True)
        totals.append(pairs + all_four + sum([rates[who] * companies for rates, companies in rated]))
    own = totals.pop(seat)
    for rates, objectives in zip(scoring.rates, scoring.objectives, strict=True):
        if rates[seat]:
            own += 2 * objectives
    return own - max(totals), own - sum(totals) / len(totals)


def _margins(seat: int, scoring: Scoring) -> tuple[float, float, float]:
    """Margins of the leads in the colours, over the best other seat and over the best but one."""
    narrow = wide = second = 0.0
    for companies, objectives, held in zip(scoring.companies, scoring.objectives, scoring.held, strict=True):
        own = held[seat][0]
        others = sorted([shares for who, (shares, _) in enumerate(held) if who != seat])
        worth, ahead = companies + objectives, own - others[-1]
        narrow += worth * max(-NARROW, min(NARROW, ahead)) / NARROW
        wide += worth * max(-WIDE, min(WIDE, ahead)) / WIDE
        if len(others) > 1:
            second += worth * max(-NARROW, min(NARROW, own - others[-2])) / NARROW
    return narrow, wide, second


def _agents(state: State, seat: int) -> int:
    numbers = [sum(hq.agents.values()) for hq in state.hqs]
    return numbers.pop(seat) - max(numbers)


def _behind(state: State, seat: int, scoring: Scoring) -> float:
    """The agents in the companies of the colours in which the seat is first."""
    led = {colour for colour, rates in zip(COLOURS, scoring.rates, strict=True) if rates[seat] == 2}
    return sum([company.agents for company in state.companies.values() if company.colour in led]) / 4


def _takeovers(state: State, seat: int, scoring: Scoring) -> tuple[float, float, float, float]:
    """The most that the seat could win by one takeover, all that it could; the same for what others could take."""
    gains, losses = [0.0], [0.0]
    for source, target in _reachable(state):
        colour = source.colour
        for who, hq in enumerate(state.hqs):
            if hq.cards[colour] > target.agents:
                change = _change(scoring, seat, who, source, target)
                if who == seat:
                    gains.append(change + 1)
                elif scoring.rates[PLACE[colour]][who] >= scoring.rates[PLACE[target.colour]][who]:
                    losses.append(-change)
    return max(gains), sum(gains) / 4, max(losses), sum(losses) / 4


def _reachable(state: State) -> Iterator[tuple[Company, Company]]:
    """Adjacent companies of two colours, of which the first has the agents for a takeover of the second (R-20)."""
    companies = state.companies
    neighbours = neighbours_of(len(companies))
    for square, source in companies.items():
        if source.agents > 2:
            for other in neighbours[square]:
                target = companies[other]
                if target.agents + 1 < source.agents and target.colour != source.colour:
                    yield source, target


def _change(scoring: Scoring, seat: int, who: int, source: Company, target: Company) -> float:
    """The points of the seat after a takeover by anybody, whom the defender's agent brings two shares."""
    won, lost = scoring.rates[PLACE[source.colour]][seat], scoring.rates[PLACE[target.colour]][seat]
    bonus = 2 if target.type in scoring.types else 0
    change = (won + bonus if won else 0) - (lost + bonus if lost else 0)
    return change + _with_more(scoring, seat, who, PLACE[target.colour], (2, 1))


def _with_more(scoring: Scoring, seat: int, who: int, place: int, more: Held) -> int:
    """The points of the seat that shares of a colour bring it, or cost it if they are another's."""
    held = scoring.held[place]
    now = scoring.rates[place][seat]
    if (who == seat and now == 2) or (who != seat and (not now or held[who][0] + more[0] < held[seat][0])):
        return 0
    shares, agents = held[who]
    then = _rates((*held[:who], (shares + more[0], agents + more[1]), *held[who + 1 :]))[seat]
    return (then - now) * scoring.companies[place] + 2 * scoring.objectives[place] * (bool(then) - bool(now))


def _lays(state: State, seat: int, scoring: Scoring) -> tuple[float, float]:
    """The most points that the cards of one colour in the hand would bring in the HQ, and those of all colours."""
    hand, supply = state.hands[seat], state.supply
    gains = [
        _with_more(scoring, seat, seat, place, (min(hand[colour], supply[colour]), 0)) if hand[colour] else 0
        for place, colour in enumerate(COLOURS)
    ]
    return max(gains), sum(gains) / 2


def _due(state: State, seat: int) -> tuple[int, int, int]:
    """Second card and ability still to come (0 or 1), and the constant 1."""
    own = state.active == seat
    return own and state.phase == "second-card", own and state.phase == "ability", 1


def _hand(state: State, seat: int, scoring: Scoring) -> tuple[float, float, float, float]:
    """The worth of the seat's cards by the companies of their colours, their number, and whether three are alike."""
    numbers = [state.hands[seat][colour] for colour in COLOURS]
    worths = zip(numbers, scoring.companies, scoring.objectives, strict=True)
    worth = sum([number * (companies + objectives) for number, companies, objectives in worths]) / 4
    cards = sum(numbers)
    return worth, min(cards, HAND_LIMIT), max(0, cards - HAND_LIMIT), max(numbers) >= CARDS_FOR_CONSULTANT


def _open(state: State, seat: int) -> tuple[float, ...]:
    """Cards in the HQs, consultants, and how many cards the others hold."""
    hq, others = state.hqs[seat], len(state.hqs) - 1
    unrotated = [sum(each.cards.values()) for each in state.hqs]
    own, consultants = unrotated.pop(seat), hq.consultants.values()
    hands = [sum(hand.values()) for who, hand in enumerate(state.hands) if who != seat]
    kinds = sum(map(bool, consultants))
    return own, sum(hq.rotated.values()), sum(unrotated) / others, sum(consultants), kinds, sum(hands) / others


def _last(state: State, seat: int, reach: Sequence[float], hand: float) -> tuple[float, ...]:
    """Changes that the last round may still bring: turns and threats of others, and the seat's own turn."""
    capture, _, threat, threats, lay, _ = reach
    turns = [(who - state.active) % state.seats for who in range(state.seats)]
    left = state.final_turns or 0
    yet = [0 < (turn or state.seats) <= left or (not turn and state.phase == "turn") for turn in turns]
    mine, others = yet.pop(seat), sum(yet)
    _, ability, one = _due(state, seat)
    return (
        ability, one, others, threat if others else 0.0, threats if others else 0.0,
        max(capture - 1, lay, 0.0) if mine else 0.0, hand if mine else 0.0,
    )  # fmt: skip


# Solo: companies that score, what either side could take, and forces.

SOLO_RULES_OF_THUMB = {
    "lead": 1.0, "companies": 0.1, "hq-agents": 0.02, "ods-scores": -0.4, "ods-takes": -0.3, "prizes": 0.3,
    "prize": 0.3, "targets": 0.05, "unrotated": 0.08, "their-unrotated": -0.08, "defence": 0.05, "their-defence": -0.05,
    "attack": 0.03,
}  # fmt: skip
"""Companies that score, above all; then what ODS would take next, what is in reach, cards and agents: by hand."""
SOLO_NAMES = tuple(SOLO_RULES_OF_THUMB)
_ENOUGH_AGENTS = 6
"""More agents than these make a company no safer."""


def solo_features(state: State, seat: int) -> tuple[float, ...]:
    """Return the numbers that NAMES names, for the player of a solo game; all 0 before the conglomerates are chosen."""
    if not state.colours:
        return (0.0,) * len(SOLO_NAMES)
    own = [each for each in state.companies.values() if each.colour in state.colours[seat]]
    others = [each for each in state.companies.values() if each.colour not in state.colours[seat]]
    prizes, targets = _in_reach(state)
    return (
        _count_scoring(state, own) - _count_scoring(state, others),
        len(own) - len(others),
        sum(state.hqs[PLAYER].agents.values()) - sum(state.hqs[ODS].agents.values()),
        *_taken_next(state),
        prizes,
        prizes > 0,
        targets,
        sum(state.hqs[PLAYER].cards.values()),
        sum(state.hqs[ODS].cards.values()),
        _defence(state, own),
        _defence(state, others),
        sum(min(each.agents, _ENOUGH_AGENTS) for each in own),
    )


def _count_scoring(state: State, companies: list[Company]) -> int:
    return sum(each.type in state.objectives[PLAYER] for each in companies)


def _taken_next(state: State) -> tuple[int, int]:
    """Takeovers of ODS if its turn came now: of a company that scores, or else of another one (R-61, R-62)."""
    then = state._replace(marker=(state.marker + 1) % 4)
    attacks = within_reach(then)
    if not attacks:
        return 0, 0
    _, attack = choose(then, attacks)
    scores = state.companies[attack.target].type in state.objectives[PLAYER]
    return int(scores), int(not scores)


def _in_reach(state: State) -> tuple[int, int]:
    """Companies of ODS that the player could take over: those that score, and the others (R-20, R-53)."""
    targets = list(_targets(state))
    prizes = _count_scoring(state, targets)
    return prizes, len(targets) - prizes


def _targets(state: State) -> Iterator[Company]:
    cards, own = state.hqs[PLAYER].cards, state.colours[PLAYER]
    neighbours = neighbours_of(len(state.companies))
    for square, target in state.companies.items():
        if target.colour in own or is_last_of_colour(state, target.colour):
            continue
        sources = (state.companies[other] for other in neighbours[square])
        if any(
            source.colour in own and target.agents < min(cards[source.colour], source.agents - 1) for source in sources
        ):
            yield target


def _defence(state: State, companies: list[Company]) -> int:
    """The agents on companies that score, as far as they make these safer."""
    return sum(min(each.agents, _ENOUGH_AGENTS) for each in companies if each.type in state.objectives[PLAYER])
