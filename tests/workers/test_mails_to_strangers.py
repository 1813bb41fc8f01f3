"""Mails go to people who want them: one to an address that nobody has confirmed, and more to one that is."""

from __future__ import annotations

from uuid import UUID, uuid4

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from service.handlers import consent as asking
from service.handlers import delete_account, sign_in
from service.handlers.people import Arrival
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from service.store.mail import are_mails_refused, consent_digest, refuse_mails
from tests.browsing import browser
from tests.builders import finished, now_at, opened, started, table_for
from tests.letters import PRESSED, is_about
from tests.people import Person, alice, bob, guest, register
from tests.rest import Caller, refused
from tests.strangers import EVIL, Deliver, link_in, to


def test_one_guest_makes_one_mail_go_to_one_strangers_address(
    runtime: Runtime, caller: Caller, deliver: Deliver, stranger: str
) -> None:
    games = runtime.games
    mallory = register(games, "Mallory", None, "en")
    victim = caller.post("/players", {"name": "Victim", "email": stranger}).get_json()
    caller.post("/players", {"name": "Another", "email": stranger.upper()})
    seated = Person(UUID(victim["id"]), victim["token"], "Victim", stranger, "en")
    for _ in range(25):
        game = started(games, "sealed-bids", [mallory, register(games, "Moll", None, "en"), seated]).game.id
        caller.by(mallory).post(f"/games/{game}/talk", {"text": EVIL})
    over = finished(games, now_at(games, game))
    for _ in range(15):
        again = caller.by(mallory).post(f"/games/{over.game.id}/rematch").get_json()["id"]
        caller.by(mallory).post(f"/games/{again}/cancel")
    table = table_for(games, "sealed-bids", mallory, 3)
    refused(caller.by(mallory).post(f"/games/{table}/invitations", {"email": stranger}), 409, "no-mail")
    (mail,) = to(deliver(), stranger)
    assert mail.kind == "confirmation"
    assert not any(word in mail.message.as_string() for word in ("Mallory", "evil", "locked", "Victim"))


def test_a_confirmed_address_gets_the_turns_that_wait_at_once_and_nothing_of_the_past(
    runtime: Runtime, web: FlaskClient, deliver: Deliver, stranger: str
) -> None:
    games, zoe = runtime.games, guest(runtime.games, stranger)
    others = [bob(games, None), alice(games, None)]
    waiting = [started(games, "new-corp-order", [zoe, other], **{"first-player": 0}) for other in others]
    finished(games, started(games, "sealed-bids", [zoe, *others]))
    (asked,) = to(deliver(), stranger)
    page = web.get(link_in(asked))
    assert stranger in page.text and page.headers["Referrer-Policy"] == "same-origin"
    assert [mail.kind for mail in to(deliver(), stranger)] == ["confirmation"], "to look confirms nothing"
    for _ in range(2):
        assert web.post(link_in(asked), data=PRESSED).status_code == 200
    mails = to(deliver(), stranger)[1:]
    assert [mail.kind for mail in mails] == ["turn", "turn"]
    asking = [position.game.id for position in waiting for mail in mails if is_about(mail.message, position.game.id)]
    assert sorted(asking) == sorted(position.game.id for position in waiting)


def test_a_refusal_is_for_ever_and_for_every_account_but_the_press_of_a_button_still_confirms(
    runtime: Runtime, api: Caller, web: FlaskClient, deliver: Deliver, stranger: str
) -> None:
    games = runtime.games
    guest(games, stranger)
    (asked,) = to(deliver(), stranger)
    assert asked.message["List-Unsubscribe"] == f"<http://127.0.0.1:8000{link_in(asked)}/never>"
    assert web.post(f"{link_in(asked)}/never", data={"List-Unsubscribe": "One-Click"}).status_code == 200
    with runtime.engine.begin() as db:
        db.execute(text("delete from mail_request"))
    host, another = alice(games), guest(games, stranger.upper())
    started(games, "new-corp-order", [another, bob(games, None)])
    table = table_for(games, "sealed-bids", host, 3)
    refused(api.by(host).post(f"/games/{table}/invitations", {"email": stranger}), 409, "no-mail")
    refused(api.by(another).post("/me/mail/trial"), 409, "not-confirmed")
    assert len(to(deliver(), stranger)) == 1
    assert web.post(link_in(asked), data=PRESSED).status_code == 200
    with runtime.engine.connect() as db:
        found = text("select array_agg(email_confirmed order by created_at) from player where lower(email) = :email")
        assert db.execute(found, {"email": stranger}).scalar_one() == [True, False]
        assert are_mails_refused(db, stranger)


