"""The house rules of New Corp Order at the table: pictures, choices, previews, the log, and all that is told."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import AddAgents, PlaceCard, SkipAbility, TakeOver, WithdrawAgents
from service.rules.games.new_corp_order.guide import guide
from service.rules.games.new_corp_order.notation import CONSULTANT_LETTERS, TYPE_LETTERS
from service.rules.games.new_corp_order.tabletop.symbols import drawing, symbols
from service.rules.games.new_corp_order.terms import (
    ALL_CONSULTANTS,
    ALL_TYPES,
    CONSULTANTS,
    DELUXE_CONSULTANTS,
    DELUXE_TYPES,
)
from service.rules.games.new_corp_order.words import LANGUAGES
from service.rules.kernel import fold
from service.rules.shapes import Mark
from service.rules.tabletop.table import Table
from tests.rules.new_corp_order.placing import infiltrate
from tests.rules.new_corp_order.tables import (
    ACCOUNTANT,
    ALICE,
    HEADHUNTER,
    HOUSE,
    HQ,
    NEGATIVE,
    PLACEMENT,
    SPIN_DOCTOR,
    VIRAL,
    Tile,
    case,
    table,
    won,
)
from tests.rules.playouts import names_of

GRID = {"A1": Tile("red", 5), "B1": Tile("black", 3, PLACEMENT), "C1": Tile("white", 4)}
ADDED = {*DELUXE_CONSULTANTS, ACCOUNTANT}


def page(facts: list[Any], language: str = "en", seats: int = 2) -> Table:
    """What Alice sees of a table."""
    return Table(RULESET, case.given(*facts).state, seats, ALICE, language, names_of(seats))


def turn(language: str = "en", **more: Any) -> Table:
    """Alice's turn in a game with all house rules."""
    return page(table(2, **{"grid": GRID, "options": HOUSE} | more), language)


def ability(kind: str, language: str = "en", **more: Any) -> Table:
    """Alice may use the ability of D1, a company of a type."""
    return page(won("D1", kind, grid=GRID, options=HOUSE, **more), language)


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
        won("D1", VIRAL, grid=GRID, options=HOUSE),
        won("D1", PLACEMENT, grid=GRID, options=HOUSE, hands=[{"white": 1, "red": 2}]),
        won("D1", NEGATIVE, grid=GRID, options=HOUSE),
        table(2, grid=GRID, options=HOUSE, hqs=[HQ({"red": 3}, consultants=[ACCOUNTANT, SPIN_DOCTOR, HEADHUNTER])]),
        table(2, grid=GRID, options=HOUSE, hqs=[HQ(consultants=[SPIN_DOCTOR])], hands=[{"red": 3, "white": 1}]),
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
    here = case.given(*won("D1", kind, grid=GRID, options=HOUSE, hands=[{"white": 1}]))
    assert lines == told_of(here, action)


def test_the_log_tells_an_infiltration_by_its_agents_alone() -> None:
    here = case.given(*table(2, grid=GRID, options=HOUSE, hqs=[HQ(consultants=[SPIN_DOCTOR])], hands=[{"red": 2}]))
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
