"""Positions of New Corp Order told as events; events, actions and games for its tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from random import Random
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from service.commands.selfplay import draw
from service.rules.chance import Chance, commit
from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import Card, Infiltrate, Placement, Plot, SkipAbility, TakeOver
from service.rules.games.new_corp_order.events import (
    AbilityLapsed,
    AbilitySkipped,
    AgentsExchanged,
    AgentsMoved,
    AgentsPlaced,
    AgentsScattered,
    AgentsWithdrawn,
    CardRemoved,
    CardsDealt,
    CardsDiscarded,
    CardsDrawn,
    CardsExchanged,
    CardsPlaced,
    CardsRotated,
    CardsUnrotated,
    CardSwept,
    CardTaken,
    CompaniesLaid,
    CompanyTakenOver,
    ConglomeratesChosen,
    ConsultantsDealt,
    ConsultantTaken,
    ConsultantUsed,
    DecisionReached,
    DefenderHired,
    DisplayRefilled,
    EndTriggered,
    GameEnded,
    MarkerMoved,
    ObjectivesDealt,
    ObjectivesLaidOut,
    PriorityFollowed,
    TableFlipped,
    TakeoverFailed,
    TurnBegan,
    TurnPassed,
)
from service.rules.games.new_corp_order.grid import squares_of
from service.rules.games.new_corp_order.scoring import final_scores
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.terms import COLOURS, COMPANY_TYPES, DELUXE_TYPES, NAMES
from service.rules.kernel import GameStarted, begin, fold
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
    """Contents of an HQ: unrotated cards, rotated cards, agents, consultants."""

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
"""Start of every case of New Corp Order."""


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


# Infiltrations and their events, in short.

INFILTRATE_GRID = {"A1": Tile("red"), "B1": Tile("blue"), "C1": Tile("red", 3)}


def infiltrate(*placements: tuple[str, int, str], **more: Any) -> Infiltrate:
    """An action told as (colour, cards, company)."""
    told = tuple(Placement(colour=colour, cards=cards, company=company) for colour, cards, company in placements)
    return Infiltrate(placements=told, **more)


def cards_placed(colour: str, number: int) -> CardsPlaced:
    """Alice's cards went to her HQ."""
    return CardsPlaced(seat=ALICE, colour=colour, cards=number)


def agents_placed(company: str, colour: str, number: int) -> AgentsPlaced:
    """Agents were placed for Alice's cards."""
    return AgentsPlaced(seat=ALICE, company=company, colour=colour, agents=number)


def consultant_used(consultant: str) -> ConsultantUsed:
    """Alice used a consultant."""
    return ConsultantUsed(seat=ALICE, consultant=consultant)


def consultant_taken(consultant: str) -> ConsultantTaken:
    """Alice took a consultant."""
    return ConsultantTaken(seat=ALICE, consultant=consultant)


def given_hand(
    hand: dict[str, int], *consultants: str, players: int = 2, grid: Any = INFILTRATE_GRID, **more: Any
) -> Any:
    """Alice's turn with a hand and consultants of hers."""
    return case.given(*table(players, grid=grid, hands=[hand], hqs=[HQ(consultants=consultants)], **more))


def infiltrations(state: Any) -> list[Infiltrate]:
    """Alice's legal infiltrations."""
    return [action for action in RULESET.legal(state, ALICE) if isinstance(action, Infiltrate)]


# Logs with hidden cards exchanged: only viewers who see the cards may tell them apart.

Log = Sequence[Any]


def exchanged(log: Log, kind: type[Any], change: Callable[[Any], Any]) -> list[Any]:
    """The log with its one event of a kind changed."""
    return [change(event) if isinstance(event, kind) else event for event in log]


def only(log: Log, kind: type[Any]) -> Any:
    """The one event of a kind."""
    (found,) = (event for event in log if isinstance(event, kind))
    return found


def swapped(cards: Sequence[str], place: int, card: str) -> tuple[str, ...]:
    """The cards with another one in a place."""
    return (*cards[:place], card, *cards[place + 1 :])


# Events of every class, the secret ones in two versions that differ only in what is hidden.

TILES = tuple(name for names in NAMES.values() for name in names)
RED, BLACK_ROTATED = Card(colour="red", rotated=False), Card(colour="black", rotated=True)

STARTED = GameStarted(ruleset="new-corp-order", revision=1, seats=2, commitment="c0ffee", nonces=("5ec1", "5ec2"))
STARTED_HOUSE = GameStarted(
    ruleset="new-corp-order",
    revision=1,
    seats=3,
    options={"corporate-accountant": True, "deluxe": True},
    commitment="c0ffee",
    nonces=("5ec1", "5ec2", "5ec3"),
)
STARTED_SOLO = GameStarted(ruleset="new-corp-order", revision=1, seats=1, commitment="c0ffee", nonces=("5ec1",))

