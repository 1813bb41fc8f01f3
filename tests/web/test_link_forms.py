"""Behind a link one can take an action back, ask for a fresh link, and replace links that others have seen."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event, text

from service.app import create_app
from service.handlers import fresh_links, links, sign_in
from service.handlers.players import Arrival
from service.handlers.resign import resign
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from service.views.dry_run import reveals
from tests.builders import act, now_at, sealed_bids, started
from tests.games.sealed_bids.actions import Bid, Hold
from tests.letters import PRESSED, Letter, Page, letters, link, press
from tests.people import alice, bob
from tests.rest import Caller
from workers.relay import Relay

ALICE, BOB, CAROL = 0, 1, 2


@pytest.fixture(scope="module")
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


def delivered(runtime: Runtime, mailbox: Path, position: Position) -> list[Letter]:
    """The mails about the game that have come since the last time."""
    relay = Relay(replace(runtime, redis=None))
    # What asks for a fresh link is carried out first, and has a mail written.
    while relay.drain() or relay.drain():
        pass
    mails = letters(mailbox, position.game.id)
    for path in mailbox.glob("*.eml"):
        path.unlink()
    return mails


def requests_for(games: Games) -> int:
    with games.engine.connect() as db:
        return int(db.execute(text("select count(*) from outbox where kind = 'fresh-link'")).scalar_one())


def test_what_was_just_played_can_be_taken_back_and_the_way_goes_on(
    web: FlaskClient, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    position = sealed_bids(games)
    delivered(runtime, mailbox, position)
    path = link(games, position, ALICE)
    for page in (press(web, path, "hold"), web.get(path)):
        assert f"{path}/link/back" in [form.action for form in Page(page.text).forms]
    answer = web.post(f"{path}/link/back", data=PRESSED)
    assert answer.status_code == 200
    assert "Taken back" in answer.text
    assert now_at(games, position.game.id).state == position.state
    (onward,) = (each for each in Page(answer.text).links if each.startswith("/t/") and not each.startswith(path))
    assert [mail.recipient for mail in delivered(runtime, mailbox, position)] == ["alice@example.org"]
    old = web.get(path)
    assert old.status_code == 410
    assert "Hold the cards." in old.text and "This move was taken back afterwards." in old.text
    assert press(web, path, "hold").status_code == 409
    assert press(web, onward, "hold").status_code == 200


def test_a_turn_of_new_corp_order_is_taken_back_and_a_mail_brings_the_link_that_plays(
    web: FlaskClient, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": ALICE})
    (mail,) = (each for each in delivered(runtime, mailbox, position) if each.asks)
    legal = position.ruleset.legal(position.state, ALICE)
    notation = position.ruleset.notate(next(each for each in legal if not reveals(position, ALICE, each)))
    assert press(web, mail.path, notation).status_code == 200
    assert now_at(games, position.game.id).decision > position.decision
    assert web.post(f"{mail.path}/link/back", data=PRESSED).status_code == 200
    after = now_at(games, position.game.id)
    assert (after.state, after.awaited) == (position.state, position.awaited)
    (again,) = (each for each in delivered(runtime, mailbox, position) if each.asks)
    assert again.recipient == "alice@example.org"
    assert [web.get(each.path).status_code for each in (mail, again)] == [410, 200]
    assert press(web, again.path, notation, decision=after.decision).status_code == 200


def test_it_is_told_in_the_players_language_why_an_action_cannot_be_taken_back(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    paths = [link(games, position, seat) for seat in (ALICE, BOB, CAROL)]
    nothing = web.post(f"{paths[BOB]}/link/back", data=PRESSED)
    for path in paths:
        press(web, path, "hold", sure="yes")
    acted, shown = (
        web.post(f"{paths[BOB]}/link/back", data=PRESSED),
        web.post(f"{paths[CAROL]}/link/back", data=PRESSED),
    )
    assert [answer.status_code for answer in (nothing, acted, shown)] == [409, 409, 409]
    assert "Es gibt nichts mehr zurückzunehmen." in nothing.text
    assert "Seitdem hat jemand gezogen." in acted.text
    assert "quelque chose de caché" in shown.text
    assert "link/back" not in web.get(paths[CAROL]).text


def test_without_time_for_it_nothing_is_offered(runtime: Runtime, games: Games) -> None:
    hurried = replace(runtime, settings=replace(runtime.settings, take_back_seconds=0))
    web = create_app(hurried).test_client(use_cookies=False)
    path = link(games, sealed_bids(games), ALICE)
    assert "take it back" not in web.get(f"{path}/hold").text
    assert "link/back" not in press(web, path, "hold").text
    assert "The time for taking it back is over." in web.post(f"{path}/link/back", data=PRESSED).text


def test_a_fresh_link_goes_to_the_players_address_and_is_shown_to_nobody(
    web: FlaskClient, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    for seat in (ALICE, BOB, CAROL):
        position = act(games, position, seat, Hold()).position
    delivered(runtime, mailbox, position)
    (form,) = Page(web.get(path).text).forms
    answer = web.post(form.action, data=form.hidden)
    assert answer.status_code == 200
    assert "/t/" not in answer.text
    (mail,) = delivered(runtime, mailbox, position)
    assert mail.recipient == "alice@example.org"
    assert press(web, mail.path, "hold", decision=2).status_code == 200


def test_whoever_asks_is_answered_alike_whatever_the_link_once_was(web: FlaskClient, games: Games) -> None:
    position, now = sealed_bids(games), clock.now()
    paths = [link(games, position, ALICE), "/t/" + "a" * 26, "/t/short", "/t/" + "ö" * 26]
    with games.engine.begin() as db:
        long_ago = now - timedelta(days=400)
        paths.append("/t/" + links.issue(db, position.game.id, BOB, 1, long_ago))
        paths.append("/t/" + links.issue(db, position.game.id, CAROL, 1, now))
        links.revoke(db, position.seats[CAROL].player_id, "seen", now, position.game.id)
    resign(games, position.game.id, position.seats[BOB].player_id, "api", now)
    asked: list[tuple[Any, ...]] = []
    for path in paths:
        statements: list[str] = []

        def note(_: Any, __: Any, statement: str, *___: Any, into: list[str] = statements) -> None:
            into.append(statement)

        before = requests_for(games)
        event.listen(games.engine, "before_cursor_execute", note)
        answer = web.post(f"{path}/link/fresh", data=PRESSED)
        event.remove(games.engine, "before_cursor_execute", note)
        headers = [(name, value) for name, value in answer.headers if name not in ("X-Request-Id", "RateLimit")]
        asked.append((answer.status_code, answer.data, headers, statements, requests_for(games) - before))
    assert all(each == asked[0] for each in asked)
    assert asked[0][0] == 200 and asked[0][-1] == 1


def test_nobody_gets_more_than_one_fresh_link_in_ten_minutes_by_it(
    web: FlaskClient, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    position = sealed_bids(games)
    delivered(runtime, mailbox, position)
    paths = [link(games, position, ALICE) for _ in range(2)]
    for path in paths * 3:
        assert web.post(f"{path}/link/fresh", data=PRESSED).status_code == 200
    # One, or two where one stretch of time ends just now and another begins.
    assert len(delivered(runtime, mailbox, position)) in (1, 2)
    later = clock.now() + fresh_links.PAUSE
    token = paths[0].rpartition("/")[2]
    fresh_links.ask(games, token, later)
    with games.engine.begin() as db:
        rows = text("select count(*) from outbox where kind = 'turn-mail' and game_id = :game and payload ? 'asked'")
        before = db.execute(rows, {"game": position.game.id}).scalar_one()
        assert fresh_links.answer(db, games, links.stored(token) or b"", later)
        assert db.execute(rows, {"game": position.game.id}).scalar_one() == before + 1


def test_whoever_asks_too_often_is_told_to_wait(runtime: Runtime) -> None:
    strict = replace(runtime, settings=replace(runtime.settings, rate_limits=1.0))
    web, here = create_app(strict).test_client(use_cookies=False), {"REMOTE_ADDR": "198.51.100.7"}
    answers = [web.post(f"/t/{'b' * 26}/link/fresh", data=PRESSED, environ_base=here).status_code for _ in range(21)]
    assert answers == [200] * 20 + [429]


def test_whoever_is_not_to_act_has_no_address_or_has_resigned_gets_no_mail(games: Games) -> None:
    position, now = sealed_bids(games), clock.now()
    tokens = [link(games, position, seat).rpartition("/")[2] for seat in (ALICE, BOB, CAROL)]
    act(games, position, ALICE, Hold())
    resign(games, position.game.id, position.seats[BOB].player_id, "api", now)
    with games.engine.begin() as db:
        carol = {"id": position.seats[CAROL].player_id}
        db.execute(text("update player set email = null, email_verified = false where id = :id"), carol)
        written = [fresh_links.answer(db, games, links.stored(token) or b"", now) for token in tokens]
    assert written == [False, False, False]


def test_links_that_others_have_seen_are_replaced_by_one_that_they_have_not(
    web: FlaskClient, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    position, other = sealed_bids(games), sealed_bids(games)
    mine = [link(games, position, ALICE) for _ in range(2)]
    bobs, elsewhere = link(games, position, BOB), link(games, other, ALICE)
    delivered(runtime, mailbox, position)
    (offered,) = [each for each in Page(web.get(mine[0]).text).links if each.endswith("/link/others")]
    (form,) = Page(web.get(offered).text).forms
    assert web.get(mine[0]).status_code == 200
    assert web.post(form.action, data=form.hidden).status_code == 200
    assert [web.get(path).status_code for path in (*mine, bobs, elsewhere)] == [410, 410, 200, 200]
    replaced = press(web, mine[1], "hold").text
    assert "You had this link replaced" in replaced
    assert "<h1>Sealed Bids: This link no longer works</h1>" in replaced
    assert web.post(f"{mine[1]}/link/others", data=PRESSED).status_code == 409
    (mail,) = delivered(runtime, mailbox, position)
    assert mail.recipient == "alice@example.org"
    assert press(web, mail.path, "hold").status_code == 200


def test_a_program_has_them_replaced_as_the_page_does(
    api: Caller, web: FlaskClient, runtime: Runtime, games: Games, mailbox: Path
) -> None:
    people = [alice(games), bob(games), alice(games, email=None)]
    position = started(games, "sealed-bids", people)
    renewal = f"/games/{position.game.id}/links/renewal"
    elsewhere = link(games, started(games, "sealed-bids", people), ALICE)
    (first,) = [mail for mail in delivered(runtime, mailbox, position) if mail.recipient == people[ALICE].email]
    bobs, carols = link(games, position, BOB), link(games, position, CAROL)
    for _ in range(2):
        answer = api.by(people[ALICE]).post(renewal)
        assert (answer.status_code, answer.data) == (204, b"")
    assert [web.get(path).status_code for path in (first.path, bobs, carols, elsewhere)] == [410, 200, 200, 200]
    assert "You had this link replaced" in press(web, first.path, "hold").text
    (mail,) = delivered(runtime, mailbox, position)
    assert mail.recipient == people[ALICE].email
    assert web.get(mail.path).status_code == 200
    # The new link can be seen by others as well, and the next one when there is no longer anything to be asked.
    assert api.by(people[ALICE]).post(renewal).status_code == 204
    (last,) = delivered(runtime, mailbox, position)
    assert [web.get(mail.path).status_code, press(web, last.path, "hold").status_code] == [410, 200]
    assert [api.by(people[seat]).post(renewal).status_code for seat in (ALICE, CAROL)] == [204, 204]
    assert delivered(runtime, mailbox, position) == []
    assert [web.get(path).status_code for path in (last.path, bobs, carols)] == [410, 200, 410]


def test_a_link_dies_with_its_players_seat(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    with games.engine.begin() as db:
        who = {"game": position.game.id, "player": sealed_bids(games).seats[ALICE].player_id}
        db.execute(text("update seat set player_id = :player where game_id = :game and seat = 0"), who)
    assert [web.get(path).status_code, press(web, path, "hold").status_code] == [404, 404]
    assert web.post(f"{path}/link/others", data=PRESSED).status_code == 404


def test_the_link_of_a_decision_that_vanished_says_why_and_plays_no_other(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    paths = {seat: link(games, position, seat) for seat in (ALICE, BOB)}
    act(games, position, ALICE, Bid(card=position.state.hands[ALICE][0]))
    web.post(f"{paths[ALICE]}/link/back", data=PRESSED)
    looked, pressed = web.get(paths[ALICE]), press(web, paths[ALICE], "hold")
    assert (looked.status_code, pressed.status_code) == (410, 409)
    assert "A move was taken back, and this link no longer counts." in looked.text
    assert press(web, paths[BOB], "hold").status_code == 200
    assert now_at(games, position.game.id).state.sealed == {BOB: None}


def test_links_that_went_to_an_earlier_address_of_the_player_no_longer_work(web: FlaskClient, games: Games) -> None:
    position, now = sealed_bids(games), clock.now()
    moved, stayed = (position.seats[seat] for seat in (ALICE, BOB))
    paths = [link(games, position, seat) for seat in (ALICE, BOB)]
    with games.engine.begin() as db:
        for seat in (moved, stayed):
            unverified = text("update player set email = :email, email_verified = false where id = :id")
            db.execute(unverified, {"id": seat.player_id, "email": f"{seat.player_id.hex}@example.org"})
    for seat, address in ((moved, "new."), (stayed, "")):
        email = f"{address}{seat.player_id.hex}@example.org"
        sign_in.ask(games, email, "Nobody", "en", now)
        with games.engine.begin() as db:
            asked = db.execute(text("select id from sign_in where email = :email"), {"email": email}).scalar_one()
            prepared = sign_in.prepare(db, asked, now)
        assert prepared
        entered = sign_in.enter(games, prepared.secret, seat.player_id, Arrival("en"), now)
        assert entered and entered.moved.whole
    assert [web.get(path).status_code for path in paths] == [410, 200]
    assert "an address that is no longer yours" in web.get(paths[ALICE]).text
