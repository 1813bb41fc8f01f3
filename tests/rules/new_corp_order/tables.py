"""Wanted positions of New Corp Order, told as facts: setup events, then what brought the table to where it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.events import (
    AgentsPlaced,
    AgentsScattered,
    CardsDealt,
    CardsPlaced,
    CardsRotated,
    CardTaken,
    CompaniesLaid,
    CompanyTakenOver,
    ConglomeratesChosen,
    ConsultantsDealt,
    ConsultantTaken,
    ConsultantUsed,
    DecisionReached,
    EndTriggered,
    MarkerMoved,
    ObjectivesDealt,
    ObjectivesLaidOut,
    TurnBegan,
)
from service.rules.games.new_corp_order.grid import squares_of
from service.rules.games.new_corp_order.terms import COLOURS, COMPANY_TYPES, DELUXE_TYPES, NAMES
from service.rules.kernel import GameStarted
from tests.case import Case

ALICE, BOB, CAROL, DAVE = range(4)
PLAYER, ODS = 0, 1

ONLINE, GUERRILLA, BROADCAST, PRINT, SOCIAL, AMBIENT = COMPANY_TYPES
VIRAL, PLACEMENT, NEGATIVE = DELUXE_TYPES
ADVISOR, DEALMAKER, LAWYER, CONTRACTOR = "media-advisor", "dealmaker", "corporate-lawyer", "military-contractor"

ACCOUNTANT, SPIN_DOCTOR, HEADHUNTER = "corporate-accountant", "spin-doctor", "headhunter"
HOUSE = {"corporate-accountant": True, "deluxe": True}
"""The options of a game with all house rules."""
HOUSE_TYPES = (ONLINE, GUERRILLA, BROADCAST, *DELUXE_TYPES)
"""The company types of such a game here: Deluxe ones have replaced Print, Social and Ambient."""

Cards = Mapping[str, int]


class HQ(NamedTuple):
    """What lies in an HQ: unrotated cards, rotated cards, agents, consultants."""

    cards: Cards = {}
    rotated: Cards = {}
    agents: Cards = {}
    consultants: Sequence[str] = ()


class Tile(NamedTuple):
    """A company of the grid: the colour and number of its agents, and its type (None = whichever is left)."""

    colour: str
    agents: int = 1
    kind: str | None = None


case = Case(RULESET)
"""Where every case of New Corp Order starts."""


def table(
    players: int = 2,
    *,
    grid: Mapping[str, Tile] = {},
    others: str | None = None,
    hands: Sequence[Cards] = (),
    hqs: Sequence[HQ] = (),
    objectives: Sequence[tuple[str, ...]] = (),
    display: Sequence[str | None] = ("red", "black", "blue", "white", "red"),
    deck: Sequence[str] | None = None,
    active: int = ALICE,
    final_turns: int | None = None,
    options: Mapping[str, Any] = {},
) -> list[Any]:
    """Return the facts of a running game of two to four whose seat `active` has its turn.

    `others` is the colour of the companies that `grid` leaves out (None = whatever colour is rarest). The deck is by
    default all the other cards. `final_turns` counts the turns of the last round, the active seat's included.
    """
    types = HOUSE_TYPES if options.get("deluxe") else COMPANY_TYPES
    filled = _filled(grid, 12 if players == 2 else 16, others, types)
    hands, hqs = _padded(hands, players, {}), _padded(hqs, players, HQ())
    boxed = 5 if players == 2 else 0
    dealt = tuple(_cards(_sum(hand, hq.cards, hq.rotated)) for hand, hq in zip(hands, hqs, strict=True))
    rest = _left(boxed, [*display, *(card for cards in dealt for card in cards)])
    facts = [
        *_laid(players, filled, options),
        ObjectivesDealt(
            objectives=_padded(objectives, players, (COMPANY_TYPES[0], COMPANY_TYPES[1])), returned=((),) * players
        ),
        *_consultants(hqs),
        CardsDealt(hands=dealt, display=tuple(display), deck=rest if deck is None else tuple(deck), boxed=boxed),
        *_agents(filled),
    ]
    for seat, hq in enumerate(hqs):
        facts += [CardsPlaced(seat=seat, colour=c, cards=n) for c, n in _sum(hq.cards, hq.rotated).items() if n]
        facts += [CardsRotated(hq=seat, colour=c, cards=n) for c, n in hq.rotated.items() if n]
        facts += _won(seat, hq.agents, filled)
    return [*facts, *_turns(players, active, final_turns)]


def solo(
    *,
    grid: Mapping[str, Tile] = {},
    others: str | None = None,
    own: tuple[str, str] = ("red", "black"),
    hq: HQ = HQ(),
    ods: HQ = HQ(),
    objectives: tuple[str, ...] = (ONLINE, GUERRILLA, BROADCAST),
    display: Sequence[str | None] = ("red", "black", "blue", "white"),
    deck: Sequence[str] | None = None,
    marker: int = 0,
    active: int = PLAYER,
) -> list[Any]:
    """Return the facts of a running solo game in which `active` has the turn; agents come on top of the first two."""
    filled = _filled(grid, 12, others, COMPANY_TYPES)
    taken = [(seat, card) for seat, area in ((0, hq), (1, ods)) for card in _cards(_sum(area.cards, area.rotated))]
    cards = tuple(card for _, card in taken)
    rest = _left(5, [*display, *cards]) if deck is None else tuple(deck)
    theirs = tuple(colour for colour in COLOURS if colour not in own)
    facts = [
        *_laid(1, filled, {}),
        ObjectivesLaidOut(objectives=objectives),
        CardsDealt(hands=(), display=tuple(display), deck=(*cards, *rest), boxed=5),
        ConglomeratesChosen(player=own, ods=theirs),
        *(CardTaken(seat=seat, source="deck", card=card, to="hq") for seat, card in taken),
        *_agents(filled),
    ]
    for seat, area in enumerate((hq, ods)):
        facts += [CardsRotated(hq=seat, colour=c, cards=n) for c, n in area.rotated.items() if n]
        facts += _won(seat, area.agents, filled)
    return [*facts, MarkerMoved(column=marker), TurnBegan(seat=active)]


def won(company: str, kind: str, seat: int = ALICE, *, grid: Mapping[str, Tile] = {}, **more: Any) -> list[Any]:
    """Return the facts of a two-player game (or `players`) whose seat may now use the ability of the company it won."""
    laid = {company: Tile("red", 2, kind), **grid}
    return [*table(grid=laid, active=seat, **more), *just_won(company, seat)]


def just_won(company: str, seat: int = ALICE, colour: str = "red", agents: int = 2) -> list[Any]:
    """Return the facts that make the ability of a company due to a seat, the table staying as it is."""
    return [_to_hq(seat, company, colour, agents, "black"), DecisionReached(seat=seat, decision="ability")]


def _to_hq(seat: int, company: str, colour: str, agents: int, defender: str) -> CompanyTakenOver:
    """The one fact that brings an agent to an HQ, told so that the grid stays and the agent is the supply's."""
    return CompanyTakenOver(
        seat=seat, source=company, target=company, colour=colour, agents=agents, defender=defender, defenders=0
    )


