"""House rules of New Corp Order, R-70 to R-80: setup, companies, consultants, pages and balance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.abilities import EFFECTS
from service.rules.games.new_corp_order.actions import (
    AddAgents,
    Infiltrate,
    PlaceCard,
    SkipAbility,
    TakeOver,
    WithdrawAgents,
)
from service.rules.games.new_corp_order.events import (
    AbilityLapsed,
    AgentsMoved,
    AgentsPlaced,
    AgentsWithdrawn,
    CardsPlaced,
    CardsRotated,
    CompaniesLaid,
    CompanyTakenOver,
    ConsultantsDealt,
    ConsultantTaken,
    ConsultantUsed,
    DefenderHired,
    ObjectivesDealt,
    TakeoverFailed,
    TurnBegan,
)
from service.rules.games.new_corp_order.guide import guide
from service.rules.games.new_corp_order.notation import CONSULTANT_LETTERS, TYPE_LETTERS
from service.rules.games.new_corp_order.scoring import consultant_points
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.tabletop.symbols import drawing, symbols
from service.rules.games.new_corp_order.terms import (
    ALL_CONSULTANTS,
    ALL_TYPES,
    COMPANY_TYPES,
    CONSULTANTS,
    DELUXE_CONSULTANTS,
    DELUXE_TYPES,
    NAMES,
    TYPE_OF,
)
from service.rules.games.new_corp_order.words import LANGUAGES
from service.rules.kernel import fold
from service.rules.table_parts import Mark
from service.rules.tabletop.table import Table
from tests.case import Case
from tests.rules.new_corp_order.support import (
    ACCOUNTANT,
    ALICE,
    BOB,
    CONTRACTOR,
    DEALMAKER,
    HEADHUNTER,
    HOUSE,
    HQ,
    NEGATIVE,
    PLACEMENT,
    SPIN_DOCTOR,
    VIRAL,
    Played,
    Tile,
    agents_placed,
    cards_placed,
    case,
    consultant_taken,
    consultant_used,
    given_hand,
    infiltrate,
    infiltrations,
    self_play,
    table,
    won,
)
from tests.rules.new_corp_order.test_setup import KEYS, PLAYERS, setup
from tests.rules.playouts import names_of

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


# Deluxe companies.

COMPANIES_GRID = {"A1": Tile("blue", 1), "B1": Tile("black", 3), "C1": Tile("white", 2)}


def given_ability(kind: str, **more: Any) -> Case:
    """Alice has just won D1, a company of a type, with two red agents on it."""
    return case.given(*won("D1", kind, **{"grid": COMPANIES_GRID, "options": HOUSE} | more))


def legal_abilities(state: Any) -> list[Any]:
    """Alice's uses of the ability."""
    return [each for each in RULESET.legal(state, ALICE) if not isinstance(each, SkipAbility)]


@pytest.mark.parametrize(("company", "colour"), [("A1", "blue"), ("B1", "black"), ("D1", "red")])
@pytest.mark.parametrize("agents", [1, 2])
def test_r_74_one_or_two_agents_of_the_supply_join_a_company(company: str, colour: str, agents: int) -> None:
    here = given_ability(VIRAL)
    answer = here.when(ALICE, AddAgents(company=company, agents=agents))
    answer.then(AgentsPlaced(seat=ALICE, company=company, colour=colour, agents=agents), TurnBegan(seat=BOB))
    assert here.state.companies[company].agents + agents == answer.state.companies[company].agents
    assert here.state.supply[colour] - agents == answer.state.supply[colour]


@pytest.mark.parametrize("agents", [-1, 0, 3])
def test_r_74_no_other_number_of_agents_comes(agents: int) -> None:
    given_ability(VIRAL).when(ALICE, AddAgents(company="A1", agents=agents)).refused("wrong-number-of-agents", "R-74")


def test_r_74_what_the_supply_has_not_does_not_come() -> None:
    scarce = given_ability(
        VIRAL, grid={"A1": Tile("blue", 24), "B1": Tile("white"), "C1": Tile("black")}, others="white"
    )
    assert 1 == scarce.state.supply["blue"]
    scarce.when(ALICE, AddAgents(company="A1", agents=2)).refused("supply-too-small", "R-74", left=1)
    assert [AddAgents(company="A1", agents=1)] == [
        each for each in legal_abilities(scarce.state) if each.company == "A1"
    ]


