"""The house rules of New Corp Order from the setup to the scores: R-70, R-71, R-73, R-77, R-80."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.events import CompaniesLaid, ConsultantsDealt, ObjectivesDealt
from service.rules.games.new_corp_order.scoring import consultant_points
from service.rules.games.new_corp_order.terms import COMPANY_TYPES, CONSULTANTS, DELUXE_TYPES, NAMES, TYPE_OF
from tests.rules.new_corp_order.tables import ACCOUNTANT, ALICE, BOB, HEADHUNTER, HOUSE, HQ, SPIN_DOCTOR, case, table
from tests.rules.new_corp_order.test_setup import KEYS, PLAYERS, setup

ONLY_ACCOUNTANT = {"corporate-accountant": True}
ONLY_DELUXE = {"deluxe": True}


def test_r_70_the_house_rules_are_off_by_default_and_called_house_rules_in_every_language() -> None:
    added = {option.name: option for option in RULESET.meta.options if option.name in HOUSE}
    assert set(HOUSE) == set(added) and not any(option.default for option in added.values())
    for option in added.values():
        beginnings = {"en": "House rules:", "de": "Hausregeln:", "fr": "Règles maison\N{NO-BREAK SPACE}:"}
        assert all(option.describe[language].startswith(each) for language, each in beginnings.items())


@PLAYERS
def test_r_70_without_them_every_event_of_the_setup_is_the_same(seats: int) -> None:
    for key in KEYS:
        plain, _, _ = setup(seats, key)
        off, _, _ = setup(seats, key, **dict.fromkeys(HOUSE, False))
        assert list(plain.values())[1:] == list(off.values())[1:]


def test_r_70_alone_against_ods_they_add_nothing() -> None:
    for key in KEYS:
        plain, without, _ = setup(1, key)
        chosen, state, _ = setup(1, key, **HOUSE)
        assert list(plain.values())[1:] == list(chosen.values())[1:]
        assert without == state and set(CONSULTANTS) == set(state.consultants)


@pytest.mark.parametrize(
    ("options", "rules"),
    [({}, None), (ONLY_ACCOUNTANT, "Corporate Accountant"), (HOUSE, "Corporate Accountant and Deluxe")],
)
def test_r_70_the_log_says_with_which_house_rules_a_game_is_played(options: dict[str, Any], rules: str | None) -> None:
    told = RULESET.describe(table(3, options=options)[0], ALICE, "en", ("Alice", "Bob", "Carol"))
    expected = "A game of New Corp Order for 3 players began"
    assert told == (f"{expected}, with house rules: {rules}." if rules else f"{expected}.")


@PLAYERS
def test_r_71_one_accountant_lies_in_the_supply_however_many_play(seats: int) -> None:
    for key in KEYS:
        facts, state, _ = setup(seats, key, **ONLY_ACCOUNTANT)
        assert 1 == state.consultants[ACCOUNTANT]
        assert ACCOUNTANT not in facts[ConsultantsDealt].consultants
        assert facts[ConsultantsDealt] == setup(seats, key)[0][ConsultantsDealt]
        assert {*CONSULTANTS, ACCOUNTANT} == set(state.consultants)


@PLAYERS
def test_r_73_three_types_of_the_book_drawn_at_random_make_room_for_the_deluxe_ones(seats: int) -> None:
    gone = Counter()
    for key in KEYS:
        laid = setup(seats, key, **ONLY_DELUXE)[0][CompaniesLaid]
        assert sorted(TYPE_OF) == sorted((*laid.grid, *laid.boxed))
        types = Counter(TYPE_OF[name] for name in laid.grid)
        replaced = set(COMPANY_TYPES) - set(types)
        assert set(DELUXE_TYPES) < set(types) and (6, 3) == (len(types), len(replaced))
        assert all(set(NAMES[kind]) <= set(laid.boxed) for kind in replaced)
        gone.update(replaced)
    assert set(COMPANY_TYPES) == set(gone), "any type of the book may be replaced"


@pytest.mark.parametrize(("seats", "grid", "each"), [(2, 12, {2}), (3, 16, {1, 2, 3}), (4, 16, {1, 2, 3})])
def test_r_73_the_grid_has_as_many_companies_and_of_each_type_as_many_as_ever(
    seats: int, grid: int, each: set[int]
) -> None:
    for key in KEYS:
        laid = setup(seats, key, **ONLY_DELUXE)[0][CompaniesLaid]
        assert grid == len(laid.grid) and each >= set(Counter(TYPE_OF[name] for name in laid.grid).values())


@PLAYERS
def test_r_73_objectives_are_of_types_on_the_grid(seats: int) -> None:
    for key in KEYS:
        facts, _, _ = setup(seats, key, **ONLY_DELUXE)
        dealt = facts[ObjectivesDealt]
        cards = Counter(card for part in (*dealt.objectives, *dealt.returned) for card in part)
        assert cards <= Counter(TYPE_OF[name] for name in facts[CompaniesLaid].grid)


@PLAYERS
def test_r_77_two_further_consultants_are_dealt_and_supplied_like_those_of_the_book(seats: int) -> None:
    first = set()
    for key in KEYS:
        facts, state, _ = setup(seats, key, **ONLY_DELUXE)
        assert {SPIN_DOCTOR: seats - 1, HEADHUNTER: seats - 1}.items() <= state.consultants.items()
        assert (0 if seats == 2 else seats - 1) == state.consultants["corporate-lawyer"]
        assert ACCOUNTANT not in state.consultants
        assert seats == len(set(facts[ConsultantsDealt].consultants))
        first.update(facts[ConsultantsDealt].consultants)
    assert {*CONSULTANTS, SPIN_DOCTOR, HEADHUNTER} - ({"corporate-lawyer"} if seats == 2 else set()) == first


@pytest.mark.parametrize(
    ("held", "points"),
    [
        ({ACCOUNTANT: 1, SPIN_DOCTOR: 1}, (1, False)),
        ({ACCOUNTANT: 1, SPIN_DOCTOR: 1, HEADHUNTER: 1, "dealmaker": 1}, (2, True)),
        (dict.fromkeys((*CONSULTANTS, ACCOUNTANT, SPIN_DOCTOR, HEADHUNTER), 1), (3, True)),
        ({SPIN_DOCTOR: 3, HEADHUNTER: 1}, (1, False)),
    ],
)
def test_r_80_any_four_different_consultants_bring_the_further_point(
    held: dict[Any, int], points: tuple[int, bool]
) -> None:
    assert points == consultant_points({**dict.fromkeys(CONSULTANTS, 0), **held})


def test_r_80_the_standings_count_them() -> None:
    hqs = [HQ(consultants=(ACCOUNTANT, SPIN_DOCTOR, HEADHUNTER, "dealmaker"))]
    told = RULESET.standings(case.given(*table(2, hqs=hqs, options=HOUSE)).state, ALICE)
    assert {"pairs": 2, "all_four": True, "vp": 3} == told["seats"][ALICE]["consultants"]


@pytest.mark.parametrize("viewer", [ALICE, BOB, None])
def test_r_70_a_view_counts_the_consultants_of_the_game_and_no_others(viewer: int | None) -> None:
    for options, extra in (({}, ()), (ONLY_ACCOUNTANT, (ACCOUNTANT,)), (ONLY_DELUXE, (SPIN_DOCTOR, HEADHUNTER))):
        view = RULESET.view(case.given(*table(2, options=options)).state, viewer)
        assert [*CONSULTANTS, *extra] == list(view["supply"]["consultants"])
        assert [*CONSULTANTS, *extra] == list(view["players"][BOB]["hq"]["consultants"])
