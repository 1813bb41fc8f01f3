"""Operators block and unblock accounts and addresses, close accounts, and erase persons; each act is in their log."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from service.handlers import lobby, operators, sign_in
from service.handlers.authentication import authenticate
from service.handlers.people import Arrival
from service.handlers.refusals import AccountBlocked, UnknownSubject
from service.handlers.talk import say
from service.log.ids import new_id
from service.rules.pace import Pace
from service.runtime import Runtime
from service.shared import clock
from service.store import notices, outbox
from service.store.games import Games
from service.views.account import account_row
from service.views.export import export
from tests.audit.test_inspect import verified as audited
from tests.browsing import browser
from tests.builders import act, first_legal, now_at, opened, paced, started, table_for
from tests.letters import link
from tests.operating import ZOE, acts_of, last_act, verified
from tests.people import Person, alice, bob, carol, new_address, register
from tests.rest import Caller
from workers.jobs import carry_out

CLOCK = Pace(free=3600, bank=0, credit=0, cap=3600)


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def blocked(games: Games, person: Person) -> int:
    return operators.block_account(games, person.id, ZOE, clock.now())


def state_of(games: Games, row: int) -> tuple[str, str | None]:
    with games.engine.connect() as db:
        return tuple(db.execute(text("select state, last_error from outbox where id = :id"), {"id": row}).one())


def turn_row(games: Games, game: Any, seat: int) -> int:
    query = text(
        "select id from outbox where game_id = :game and kind = 'turn-mail' and (payload ->> 'seat')::int = :seat"
        " order by id desc limit 1"
    )
    with games.engine.connect() as db:
        return int(db.execute(query, {"game": game, "seat": seat}).scalar_one())


def test_a_blocked_token_is_refused_with_the_reason_and_works_again_afterwards(
    api: Caller, games: Games, people: list[Person]
) -> None:
    blocked(games, people[1])
    refused = api.by(people[1]).get("/me")
    assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/account-blocked")
    assert "spam at every table" in refused.get_json()["detail"]
    operators.unblock_account(games, people[1].id, ZOE, clock.now())
    assert api.by(people[1]).get("/me").status_code == 200
    assert acts_of(games, "player", people[1].id) == ["blocked", "unblocked"]


def test_a_player_who_has_just_acted_is_refused_the_next_action(
    api: Caller, games: Games, people: list[Person]
) -> None:
    position = started(games, "sealed-bids", people)
    place = f"/games/{position.game.id}/actions"
    assert api.by(people[0]).post(place, {"decision": position.decision, "action": {"type": "hold"}}).status_code == 201
    # The clock keeps the seat hers, so that nothing but the block refuses.
    other = paced(games, CLOCK, people=people)
    blocked(games, people[0])
    refused = api.by(people[0]).post(f"/games/{other.game.id}/actions", {"decision": 1, "action": {"type": "hold"}})
    assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/account-blocked")
    assert authenticate(games, people[1].token)


def test_a_bot_of_a_blocked_account_is_refused_too(api: Caller, games: Games, people: list[Person]) -> None:
    robot = api.by(people[0]).post("/bots", {"name": "Robot"}).get_json()["token"]
    blocked(games, people[0])
    with pytest.raises(AccountBlocked):
        authenticate(games, robot)


def test_a_blocked_player_is_signed_out_and_cannot_sign_in(app: Flask, games: Games, people: list[Person]) -> None:
    at_home = browser(app, games, people[0])
    assert at_home.get("/settings").status_code == 200
    verified(games, people[0])
    with games.engine.begin() as db:
        address = new_address()
        db.execute(text("update player set email = :email where id = :id"), {"email": address, "id": people[0].id})
    sign_in.ask(games, address, "Alice", "en", clock.now())
    with games.engine.begin() as db:
        asked = db.execute(text("select id from sign_in where email = :email"), {"email": address}).scalar_one()
        request = sign_in.prepare(db, asked, clock.now())
    assert request
    blocked(games, people[0])
    assert at_home.get("/settings").status_code == 303
    told = app.test_client().post(f"/sign-in/{request.secret}", data={"press": "yes"})
    assert (told.status_code, "spam at every table" in told.text) == (403, True)
    operators.unblock_account(games, people[0].id, ZOE, clock.now())
    assert sign_in.enter(games, request.secret, None, Arrival("en"), clock.now())


def test_links_of_a_blocked_player_say_why_and_play_nothing(app: Flask, games: Games, people: list[Person]) -> None:
    position = paced(games, CLOCK, people=people)
    path = link(games, position, 0, position.decision)
    blocked(games, people[0])
    shown = app.test_client().get(path)
    assert shown.status_code in (200, 410)
    assert "spam at every table" in shown.text
    assert "hold" not in shown.text.lower().replace("household", "")
    operators.unblock_account(games, people[0].id, ZOE, clock.now())
    assert "spam at every table" not in app.test_client().get(path).text


def test_mails_to_a_blocked_player_stop(runtime: Runtime, games: Games, people: list[Person]) -> None:
    position = paced(games, CLOCK, people=people)
    row = turn_row(games, position.game.id, 1)
    blocked(games, people[1])
    carry_out(runtime, row)
    assert state_of(games, row) == ("skipped", "blocked")
    operators.unblock_account(games, people[1].id, ZOE, clock.now())
    assert turn_row(games, position.game.id, 1) > row


def test_no_mail_goes_to_a_blocked_address_and_nobody_signs_in_with_it(runtime: Runtime, games: Games) -> None:
    address = new_address()
    sign_in.ask(games, address, "Zoë", "en", clock.now())
    with games.engine.begin() as db:
        asked = db.execute(text("select id from sign_in where email = :email"), {"email": address}).scalar_one()
        request = sign_in.prepare(db, asked, clock.now())
        row = db.execute(
            text("select id from outbox where payload ->> 'sign_in' = :id"), {"id": str(asked)}
        ).scalar_one()
    assert request
    operators.block_address(games, address.upper(), ZOE, clock.now())
    carry_out(runtime, row)
    assert state_of(games, row)[0] == "skipped"
    with pytest.raises(AccountBlocked):
        sign_in.use(games, request.secret, Arrival("en"), clock.now())
    guest = register(games, "Guest", None, "en")
    with games.engine.connect() as db:
        asking = account_row(db, guest.id)
    with pytest.raises(AccountBlocked):
        sign_in.tie(games, request.secret, asking, Arrival("en"), clock.now())
    operators.unblock_address(games, address, ZOE, clock.now())
    assert sign_in.use(games, request.secret, Arrival("en"), clock.now())
    # The log holds no address, only its digest.
    assert address not in str(last_act(games))
    with pytest.raises(UnknownSubject):
        operators.unblock_address(games, address, ZOE, clock.now())


def test_a_table_with_a_clock_keeps_its_blocked_player_and_one_without_goes_on(
    games: Games, people: list[Person]
) -> None:
    timed = paced(games, CLOCK, people=people)
    untimed = started(games, "sealed-bids", people)
    assert blocked(games, people[1]) == 1
    assert now_at(games, timed.game.id).resigned == ()
    after = now_at(games, untimed.game.id)
    assert (after.resigned, after.game.status) == ((1,), "running")
    assert last_act(games).details == {"given_up": [str(untimed.game.id)]}
    # The record of a game that was given up so holds.
    for seat in (0, 2):
        after = act(games, after, seat, first_legal(after, seat)).position
    audited(games, now_at(games, untimed.game.id))


def test_open_tables_go_on_without_a_blocked_player_who_can_take_no_seat(games: Games, people: list[Person]) -> None:
    hosted = opened(games, "sealed-bids", people)
    blocked(games, people[0])
    after = now_at(games, hosted)
    assert [seat.player_id for seat in after.seats] == [people[1].id, people[2].id]
    assert after.game.host == people[1].id
    with pytest.raises(AccountBlocked):
        lobby.join(games, table_for(games, "sealed-bids", people[1], 3), people[0].id, clock.now())


def test_an_act_that_cannot_be_done_leaves_no_event(games: Games, people: list[Person]) -> None:
    before = last_act(games).id if acts_of(games, "player", people[0].id) else None
    for refused in (operators.unblock_account, operators.close_account):
        with pytest.raises(UnknownSubject):
            refused(games, new_id(), ZOE, clock.now())
    with pytest.raises(UnknownSubject):
        operators.unblock_account(games, people[0].id, ZOE, clock.now())
    assert acts_of(games, "player", people[0].id) == []
    assert before is None


def test_a_closed_account_is_gone_and_its_words_stay(games: Games, people: list[Person]) -> None:
    position = started(games, "sealed-bids", people)
    say(games, position.game.id, people[0].id, "Good luck", "api", clock.now())
    operators.close_account(games, people[0].id, ZOE, clock.now())
    assert authenticate(games, people[0].token) is None
    assert words_at(games, position.game.id) == ["Good luck"]
    assert acts_of(games, "player", people[0].id) == ["closed"]


def test_an_erased_person_has_said_nothing_that_can_be_read(games: Games, people: list[Person]) -> None:
    position = started(games, "sealed-bids", people)
    say(games, position.game.id, people[0].id, "I live in Elm Street", "api", clock.now())
    say(games, position.game.id, people[1].id, "Good luck", "api", clock.now())
    operators.erase_account(games, people[0].id, ZOE, clock.now())
    assert words_at(games, position.game.id) == [operators.ERASED, "Good luck"]
    assert authenticate(games, people[0].token) is None
    assert acts_of(games, "player", people[0].id) == ["erased"]


def words_at(games: Games, game: Any) -> list[str]:
    with games.engine.connect() as db:
        return list(
            db.execute(text("select text from talk where game_id = :game order by number"), {"game": game}).scalars()
        )


def test_the_player_sees_the_acts_in_the_export_and_on_the_page_without_who_did_them(app: Flask, games: Games) -> None:
    person = register(games, "Alice", new_address(), "en")
    blocked(games, person)
    operators.unblock_account(games, person.id, ZOE, clock.now())
    web = browser(app, games, person)
    operators.block_address(games, person.email or "", ZOE, clock.now())
    with games.engine.begin() as db:
        operators.export_account(db, person.id, ZOE, clock.now())
    with games.engine.connect() as db:
        kept = export(db, games, account_row(db, person.id), 0, clock.now())
    assert [each["act"] for each in kept["operator_acts"]] == ["blocked", "unblocked", "blocked", "exported"]
    page = web.get("/settings").text
    assert page.count("spam at every table") == 4
    assert "zoe" not in page.replace(person.email or "", "") and "shell" not in str(kept["operator_acts"])
    operators.unblock_address(games, person.email or "", ZOE, clock.now())


@pytest.mark.parametrize("change", ["update operator_event set reason = ''", "delete from operator_event"])
def test_the_log_of_operators_refuses_every_change(
    games: Games, people: list[Person], owner_url: str, change: str
) -> None:
    from sqlalchemy import create_engine

    blocked(games, people[0])
    with pytest.raises(DBAPIError, match="permission denied"), games.engine.begin() as db:
        db.execute(text(change))
    owner = create_engine(owner_url)
    with pytest.raises(DBAPIError, match="append-only"), owner.begin() as db:
        db.execute(text(change))
    owner.dispose()


def test_an_invitation_by_mail_does_not_reach_a_blocked_address(runtime: Runtime, games: Games) -> None:
    from service.handlers.invitations import ByMail, invite

    address, host = new_address(), alice(games)
    game = table_for(games, "sealed-bids", host, 3)
    operators.block_address(games, address, ZOE, clock.now())
    given = invite(games, game, host.id, ByMail(address), clock.now() + timedelta(0), None)
    row = row_with(games, notices.invitation(given.id).dedupe_key)
    carry_out(runtime, row)
    assert state_of(games, row)[0] == "skipped"


def row_with(games: Games, key: str) -> int:
    with games.engine.begin() as db:
        found = db.execute(text("select id from outbox where dedupe_key = :key"), {"key": key}).scalar()
        assert found is not None and outbox.read(db, found)
        return int(found)