def test_r_74_every_company_is_listed_with_one_agent_and_with_two() -> None:
    state = given_ability(VIRAL).state
    assert {AddAgents(company=square, agents=n) for square in state.companies for n in (1, 2)} == set(
        legal_abilities(state)
    )


def test_r_75_a_card_of_the_hand_goes_to_the_hq_without_an_agent() -> None:
    here = given_ability(PLACEMENT, hands=[{"white": 2, "red": 1}])
    answer = here.when(ALICE, PlaceCard(colour="white"))
    answer.then(CardsPlaced(seat=ALICE, colour="white", cards=1), TurnBegan(seat=BOB))
    assert (1, 1) == (answer.state.hands[ALICE]["white"], answer.state.hqs[ALICE].cards["white"])
    assert here.state.companies == answer.state.companies and here.state.supply == answer.state.supply


def test_r_75_only_cards_of_ones_own_hand_can_be_placed() -> None:
    here = given_ability(PLACEMENT, hands=[{"white": 2, "red": 1}, {"blue": 3}])
    here.when(ALICE, PlaceCard(colour="blue")).refused("cards-not-in-hand", "R-75", colour="blue", held=0)
    assert [PlaceCard(colour="red"), PlaceCard(colour="white")] == legal_abilities(here.state)


def test_r_75_with_an_empty_hand_the_ability_lapses() -> None:
    grid = {"A1": Tile("red", 3), "B1": Tile("black", 1, PLACEMENT), "C1": Tile("black")}
    here = case.given(*table(2, grid=grid, hqs=[HQ({"red": 2})], options=HOUSE))
    here.when(ALICE, TakeOver(source="A1", target="B1", agents=2)).then_includes(
        AbilityLapsed(seat=ALICE, company="B1")
    )


@pytest.mark.parametrize("agents", [1, 2])
def test_r_76_one_or_two_agents_of_a_company_go_back_to_the_supply(agents: int) -> None:
    here = given_ability(NEGATIVE)
    answer = here.when(ALICE, WithdrawAgents(company="B1", agents=agents))
    answer.then(AgentsWithdrawn(company="B1", colour="black", agents=agents), TurnBegan(seat=BOB))
    assert 3 - agents == answer.state.companies["B1"].agents
    assert here.state.supply["black"] + agents == answer.state.supply["black"]


def test_r_76_one_agent_stays() -> None:
    given_ability(NEGATIVE).when(ALICE, WithdrawAgents(company="A1", agents=1)).refused(
        "last-agent-stays", "R-76", square="A1"
    )
    given_ability(NEGATIVE).when(ALICE, WithdrawAgents(company="C1", agents=2)).refused(
        "last-agent-stays", "R-76", square="C1"
    )


@pytest.mark.parametrize("agents", [-1, 0, 3])
def test_r_76_no_other_number_of_agents_goes(agents: int) -> None:
    given_ability(NEGATIVE).when(ALICE, WithdrawAgents(company="B1", agents=agents)).refused(
        "wrong-number-of-agents", "R-76"
    )


def test_r_76_every_company_with_agents_to_spare_is_listed() -> None:
    expected = {("B1", 1), ("B1", 2), ("C1", 1), ("D1", 1)}
    assert expected == {(each.company, each.agents) for each in legal_abilities(given_ability(NEGATIVE).state)}


@pytest.mark.parametrize(
    ("kind", "action"),
    [
        (VIRAL, WithdrawAgents(company="B1", agents=1)),
        (PLACEMENT, AddAgents(company="B1", agents=1)),
        (NEGATIVE, PlaceCard(colour="red")),
    ],
)
def test_r_30_a_company_has_its_own_ability_and_no_other(kind: str, action: Any) -> None:
    given_ability(kind, hands=[{"red": 1}]).when(ALICE, action).refused("other-ability", "R-30", ability=kind)


@pytest.mark.parametrize("action", [AddAgents(company="D4", agents=1), WithdrawAgents(company="D4", agents=1)])
def test_r_02_a_square_off_the_grid_has_no_company(action: Any) -> None:
    kind = VIRAL if isinstance(action, AddAgents) else NEGATIVE
    given_ability(kind).when(ALICE, action).refused("no-such-company", None, square="D4")


