"""Picking an action part by part: every way leads to a legal action, and every legal action is at the end of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from msgspec import structs

from service.store.games import Games, Position
from service.views.action_picker import NoSuchStep, Path, PickStep, next_step
from tests.builders import sealed_bids, started
from tests.people import alice, bob, carol
from tests.rules.playouts import random_game
from tests.sample_games import sample

TABLES = [("new-corp-order", 1), ("new-corp-order", 3), ("sealed-bids", 3), ("bastards-inc", 4)]


def ends(position: Position, seat: int, path: Path = ()) -> Iterator[PickStep]:
    """All that can be picked from a step on."""
    there = next_step(position, seat, path, "en")
    if there.action is not None:
        yield there
    for _, answers in there.groups:
        for answer in answers:
            yield from ends(position, seat, answer.path)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_ways_lead_to_all_legal_actions_and_to_no_others(games: Games, name: str, seats: int) -> None:
    people = [alice(games, None), bob(games, None), carol(games, None)][:seats]
    position = started(games, name, people)
    for state in random_game(name, seats, 2).states[3:-1:16]:
        now = replace(position, folded=structs.replace(position.folded, state=state))
        for seat in now.awaited:
            found = [each.action for each in ends(now, seat)]
            legal = position.ruleset.legal(state, seat)
            assert {repr(each) for each in found} == {repr(each) for each in legal}


def test_a_plot_of_two_cards_is_picked_in_any_order_with_two_answers(games: Games) -> None:
    position = started(games, "new-corp-order", [alice(games, None), bob(games, None)])
    seat = min(position.awaited)
    (kind, cards), *_ = next_step(position, seat, (), "en").groups
    assert kind == "Plot"
    assert [card.place for card in cards] == ["1", "2", "3", "4", "5", "D"]
    for first, second in ((cards[4], "1"), (cards[0], "5")):
        question, rest = next_step(position, seat, first.path, "en").groups[0]
        assert question == "Which card do you take second?"
        assert rest[-1 if first.place == "5" else 0].place != first.place
        way = next(answer.path for answer in rest if answer.place == second)
        done = next_step(position, seat, way, "en")
        assert sorted(done.action.sources) == ["1", "5"]
        assert [path for _, path in done.trail] == [(), way[:1], way[:2]]


def test_a_kind_without_parts_is_an_answer_itself_and_stands_under_no_title() -> None:
    position = sample("bastards-inc", 3, 20).position
    seat = next(seat for seat in range(3) if seat not in position.awaited)
    offered = position.ruleset.ahead(position.state, seat)
    *_, (title, kinds) = next_step(position, seat, (), "en", offered).groups
    assert title == "" and {"Media campaign", "Pass"} <= {each.label for each in kinds}
    assert all(next_step(position, seat, each.path, "en", offered).trail == ((each.label, ()),) for each in kinds)


def test_a_step_has_the_words_of_the_language(games: Games) -> None:
    position = sealed_bids(games)
    question = next_step(position, 0, (0,), "de").groups
    assert question[0][0] == "Welche Karte bietest du?"


@pytest.mark.parametrize("path", [(99,), (-1,), (0, 99), (0, 0, 0)])
def test_a_path_that_leads_nowhere_is_wrong(games: Games, path: Path) -> None:
    with pytest.raises(NoSuchStep):
        next_step(sealed_bids(games), 0, path, "en")
