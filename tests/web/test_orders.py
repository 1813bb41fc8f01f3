"""T-33, T-34: moves given ahead and auto-answers on the page of a game."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from service.runtime import Runtime
from service.store.games import Games, Position
from tests.builders import act, now_at, sealed_bids
from tests.letters import Page
from tests.ordering import ALICE, BOB, by_order, corp, kept, order, try_orders, unconditional, waiting
from tests.people import Person
from tests.web.test_table import Visit


def visit_by(app: Flask, games: Games, position: Position, seat: int | None) -> Visit:
    """Return somebody from the seat at the page of the game; a stranger for None."""
    if seat is None:
        return Visit(app, games, position, None)
    row = position.seats[seat]
    return Visit(app, games, position, Person(row.player_id, "", row.name, None, row.language))


def test_t33_the_picker_gives_a_move_ahead_while_it_is_anothers_turn(
    runtime: Runtime, app: Flask, games: Games
) -> None:
    position = corp(games)
    visit = visit_by(app, games, position, BOB)
    page = visit.look()
    step = re.search(r'href="\?decision=1&amp;pick=([\d.]+)#orders"', page)
    assert step and "Einen Zug vormerken" in page
    assert 'class="trail"' in visit.look(f"?decision=1&pick={step[1]}")
    picked = visit.look("?decision=1&notation=P+D+D")
    assert "Spielen, wenn ich dran bin" in picked
    assert visit.send(picked, "/orders", as_now="yes").status_code == 303
    assert waiting(games, position, BOB) == ["P D D"]
    assert "<code>P D D</code>" in visit.look()
    for other in (ALICE, None):
        assert "<code>P D D</code>" not in visit_by(app, games, position, other).look()
    act(games, position, ALICE, position.ruleset.parse("P 1 2"))
    try_orders(runtime, position)
    assert [each.seat for each in by_order(games, position.game.id)] == [BOB]
    assert "<code>P D D</code>" not in visit.look()


def test_t31_a_move_is_given_with_what_it_rests_on_or_with_nothing(app: Flask, games: Games) -> None:
    position = corp(games)
    visit = visit_by(app, games, position, BOB)
    picked = visit.look("?decision=1&notation=P+1+2")
    visit.send(picked, "/orders", as_now="yes")
    visit.send(picked, "/orders")
    assert [len(each.conditions) for each in kept(games, position, BOB)] == [2, 0]
    visit.send(visit.look(), "/orders/cancel")
    assert kept(games, position, BOB) == []


def test_t30_no_more_than_ten_are_taken_and_the_page_says_so(app: Flask, games: Games) -> None:
    position = corp(games)
    order(games, position, BOB, *["P D D"] * 10)
    visit = visit_by(app, games, position, BOB)
    answer = visit.send(visit.look("?decision=1&notation=P+D+D"), "/orders")
    assert answer.status_code == 409
    assert "Höchstens 10 Züge lassen sich vormerken." in answer.text


@pytest.mark.parametrize("query", ["?notation=T+A1-C3+1", "?notation=castle", "?pick=99", "?decision=7&pick=0"])
def test_what_could_never_be_played_is_explained_on_the_page(app: Flask, games: Games, query: str) -> None:
    position = corp(games)
    page = visit_by(app, games, position, BOB).look(query)
    assert 'class="refusal"' in page
    assert not any(form.action.endswith("/orders") for form in Page(page).forms)


def test_an_order_that_could_never_be_played_is_refused_by_the_form_too(app: Flask, games: Games) -> None:
    position = corp(games)
    visit = visit_by(app, games, position, BOB)
    form = visit.form(visit.look("?decision=1&notation=P+D+D"), "/orders")
    answer = visit.web.post(form.action, data={**form.hidden, "notation": "T A1-C3 1"})
    assert (answer.status_code, "C3" in answer.text) == (409, True)
    assert kept(games, position, BOB) == []


def test_a_game_that_offers_no_choice_takes_the_notation(runtime: Runtime, app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    position = act(games, position, ALICE, position.ruleset.parse("hold")).position
    visit = visit_by(app, games, position, ALICE)
    assert visit.form(visit.look(), f"/games/{position.game.id}#orders")
    assert visit.send(visit.look("?notation=hold"), "/orders").status_code == 303
    assert waiting(games, position, ALICE) == ["hold"]


def test_t30_the_page_says_which_orders_were_dropped(runtime: Runtime, app: Flask, games: Games) -> None:
    position = corp(games)
    order(games, position, BOB, unconditional(position, "T A1-B1 3"))
    act(games, position, ALICE, position.ruleset.parse("P 1 2"))
    try_orders(runtime, position)
    page = visit_by(app, games, position, BOB).look()
    assert "Deine vorgemerkten Züge wurden nicht gespielt" in page
    assert "„T A1-B1 3“" in page
    assert "T A1-B1 3" not in visit_by(app, games, position, ALICE).look()


def test_t34_auto_answers_are_boxes_for_their_player_and_words_for_the_others(app: Flask, games: Games) -> None:
    position = corp(games)
    visit = visit_by(app, games, position, BOB)
    page = visit.look()
    assert page.count('name="chosen"') == 2 and " checked> Karten" not in page
    sent = visit.form(page, "/auto-answers")
    assert visit.web.post(sent.action, data={**sent.hidden, "chosen": ["discard-commonest"]}).status_code == 303
    assert " checked> Karten der Farbe" in visit.look()
    assert now_at(games, position.game.id).seats[BOB].auto_answers == ("discard-commonest",)
    other = visit_by(app, games, position, ALICE).look()
    assert "Automatic answer for Bob: Discard cards of the colour held most" in other
    sent = visit.form(visit.look(), "/auto-answers")
    assert visit.web.post(sent.action, data=sent.hidden).status_code == 303
    assert "Answered automatically" not in visit_by(app, games, position, ALICE).look()


def test_somebody_without_a_seat_can_give_nothing(app: Flask, games: Games) -> None:
    position = corp(games)
    looking = visit_by(app, games, position, None).look()
    assert 'id="orders"' not in looking
    assert 'name="chosen"' not in looking