# Consultants.

CONSULTANTS_GRID = {
    "A1": Tile("red", 5),
    "B1": Tile("black", 3, PLACEMENT),
    "A2": Tile("red", 1),
    "B2": Tile("black", 1),
}


def attacking(reds: int, consultant: str, **more: Any) -> Case:
    """Alice's turn with red cards to rotate and a consultant."""
    return case.given(
        *table(
            2, **{"grid": CONSULTANTS_GRID, "options": HOUSE, "hqs": [HQ({"red": reds}, {}, {}, [consultant])]} | more
        )
    )


def take_over(agents: int, use: str | None, target: str = "B1") -> TakeOver:
    return TakeOver(source="A1", target=target, agents=agents, use=use)


def takeovers(state: Any, use: str) -> set[tuple[str, int]]:
    """Alice's Takeovers from A1 with a consultant: target and number of agents."""
    listed = [each for each in RULESET.legal(state, ALICE) if isinstance(each, TakeOver)]
    return {(each.target, each.agents) for each in listed if each.source == "A1" and each.use == use}


def test_r_72_with_the_accountant_a_takeover_rotates_one_card_fewer_than_agents_move() -> None:
    answer = attacking(3, ACCOUNTANT).when(ALICE, take_over(4, ACCOUNTANT))
    answer.then_includes(
        ConsultantUsed(seat=ALICE, consultant=ACCOUNTANT), CardsRotated(hq=ALICE, colour="red", cards=3)
    )
    assert answer.facts[2] == CompanyTakenOver(
        seat=ALICE, source="A1", target="B1", colour="red", agents=4, defender="black", defenders=3
    )
    assert 1 == answer.state.consultants[ACCOUNTANT]


def test_r_72_at_least_one_card_is_rotated_so_two_agents_move() -> None:
    attacking(3, ACCOUNTANT).when(ALICE, take_over(1, ACCOUNTANT)).refused(
        "corporate-accountant-needs-two-agents", "R-72"
    )
    answer = attacking(1, ACCOUNTANT).when(ALICE, take_over(2, ACCOUNTANT, "A2"))
    answer.then_includes(AgentsMoved(source="A1", target="A2", colour="red", agents=2))


def test_r_72_one_card_is_spared_and_not_two() -> None:
    attacking(2, ACCOUNTANT).when(ALICE, take_over(4, ACCOUNTANT)).refused("too-few-cards", "R-19", unrotated=2)
    attacking(3, ACCOUNTANT).when(ALICE, take_over(4, None)).refused("too-few-cards", "R-19", unrotated=3)


def test_r_72_one_agent_stays_behind_all_the_same() -> None:
    attacking(5, ACCOUNTANT).when(ALICE, take_over(5, ACCOUNTANT)).refused("last-agent-stays", "R-19")


@pytest.mark.parametrize(("reds", "numbers"), [(0, set()), (1, {2}), (2, {2, 3}), (3, {2, 3, 4}), (5, {2, 3, 4})])
def test_r_72_what_the_accountant_makes_possible_is_listed(reds: int, numbers: set[int]) -> None:
    listed = takeovers(attacking(reds, ACCOUNTANT).state, ACCOUNTANT)
    assert {(target, number) for target in ("A2", "B1") for number in numbers} == listed


def test_r_72_the_sentence_says_how_many_cards_are_rotated() -> None:
    told = RULESET.describe(take_over(4, ACCOUNTANT), ALICE, "en", ("Alice", "Bob"))
    assert told == "Takeover with the Corporate Accountant: rotate 3 cards and move 4 agents from A1 to B1."


def test_r_78_the_spin_doctor_brings_one_agent_more_than_cards() -> None:
    answer = given_hand({"red": 2}, SPIN_DOCTOR, options=HOUSE).when(
        ALICE, infiltrate(("red", 2, "A1"), use=SPIN_DOCTOR)
    )
    answer.then(
        consultant_used(SPIN_DOCTOR), cards_placed("red", 2), agents_placed("A1", "red", 3), TurnBegan(seat=BOB)
    )