def test_who_has_refused_before_the_one_mail_leaves_does_not_get_it(
    runtime: Runtime, deliver: Deliver, stranger: str
) -> None:
    zoe = guest(runtime.games, stranger)
    with runtime.engine.begin() as db:
        asking.ask(db, zoe.id, stranger, clock.now())
        refuse_mails(db, consent_digest(stranger), clock.now())
    assert to(deliver(), stranger) == []


def test_the_link_refuses_even_when_the_account_has_gone(
    runtime: Runtime, web: FlaskClient, deliver: Deliver, stranger: str
) -> None:
    zoe = guest(runtime.games, stranger)
    (asked,) = to(deliver(), stranger)
    delete_account.delete_account(runtime.games, zoe.id, "api", clock.now())
    assert web.get(link_in(asked)).status_code == web.post(link_in(asked), data=PRESSED).status_code == 410
    guest(runtime.games, stranger)
    assert len(to(deliver(), stranger)) == 1, "another account brings no second mail"
    assert web.post(f"{link_in(asked)}/never", data=PRESSED).status_code == 200
    with runtime.engine.connect() as db:
        assert are_mails_refused(db, stranger)


def test_after_a_month_the_address_may_be_asked_once_more(
    runtime: Runtime, api: Caller, deliver: Deliver, stranger: str
) -> None:
    zoe = guest(runtime.games, stranger)
    refused(api.by(zoe).post("/me/mail/trial"), 409, "not-confirmed")
    assert api.by(zoe).get("/me/mail").get_json()["asked_at"] is not None
    with runtime.engine.begin() as db:
        db.execute(text("update mail_request set asked_at = asked_at - interval '30 days'"))
    assert api.by(zoe).get("/me/mail").get_json()["asked_at"] is None
    assert api.by(zoe).post("/me/mail/trial").status_code == 202
    assert [mail.kind for mail in to(deliver(), stranger)] == ["confirmation"]
    refused(api.by(zoe).post("/me/mail/trial"), 409, "not-confirmed")


def test_an_invitation_is_the_one_mail_without_the_hosts_words_and_its_seat_confirms(
    runtime: Runtime, api: Caller, web: FlaskClient, deliver: Deliver, stranger: str
) -> None:
    games, host = runtime.games, alice(runtime.games)
    game, second = (table_for(games, "new-corp-order", host, 2, Terms(name="Friday", start="full")) for _ in range(2))
    body = {"email": stranger, "language": "fr", "message": EVIL}
    assert api.by(host).post(f"/games/{game}/invitations", body).status_code == 201
    rival = bob(games)
    other = table_for(games, "sealed-bids", rival, 3)
    refused(api.by(rival).post(f"/games/{other}/invitations", {"email": stranger}), 409, "no-mail")
    guest(games, stranger)
    (mail,) = to(deliver(), stranger)
    assert mail.text.startswith("Alice vous invite")
    assert not any(word in mail.message.as_string() for word in ("evil", "locked", "Friday"))
    assert web.post(link_in(mail), data={"name": "Zoë", "language": "fr"}).status_code == 303
    assert [mail.kind for mail in to(deliver(), stranger)][1:] in (["turn"], ["started"])
    assert api.by(host).post(f"/games/{second}/invitations", body).status_code == 201
    last = to(deliver(), stranger)[-1]
    assert "| Your account is locked. Log in at\n" in last.text
    assert "evil" not in last.message.as_string() and "locked" not in last.message["Subject"]
    assert "La table" not in last.message["Subject"] and "Friday" in last.text


def test_a_player_who_comes_by_the_mail_to_their_own_address_has_confirmed_it(
    runtime: Runtime, api: Caller, deliver: Deliver, stranger: str
) -> None:
    games, host = runtime.games, alice(runtime.games)
    game = table_for(games, "sealed-bids", host, 3)
    api.by(host).post(f"/games/{game}/invitations", {"email": stranger})
    (mail,) = to(deliver(), stranger)
    zoe = guest(games, stranger)
    assert api.by(zoe).get("/me").get_json()["email_confirmed"] is False
    assert api.by(zoe).post(f"/invitations/{link_in(mail).rpartition('/')[2]}/seat").status_code == 201
    assert api.by(zoe).get("/me").get_json()["email_confirmed"] is True


def test_the_hosts_line_goes_with_the_host(runtime: Runtime, api: Caller, stranger: str) -> None:
    host = alice(runtime.games)
    game = table_for(runtime.games, "sealed-bids", host, 3)
    body = {"email": stranger, "message": "Come and play!"}
    api.by(host).post(f"/games/{game}/invitations", body)
    with runtime.engine.connect() as db:
        kept = text("select message from invitation where game_id = :game")
        assert db.execute(kept, {"game": game}).scalar_one() == "Come and play!"
        delete_account.delete_account(runtime.games, host.id, "api", clock.now())
        assert db.execute(kept, {"game": game}).scalar_one() is None


