"""One mail a day instead of single ones: it tells of everything once, whatever else happens."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from time import process_time
from uuid import uuid4

import pytest
from redis import Redis
from sqlalchemy import text

from service.handlers import links, mail_preferences, substitutes, talk
from service.handlers.play import resign
from service.handlers.substitutes import SeatWanted
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.texts.catalog import say
from tests.asking_back import BOB, CAROL, asked, bids
from tests.builders import act, finished, started
from tests.challenged import challenged
from tests.consenting import clocked
from tests.games.sealed_bids.actions import Hold
from tests.handlers.test_take_back import open_action, taken_back
from tests.people import Person, alice, bob, carol
from tests.workers.solo import hurry
from workers.relay import Relay


@pytest.fixture
def people(games: Games) -> list[Person]:
    """Alice gets a daily mail, Bob and Carol have no address."""
    one = alice(games, f"{uuid4().hex}@example.org")
    mail_preferences.change(games, one.id, {"digest": 7})
    return [one, bob(games, None), carol(games, None)]


def run(house: Runtime) -> None:
    """Carry out what is due."""
    relay = Relay(replace(house, redis=None))
    while relay.drain():
        pass


def next_morning(house: Runtime) -> None:
    """Let the time come at which daily mails are sent, and send them."""
    hurry(house)
    run(house)


def arrived(mailbox: Path) -> list[EmailMessage]:
    mails = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in sorted(mailbox.glob("*.eml"))]
    for path in mailbox.glob("*.eml"):
        path.unlink()
    return mails


def words(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return " ".join(str(body.get_content()).split())


def test_a_daily_mail_tells_of_games_that_wait_have_ended_and_what_was_said_and_only_once(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    waiting, ended = (started(games, "sealed-bids", people) for _ in range(2))
    gone_by = act(games, started(games, "sealed-bids", people), 0, Hold()).position
    finished(games, ended)
    talk.say(games, waiting.game.id, people[1].id, "Is anybody there?", "api", clock.now() - timedelta(minutes=20))
    run(runtime)
    assert arrived(mailbox) == []
    next_morning(runtime)
    (mail,) = arrived(mailbox)
    told = words(mail)
    assert mail["To"].addresses[0].addr_spec == people[0].email
    assert mail["Subject"] == "Boardroom: 1 game waits for you"
    assert "Is anybody there?" in told and "Games that are over" in told
    assert f"sealed bids #{waiting.game.id.hex[-6:]}, against bob and carol" in told.lower()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert gone_by.game.status == "running"
    started(games, "sealed-bids", people)
    run(runtime)
    next_morning(runtime)
    (mail,) = arrived(mailbox)
    assert mail["Subject"] == "Boardroom: 2 games wait for you"
    assert "Is anybody there?" not in words(mail) and "Games that are over" not in words(mail)


def test_a_daily_mail_says_what_the_others_ask_for(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    timed, left = clocked(games, people=people), started(games, "sealed-bids", people)
    bids(games, timed, BOB)
    asked(games, timed, BOB)
    resign(games, left.game.id, people[2].id, "api", clock.now())
    substitutes.ask_for_seat(games, SeatWanted(left.game.id, CAROL, bob(games, None).id), clock.now())
    challenged(games, people[1], people[0])
    run(runtime)
    assert arrived(mailbox) == []
    next_morning(runtime)
    (mail,) = arrived(mailbox)
    asks = say("en", "challenge-text", name="Bob", title="New Corp Order")
    for sentence in (say("en", "take-back-mail", name="Bob"), say("en", "request-headline", name="Bob"), asks):
        assert " ".join(sentence.split()) in words(mail)


def test_after_a_move_was_taken_back_its_link_leads_to_the_decision_as_it_is_now(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = started(games, "new-corp-order", people[:2], **{"first-player": 0})
    act(games, position, 0, open_action(position))
    decision = taken_back(games, position, 0, position.decision).position.decision
    assert decision > position.decision
    run(runtime)
    next_morning(runtime)
    (mail,) = arrived(mailbox)
    assert " ".join(say("en", "play-button", decision=decision).split()) in words(mail)
    (token,) = set(re.findall(r"/t/([a-z2-7]{26})\b", words(mail)))
    with games.engine.connect() as db:
        link = links.resolve(db, token)
    assert link is not None and (link.seat, link.decision) == (0, decision)


def test_without_anything_to_tell_there_is_no_daily_mail(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = started(games, "sealed-bids", people)
    run(runtime)
    act(games, position, 0, Hold())
    next_morning(runtime)
    assert arrived(mailbox) == []


def test_who_changes_their_mind_gets_what_was_put_off_all_the_same(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    started(games, "sealed-bids", people)
    run(runtime)
    mail_preferences.change(games, people[0].id, {"digest": None})
    next_morning(runtime)
    assert len(arrived(mailbox)) == 1


def test_five_hundred_games_make_one_mail_with_few_boards_in_no_time(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path, queue: Redis
) -> None:
    position = started(games, "sealed-bids", people)
    run(runtime)
    _copies(runtime, str(position.game.id), 499)
    begun = process_time()
    next_morning(runtime)
    took = process_time() - begun
    (mail,) = arrived(mailbox)
    assert mail["Subject"] == "Boardroom: 500 games wait for you"
    assert "See all 500 games that wait for you" in words(mail)
    assert len(mail.as_bytes()) < 200_000
    assert took < 2


def _copies(house: Runtime, game: str, count: int) -> None:
    """Let there be many games that have come as far as this one, each with its mail that stands back."""
    columns = "ruleset, status, seats, options, host, version, commitment, created_at, awaited, faces, since"
    event = "seq, name, data, seat, door, decision, action, at"
    seat = "seat, player_id, nonce, joined_at"
    with house.engine.begin() as db:
        for _ in range(count):
            copy = {"old": game, "new": uuid4()}
            db.execute(text(f"insert into game (id, {columns}) select :new, {columns} from game where id = :old"), copy)
            for table, rest in (("seat", seat), ("event", event)):
                statement = (
                    f"insert into {table} (game_id, {rest}) select :new, {rest} from {table} where game_id = :old"
                )
                db.execute(text(statement), copy)
            db.execute(
                text(
                    "insert into outbox (dedupe_key, kind, game_id, payload, state, last_error)"
                    " select cast(:new as text), kind, :new, payload, state, last_error from outbox"
                    " where game_id = :old and state = 'skipped' limit 1"
                ),
                copy,
            )