OPEN: tuple[Any, ...] = (
    STARTED,
    STARTED_HOUSE,
    STARTED_SOLO,
    CompaniesLaid(grid=TILES[:12], boxed=TILES[12:]),
    AgentsScattered(colours=COLOURS * 3),
    ConsultantsDealt(consultants=("dealmaker", "media-advisor")),
    ConglomeratesChosen(player=("red", "black"), ods=("blue", "white")),
    TurnBegan(seat=0),
    *(
        DecisionReached(seat=1, decision=due)
        for due in ("conglomerates", "second-card", "placement", "ability", "discard")
    ),
    TurnPassed(seat=1),
    CardTaken(seat=0, source="3", card="red", to="hand"),
    CardTaken(seat=0, source="deck", card="red", to="hq"),
    CardTaken(seat=0, source="deck", card="red", to="box"),
    DisplayRefilled(cards=(("2", "red"), ("5", "white"))),
    EndTriggered(seat=0),
    ConsultantUsed(seat=0, consultant="dealmaker"),
    ConsultantTaken(seat=1, consultant="media-advisor"),
    CardsPlaced(seat=0, colour="red", cards=3),
    AgentsPlaced(seat=0, company="B2", colour="red", agents=3),
    CardsRotated(hq=0, colour="red", cards=1),
    CardsUnrotated(hq=1, colours=("red", "black")),
    AgentsMoved(source="A1", target="B1", colour="red", agents=1),
    TakeoverFailed(seat=0, source="A1", target="B1", colour="red", agents=1),
    CompanyTakenOver(seat=0, source="A1", target="B1", colour="red", agents=3, defender="blue", defenders=2),
    AbilityLapsed(seat=0, company="B1"),
    AbilitySkipped(seat=0, company="B1"),
    CardsExchanged(seat=0, gave=RED, hq=1, took=BLACK_ROTATED),
    CardRemoved(hq=1, card=BLACK_ROTATED),
    AgentsExchanged(first="A1", second="C3"),
    MarkerMoved(column=2),
    *(PriorityFollowed(priority=each) for each in ("A", "A-2", "A-scan", "B-3", "BB-4", "C-3", "D")),
    CardSwept(slot="4", card="red"),
    TableFlipped(),
    DefenderHired(seat=0, colour="blue"),
    AgentsWithdrawn(company="B2", colour="red", agents=2),
    GameEnded(scores=(23, 18), winners=(0,)),
    GameEnded(scores=(23, 23), winners=(0, 1)),
)

SECRET: tuple[tuple[Any, Any], ...] = (
    (
        ObjectivesDealt(
            objectives=(("print-media", "social-media"), ("online-marketing", "social-media")), returned=((), ())
        ),
        ObjectivesDealt(
            objectives=(("broadcast-network", "social-media"), ("online-marketing", "social-media")),
            returned=(("broadcast-network",), ()),
        ),
    ),
    (
        CardsDealt(hands=(("red",) * 4, ("blue",) * 4), display=("red",) * 5, deck=("white", "black"), boxed=5),
        CardsDealt(hands=(("black",) * 4, ("blue",) * 4), display=("red",) * 5, deck=("red", "red"), boxed=5),
    ),
    (
        CardTaken(seat=0, source="deck", card="red", to="hand"),
        CardTaken(seat=0, source="deck", card="white", to="hand"),
    ),
    (CardsDrawn(seat=0, cards=("red", "black")), CardsDrawn(seat=0, cards=("white", "white"))),
    (CardsDiscarded(seat=0, cards=("red", "red")), CardsDiscarded(seat=0, cards=("blue", "black"))),
)
"""Pairs of events that differ in what only Alice in seat 0 may know, or nobody."""

SECRET_FROM_ALL: tuple[tuple[Any, Any], ...] = (
    (
        ObjectivesLaidOut(objectives=("print-media", "social-media", "online-marketing")),
        ObjectivesLaidOut(objectives=("broadcast-network", "social-media", "online-marketing")),
    ),
    (
        CardsDealt(hands=(), display=("red",) * 4, deck=("red", "white"), boxed=5),
        CardsDealt(hands=(), display=("blue",) * 4, deck=("black", "white"), boxed=5),
    ),
)
"""Pairs of events of a solo game that differ in what nobody may know yet."""

