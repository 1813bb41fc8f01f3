"""Set the table up (R-01 to R-06, R-50, R-73)."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.games.new_corp_order.events import (
    AgentsScattered,
    CardsDealt,
    CompaniesLaid,
    ConsultantsDealt,
    DecisionReached,
    Event,
    ObjectivesDealt,
    ObjectivesLaidOut,
    TurnBegan,
)
from service.rules.games.new_corp_order.house_rules import dealt, draw_types
from service.rules.games.new_corp_order.terms import (
    COLOURS,
    COMPANY_TYPES,
    NAMES,
    TYPE_OF,
    Colour,
    CompanyType,
    Consultant,
)
from service.rules.kernel import Dice, Json

SOLO_OBJECTIVES = 3


def start(seats: int, options: Json, chance: Dice) -> Sequence[Event]:
    """Return the events of the setup, up to the first decision."""
    laid = _lay_companies(seats, draw_types(seats, options, chance), chance)
    agents = chance.shuffle("agents", COLOURS * (len(laid.grid) // 4))
    objectives = chance.shuffle("objectives", [TYPE_OF[name] for name in laid.grid])
    table: list[Event] = [laid, AgentsScattered(colours=tuple(agents))]
    if seats == 1:
        table.append(ObjectivesLaidOut(objectives=_lay_out(objectives)))
        table.append(_deal_cards(chance, hands=0, display=4, per_colour=15))
        return [*table, DecisionReached(seat=0, decision="conglomerates")]
    table.append(_deal_objectives(seats, objectives))
    table.append(_deal_consultants(seats, dealt(seats, options), chance))
    short = seats == 2 or bool(options.get("short-game", False))
    table.append(_deal_cards(chance, hands=seats, display=5, per_colour=15 if short else 20))
    fixed = options.get("first-player")
    first = chance.roll("first-player", seats)[0] - 1 if fixed is None else int(fixed)
    return [*table, TurnBegan(seat=first)]


def _lay_companies(seats: int, kinds: Sequence[CompanyType], chance: Dice) -> CompaniesLaid:
    replaced = [name for kind in COMPANY_TYPES if kind not in kinds for name in NAMES[kind]]
    if seats > 2:
        tiles = chance.shuffle("companies", [name for kind in kinds for name in NAMES[kind]])
        return CompaniesLaid(grid=tuple(tiles[:16]), boxed=(*tiles[16:], *replaced))
    boxed = [chance.shuffle(f"boxed-company:{kind}", NAMES[kind])[0] for kind in kinds]
    left = [name for kind in kinds for name in NAMES[kind] if name not in boxed]
    return CompaniesLaid(grid=tuple(chance.shuffle("companies", left)), boxed=(*boxed, *replaced))


def _deal_objectives(seats: int, deck: list[CompanyType]) -> ObjectivesDealt:
    dealt = [[deck[2 * seat], deck[2 * seat + 1]] for seat in range(seats)]
    rest = iter(deck[2 * seats :])
    returned: list[list[CompanyType]] = [[] for _ in range(seats)]
    for hand, back in zip(dealt, returned, strict=True):
        while hand[0] == hand[1]:
            back.append(hand[1])
            hand[1] = next(rest)
    return ObjectivesDealt(objectives=tuple(map(tuple, dealt)), returned=tuple(map(tuple, returned)))


def _lay_out(deck: list[CompanyType]) -> tuple[CompanyType, ...]:
    return tuple(dict.fromkeys(deck))[:SOLO_OBJECTIVES]


def _deal_consultants(seats: int, used: Sequence[Consultant], chance: Dice) -> ConsultantsDealt:
    return ConsultantsDealt(consultants=tuple(chance.shuffle("consultants", used)[:seats]))


def _deal_cards(chance: Dice, hands: int, display: int, per_colour: int) -> CardsDealt:
    cards: list[Colour] = chance.shuffle("cards", COLOURS * per_colour)
    dealt, rest = cards[: 4 * hands], cards[4 * hands :]
    return CardsDealt(
        hands=tuple(tuple(dealt[4 * seat : 4 * seat + 4]) for seat in range(hands)),
        display=tuple(rest[:display]),
        deck=tuple(rest[display:]),
        boxed=20 - per_colour,
    )
