"""A position of the game against ODS in numbers: companies that score, what either side could take, and forces."""

from __future__ import annotations

from collections.abc import Iterator

from service.rules.games.new_corp_order.contest import last_of_colour
from service.rules.games.new_corp_order.grid import neighbours_of
from service.rules.games.new_corp_order.ods import PLAYER, choose, within_reach
from service.rules.games.new_corp_order.state import Company, State
from service.rules.games.new_corp_order.terms import ODS

RULES_OF_THUMB = {
    "lead": 1.0, "companies": 0.1, "hq-agents": 0.02, "ods-scores": -0.4, "ods-takes": -0.3, "prizes": 0.3,
    "prize": 0.3, "targets": 0.05, "unrotated": 0.08, "their-unrotated": -0.08, "defence": 0.05, "their-defence": -0.05,
    "attack": 0.03,
}  # fmt: skip
"""Companies that score, above all; then what ODS would take next, what is in reach, cards and agents: by hand."""
NAMES = tuple(RULES_OF_THUMB)
_ENOUGH = 6
"""More agents than these make a company no safer."""


def features(state: State, seat: int) -> tuple[float, ...]:
    """Return the numbers that NAMES names, for the player of a solo game; all 0 before the conglomerates are chosen."""
    if not state.colours:
        return (0.0,) * len(NAMES)
    own = [each for each in state.companies.values() if each.colour in state.colours[seat]]
    others = [each for each in state.companies.values() if each.colour not in state.colours[seat]]
    prizes, targets = _in_reach(state)
    return (
        _scoring(state, own) - _scoring(state, others),
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
        sum(min(each.agents, _ENOUGH) for each in own),
    )


def _scoring(state: State, companies: list[Company]) -> int:
    return sum(each.type in state.objectives[PLAYER] for each in companies)


def _taken_next(state: State) -> tuple[int, int]:
    """Whether ODS could take over a company that scores, or else another one, if its turn came now (R-61, R-62)."""
    then = state._replace(marker=(state.marker + 1) % 4)
    attacks = within_reach(then)
    if not attacks:
        return 0, 0
    _, attack = choose(then, attacks)
    scores = state.companies[attack.target].type in state.objectives[PLAYER]
    return int(scores), int(not scores)


def _in_reach(state: State) -> tuple[int, int]:
    """How many of ODS's companies the player could take over, those that score and the others (R-20, R-53)."""
    targets = list(_targets(state))
    prizes = _scoring(state, targets)
    return prizes, len(targets) - prizes


def _targets(state: State) -> Iterator[Company]:
    cards, own = state.hqs[PLAYER].cards, state.colours[PLAYER]
    neighbours = neighbours_of(len(state.companies))
    for square, target in state.companies.items():
        if target.colour in own or last_of_colour(state, target.colour):
            continue
        sources = (state.companies[other] for other in neighbours[square])
        if any(
            source.colour in own and target.agents < min(cards[source.colour], source.agents - 1) for source in sources
        ):
            yield target


def _defence(state: State, companies: list[Company]) -> int:
    """The agents on companies that score, as far as they make these safer."""
    return sum(min(each.agents, _ENOUGH) for each in companies if each.type in state.objectives[PLAYER])