def test_r_78_two_cards_and_three_agents_fetch_no_consultant() -> None:
    here = given_hand({"red": 3}, SPIN_DOCTOR, options=HOUSE)
    placing = infiltrate(("red", 2, "A1"), use=SPIN_DOCTOR, take=DEALMAKER)
    here.when(ALICE, placing).refused("too-few-cards-for-consultant", "R-16")
    three = infiltrate(("red", 3, "A1"), use=SPIN_DOCTOR, take=ACCOUNTANT)
    here.when(ALICE, three).then_includes(agents_placed("A1", "red", 4), consultant_taken(ACCOUNTANT))


def test_r_78_the_supply_has_to_have_the_further_agent() -> None:
    grid = {"A1": Tile("red", 22), "B1": Tile("blue")}
    here = given_hand({"red": 2}, SPIN_DOCTOR, grid=grid, options=HOUSE)
    left = here.state.supply["red"]
    assert 1 == left
    here.when(ALICE, infiltrate(("red", 1, "A1"), use=SPIN_DOCTOR)).refused("supply-too-small", "R-78", left=1)
    assert not [each for each in infiltrations(here.state) if each.use == SPIN_DOCTOR]


def test_r_78_he_does_not_change_two_colours_or_bring_a_joker() -> None:
    here = given_hand({"red": 1, "blue": 1}, SPIN_DOCTOR, options=HOUSE)
    two = infiltrate(("red", 1, "A1"), ("blue", 1, "B1"), use=SPIN_DOCTOR)
    here.when(ALICE, two).refused("second-colour-needs-corporate-lawyer", "R-18")
    joker = infiltrate(("red", 1, "A1"), use=SPIN_DOCTOR, joker="blue")
    here.when(ALICE, joker).refused("joker-needs-media-advisor", "R-17")


def test_r_79_the_headhunter_brings_a_second_defender_to_the_hq() -> None:
    answer = attacking(4, HEADHUNTER).when(ALICE, take_over(4, HEADHUNTER))
    answer.then_includes(DefenderHired(seat=ALICE, colour="black"))
    before = attacking(4, HEADHUNTER).state.supply["black"]
    assert (2, before + 1) == (answer.state.hqs[ALICE].agents["black"], answer.state.supply["black"])


def test_r_79_a_single_defender_is_all_there_is() -> None:
    grid = {**CONSULTANTS_GRID, "B1": Tile("black", 1, PLACEMENT)}
    answer = attacking(4, HEADHUNTER, grid=grid).when(ALICE, take_over(2, HEADHUNTER))
    answer.then_none_is(DefenderHired)
    assert 1 == answer.state.hqs[ALICE].agents["black"]


def test_r_79_without_a_win_nobody_is_hired() -> None:
    lost = attacking(4, HEADHUNTER).when(ALICE, take_over(3, HEADHUNTER))
    lost.then_none_is(DefenderHired)
    lost.then_includes(TakeoverFailed(seat=ALICE, source="A1", target="B1", colour="red", agents=3))
    attacking(4, HEADHUNTER).when(ALICE, take_over(2, HEADHUNTER, "A2")).then_none_is(DefenderHired)


@pytest.mark.parametrize("consultant", [ACCOUNTANT, HEADHUNTER])
def test_r_11_those_of_takeovers_do_not_fit_an_infiltration(consultant: str) -> None:
    placing = infiltrate(("red", 1, "A1"), use=consultant)
    given_hand({"red": 1}, consultant, options=HOUSE).when(ALICE, placing).refused(
        "consultant-does-not-fit", "R-11", consultant=consultant, fits="take-over"
    )


def test_r_11_the_spin_doctor_does_not_fit_a_takeover() -> None:
    attacking(4, SPIN_DOCTOR).when(ALICE, take_over(4, SPIN_DOCTOR)).refused(
        "consultant-does-not-fit", "R-11", fits="infiltrate"
    )


@pytest.mark.parametrize("consultant", [ACCOUNTANT, SPIN_DOCTOR, HEADHUNTER])
def test_r_70_without_house_rules_they_can_be_neither_used_nor_taken(consultant: str) -> None:
    here = given_hand({"red": 3}, CONTRACTOR)
    here.when(ALICE, infiltrate(("red", 3, "A1"), take=consultant)).refused("consultant-not-in-supply", "R-16")
    action = infiltrate(("red", 1, "A1"), use=SPIN_DOCTOR) if consultant == SPIN_DOCTOR else take_over(2, consultant)
    here.when(ALICE, action).refused("consultant-not-held", "R-11", consultant=consultant)


