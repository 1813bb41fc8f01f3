"""Infiltrations, and what follows them, told shortly."""

from __future__ import annotations

from typing import Any

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import Infiltrate, Placement
from service.rules.games.new_corp_order.events import AgentsPlaced, CardsPlaced, ConsultantTaken, ConsultantUsed
from tests.rules.new_corp_order.tables import ALICE, HQ, Tile, case, table

GRID = {"A1": Tile("red"), "B1": Tile("blue"), "C1": Tile("red", 3)}


def infiltrate(*placements: tuple[str, int, str], **more: Any) -> Infiltrate:
    """An action told as (colour, cards, company)."""
    told = tuple(Placement(colour=colour, cards=cards, company=company) for colour, cards, company in placements)
    return Infiltrate(placements=told, **more)


def cards(colour: str, number: int) -> CardsPlaced:
    """Alice's cards went to her HQ."""
    return CardsPlaced(seat=ALICE, colour=colour, cards=number)


def agents(company: str, colour: str, number: int) -> AgentsPlaced:
    """Agents were placed for Alice's cards."""
    return AgentsPlaced(seat=ALICE, company=company, colour=colour, agents=number)


def used(consultant: str) -> ConsultantUsed:
    """Alice used a consultant."""
    return ConsultantUsed(seat=ALICE, consultant=consultant)


def got(consultant: str) -> ConsultantTaken:
    """Alice took a consultant."""
    return ConsultantTaken(seat=ALICE, consultant=consultant)


def given(hand: dict[str, int], *consultants: str, players: int = 2, grid: Any = GRID, **more: Any) -> Any:
    """Alice's turn with a hand and consultants of hers."""
    return case.given(*table(players, grid=grid, hands=[hand], hqs=[HQ(consultants=consultants)], **more))


def infiltrations(state: Any) -> list[Infiltrate]:
    """Alice's legal infiltrations."""
    return [action for action in RULESET.legal(state, ALICE) if isinstance(action, Infiltrate)]