def test_links_to_sign_in_are_a_few_a_day_until_the_address_is_confirmed(
    runtime: Runtime, deliver: Deliver, web: FlaskClient, stranger: str
) -> None:
    for _ in range(5):
        sign_in.ask(runtime.games, stranger, "Zoë", "en", clock.now())
    mails = to(deliver(), stranger)
    assert [mail.kind for mail in mails] == ["sign-in"] * sign_in.MOST_MAILS
    assert web.post(link_in(mails[0]), data=PRESSED).status_code == 303
    for _ in range(5):
        sign_in.ask(runtime.games, stranger, "Zoë", "en", clock.now())
    assert len(to(deliver(), stranger)) == sign_in.MOST_MAILS + 5


def test_an_address_that_has_refused_gets_one_link_a_day_to_sign_in(
    runtime: Runtime, deliver: Deliver, stranger: str
) -> None:
    with runtime.engine.begin() as db:
        refuse_mails(db, consent_digest(stranger), clock.now())
    for _ in range(3):
        sign_in.ask(runtime.games, stranger, "Zoë", "en", clock.now())
    assert len(to(deliver(), stranger)) == sign_in.MOST_AFTER_REFUSAL


def test_tying_an_address_brings_the_turns_that_wait(runtime: Runtime, deliver: Deliver, stranger: str) -> None:
    games, zoe = runtime.games, register(runtime.games, "Zoë", None, "en")
    started(games, "new-corp-order", [zoe, bob(games, None)], **{"first-player": 0})
    sign_in.ask(games, stranger, "Zoë", "en", clock.now())
    (mail,) = to(deliver(), stranger)
    assert sign_in.enter(games, link_in(mail).rpartition("/")[2], zoe.id, Arrival("en"), clock.now())
    # She is told of the token, too, that was made before.
    assert [each.kind for each in to(deliver(), stranger)] == ["sign-in", "turn", "account"]


def test_a_rematch_called_off_and_asked_for_again_brings_no_second_mail_before_an_answer(
    runtime: Runtime, api: Caller, deliver: Deliver
) -> None:
    games, address = runtime.games, f"{uuid4().hex}@example.org"
    host, friend, third = alice(games), bob(games, address), register(games, "Zoë", None, "en")
    both = [finished(games, started(games, "sealed-bids", [host, friend, third])).game.id for _ in range(2)]
    deliver()
    for number in range(15):
        again = api.by(host).post(f"/games/{both[number % 2]}/rematch").get_json()["id"]
        deliver()
        api.by(host).post(f"/games/{again}/cancel")
    assert [mail.kind for mail in to(deliver(), address)].count("invitation") == 1
    last = api.by(host).post(f"/games/{both[0]}/rematch").get_json()["id"]
    assert api.by(friend).get(f"/games/{last}").status_code == 200, "it is seen on the site"
    assert api.by(friend).post(f"/games/{last}/seats").status_code == 201


def test_player_and_host_see_that_no_mails_go_out(runtime: Runtime, api: Caller, stranger: str) -> None:
    games, host, zoe = runtime.games, alice(runtime.games), guest(runtime.games, stranger)
    game = opened(games, "new-corp-order", [host, zoe])
    seats = api.by(host).get(f"/games/{game}").get_json()["seats"]
    assert [(seat["reachable"], seat["unconfirmed"]) for seat in seats] == [(True, False), (False, True)]
    mail = api.by(zoe).get("/me/mail").get_json()
    assert (mail["reachable"], mail["confirmed"]) == (False, False)


def test_pages_show_host_and_player_that_no_mails_go_out_and_offer_to_ask(
    runtime: Runtime, app: Flask, stranger: str
) -> None:
    games, zoe = runtime.games, guest(runtime.games, stranger)
    host = alice(games)
    waiting, running = opened(games, "new-corp-order", [host, zoe]), started(games, "new-corp-order", [zoe, host])
    hosting, own = (browser(app, games, person) for person in (host, zoe))
    assert "no mails: address not confirmed yet" in hosting.get(f"/games/{waiting}").text
    assert "cannot be reached by mail" in hosting.get(f"/games/{running.game.id}").text
    assert f"{stranger} is not confirmed yet" in own.get(f"/games/{running.game.id}").text
    assert "A mail that asks for confirmation was sent on" in own.get("/settings/mail").text
    with runtime.engine.begin() as db:
        db.execute(text("delete from mail_request"))
    assert "Send the confirmation mail" in own.get("/settings/mail").text