EVENTS: tuple[Any, ...] = OPEN + tuple(event for pair in SECRET + SECRET_FROM_ALL for event in pair)


# Actions that may be illegal: well formed by their types, or legal ones with a field changed.


def any_action(lots: Random) -> Any:
    """Return a well-formed action of any kind."""
    return _value(lots.choice(list(RULESET.action_types.values())), lots)


def changed_action(action: Any, lots: Random) -> Any:
    """Return the action with one of its fields drawn anew, or changed in its turn."""
    hints = get_type_hints(type(action))
    if not hints:
        return action
    name = lots.choice(sorted(hints))
    value = getattr(action, name)
    if is_dataclass(value) and lots.random() < 0.7:
        return replace(action, **{name: changed_action(value, lots)})
    if isinstance(value, tuple) and value and lots.random() < 0.7:
        return replace(action, **{name: _one_changed(value, hints[name], lots)})
    return replace(action, **{name: _value(hints[name], lots)})


def _one_changed(items: tuple[Any, ...], hint: Any, lots: Random) -> tuple[Any, ...]:
    if lots.random() < 0.3:
        return tuple(lots.sample(items, len(items)))
    place, item = lots.randrange(len(items)), _value(get_args(hint)[0], lots)
    if is_dataclass(items[place]):
        item = changed_action(items[place], lots)
    return (*items[:place], item, *items[place + 1 :])


def _value(hint: Any, lots: Random) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint)
        return hint(**{field.name: _value(hints[field.name], lots) for field in fields(hint)})
    if origin is Literal:
        return lots.choice(arguments)
    if origin in {Union, UnionType}:
        return _value(lots.choice(arguments), lots)
    if origin is tuple:
        return tuple(_value(item, lots) for item in _lengthened(arguments, lots))
    return {int: lots.randint(-1, 5), bool: lots.random() < 0.5, type(None): None}[hint]


def _lengthened(items: Sequence[Any], lots: Random) -> Sequence[Any]:
    return [items[0]] * lots.randint(0, 3) if len(items) == 2 and items[1] is Ellipsis else items


# Self-play of a simple player, which looks one action ahead and sometimes draws at random.

SHARE_OF_RANDOM_ACTIONS = 0.25
"""Share of actions that are drawn instead of weighed."""
SAMPLE_SIZE = 5
"""Number of actions of each kind that are weighed."""

Shuns = Callable[[State, int, Any], bool]
"""(state, seat, action): whether the seat does without the action."""


class Played(NamedTuple):
    """A game that is over: the winners, and how often each ability and each consultant was used."""

    winners: tuple[int, ...]
    abilities: Counter[str]
    consultants: Counter[str]


def self_play(seats: int, options: Mapping[str, Any], name: str, shuns: Shuns = lambda *_: False) -> Played:
    """Play a game; the same name plays the same game."""
    lots = Random(name)
    chance = Chance(lots.randbytes(32))
    state = fold(RULESET, begin(RULESET, seats, options, chance, commit(lots.randbytes(32)), ("",) * seats))
    abilities: Counter[str] = Counter()
    consultants: Counter[str] = Counter()
    while state.result is None:
        seat = state.active
        action = _chosen(state, [each for each in RULESET.legal(state, seat) if not shuns(state, seat, each)], lots)
        if state.phase == "ability" and not isinstance(action, SkipAbility):
            abilities[state.companies[state.taken_over].type] += 1
        if isinstance(action, Infiltrate | TakeOver) and action.use is not None:
            consultants[action.use] += 1
        state = fold(RULESET, RULESET.decide(state, seat, action, chance), state)
    return Played(state.result.winners, abilities, consultants)


def _chosen(state: State, legal: Sequence[Any], lots: Random) -> Any:
    if lots.random() < SHARE_OF_RANDOM_ACTIONS:
        return draw(legal, lots)
    kinds: dict[type[Any], list[Any]] = {}
    for action in legal:
        kinds.setdefault(type(action), []).append(action)
    weighed = [each for one in kinds.values() for each in lots.sample(one, min(SAMPLE_SIZE, len(one)))]
    return max(weighed, key=lambda action: (_lead(state, action), lots.random()))


def _lead(state: State, action: Any) -> int:
    """Return the lead of a seat over the best other player after an action; a Plot changes nothing yet."""
    if not isinstance(action, Plot):
        state_after = fold(RULESET, RULESET.decide(state, state.active, action, None), state)
    else:
        state_after = state
    scores = final_scores(state_after)
    return scores[state.active] - max(score for seat, score in enumerate(scores) if seat != state.active)
