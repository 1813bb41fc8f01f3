"""Mails about tables: invitations, lost seats and tables called off."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from service.handlers import invitations, lobby, mail_preferences
from service.handlers.invitations import MOST_MAILS_PER_DAY, ByMail, refuse_mail, rematch
from service.handlers.refusals import NoMail
from service.mail import send_policy
from service.mail.lobby import send_invitation_mail
from service.mail.strip_links import strip_links
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox
from service.store.game_row import Terms
from service.store.games import Games
from service.store.mail import note_suppression, suppression_digest
from service.store.outbox import OutboxRow
from service.views.table import table_side
from tests.builders import finished, opened, started, table_for
from tests.letters import Letter, Page, letters, text_of
from tests.mail_corpus import arrived
from tests.people import Person, alice, bob, carol, register
from tests.rest import Caller, refused
from tests.workers.solo import hurry
from workers.jobs import carry_out
from workers.relay import Relay

NAMES = {
    "Zoë": "Zoë",
    "J. R. R. Tolkien": "J. R. R. Tolkien",
    "win at https://evil.example/x?y=z now": "win at now",
    "www.evil.example": "",
    "evil.example": "evil example",
    "EVIL.EXAMPLE/path": "EVIL EXAMPLE/path",
    "mail me@evil.example": "mail me evil example",
    "ｈｔｔｐ://evil.example": "",
    "evil。example": "evil example",
    "@everyone": "everyone",
    "http://": "",
}


@pytest.fixture
def host(games: Games) -> Person:
    return alice(games)


@pytest.fixture
def game(games: Games, host: Person) -> UUID:
    return table_for(games, "sealed-bids", host, 3, Terms(name="Friday"))


@pytest.fixture
def address() -> str:
    """An address of this test alone, which nobody has confirmed."""
    return f"{uuid4().hex[:12]}@example.org"


@pytest.fixture
def known(games: Games, address: str) -> str:
    """The same, confirmed by a player who has it."""
    register(games, "Zoë", address, "en")
    return address


def mailed(runtime: Runtime, game: UUID, mailbox: Path) -> list[EmailMessage]:
    """Carry out what the outbox owes to invitations to the game, and return the mails that have arrived."""
    with runtime.engine.connect() as db:
        found = db.execute(text("select id from outbox where game_id = :game and kind = 'invitation'"), {"game": game})
        rows = [row for each in found.scalars().all() if (row := outbox.read(db, each))]
    for row in rows:
        with runtime.engine.begin() as db:
            wanted = send_policy.to_invited(db, row, clock.now())
        if wanted:
            send_invitation_mail(runtime, row)
    return [message_from_bytes(path.read_bytes(), policy=policy.default) for path in sorted(mailbox.glob("*.eml"))]  # type: ignore[misc]


def link_of(mail: EmailMessage) -> str:
    """Return the path of the link in the mail."""
    lines = text_of(mail).splitlines()
    (link,) = [line for line in lines if "/join/" in line and not line.endswith("/never")]
    return link.removeprefix("http://127.0.0.1:8000")


def test_the_mail_says_who_invites_to_what_and_has_a_link(
    api: Caller, runtime: Runtime, host: Person, game: UUID, known: str, mailbox: Path
) -> None:
    given: Any = api.by(host).post(f"/games/{game}/invitations", {"email": known.upper()}).json
    assert (given["email"], given["url"]) == (known, None)
    (mail,) = mailed(runtime, game, mailbox)
    assert (mail["To"].addresses[0].addr_spec, mail["Subject"]) == (known, "Alice invites you to a game of Sealed Bids")
    assert mail["Auto-Submitted"] == "auto-generated"
    body = text_of(mail)
    assert "The table is called: Friday" in body
    assert "At the table: Alice. 2 seats are still free." in body
    path = link_of(mail)
    assert mail["List-Unsubscribe"] == f"<http://127.0.0.1:8000{path}/never>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    page = api.client.get(path)
    assert page.status_code == 200
    assert api.by(bob(runtime.games)).post(f"/invitations/{path.rpartition('/')[2]}/seat").status_code == 201


@pytest.mark.parametrize(("language", "words"), [("de", "lädt dich"), ("fr", "vous invite"), ("eo", "invites you")])
def test_the_mail_is_in_the_language_of_the_host(
    language: str, words: str, api: Caller, runtime: Runtime, address: str, mailbox: Path
) -> None:
    speaker = register(runtime.games, "Zoë", None, language)
    game = table_for(runtime.games, "sealed-bids", speaker, 3)
    api.by(speaker).post(f"/games/{game}/invitations", {"email": address})
    (mail,) = mailed(runtime, game, mailbox)
    assert words in text_of(mail)
    assert "Zoë" in mail["Subject"]


def test_whoever_has_confirmed_the_address_is_invited_in_the_language_of_that_account(
    api: Caller, runtime: Runtime, host: Person, game: UUID, address: str, mailbox: Path
) -> None:
    register(runtime.games, "Zoë", address, "de")
    given: Any = api.by(host).post(f"/games/{game}/invitations", {"email": address, "language": "en"}).json
    (mail,) = mailed(runtime, game, mailbox)
    assert mail["Subject"] == "Alice lädt dich zu einer Partie Sealed Bids ein"
    assert given["player"] is None, "the host does not learn that there is an account"


@pytest.mark.parametrize(("name", "shown"), NAMES.items())
def test_a_name_in_a_mail_to_a_stranger_leads_nowhere(name: str, shown: str) -> None:
    assert strip_links(name) == shown


def test_a_host_without_a_harmless_name_is_somebody(api: Caller, runtime: Runtime, address: str, mailbox: Path) -> None:
    spammer = register(runtime.games, "https://evil.example", None, "en")
    game = table_for(runtime.games, "sealed-bids", spammer, 3, Terms(name="buy at evil.example"))
    api.by(spammer).post(f"/games/{game}/invitations", {"email": address})
    (mail,) = mailed(runtime, game, mailbox)
    assert mail["Subject"].startswith("Somebody invites")
    assert "evil.example" not in mail.as_string()


def test_an_address_gets_one_mail_from_each_host_until_it_has_answered(
    api: Caller, runtime: Runtime, host: Person, game: UUID, address: str, mailbox: Path
) -> None:
    games, path = runtime.games, f"/games/{game}/invitations"
    other = f"/games/{table_for(games, 'sealed-bids', host, 3)}/invitations"
    given: Any = api.by(host).post(path, {"email": address}).json
    refused(api.by(host).post(path, {"email": address.upper()}), 409, "no-mail")
    refused(api.by(host).post(other, {"email": address}), 409, "no-mail")
    assert api.by(host).post(other, {}).json["url"]
    (mail,) = mailed(runtime, game, mailbox)
    assert api.client.post(link_of(mail), data={"name": "Zoë", "language": "fr"}).status_code == 303
    assert api.by(host).post(other, {"email": address}).status_code == 201
    api.by(host).delete(f"{path}/{given['id']}")
    refused(api.by(host).post(path, {"email": address}), 409, "no-mail")


def test_an_invitation_taken_back_has_been_one_until_its_time_is_over(
    api: Caller, runtime: Runtime, host: Person, game: UUID, known: str, mailbox: Path
) -> None:
    path = f"/games/{game}/invitations"
    given: Any = api.by(host).post(path, {"email": known}).json
    api.by(host).delete(f"{path}/{given['id']}")
    assert mailed(runtime, game, mailbox) == []
    api.by(host).post(f"/games/{game}/cancel", {})
    other = f"/games/{table_for(runtime.games, 'sealed-bids', host, 3)}/invitations"
    refused(api.by(host).post(other, {"email": known}), 409, "no-mail")
    with runtime.engine.begin() as db:
        db.execute(text("update invitation set expires_at = now() where id = :id"), {"id": given["id"]})
    assert api.by(host).post(other, {"email": known}).status_code == 201


def test_an_address_gets_only_so_many_a_day_whoever_asks(api: Caller, games: Games, known: str) -> None:
    for _ in range(MOST_MAILS_PER_DAY):
        another = alice(games)
        game = table_for(games, "sealed-bids", another, 3)
        assert api.by(another).post(f"/games/{game}/invitations", {"email": known}).status_code == 201
    last = alice(games)
    game = table_for(games, "sealed-bids", last, 3)
    refused(api.by(last).post(f"/games/{game}/invitations", {"email": known}), 409, "no-mail")


def test_who_wants_no_such_mails_gets_none(
    api: Caller, runtime: Runtime, host: Person, game: UUID, known: str, mailbox: Path
) -> None:
    api.by(host).post(f"/games/{game}/invitations", {"email": known})
    (mail,) = mailed(runtime, game, mailbox)
    never = f"{link_of(mail)}/never"
    assert Page(api.client.get(never).text).forms
    friend = bob(runtime.games)
    other = table_for(runtime.games, "sealed-bids", friend, 3)
    assert api.by(friend).post(f"/games/{other}/invitations", {"email": known}).status_code == 201
    for _ in range(2):
        assert api.client.post(never, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert len(mailed(runtime, other, mailbox)) == 1
    another = carol(runtime.games)
    last = table_for(runtime.games, "sealed-bids", another, 3)
    refused(api.by(another).post(f"/games/{last}/invitations", {"email": known}), 409, "no-mail")
    with runtime.engine.connect() as db:
        assert known not in str(db.execute(text("select * from mail_refusal")).all())


def test_a_program_stops_them_with_the_link_alone_even_that_of_an_invitation_which_is_over(
    api: Caller, runtime: Runtime, host: Person, game: UUID, known: str, mailbox: Path
) -> None:
    given: Any = api.by(host).post(f"/games/{game}/invitations", {"email": known}).json
    (mail,) = mailed(runtime, game, mailbox)
    token = link_of(mail).rpartition("/")[2]
    friend, another = bob(runtime.games), carol(runtime.games)
    waits, last = (table_for(runtime.games, "sealed-bids", each, 3) for each in (friend, another))
    assert api.by(friend).post(f"/games/{waits}/invitations", {"email": known}).status_code == 201
    api.by(host).delete(f"/games/{game}/invitations/{given['id']}")
    refused(api.get(f"/invitations/{token}"), 410, "invitation-over")
    for each in (token, token.upper()):
        answer = api.post(f"/invitations/{each}/refusal")
        assert (answer.status_code, answer.data) == (204, b"")
    assert len(mailed(runtime, waits, mailbox)) == 1, "nor is the one sent that was given before"
    refused(api.by(another).post(f"/games/{last}/invitations", {"email": known}), 409, "no-mail")


def test_a_mail_that_has_become_pointless_is_not_sent(
    api: Caller, runtime: Runtime, host: Person, address: str, mailbox: Path
) -> None:
    caller = api.by(host)
    back, off = (table_for(runtime.games, "sealed-bids", host, 3) for _ in range(2))
    given: Any = caller.post(f"/games/{back}/invitations", {"email": address}).json
    caller.delete(f"/games/{back}/invitations/{given['id']}")
    caller.post(f"/games/{off}/invitations", {"email": f"x{address}"})
    caller.post(f"/games/{off}/cancel")
    for game in (back, off):
        assert mailed(runtime, game, mailbox) == []


def test_each_attempt_has_a_link_that_works_and_the_same_message_id(
    api: Caller, runtime: Runtime, host: Person, game: UUID, address: str, mailbox: Path
) -> None:
    api.by(host).post(f"/games/{game}/invitations", {"email": address})
    mailed(runtime, game, mailbox)
    first, second = mailed(runtime, game, mailbox)
    assert first["Message-ID"] == second["Message-ID"]
    paths = {link_of(first), link_of(second)}
    assert len(paths) == 2
    assert [api.client.get(path).status_code for path in paths] == [200, 200]


def test_a_rematch_is_asked_for_in_the_players_own_language_and_seats_that_player(
    api: Caller, runtime: Runtime, mailbox: Path
) -> None:
    games = runtime.games
    people = [alice(games), bob(games, "bob@rematch.example"), carol(games, None)]
    over = finished(games, started(games, "sealed-bids", people))
    again = rematch(games, over.game.id, people[0].id, clock.now())
    (mail,) = mailed(runtime, again.game.id, mailbox)
    assert mail["To"] == "bob@rematch.example"
    assert "lädt dich" in text_of(mail)
    path = link_of(mail)
    assert Page(api.client.get(path).text).forms[0].inputs == []
    refused(api.by(people[2]).post(f"/invitations{path.removeprefix('/join')}/seat"), 404, "unknown-invitation")
    taken = api.client.post(path, data={"name": "Mallory"}, follow_redirects=True)
    assert taken.status_code == 200
    assert "Eine Mail sagt dir, wenn du dran bist" in taken.text
    assert "brd_" not in taken.text and "Set-Cookie" not in taken.headers
    seated = api.by(people[1]).get(f"/games/{again.game.id}").json
    assert seated
    assert seated["seat"] == 1


def test_no_token_is_in_the_outbox_or_the_log(
    api: Caller,
    runtime: Runtime,
    host: Person,
    game: UUID,
    address: str,
    mailbox: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("INFO")
    api.by(host).post(f"/games/{game}/invitations", {"email": address})
    (mail,) = mailed(runtime, game, mailbox)
    token = link_of(mail).rpartition("/")[2]
    web: FlaskClient = api.client
    web.get(f"/join/{token}")
    web.post(f"/join/{token}", data={"name": "Bob"})
    refuse_mail(runtime.games, token, clock.now())
    assert token not in caplog.text + capfd.readouterr().err
    with runtime.engine.connect() as db:
        for table in ("outbox", "invitation", "invitation_link"):
            assert token not in str(db.execute(text(f"select * from {table}")).all())


def test_an_address_that_cannot_be_reached_is_not_invited_by_mail(runtime: Runtime, games: Games) -> None:
    host = alice(games)
    game = table_for(games, "sealed-bids", host, 3)
    with runtime.engine.begin() as db:
        note_suppression(db, suppression_digest("gone@example.org"), "unknown-address", "5.1.1", clock.now())
    with pytest.raises(NoMail):
        invitations.invite(games, game, host.id, ByMail("Gone@example.org"), clock.now(), None)


NEXT = ("http://127.0.0.1:8000/games/open", "http://127.0.0.1:8000/games/new")


def rows(games: Games, game: UUID) -> list[OutboxRow]:
    """The pending rows of such mails."""
    query = text("select id from outbox where game_id = :game and kind = 'problem' order by id")
    with games.engine.begin() as db:
        found = [outbox.read(db, each) for each in db.execute(query, {"game": game}).scalars().all()]
    return [row for row in found if row]


def told(house: Runtime, mailbox: Path, game: UUID) -> list[Letter]:
    """Have the mails sent, each as if its worker had died before it could note that, and return them."""
    for row in rows(house.games, game):
        carry_out(house, row.id)
        carry_out(house, row.id)
    return letters(mailbox, game)


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def test_when_the_host_calls_a_table_off_the_others_are_told_each_in_their_language(
    runtime: Runtime, api: Caller, games: Games, people: list[Person], mailbox: Path
) -> None:
    host = register(games, "www.evil.example", "alice@example.org", "en")
    robot = api.by(people[1]).post("/bots", {"name": "Robot"}).get_json()["id"]
    game = table_for(games, "new-corp-order", host, 4)
    for each in (people[1].id, people[2].id, UUID(robot)):
        lobby.join(games, game, each, clock.now())
    lobby.cancel_game(games, game, host.id)
    to_bob, to_carol = told(runtime, mailbox, game)
    assert (to_bob.recipient, to_carol.recipient) == ("bob@example.org", "carol@example.org")
    assert "hat den Tisch abgesagt" in " ".join(to_bob.text.split())
    assert "a annulé la table" in " ".join(to_carol.text.replace("\N{NO-BREAK SPACE}", " ").split())
    for mail in (to_bob, to_carol):
        assert mail.kind == "problem"
        assert set(NEXT) <= set(mail.text.splitlines())
        assert mail.message["List-Unsubscribe"] and not mail.message["Reply-To"]
        assert "evil.example" not in mail.raw.decode()


def test_whoever_is_asked_to_leave_is_told_and_can_still_have_fewer_such_mails(
    runtime: Runtime, app: Flask, games: Games, people: list[Person], mailbox: Path
) -> None:
    game = opened(games, "sealed-bids", people)
    lobby.kick_player(games, game, 1, people[0].id)
    lobby.join(games, game, register(games, "Dave", "dave@example.org", "en").id, clock.now())
    (mail,) = told(runtime, mailbox, game)
    assert mail.recipient == "bob@example.org"
    assert "keinen Platz mehr" in " ".join(mail.text.split())
    path = urlsplit(str(mail.message["List-Unsubscribe"]).strip("<>")).path
    web = app.test_client(use_cookies=False)
    assert f"#{game.hex[-6:]}" in web.get(path).text
    assert web.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    lobby.cancel_game(games, game, people[0].id)
    found = {each.recipient for each in told(runtime, mailbox, game)}
    assert found == {"bob@example.org", "carol@example.org", "dave@example.org"}
    other = opened(games, "sealed-bids", people)
    lobby.kick_player(games, other, 1, people[0].id)
    assert told(runtime, mailbox, other) == []
    assert rows(games, other) == []


def test_whoever_sits_there_again_or_wants_no_mails_of_the_table_is_not_told(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    game = opened(games, "sealed-bids", people)
    lobby.kick_player(games, game, 1, people[0].id)
    lobby.join(games, game, people[1].id, clock.now())
    mail_preferences.mute(games, game, people[2].id)
    lobby.kick_player(games, game, 2, people[0].id)
    assert told(runtime, mailbox, game) == []
    lobby.kick_player(games, game, 1, people[0].id)
    # What came of the first time is no answer to the second.
    assert [mail.recipient for mail in told(runtime, mailbox, game)] == ["bob@example.org"]
    # And whoever has wished for quiet there can still have it undone.
    mail_preferences.unmute(games, game, people[2].id)
    with runtime.engine.connect() as db:
        assert not table_side(db, game, people[2].id, clock.now()).muted


def test_one_that_cannot_be_delivered_waits_for_the_address_or_is_shown_as_given_up(
    api: Caller, games: Games, people: list[Person]
) -> None:
    game = opened(games, "sealed-bids", people)
    lobby.cancel_game(games, game, people[0].id)
    states = "select not_before <= now() from outbox where game_id = :game and kind = 'problem' order by id"
    with games.engine.begin() as db:
        tomorrow = "update outbox set due_at = now() + interval '1 day', not_before = now() + interval '1 day'"
        db.execute(text(f"{tomorrow} where game_id = :game"), {"game": game})
    mail_preferences.try_again(games, people[1].id, clock.now())
    with games.engine.begin() as db:
        assert db.execute(text(states), {"game": game}).scalars().all() == [True, False]
        db.execute(text("update outbox set state = 'dead' where game_id = :game"), {"game": game})
    shown = [api.by(each).get("/me/mail").get_json()["undelivered"] for each in people]
    given_up = [[(each["game"], each["kind"]) for each in mails] for mails in shown]
    assert given_up == [[], *[[(str(game), "problem")]] * 2]


def test_a_daily_mail_tells_of_tables_that_came_to_nothing_and_only_once(
    runtime: Runtime, games: Games, mailbox: Path
) -> None:
    host, daily = alice(games, None), bob(games, f"{uuid4().hex}@example.org")
    mail_preferences.change(games, daily.id, {"digest": 7})
    lost, cancelled = (opened(games, "sealed-bids", [host, carol(games, None), daily]) for _ in range(2))
    lobby.kick_player(games, lost, 1, host.id)
    lobby.kick_player(games, lost, 2, host.id)
    lobby.cancel_game(games, cancelled, host.id)
    relay = Relay(replace(runtime, redis=None))
    for _ in range(3):
        while relay.drain():
            pass
        hurry(runtime)
    (mail,) = [each for each in arrived(mailbox) if each.recipient == daily.email]
    text_of_it = " ".join(mail.text.split())
    assert mail.kind == "digest"
    assert f"#{lost.hex[-6:]}, gegen Alice. Du hast an diesem Tisch keinen Platz mehr." in text_of_it
    assert f"#{cancelled.hex[-6:]}, gegen Alice und Carol. Der Tisch ist abgesagt." in text_of_it
