"""Rows of choices: each legal action as its parts, with the points that it brings the seat whose turn it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations
from typing import Any, cast

from service.rules.games.new_corp_order.abilities import options
from service.rules.games.new_corp_order.actions import (
    AddAgents,
    ChooseConglomerates,
    ExchangeAgents,
    ExchangeCards,
    Infiltrate,
    MoveAgents,
    PlaceCard,
    Placement,
    RemoveCard,
    RotateCards,
    TakeOver,
    UnrotateCards,
    WithdrawAgents,
)
from service.rules.games.new_corp_order.events import (
    CardRemoved,
    CardsExchanged,
    CardsPlaced,
    CompanyTakenOver,
    ConsultantTaken,
    ConsultantUsed,
    DefenderHired,
    Event,
)
from service.rules.games.new_corp_order.evolve import evolve
from service.rules.games.new_corp_order.legal import (
    companies_of,
    discards,
    held_for,
    legal,
    plots,
    solo_placements,
    takeover_succeeds,
    takeovers,
    with_take,
)
from service.rules.games.new_corp_order.notation import DECK
from service.rules.games.new_corp_order.scoring import VP_BY_RANK, VP_PER_OBJECTIVE, consultant_points, ranks, shares
from service.rules.games.new_corp_order.state import Company, Hq, State
from service.rules.games.new_corp_order.terms import COLOURS, Colour, Consultant, Square
from service.rules.table_parts import Picks, Prospect
from service.rules.tabletop.choices import Row, written


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
        """Return the points that a company brings the seat now."""
        return self._company(self.state.companies[square])

    def _company(self, company: Company) -> int:
        own, matches = self._each[company.colour], company.type in self._types
        return own * matches if self.state.solo else own + VP_PER_OBJECTIVE * bool(own and matches)

    def _brings(self, state: State, colour: Colour) -> int:
        """Points for each company of a colour; in solo only companies of the objectives score."""
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


# Plot, Takeover, discards, and the solo player's conglomerates and placements.

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
    wins = takeover_succeeds(target, source.colour, action.agents, action.use)
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


# Infiltrate: all placements of one colour, and those with a consultant beside the one picked.

ORDER = ("colour", "company", "cards", "use", "joker", "colour2", "company2", "cards2", "take")
_FIRST = ORDER[:3]


def infiltrate_rows(state: State, picks: Picks) -> list[Row]:
    """Return the Infiltrates that the picks leave in reach; the one preferred places a single card.

    With the Corporate Lawyer there are thousands, so the second colour is only put beside the first one picked.
    """
    worth = Worth(state)

    @cache
    def gained(cards: tuple[tuple[Colour, int], ...], use: str | None, take: str | None) -> int:
        return worth.gain(_happening(state, cards, use, take))

    def row(action: Infiltrate, first: Placement) -> Row:
        placed = tuple((each.colour, each.cards) for each in action.placements)
        joker = ((action.joker, 1),) if action.joker else ()
        points = gained((*placed, *joker), action.use, action.take)
        return Row(action, _parts(action, first), "good", points, _worth(state, action, points))

    plain = list(_plain(state))
    rows = [row(action, first) for first in plain for action in with_take(state, (first,), None, None)]
    wanted = {part: picks[part] for part in _FIRST if part in picks}
    begun = [each for each in rows if all(written(each.parts[part]) == value for part, value in wanted.items())]
    if "colour" not in picks or not begun:
        return rows
    best = max(begun, key=lambda each: each.worth).action.placements[0]
    return rows + [row(action, best) for action in _with_consultant(state, best)]


def infiltrate_parts(action: Infiltrate) -> dict[str, object]:
    """Return the parts of an Infiltrate, the first placement first."""
    return _parts(action, action.placements[0])


def _parts(action: Infiltrate, first: Placement) -> dict[str, object]:
    parts: dict[str, object] = {"colour": first.colour, "company": first.company, "cards": first.cards}
    parts |= {"use": action.use, "joker": action.joker, "take": action.take}
    others = [each for each in action.placements if each != first]
    for each in others:
        parts |= {"colour2": each.colour, "company2": each.company, "cards2": each.cards}
    return parts


def _worth(state: State, action: Infiltrate, points: int) -> tuple[object, ...]:
    number = sum(each.cards for each in action.placements)
    types = state.objectives[state.active]
    scored = sum(state.companies[each.company].type in types for each in action.placements)
    weak = -sum(state.companies[each.company].agents for each in action.placements)
    return (action.use is None, -number, points, action.take is not None, scored, weak)


def _plain(state: State) -> Iterator[Placement]:
    for colour in COLOURS:
        for cards in range(1, min(state.hands[state.active][colour], state.supply[colour]) + 1):
            yield from (Placement(colour=colour, cards=cards, company=each) for each in companies_of(state, colour))


def _with_consultant(state: State, first: Placement) -> Iterator[Infiltrate]:
    """Yield the Infiltrates with a consultant beside the first placement."""
    held, hand = held_for(state, Infiltrate), state.hands[state.active]
    if "media-advisor" in held and first.cards < state.supply[first.colour]:
        for joker in COLOURS:
            if joker != first.colour and hand[joker]:
                yield from with_take(state, (first,), "media-advisor", joker)
    if "spin-doctor" in held and first.cards < state.supply[first.colour]:
        yield from with_take(state, (first,), "spin-doctor", None)
    if "corporate-lawyer" in held:
        for other in _plain(state):
            if other.colour != first.colour:
                pair = sorted((first, other), key=lambda each: COLOURS.index(each.colour))
                yield from with_take(state, cast("tuple[Placement, ...]", tuple(pair)), "corporate-lawyer", None)


def _happening(state: State, cards: tuple[tuple[Colour, int], ...], use: str | None, take: str | None) -> list[Event]:
    """The events of an Infiltrate that points depend on."""
    seat = state.active
    events: list[Event] = [CardsPlaced(seat=seat, colour=colour, cards=n) for colour, n in cards]
    if use is not None:
        events.append(ConsultantUsed(seat=seat, consultant=use))  # type: ignore[arg-type] # of an action
    if take is not None:
        events.append(ConsultantTaken(seat=seat, consultant=take))  # type: ignore[arg-type] # of an action
    return events


# Abilities; cards in an HQ are picked as piles (`1-red`, `0-blue-rotated`).


def ability_rows(state: State, picks: Picks) -> list[Row]:
    """Return the uses of the ability of the company just taken over."""
    worth = Worth(state)
    return [row for action in options(state) for row in _ROWS[type(action)](worth, action, picks)]


def pile(hq: int, colour: str, rotated: bool = False) -> str:
    """Return the name by which cards of a colour in an HQ are picked."""
    return f"{hq}-{colour}{'-rotated' if rotated else ''}"


def _exchange_agents(worth: Worth, action: ExchangeAgents, _: Picks) -> list[Row]:
    points = worth.swapped(action.first, action.second)
    more = {"prospect": "good", "gain": points, "worth": (points,)}
    return in_any_order(action, (action.first, action.second), (FIRST, SECOND), **more)


def _move_agents(_: Worth, action: MoveAgents, picks: Picks) -> list[Row]:
    """Return single moves, and pairs only once a first move is picked: there are hundreds of pairs."""
    if len(action.moves) == 1:
        move = action.moves[0]
        return [Row(action, {"source": move.source, "target": move.target}, "good", 0, (1,))]
    one, other = action.moves
    if "source" not in picks or "target" not in picks:
        return []
    targets = {(one.target, other.target), (other.target, one.target)}
    return [
        Row(action, {"source": first, "target": end, "source2": second, "target2": ends}, "good", 0, (0,))
        for first, second in sorted({(one.source, other.source), (other.source, one.source)})
        for end, ends in sorted(targets)
        if first == picks["source"] and end == picks["target"]
    ]


def _rotate_cards(worth: Worth, action: RotateCards, _: Picks) -> list[Row]:
    preferred = (action.hq != worth.seat, action.cards)
    return [Row(action, {"pile": pile(action.hq, action.colour), "cards": action.cards}, "good", 0, preferred)]


def _unrotate_cards(worth: Worth, action: UnrotateCards, _: Picks) -> list[Row]:
    piles = [pile(action.hq, colour, True) for colour in action.colours]
    preferred = (action.hq == worth.seat, len(piles) if action.hq == worth.seat else -len(piles))
    return in_any_order(action, piles, (FIRST, SECOND), prospect="good", gain=0, worth=preferred)


def _exchange_cards(worth: Worth, action: ExchangeCards, _: Picks) -> list[Row]:
    seat = worth.seat
    points = worth.gain([CardsExchanged(seat=seat, gave=action.give, hq=action.hq, took=action.take)])
    give = pile(seat, action.give.colour, action.give.rotated)
    take = pile(action.hq, action.take.colour, action.take.rotated)
    return [Row(action, {"give": give, "take": take}, "good", points, (points,))]


def _remove_card(worth: Worth, action: RemoveCard, _: Picks) -> list[Row]:
    points = worth.gain([CardRemoved(hq=action.hq, card=action.card)])
    name = pile(action.hq, action.card.colour, action.card.rotated)
    return [Row(action, {"pile": name}, "good", points, (points,))]


def _add_agents(worth: Worth, action: AddAgents, _: Picks) -> list[Row]:
    preferred = (worth.brings(action.company), action.agents)
    return [Row(action, {"company": action.company, "agents": action.agents}, "good", 0, preferred)]


def _withdraw_agents(worth: Worth, action: WithdrawAgents, _: Picks) -> list[Row]:
    preferred = (-worth.brings(action.company), action.agents)
    return [Row(action, {"company": action.company, "agents": action.agents}, "good", 0, preferred)]


def _place_card(worth: Worth, action: PlaceCard, _: Picks) -> list[Row]:
    points = worth.gain([CardsPlaced(seat=worth.seat, colour=action.colour, cards=1)])
    return [Row(action, {"colour": action.colour}, "good", points, (points,))]


_ROWS: Mapping[type[Any], Callable[[Worth, Any, Picks], list[Row]]] = {
    ExchangeAgents: _exchange_agents,
    MoveAgents: _move_agents,
    RotateCards: _rotate_cards,
    UnrotateCards: _unrotate_cards,
    ExchangeCards: _exchange_cards,
    RemoveCard: _remove_card,
    AddAgents: _add_agents,
    PlaceCard: _place_card,
    WithdrawAgents: _withdraw_agents,
}