def test_r_16_the_only_accountant_is_gone_once_it_is_taken() -> None:
    hqs = [HQ(), HQ(consultants=[ACCOUNTANT])]
    here = case.given(*table(3, hands=[{"red": 3}], hqs=hqs, options=HOUSE, grid={"A1": Tile("red")}))
    placing = infiltrate(("red", 3, "A1"), take=ACCOUNTANT)
    here.when(ALICE, placing).refused("consultant-not-in-supply", "R-16", consultant=ACCOUNTANT)
    assert not [each for each in infiltrations(here.state) if each.take == ACCOUNTANT]
    assert (
        ConsultantTaken(seat=ALICE, consultant=HEADHUNTER)
        in here.when(ALICE, infiltrate(("red", 3, "A1"), take=HEADHUNTER)).facts
    )


# Pictures, choices, previews, the log and the texts.

PAGE_GRID = {"A1": Tile("red", 5), "B1": Tile("black", 3, PLACEMENT), "C1": Tile("white", 4)}
ADDED = {*DELUXE_CONSULTANTS, ACCOUNTANT}


def page(facts: list[Any], language: str = "en", seats: int = 2) -> Table:
    """Return Alice's page of a table."""
    return Table(RULESET, case.given(*facts).state, seats, ALICE, language, names_of(seats))


def turn(language: str = "en", **more: Any) -> Table:
    """Alice's turn in a game with all house rules."""
    return page(table(2, **{"grid": PAGE_GRID, "options": HOUSE} | more), language)


def ability(kind: str, language: str = "en", **more: Any) -> Table:
    """Alice may use the ability of D1, a company of a type."""
    return page(won("D1", kind, grid=PAGE_GRID, options=HOUSE, **more), language)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.code)
def test_every_type_and_consultant_has_its_words_letters_and_pictures(language: Any) -> None:
    assert set(ALL_TYPES) == set(language.types) == set(language.short_types) == set(TYPE_LETTERS)
    assert set(ALL_CONSULTANTS) == set(language.consultants) == set(CONSULTANT_LETTERS)
    for words in (language.types, language.short_types, language.consultants, TYPE_LETTERS, CONSULTANT_LETTERS):
        assert len(set(words.values())) == len(words)
    drawn = symbols(language.code)
    assert {f"type-{kind}" for kind in ALL_TYPES} | {f"consultant-{each}" for each in ALL_CONSULTANTS} < set(drawn)
    assert len({drawing(kind) for kind in ALL_TYPES}) == len(ALL_TYPES)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_guide_has_a_chapter_for_what_is_ours_and_no_word_of_it_elsewhere(language: str) -> None:
    words = next(each for each in LANGUAGES if each.code == language)
    added = {*(words.types[kind] for kind in DELUXE_TYPES), *(words.consultants[each] for each in ADDED)}
    chapters = {chapter.name: chapter for chapter in guide(language).chapters}
    assert added == set(chapters["house"].points)
    assert not added & {*chapters["abilities"].points, *chapters["consultants"].points}


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Viral Marketing: add 2 agents of the supply to C1."),
        ("de", "Virales Marketing: stelle 2 Agenten aus dem Vorrat auf C1."),
        ("fr", "Marketing viral\N{NO-BREAK SPACE}: ajoutez 2 Agents de la réserve sur C1."),
    ],
)
def test_agents_that_come_are_told_and_marked(language: str, sentence: str) -> None:
    told = ability(VIRAL, language).preview(AddAgents(company="C1", agents=2)).told
    assert (sentence, (Mark(kind="gain", at="C1", count=2, actor=ALICE),)) == (told.sentence, told.marks)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Negative Campaigning: send 1 agent of C1 back to the supply."),
        ("de", "Schmutzkampagne: schicke 1 Agenten von C1 zurück in den Vorrat."),
        ("fr", "Campagne négative\N{NO-BREAK SPACE}: renvoyez 1 Agent de C1 dans la réserve."),
    ],
)
def test_agents_that_go_are_told_and_marked(language: str, sentence: str) -> None:
    told = ability(NEGATIVE, language).preview(WithdrawAgents(company="C1", agents=1)).told
    assert (sentence, (Mark(kind="loss", at="C1", actor=ALICE),)) == (told.sentence, told.marks)