def _laid(seats: int, grid: Mapping[str, Tile], options: Mapping[str, Any]) -> list[Any]:
    names = {kind: list(NAMES[kind]) for kind in (*COMPANY_TYPES, *(DELUXE_TYPES if options.get("deluxe") else ()))}
    laid = tuple(names[tile.kind].pop(0) for tile in grid.values())
    return [
        GameStarted(ruleset="new-corp-order", revision=1, seats=seats, options=options, commitment="", nonces=()),
        CompaniesLaid(grid=laid, boxed=tuple(name for left in names.values() for name in left)),
        AgentsScattered(colours=tuple(tile.colour for tile in grid.values())),
    ]


def _filled(grid: Mapping[str, Tile], companies: int, others: str | None, types: Sequence[str]) -> dict[str, Tile]:
    squares = squares_of(companies)
    assert set(grid) <= set(squares), f"not all on the grid: {sorted(grid)}"
    kinds = [kind for kind in types for _ in range(2 if companies == 12 else 3)]
    for tile in grid.values():
        if tile.kind:
            kinds.remove(tile.kind)
    filled: dict[str, Tile] = {square: grid[square] for square in squares if square in grid}
    for square in squares:
        colours = [tile.colour for tile in filled.values()]
        tile = filled.get(square) or Tile(others or min(COLOURS, key=colours.count))
        filled[square] = tile if tile.kind else tile._replace(kind=kinds.pop())
    return {square: filled[square] for square in squares}


def _agents(grid: Mapping[str, Tile]) -> list[AgentsPlaced]:
    return [
        AgentsPlaced(seat=0, company=square, colour=tile.colour, agents=tile.agents - 1)
        for square, tile in grid.items()
    ]


def _consultants(hqs: Sequence[HQ]) -> Iterator[Any]:
    # The Corporate Accountant is never dealt.
    dealt = [bool(hq.consultants) and hq.consultants[0] != ACCOUNTANT for hq in hqs]
    first = tuple(hq.consultants[0] if own else DEALMAKER for hq, own in zip(hqs, dealt, strict=True))
    yield ConsultantsDealt(consultants=first)
    for seat, (hq, own) in enumerate(zip(hqs, dealt, strict=True)):
        if not own:
            yield ConsultantUsed(seat=seat, consultant=DEALMAKER)
        for consultant in hq.consultants[1 if own else 0 :]:
            yield ConsultantTaken(seat=seat, consultant=consultant)


def _won(seat: int, agents: Cards, grid: Mapping[str, Tile]) -> list[CompanyTakenOver]:
    square, tile = next(iter(grid.items()))
    return [_to_hq(seat, square, tile.colour, tile.agents, colour) for colour in _cards(agents)]


def _turns(players: int, active: int, final_turns: int | None) -> list[Any]:
    if final_turns is None:
        return [TurnBegan(seat=active)]
    before = players - final_turns
    seats = [(active - step) % players for step in range(before, -1, -1)]
    trigger = (active + final_turns - 1) % players
    return [TurnBegan(seat=trigger), EndTriggered(seat=trigger), *(TurnBegan(seat=seat) for seat in seats)]


def _left(boxed: int, used: Sequence[str | None]) -> tuple[str, ...]:
    return tuple(colour for number in range(20 - boxed) for colour in COLOURS if number >= used.count(colour))


def _padded(given: Sequence[Any], length: int, filler: Any) -> tuple[Any, ...]:
    return (*given, *(filler,) * (length - len(given)))


def _cards(counts: Cards) -> tuple[str, ...]:
    return tuple(colour for colour, number in counts.items() for _ in range(number))


def _sum(*counts: Cards) -> dict[str, int]:
    return {colour: sum(each.get(colour, 0) for each in counts) for colour in COLOURS}
