"""Whoever loses a seat, or the whole table, before the game begins is told so by a mail, and what to do instead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers import lobby, mail_wishes, seats
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox
from service.store.games import Games
from service.store.outbox import OutboxRow
from service.views.table_side import table_side
from tests.builders import opened, table_for
from tests.letters import Letter, letters
from tests.mail_corpus import arrived
from tests.people import Person, alice, bob, carol, register
from tests.rest import Caller
from tests.workers.solo import hurry
from workers.jobs import carry_out
from workers.relay import Relay

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
    seats.cancel(games, game, host.id)
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
    seats.kick(games, game, 1, people[0].id)
    lobby.join(games, game, register(games, "Dave", "dave@example.org", "en").id, clock.now())
    (mail,) = told(runtime, mailbox, game)
    assert mail.recipient == "bob@example.org"
    assert "keinen Platz mehr" in " ".join(mail.text.split())
    path = urlsplit(str(mail.message["List-Unsubscribe"]).strip("<>")).path
    web = app.test_client(use_cookies=False)
    assert f"#{game.hex[-6:]}" in web.get(path).text
    assert web.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    seats.cancel(games, game, people[0].id)
    found = {each.recipient for each in told(runtime, mailbox, game)}
    assert found == {"bob@example.org", "carol@example.org", "dave@example.org"}
    other = opened(games, "sealed-bids", people)
    seats.kick(games, other, 1, people[0].id)
    assert told(runtime, mailbox, other) == []
    assert rows(games, other) == []


def test_whoever_sits_there_again_or_wants_no_mails_of_the_table_is_not_told(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    game = opened(games, "sealed-bids", people)
    seats.kick(games, game, 1, people[0].id)
    lobby.join(games, game, people[1].id, clock.now())
    mail_wishes.mute(games, game, people[2].id)
    seats.kick(games, game, 2, people[0].id)
    assert told(runtime, mailbox, game) == []
    seats.kick(games, game, 1, people[0].id)
    # What came of the first time is no answer to the second.
    assert [mail.recipient for mail in told(runtime, mailbox, game)] == ["bob@example.org"]
    # And whoever has wished for quiet there can still have it undone.
    mail_wishes.unmute(games, game, people[2].id)
    with runtime.engine.connect() as db:
        assert not table_side(db, game, people[2].id, clock.now()).muted


def test_one_that_cannot_be_delivered_waits_for_the_address_or_is_shown_as_given_up(
    api: Caller, games: Games, people: list[Person]
) -> None:
    game = opened(games, "sealed-bids", people)
    seats.cancel(games, game, people[0].id)
    states = "select not_before <= now() from outbox where game_id = :game and kind = 'problem' order by id"
    with games.engine.begin() as db:
        tomorrow = "update outbox set due_at = now() + interval '1 day', not_before = now() + interval '1 day'"
        db.execute(text(f"{tomorrow} where game_id = :game"), {"game": game})
    mail_wishes.try_again(games, people[1].id, clock.now())
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
    mail_wishes.change(games, daily.id, {"digest": 7})
    lost, cancelled = (opened(games, "sealed-bids", [host, carol(games, None), daily]) for _ in range(2))
    seats.kick(games, lost, 1, host.id)
    seats.kick(games, lost, 2, host.id)
    seats.cancel(games, cancelled, host.id)
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