def test_a_card_that_is_placed_brings_its_points_at_once() -> None:
    shown = ability(PLACEMENT, hands=[{"white": 1}])
    foreseen = shown.preview(PlaceCard(colour="white"))
    assert "Product Placement: place a white card in your HQ." == foreseen.told.sentence
    assert (Mark(kind="new", at="@0", actor=ALICE),) == foreseen.told.marks
    before, after = foreseen.points[ALICE]
    assert before is not None and after is not None and after > before


def test_the_headhunters_second_defender_is_told_before_the_takeover() -> None:
    shown = turn(hqs=[HQ({"red": 4}, consultants=[HEADHUNTER])], hands=[{"white": 1}])
    told = shown.preview(TakeOver(source="A1", target="B1", agents=4, use=HEADHUNTER)).told
    assert "You also take 2 black agents and may use Product Placement." == told.consequence


def test_the_spin_doctors_agents_are_told_before_the_infiltration() -> None:
    shown = turn(hqs=[HQ(consultants=[SPIN_DOCTOR])], hands=[{"red": 2}])
    told = shown.preview(infiltrate(("red", 2, "A1"), use=SPIN_DOCTOR)).told
    assert ("Add 3 red agents to A1.", "+3 agents") == (told.sentence, told.verdict)


@pytest.mark.parametrize(
    "facts",
    [
        won("D1", VIRAL, grid=PAGE_GRID, options=HOUSE),
        won("D1", PLACEMENT, grid=PAGE_GRID, options=HOUSE, hands=[{"white": 1, "red": 2}]),
        won("D1", NEGATIVE, grid=PAGE_GRID, options=HOUSE),
        table(
            2, grid=PAGE_GRID, options=HOUSE, hqs=[HQ({"red": 3}, consultants=[ACCOUNTANT, SPIN_DOCTOR, HEADHUNTER])]
        ),
        table(2, grid=PAGE_GRID, options=HOUSE, hqs=[HQ(consultants=[SPIN_DOCTOR])], hands=[{"red": 3, "white": 1}]),
    ],
    ids=["viral", "placement", "negative", "takeovers", "infiltrations"],
)
def test_every_legal_action_can_be_picked_part_by_part(facts: list[Any]) -> None:
    shown = page(facts)
    for action in RULESET.legal(case.given(*facts).state, ALICE):
        if not isinstance(action, SkipAbility):
            assert action == shown.choices(shown.picks(action)).action


@pytest.mark.parametrize(
    ("kind", "action", "lines"),
    [
        (VIRAL, AddAgents(company="C1", agents=2), ["Alice adds 2 white agents to C1."]),
        (PLACEMENT, PlaceCard(colour="white"), ["Alice places 1 white card in the HQ."]),
        (NEGATIVE, WithdrawAgents(company="C1", agents=2), ["Alice sends 2 white agents of C1 back to the supply."]),
    ],
)
def test_the_log_has_one_line_for_the_use_of_an_ability(kind: str, action: Any, lines: list[str]) -> None:
    here = case.given(*won("D1", kind, grid=PAGE_GRID, options=HOUSE, hands=[{"white": 1}]))
    assert lines == told_of(here, action)


def test_the_log_tells_an_infiltration_by_its_agents_alone() -> None:
    here = case.given(*table(2, grid=PAGE_GRID, options=HOUSE, hqs=[HQ(consultants=[SPIN_DOCTOR])], hands=[{"red": 2}]))
    action = infiltrate(("red", 2, "A1"), use=SPIN_DOCTOR)
    assert ["Alice uses the Spin Doctor.", "Alice adds 3 red agents to A1."] == told_of(here, action)


def told_of(here: Any, action: Any) -> list[str]:
    """The lines of Alice's log for an action of hers."""
    facts = here.when(ALICE, action).facts
    shown = Table(RULESET, fold(RULESET, facts, here.state), 2, ALICE, "en", names_of(2))
    return [line.sentence for line in shown.story([(fact, ALICE) for fact in facts])]


