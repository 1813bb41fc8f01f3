"""The actions of a turn as rows of parts: Plot, Takeover, discards, and the first choice and the placements of solo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations
from typing import Any

from service.rules.games.new_corp_order.actions import ChooseConglomerates, TakeOver
from service.rules.games.new_corp_order.contest import succeeds
from service.rules.games.new_corp_order.events import CompanyTakenOver, ConsultantUsed, DefenderHired, Event
from service.rules.games.new_corp_order.legal import discards, legal, plots, solo_placements, takeovers
from service.rules.games.new_corp_order.letters import DECK
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.tabletop.worth import Worth
from service.rules.games.new_corp_order.terms import Colour, Consultant, Square
from service.rules.shapes import Picks, Prospect
from service.rules.tabletop.facets import Row

FIRST, SECOND = "first", "second"
DISCARDED = (FIRST, SECOND, "third", "fourth")


def in_any_order(action: Any, values: Sequence[Any], names: Sequence[str], **more: Any) -> list[Row]:
    """Return a row for each order in which the values can be picked."""
    return [Row(action, dict(zip(names, order, strict=False)), **more) for order in sorted(set(permutations(values)))]


def plot_rows(state: State, _: Picks) -> list[Row]:
    """Return the Plots; a card of the deck is seen before the second is chosen, unless both are picked at once."""
    rows = []
    for action in plots(state):
        sources = [DECK if source == "deck" else source for source in action.sources]
        prospect: Prospect = "open" if DECK in sources else "good"
        rows += in_any_order(action, sources, (FIRST, SECOND), prospect=prospect, gain=0, worth=(-len(sources),))
    return rows


def takeover_rows(state: State, _: Picks) -> list[Row]:
    """Return the Takeovers; the one preferred wins, gains most, needs no consultant, and moves most agents."""
    worth = Worth(state)
    sources = {company.colour: square for square, company in state.companies.items()}

    @cache
    def won(target: Square, colour: Colour, hires: bool) -> int:
        return worth.gain(_win(state, sources[colour], target, hires))

    @cache
    def used(consultant: Consultant | None) -> int:
        used = [] if consultant is None else [ConsultantUsed(seat=state.active, consultant=consultant)]
        return worth.gain(used)

    return [_takeover_row(state, action, won, used) for action in takeovers(state)]


def _takeover_row(
    state: State,
    action: TakeOver,
    won: Callable[[Square, Colour, bool], int],
    used: Callable[[Consultant | None], int],
) -> Row:
    source, target = state.companies[action.source], state.companies[action.target]
    wins = succeeds(target, source.colour, action.agents, action.use)
    prospect: Prospect = "open" if source.colour == target.colour else "good" if wins else "bad"
    # The points of consultants do not depend on what companies and agents bring.
    hires = action.use == "headhunter" and target.agents > 1
    points = (won(action.target, source.colour, hires) if wins else 0) + used(action.use)
    preferred = (wins, prospect == "open", points, action.use is None, action.agents)
    parts = {"target": action.target, "source": action.source, "agents": action.agents, "use": action.use}
    return Row(action, parts, prospect, points, preferred)


def _win(state: State, source: Square, target: Square, hires: bool) -> list[Event]:
    """A Takeover that wins the target; points do not depend on the source but for its colour."""
    defender = state.companies[target]
    won = CompanyTakenOver(
        seat=state.active,
        source=source,
        target=target,
        colour=state.companies[source].colour,
        agents=1,
        defender=defender.colour,
        defenders=defender.agents,
    )
    return [won, DefenderHired(seat=state.active, colour=defender.colour)] if hires else [won]


def discard_rows(state: State, _: Picks) -> list[Row]:
    """Return the ways to discard, the cards in any order; the one preferred discards what the hand has most of."""
    hand, rows = state.hands[state.active], []
    for action in discards(state):
        worth = (sum(hand[colour] for colour in action.cards), len(set(action.cards)) == 1)
        rows += in_any_order(action, action.cards, DISCARDED, prospect="good", gain=0, worth=worth)
    return rows


def conglomerate_rows(state: State, _: Picks) -> list[Row]:
    """Return the pairs of conglomerates; what they bring depends on objectives that are still hidden."""
    pairs = [each for each in legal(state, state.active) if isinstance(each, ChooseConglomerates)]
    return [Row(each, {"pair": "-".join(each.colours)}) for each in pairs]


def placement_rows(state: State, _: Picks) -> list[Row]:
    """Return the ways to place the agents of a solo Plot; the one preferred helps companies of objectives."""
    rows = []
    for action in solo_placements(state):
        held = [state.companies[square] for square in action.companies]
        worth = (sum(each.type in state.objectives[0] for each in held), -sum(each.agents for each in held))
        more = {"prospect": "good", "gain": 0, "worth": worth}
        rows += in_any_order(action, action.companies, (FIRST, SECOND), **more)
    return rows
