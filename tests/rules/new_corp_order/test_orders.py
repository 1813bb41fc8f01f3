"""Moves given ahead: what each rests on, and what no turn could ever allow."""

from __future__ import annotations

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.orders import discard_commonest
from service.rules.kernel import Illegal
from tests.rules.playouts import played


@pytest.mark.parametrize(
    ("notation", "places"),
    [
        ("P 2 D", ["/display/1"]),
        ("P D D", []),
        ("I 2R B2", ["/grid/companies/5", "/you/hand/red"]),
        ("M I 2R+K B2", ["/grid/companies/5", "/you/hand/red", "/you/hand/black"]),
        ("X RK", [f"/you/hand/{colour}" for colour in ("red", "black", "blue", "white")]),
        ("GM @1 2R", ["/players/1/hq/cards/red"]),
        ("PM R @1 K'", ["/players/0/hq/cards/red", "/players/1/hq/rotated/black"]),
        ("AA @0 RK", ["/players/0/hq/rotated/red", "/players/0/hq/rotated/black"]),
        ("OM A1 C3", ["/grid/companies/0", "/grid/companies/10"]),
        ("skip", []),
    ],
)
def test_t31_new_corp_order_rests_on_slots_companies_and_the_cards_that_pay(notation: str, places: list[str]) -> None:
    _, game = played("new-corp-order", 2, 0)
    assert RULESET.relies_on is not None
    assert RULESET.relies_on(RULESET.view(game.start, 0), RULESET.parse(notation)) == places


def test_t31_a_takeover_rests_on_both_companies_and_the_cards_of_the_colour_that_goes() -> None:
    _, game = played("new-corp-order", 2, 0)
    assert RULESET.relies_on is not None
    colour = game.start.companies["A1"].colour
    found = RULESET.relies_on(RULESET.view(game.start, 1), RULESET.parse("T A1-B1 3"))
    assert found == ["/grid/companies/0", "/grid/companies/1", f"/players/1/hq/cards/{colour}"]


@pytest.mark.parametrize(
    ("notation", "code"),
    [
        ("P 1 2 3", "wrong-number-of-cards"),
        ("I 1R A4", "no-such-company"),
        ("I 1R A1 1K A2", "second-colour-needs-corporate-lawyer"),
        ("T A1-C1 1", "not-adjacent"),
        ("T A1-B1 0", "no-agents-moved"),
        ("GM @5 1R", "no-such-hq"),
        ("PM R @0 K", "own-hq"),
        ("ODS", "other-decision-due"),
    ],
)
def test_what_no_turn_could_allow_is_told_beforehand(notation: str, code: str) -> None:
    _, game = played("new-corp-order", 2, 0)
    assert RULESET.relies_on is not None
    with pytest.raises(Illegal) as refused:
        RULESET.relies_on(RULESET.view(game.start, 0), RULESET.parse(notation))
    assert refused.value.code == code


def test_t34_the_discard_takes_the_cards_of_which_most_are_held() -> None:
    view = {"you": {"hand": {"red": 1, "black": 4, "blue": 3, "white": 0}}}
    assert discard_commonest(view, [RULESET.parse("X RK")]) == RULESET.parse("X KK")
    assert discard_commonest(view, [RULESET.parse("X RKK")]) == RULESET.parse("X KKB")
    assert discard_commonest(view, [RULESET.parse("skip")]) is None