@pytest.mark.parametrize("viewer", [ALICE, None])
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_text_and_picture_show_the_consultants_of_the_house_rules(language: str, viewer: int | None) -> None:
    view = RULESET.view(case.given(*table(3, options=HOUSE, hqs=[HQ(consultants=[ACCOUNTANT])])).state, viewer)
    words = next(each for each in LANGUAGES if each.code == language)
    for each in ADDED:
        assert words.consultants[each] in RULESET.paint(view, language, names_of(3)).replace("&#39;", "’")
        assert words.consultants[each] in RULESET.draw(view, language, names_of(3)).replace("\N{NO-BREAK SPACE}", " ")
    plain = RULESET.draw(RULESET.view(case.given(*table(3)).state, viewer), language, names_of(3))
    assert not [each for each in ADDED if words.consultants[each] in plain]
    assert len(CONSULTANTS) == len(RULESET.view(case.given(*table(3)).state, viewer)["supply"]["consultants"])


# Balance in self-play: no seat, ability or consultant stands out. `pytest -m slow -s` prints the figures.

BALANCE_GAMES = 80
HOUSE_RULE_THINGS = {ACCOUNTANT, *DELUXE_CONSULTANTS, *DELUXE_TYPES}
DELUXE_ACTIONS = {EFFECTS[kind].action for kind in DELUXE_TYPES}
players = pytest.mark.parametrize("seats", [seats for seats in RULESET.meta.seats if seats > 1])


def leaves_new_things_to_alice(_: State, seat: int, action: Any) -> bool:
    """Return whether another player than Alice uses or takes something of the house rules."""
    if seat == ALICE:
        return False
    if isinstance(action, TakeOver):
        return action.use in HOUSE_RULE_THINGS
    return (
        bool({action.use, action.take} & HOUSE_RULE_THINGS)
        if isinstance(action, Infiltrate)
        else type(action) in DELUXE_ACTIONS
    )


def shares_of_wins(games: Iterable[Played]) -> dict[int, float]:
    """The share of victories of each seat; a shared victory is shared."""
    won: Counter[int] = Counter()
    for game in games:
        won.update(dict.fromkeys(game.winners, 1 / len(game.winners)))
    return {seat: round(won[seat] / BALANCE_GAMES, 3) for seat in sorted(won)}


@pytest.mark.slow
@players
def test_no_seat_and_no_house_rule_stands_out(seats: int) -> None:
    games = [self_play(seats, HOUSE, f"balance {seats} {number}") for number in range(BALANCE_GAMES)]
    wins = shares_of_wins(games)
    abilities, consultants = sum((each.abilities for each in games), Counter()), Counter[str]()
    for each in games:
        consultants += each.consultants
    # A type of the book is in half of the games, so it counts twice; of the Accountant there is one card only.
    uses = {kind: abilities[kind] * (2 if kind in COMPANY_TYPES else 1) / BALANCE_GAMES for kind in EFFECTS}
    used = {each: consultants[each] / BALANCE_GAMES for each in (*CONSULTANTS, ACCOUNTANT, *DELUXE_CONSULTANTS)}
    print(f"\n{seats} players, wins by seat {wins}\nabilities a game {uses}\nconsultants a game {used}")
    assert all(abs(share - 1 / seats) < 0.18 for share in wins.values()) and len(wins) == seats
    of_book = sum(uses[kind] for kind in COMPANY_TYPES) / len(COMPANY_TYPES)
    assert all(0.4 * of_book < uses[kind] < 2 * of_book for kind in DELUXE_TYPES)
    usual = [used[each] for each in CONSULTANTS if used[each]]
    assert all(0.4 * min(usual) < used[each] < 1.6 * max(usual) for each in DELUXE_CONSULTANTS)
    assert 0.15 * min(usual) < used[ACCOUNTANT] < max(usual)


@pytest.mark.slow
@players
def test_who_alone_uses_the_house_rules_is_not_far_ahead(seats: int) -> None:
    games = [
        self_play(seats, HOUSE, f"alone {seats} {number}", leaves_new_things_to_alice)
        for number in range(BALANCE_GAMES)
    ]
    wins = shares_of_wins(games)
    print(f"\n{seats} players, Alice alone uses the house rules: wins by seat {wins}")
    assert abs(wins[ALICE] - 1 / seats) < 0.18
