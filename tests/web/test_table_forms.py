"""The forms on the page of a table: talk, notes, refusals, substitutes (T-23 to T-26), orders (T-33, T-34)."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from service.app import create_app
from service.handlers import links, lobby, pace
from service.handlers.invitations import accept
from service.mail.game_blocks import board, table_of
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.texts.catalog import say
from service.web.play.guide import board_of
from tests.browsing import browser, send
from tests.builders import act, now_at, opened, sealed_bids, started
from tests.consenting import DAY, clocked
from tests.dropping import with_dropping
from tests.games.sealed_bids.actions import Hold
from tests.leaving import leave, link_to, played_out, running
from tests.letters import Letter, Page
from tests.ordering import by_order, corp, kept, order, try_orders, unconditional, waiting
from tests.people import Person, alice, bob, carol, register
from tests.web.test_table import Visit, duel, waiting_form
from workers.jobs import carry_out


def test_talk_notes_and_giving_up(app: Flask, games: Games) -> None:
    position, (mover, other) = duel(games)
    visit = Visit(app, games, position, mover)
    assert visit.send(visit.look(), "/talk", text="Hello <b>all</b>").status_code == 303
    assert visit.send(visit.look(), "/notes", text="first\r\nsecond").status_code == 303
    page = visit.look()
    assert "Hello &lt;b&gt;all&lt;/b&gt;" in page
    assert ">first\nsecond</textarea>" in page
    assert "first\nsecond" not in Visit(app, games, position, other).look()
    assert "Hello" not in Visit(app, games, position, None).look()
    assert visit.send(page, "/mails").status_code == 303
    assert "You get no mails about this game." in visit.look()
    assert visit.send(visit.look(), "/mails").status_code == 303
    assert "You get no mails about this game." not in visit.look()
    assert visit.send(page, "/talk", text="").status_code == 422
    assert visit.send(page, "/talk", text="\x00").status_code == 422
    assert "Tick the box to resign" in visit.send(page, "/resignation").text
    assert visit.send(page, "/resignation", sure="yes").status_code == 303
    page = visit.look()
    over = page.partition('id="over"')[2].partition('id="act"')[0]
    assert "wins" in over
    assert f"{mover.name} resigned" in over
    assert say("en", "table-sources") not in over, "no points came from anywhere"
    assert "/play-again" in over
    again = visit.web.post(f"/games/{visit.game}/resignation", data={**waiting_form(visit), "sure": "yes"})
    assert (again.status_code, "no longer possible" in again.text) == (409, True)


def test_forms_from_elsewhere_are_refused_and_change_nothing(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    for data, headers in (
        ({"form_key": "x"}, {}),
        ({}, {}),
        (waiting_form(visit), {"Origin": "https://elsewhere.example"}),
    ):
        for part in ("action", "talk", "notes", "mails", "resignation", "undo", "ticket"):
            sent = {"decision": "1", "notation": "P 1 2", "text": "x", "sure": "yes", **data}
            assert visit.web.post(f"/games/{visit.game}/{part}", data=sent, headers=headers).status_code == 403
    assert now_at(games, position.game.id).version == position.version
    nobody = Visit(app, games, position, None)
    assert nobody.web.post(f"/games/{visit.game}/talk", data={"text": "x"}).status_code == 303, "to sign in"


def test_a_ticket_of_the_page_opens_the_stream_of_the_game(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    url = visit.web.post(f"/games/{visit.game}/ticket", data=waiting_form(visit)).json["url"]
    visit.send(visit.look(), "/resignation", sure="yes")
    told = app.test_client().get(f"{url}?after={position.version}")
    assert told.status_code == 200
    assert "seat-resigned" in told.text


# Forms that are refused: the table with the reason, for those who may see it, and never an error of the service.

FORMS = (
    "action", "undo", "talk", "notes", "resignation", "time", "back", "orders", "orders/cancel", "auto-answers",
    "substitutes", "seat-requests", "pause", "pause/agreement", "pause/end", "take-back-request",
    "take-back-request/agreement", "take-back-request/refusal",
)  # fmt: skip
NUL = "\x00"
BAD = {"text": NUL, "notation": NUL, "email": "nobody", "seat": "0", "decision": "1", "sure": "yes", "chosen": NUL}


@pytest.fixture
def trio(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def posted(web: FlaskClient, path: str, **fields: Any) -> Any:
    (form, *_) = Page(web.get("/settings").text).forms
    return web.post(path, data={"form_key": form.hidden["form_key"], **fields})


@pytest.mark.parametrize("status", ["open", "cancelled"])
def test_a_form_of_the_table_leads_to_the_lobby_of_a_game_that_has_not_begun(
    app: Flask, games: Games, trio: list[Person], status: str
) -> None:
    game = opened(games, "sealed-bids", trio)
    if status == "cancelled":
        lobby.cancel_game(games, game, trio[0].id)
    for person in (trio[0], register(games, "Dan", None, "en")):
        web = browser(app, games, person)
        for form in FORMS:
            answer = posted(web, f"/games/{game}/{form}", **BAD)
            assert answer.status_code == 404 or answer.location == f"/games/{game}", (person.name, form)


def test_a_refused_form_shows_a_stranger_nothing_of_a_private_game(
    app: Flask, games: Games, trio: list[Person]
) -> None:
    game = running(games, "sealed-bids", trio, Terms()).game.id
    stranger = browser(app, games, register(games, "Dan", None, "en"))
    for form in FORMS:
        answer = posted(stranger, f"/games/{game}/{form}", **BAD)
        assert answer.status_code == 404 and "Alice" not in answer.text, form


@pytest.mark.parametrize("until", ["0001-01-01", "2026-12-01T00:00:00", "9999-12-31T23:59:59+00:00", "", "soon"])
def test_a_pause_that_nobody_proposes_cannot_be_agreed_to(
    app: Flask, games: Games, trio: list[Person], until: str
) -> None:
    position = clocked(games, people=trio)
    now = clock.now()
    pace.propose_pause(games, position.game.id, trio[1].id, now + DAY, "web", now)
    web = browser(app, games, trio[0])
    answer = posted(web, f"/games/{position.game.id}/pause/agreement", until=until)
    assert (answer.status_code, "This pause is no longer proposed." in answer.text) == (409, True)


# A button of the table that is pressed twice plays once and refuses nothing, whoever else still has to decide.


@pytest.mark.parametrize("notation", ["hold", "drop"])
@pytest.mark.parametrize("others", [0, 2], ids=("others decide", "the last to decide"))
def test_the_same_form_sent_twice_is_played_once(runtime: Runtime, notation: str, others: int) -> None:
    house = with_dropping(runtime)
    games, people = house.games, [alice(runtime.games), bob(runtime.games), carol(runtime.games)]
    position = started(games, "sealed-bids", people)
    for seat in (1, 2)[:others]:
        act(games, position, seat, Hold())
    visit = Visit(create_app(house), games, position, people[0])
    line = f"drop {position.state.hands[0][0]}" if notation == "drop" else notation
    sent = {**waiting_form(visit), "decision": str(position.decision), "notation": line, "sure": "yes"}
    for _ in range(2):
        assert visit.web.post(f"/games/{visit.game}/action", data=sent).status_code == 303
    caused = 2 if others and notation == "hold" else 1
    assert now_at(games, position.game.id).version == position.version + others + caused
    if notation == "drop":
        refused = visit.web.post(f"/games/{visit.game}/action", data={**sent, "notation": f"bid {line[5:]}"})
        assert refused.status_code == 409, "another form is another answer"


# Seats of running games are taken over by way of the pages and mails (T-23 to T-26).

ALICE, BOB, DAN = 0, 1, 2
PUBLIC, PRIVATE = Terms(access="public"), Terms()


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), register(games, "Dan", "dan@example.org", "en")]


def mailed(runtime: Runtime, mailbox: Path, game: UUID, kind: str) -> list[Letter]:
    """Carry out the rows of a kind that are due, and return the mails."""
    query = text("select id from outbox where kind = :kind and game_id = :game and state = 'pending' order by id")
    with runtime.engine.connect() as db:
        rows: list[Any] = list(db.execute(query, {"kind": kind, "game": game}).scalars())
    for row in rows:
        carry_out(runtime, row)
    arrived = [path.read_bytes() for path in sorted(mailbox.glob("*.eml"))]
    return [Letter(raw, message_from_bytes(raw, policy=policy.default)) for raw in arrived]


def test_t23_the_host_gets_a_link_at_the_table_and_a_person_without_account_plays_on(
    app: Flask, games: Games, people: list[Person]
) -> None:
    position = leave(games, running(games, "sealed-bids", people, PRIVATE), BOB)
    game, host = position.game.id, browser(app, games, people[ALICE])
    table = host.get(f"/games/{game}").text
    assert "Another person can take over such a seat." in table
    made = send(host, f"/games/{game}", f"/games/{game}/substitutes", email="")
    link = made.text.partition('<code class="secret">')[2].partition("<")[0].removeprefix("http://127.0.0.1:8000")
    stranger = browser(app, games)
    page = stranger.get(link).text
    assert "you would take over seat 2" in page
    assert board_of(table_of(position, ALICE, looking_on=True).board()) in page
    taken = stranger.post(link, data={"name": "Zoë", "language": "en", "nonce": ""})
    assert taken.status_code == 303
    after = now_at(games, game)
    assert after.seats[BOB].name == "Zoë"
    assert "Bob played seat 2 until event" in stranger.get(f"/games/{game}").text
    closed = browser(app, games).get(link)
    assert (closed.status_code, "This invitation is no longer valid" in closed.text) == (410, True)


def test_t23_the_mail_of_the_invitation_says_that_the_game_is_running(
    app: Flask, runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = leave(games, running(games, "sealed-bids", people, PRIVATE), BOB)
    game, host = position.game.id, browser(app, games, people[ALICE])
    assert send(host, f"/games/{game}", f"/games/{game}/substitutes", email="eve.new@example.org").status_code == 200
    (mail,) = mailed(runtime, mailbox, game, "invitation")
    told = " ".join(mail.text.split())
    assert "The game is running: you would take over seat 2" in told
    assert "still free" not in told
    assert "Each player makes" not in told
    now = now_at(games, game)
    shown, hidden = (board(table_of(now, DAN, looking_on=on)).text for on in (True, False))
    assert " ".join(shown.split()) in told
    assert " ".join(hidden.split()) not in told
    bad = host.post(f"/games/{game}/substitutes", data={"email": "eve", "seat": "1", "form_key": _key(host, game)})
    assert bad.status_code == 422


def test_t23_a_visitor_asks_at_a_public_table_the_players_get_a_mail_and_one_agrees(
    app: Flask, runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = leave(games, running(games, "sealed-bids", people, PUBLIC), BOB)
    game, substitute = position.game.id, carol(games)
    stranger = browser(app, games, substitute)
    assert send(stranger, f"/games/{game}", f"/games/{game}/seat-requests").status_code == 303
    assert "avez demandé la place 2" in stranger.get(f"/games/{game}").text
    mails = mailed(runtime, mailbox, game, "seat-request")
    assert sorted(mail.recipient for mail in mails) == ["alice@example.org", "dan@example.org"]
    assert all("Carol asks to take over seat 2" in " ".join(mail.text.split()) for mail in mails)
    there = browser(app, games, people[DAN])
    page = there.get(f"/games/{game}").text
    agree = page.partition(f'action="/games/{game}/seat-requests/')[2].partition('"')[0]
    assert agree.endswith("/agree")
    path = f"/games/{game}/seat-requests/{agree}"
    assert there.post(path, data={"form_key": _key(there, game)}).status_code == 303
    assert now_at(games, game).seat_of(substitute.id) == BOB
    assert there.post(path, data={"form_key": _key(there, game)}).status_code == 303


def test_t23_a_request_that_was_answered_meanwhile_is_told_by_no_mail(
    app: Flask, runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = leave(games, running(games, "sealed-bids", people, PUBLIC), BOB)
    game, stranger, there = position.game.id, browser(app, games, carol(games)), browser(app, games, people[DAN])
    send(stranger, f"/games/{game}", f"/games/{game}/seat-requests")
    asked = there.get(f"/games/{game}").text.partition(f'action="/games/{game}/seat-requests/')[2].partition("/")[0]
    declined = there.post(f"/games/{game}/seat-requests/{asked}/decline", data={"form_key": _key(there, game)})
    assert declined.status_code == 303
    assert mailed(runtime, mailbox, game, "seat-request") == []
    again = stranger.post(f"/games/{game}/seat-requests", data={"seat": "1", "form_key": _key(stranger, game)})
    assert again.status_code == 409
    assert "ont refusé votre demande" in again.text


def test_t24_the_mailed_link_of_the_former_player_shows_nothing(app: Flask, games: Games, people: list[Person]) -> None:
    position = running(games, "sealed-bids", people, PUBLIC)
    with games.engine.begin() as db:
        token = links.issue(db, position.game.id, BOB, position.decision, clock.now())
    position = leave(games, position, BOB)
    accept(games, link_to(games, position, BOB), carol(games).id, clock.now())
    nobody = browser(app, games)
    assert nobody.get(f"/t/{token}").status_code == 404
    assert nobody.post(f"/t/{token}", data={"decision": position.decision, "notation": "hold"}).status_code == 404


def test_t25_the_page_of_a_link_says_why_somebody_cannot_take_the_seat(
    app: Flask, games: Games, people: list[Person]
) -> None:
    position = leave(games, running(games, "sealed-bids", people, PUBLIC), BOB)
    game, link = position.game.id, f"/join/{link_to(games, position, BOB)}"
    former, stranger = browser(app, games, people[BOB]), browser(app, games, carol(games))
    assert f"/games/{game}/seat-requests" not in former.get(f"/games/{game}").text
    refusal = former.post(link, data={"nonce": "", "form_key": _key(former, game)})
    assert (refusal.status_code, "You have left this game" in refusal.text) == (409, True)
    played_out(games, game)
    closed = stranger.get(link, headers={"Accept-Language": "en"})
    assert (closed.status_code, "The seat is not free any more" in closed.text) == (410, True)


def test_t26_the_page_of_a_game_that_is_over_says_who_has_played_its_seats(
    app: Flask, games: Games, people: list[Person]
) -> None:
    position = leave(games, running(games, "sealed-bids", people, PUBLIC), BOB)
    accept(games, link_to(games, position, BOB), carol(games).id, clock.now())
    played_out(games, position.game.id)
    page = browser(app, games, people[ALICE]).get(f"/games/{position.game.id}").text
    assert f"took seat 2 over at event {position.version + 1}; its former player had left." in page
    assert "played seat 2 until event" in page


def _key(web: FlaskClient, game: UUID) -> str:
    key: str = web.get(f"/games/{game}").text.partition('name="form_key" value="')[2].partition('"')[0]
    return key


# T-33, T-34: moves given ahead and auto-answers on the page of a game.


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
