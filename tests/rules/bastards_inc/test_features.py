"""What a position is worth to a company: its vice presidents by what they can earn where they are."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc.features import NAMES, features
from service.rules.games.bastards_inc.state import State
from tests.rules.bastards_inc.tables import ALICE, BOB, table


def numbers(state: State, seat: int = ALICE) -> dict[str, float]:
    """Return the features by their names."""
    return dict(zip(NAMES, features(state, seat), strict=True))


def with_vps(*places: Any, **company: Any) -> State:
    """Return a table at which Alice's vice presidents stand at these places."""
    return table(companies={ALICE: {"vps": places, **company}})


@pytest.mark.parametrize(
    ("state", "name", "value"),
    [
        (with_vps("VIP", "VIP"), "free", 2),
        (with_vps("POO", "VIP"), "free", 1),
        # Technology is 3 at a table of mediocre companies: 0 in POO, and 2 short in SUP.
        (with_vps("POO", "VIP"), "sale", 3),
        (with_vps("SUP", "VIP"), "sale", 8 - 5),
        (with_vps("TLK", "NWS"), "campaign", 6),
        (with_vps("PTY", "VIP")._replace(wars=("ROG",)), "campaign", 6),
        # b01 takes Technology 2 and a vice president in TIG.
        (with_vps("TIG", "VIP", hand=("b01",)), "deal", 3),
        (with_vps("KOR", "VIP", hand=("b01",)), "deal", 0),
        (with_vps(("POO", 4), "VIP"), "laundry", 4),
        (with_vps(("POO", 4), "VIP"), "black-money", 4),
    ],
)
def test_a_vice_president_counts_by_what_it_can_earn(state: State, name: str, value: float) -> None:
    assert numbers(state)[name] == value


def test_in_a_war_nothing_can_be_earned() -> None:
    found = numbers(with_vps(("POO", 4), "VIP")._replace(wars=("POO",)))
    assert (found["at-war"], found["sale"], found["laundry"]) == (1, 0, 0)


def test_what_is_decided_unseen_counts_before_it_is_paid() -> None:
    drawing = table(phase="draw", answers=((ALICE, 2),))
    assert (numbers(drawing)["owed"], numbers(drawing)["cards"]) == (5, 2)
    collecting = table(phase="collect", companies={ALICE: {"vps": ("POO", "POO")}}, answers=((ALICE, (2,)),))
    assert (numbers(collecting)["free"], numbers(collecting)["sale"]) == (1, 3)
    fighting = table(phase="challenge", answers=((ALICE, 1),))
    assert numbers(fighting)["owed"] == 3


def test_what_another_has_decided_unseen_counts_for_nobody_else() -> None:
    drawing = table(phase="draw", answers=((BOB, 2),))
    assert features(drawing, ALICE) == features(drawing._replace(answers=()), ALICE)


def test_in_the_last_round_nothing_is_left_for_later() -> None:
    found = numbers(table(companies={ALICE: {"vps": ("POO", "VIP", "VIP")}})._replace(round=7))
    assert found["vice-presidents"] == 1 and found["vice-presidents-left"] == 0
