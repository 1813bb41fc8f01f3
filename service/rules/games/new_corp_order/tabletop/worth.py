"""What changes of the table are worth to the seat whose turn it is, in victory points: what choices are judged by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from service.rules.games.new_corp_order.events import Event
from service.rules.games.new_corp_order.evolve import evolve
from service.rules.games.new_corp_order.scoring import VP_BY_RANK, VP_PER_OBJECTIVE, consultant_points, ranks, shares
from service.rules.games.new_corp_order.state import Company, Hq, State
from service.rules.games.new_corp_order.terms import COLOURS, Colour, Square


class Worth:
    """The points of the active seat as `standings` tells them to that seat (R-42 to R-45; solo R-54)."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.seat = state.active
        self._types = frozenset(state.objectives[self.seat])
        self._each = {colour: self._brings(state, colour) for colour in COLOURS}
        self.points = self._total(state, self._each)

    def gain(self, events: Iterable[Event]) -> int:
        """Return how many points events win or lose the seat."""
        after = self.state
        for event in events:
            after = evolve(after, event)
        changed = [pair for pair in zip(self.state.hqs, after.hqs, strict=True) if pair[0] is not pair[1]]
        each = {
            colour: self._brings(after, colour) if any(_differ(*pair, colour) for pair in changed) else points
            for colour, points in self._each.items()
        }
        return self._total(after, each) - self.points

    def swapped(self, first: Square, second: Square) -> int:
        """Return how many points it wins or loses the seat if the agents of two companies change places."""
        one, other = self.state.companies[first], self.state.companies[second]
        after = (one._replace(colour=other.colour), other._replace(colour=one.colour))
        return sum(self._company(each) for each in after) - self._company(one) - self._company(other)

    def brings(self, square: Square) -> int:
        """Return what a company brings the seat now."""
        return self._company(self.state.companies[square])

    def _company(self, company: Company) -> int:
        """What a company brings the seat now."""
        own, matches = self._each[company.colour], company.type in self._types
        return own * matches if self.state.solo else own + VP_PER_OBJECTIVE * bool(own and matches)

    def _brings(self, state: State, colour: Colour) -> int:
        """What each company of a colour brings the seat; in solo only those of the objectives do."""
        if state.solo:
            return int(bool(state.colours) and colour in state.colours[self.seat])
        return VP_BY_RANK.get(ranks(state, colour)[self.seat] or 0, 0)

    def _total(self, state: State, each: Mapping[Colour, int]) -> int:
        own = [company for company in state.companies.values() if each[company.colour]]
        matching = sum(company.type in self._types for company in own)
        if state.solo:
            return matching
        pairs, all_four = consultant_points(state.hqs[self.seat].consultants)
        return sum(each[company.colour] for company in own) + VP_PER_OBJECTIVE * matching + pairs + all_four


def _differ(one: Hq, other: Hq, colour: Colour) -> bool:
    return one.agents[colour] != other.agents[colour] or shares(one, colour) != shares(other, colour)
