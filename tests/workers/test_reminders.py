"""Reminders of deadlines: planned with the turn mail, looked at when they are due, void once the player has acted."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from service.handlers import mail_preferences
from service.handlers.take_back import Wish, take_back
from service.mail import unsubscribe
from service.mail.pace import remind
from service.rules.pace import PACES, Pace
from service.rules.shared_events import GamePaused, GameResumed, PlayerAway, PlayerBack, TimeGiven
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from tests.browsing import browser
from tests.builders import act, sealed_bids
from tests.games.sealed_bids.actions import Hold
from tests.letters import Letter, Page, letters
from tests.people import Person, alice, bob, carol
from tests.reminding import (
    ALICE,
    BOB,
    HALF,
    HOUR,
    TENTH,
    after,
    happens,
    lapses,
    numbers,
    paced,
    planned_for,
    plans,
    reminds,
    rows,
    run,
    stands_in,
)
from tests.rest import Caller
from tests.workers.solo import hurry


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games, f"{uuid4().hex}@example.org"), bob(games, None), carol(games, None)]


@pytest.fixture
def position(games: Games, people: list[Person]) -> Position:
    """A game that has begun, with its reminders planned; only Alice has an address."""
    position = paced(games, people=people)
    plans(games, position)
    return position


def arrived(mailbox: Path, position: Position, kind: str) -> list[Letter]:
    return [letter for letter in letters(mailbox, position.game.id) if letter.kind == kind]


def test_t08_an_accepted_action_writes_no_row_of_a_reminder_and_the_turn_mail_writes_one(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    position = paced(games, people=people)
    assert rows(games, position, "remind") == []
    run(runtime)
    assert len(arrived(mailbox, position, "turn")) == 1
    (row,) = rows(games, position, "remind")
    assert row.payload["seat"] == ALICE and row.due_at == after(position, HALF)


def test_t08_a_game_without_a_clock_has_no_reminders(runtime: Runtime, games: Games, mailbox: Path) -> None:
    position = sealed_bids(games)
    run(runtime)
    assert rows(games, position, "remind") == []


@pytest.mark.parametrize("ruleset", ["sealed-bids", "new-corp-order", "bastards-inc"])
def test_t08_a_reminder_is_a_mail_of_its_own_kind_in_one_thread_with_the_turn_mail_and_with_a_link_that_plays(
    runtime: Runtime, games: Games, app: Flask, mailbox: Path, ruleset: str
) -> None:
    people = [alice(games, f"{uuid4().hex}@example.org"), bob(games, None), carol(games, None)]
    options = {"first-player": 0} if ruleset != "sealed-bids" else {}
    position = paced(games, ruleset=ruleset, people=people, **options)
    run(runtime)
    reminds(games, position, ALICE, after(position, HALF))
    run(runtime)
    (turn,), (reminder,) = arrived(mailbox, position, "turn"), arrived(mailbox, position, "reminder")
    assert turn.message["References"] == reminder.message["References"]
    assert turn.message["Subject"].startswith("Your move: ") and "Your time runs until " in reminder.message["Subject"]
    assert turn.message["Message-ID"] != reminder.message["Message-ID"]
    words = " ".join(reminder.text.split())
    assert words.startswith("It is your move, ") and "You have time until" in words
    assert turn.token != reminder.token and reminder.message["Reply-To"] is not None
    assert app.test_client().get(reminder.path).status_code == 200
    assert "One-Click" in reminder.message["List-Unsubscribe-Post"]


def test_t08_two_reminders_come_at_a_half_and_at_a_tenth_of_the_time_and_no_third(
    games: Games, position: Position
) -> None:
    assert reminds(games, position, ALICE, after(position, HALF - HOUR)) == []
    assert numbers(reminds(games, position, ALICE, after(position, HALF))) == [1]
    assert numbers(reminds(games, position, ALICE, after(position, TENTH - HOUR))) == [1]
    assert numbers(reminds(games, position, ALICE, after(position, TENTH))) == [1, 2]
    assert planned_for(games, position, ALICE) == []
    plans(games, position)
    assert planned_for(games, position, ALICE) == []


def test_t08_less_than_three_hours_after_the_first_there_is_no_second(games: Games, people: list[Person]) -> None:
    position = paced(games, PACES["live"], people=people)
    plans(games, position)
    assert numbers(reminds(games, position, ALICE, after(position, timedelta(minutes=5)))) == [1]
    assert numbers(reminds(games, position, ALICE, after(position, timedelta(minutes=9, seconds=30)))) == [1]


@pytest.mark.parametrize(("most", "due"), [(0, []), (1, [2]), (2, [1, 2])])
def test_t08_players_choose_none_one_or_two(
    api: Caller, games: Games, people: list[Person], position: Position, most: int, due: list[int]
) -> None:
    shown = api.by(people[ALICE]).patch("/me/mail", {"reminders": most}).get_json()
    assert shown["reminders"] == most
    reminds(games, position, ALICE, after(position, HALF))
    assert numbers(reminds(games, position, ALICE, after(position, TENTH))) == due


def test_t08_the_settings_page_and_the_link_of_the_mail_choose_too(
    app: Flask, api: Caller, runtime: Runtime, games: Games, people: list[Person], position: Position
) -> None:
    web, one = browser(app, games, people[ALICE]), api.by(people[ALICE])
    (form,) = (each for each in Page(web.get("/settings/mail").text).forms if each.action == "/settings/mail")
    sent = {**form.hidden, "delay": "0", "digest": "", "quiet_from": "", "quiet_to": "", "reminders": "1"}
    assert web.post("/settings/mail", data=sent).status_code == 303
    assert one.get("/me/mail").get_json()["reminders"] == 1
    assert '<option value="1" selected>one, when a tenth' in web.get("/settings/mail").text
    with games.engine.connect() as db:
        fewer = unsubscribe.link(runtime.settings, db, position.game.id, people[ALICE].id, "reminder")
    assert fewer is not None
    path = fewer.url.removeprefix(runtime.settings.base_url)
    assert "No more reminders" in web.get(path).text
    for scope, left in (("kind", 0), ("kind-again", 2), ("all", 0)):
        assert app.test_client().post(path, data={"scope": scope}).status_code == 200
        assert one.get("/me/mail").get_json()["reminders"] == left


def test_t08_in_quiet_hours_a_mail_that_was_held_up_waits_for_their_end(
    runtime: Runtime, games: Games, people: list[Person], position: Position, mailbox: Path
) -> None:
    (row,) = reminds(games, position, ALICE, after(position, HALF))
    hour = clock.now().hour
    mail_preferences.change(games, people[ALICE].id, {"quiet": {"begin": hour, "end": (hour + 2) % 24}})
    run(runtime)
    assert arrived(mailbox, position, "reminder") == []
    (row,) = rows(games, position, "reminder")
    assert row.due_at > clock.now()


def test_t08_when_quiet_hours_are_chosen_what_is_planned_is_looked_at_anew(
    games: Games, people: list[Person], position: Position
) -> None:
    due = after(position, HALF)
    quiet = {"begin": due.hour, "end": (due.hour + 2) % 24}
    mail_preferences.change(games, people[ALICE].id, {"quiet": quiet})
    assert reminds(games, position, ALICE, clock.now() + timedelta(seconds=1)) == []
    (row,) = planned_for(games, position, ALICE)
    assert row.due_at > due and row.due_at.hour == quiet["end"]


def test_t08_time_that_was_given_puts_a_reminder_off(games: Games, position: Position) -> None:
    happens(games, position, TimeGiven(seat=ALICE, by=BOB, seconds=48 * 3600, reason="player"))
    assert reminds(games, position, ALICE, after(position, HALF)) == []
    (row,) = planned_for(games, position, ALICE)
    assert row.due_at == after(position, 84 * HOUR)
    assert numbers(reminds(games, position, ALICE, row.due_at)) == [1]


@pytest.mark.parametrize("stop", [PlayerAway(seat=ALICE, until=0), GamePaused(seat=ALICE, until=0)])
def test_t08_while_no_time_runs_nobody_is_reminded_and_afterwards_all_the_same(
    games: Games, position: Position, stop: Any
) -> None:
    happens(games, position, stop)
    late = after(position, 20 * HALF)
    (row,) = planned_for(games, position, ALICE)
    remind(games, row.id, late)
    assert rows(games, position, "reminder") == []
    (row,) = planned_for(games, position, ALICE)
    assert late < row.due_at <= late + HOUR
    happens(games, position, (PlayerBack if isinstance(stop, PlayerAway) else GameResumed)(seat=ALICE))
    # The time that has passed is the few milliseconds of the test.
    assert numbers(reminds(games, position, ALICE, after(position, HALF + HOUR))) == []
    remind(games, row.id, after(position, HALF + HOUR))
    assert numbers(rows(games, position, "reminder")) == [1]


def test_t09_acting_makes_pending_reminders_void(games: Games, position: Position) -> None:
    after_bid = act(games, position, ALICE, Hold()).position
    assert reminds(games, after_bid, ALICE, after(position, HALF)) == []
    assert planned_for(games, position, ALICE) == []


def test_t09_a_reminder_that_is_written_already_does_not_leave_once_the_player_has_acted(
    runtime: Runtime, games: Games, position: Position, mailbox: Path
) -> None:
    assert len(reminds(games, position, ALICE, after(position, HALF))) == 1
    act(games, position, ALICE, Hold())
    run(runtime)
    assert arrived(mailbox, position, "reminder") == [] and rows(games, position, "reminder") == []


def test_t06_a_move_that_is_taken_back_brings_its_reminders_back(games: Games, position: Position) -> None:
    act(games, position, ALICE, Hold())
    assert reminds(games, position, ALICE, after(position, HALF)) == []
    take_back(games, Wish(position.game.id, ALICE, position.decision, "api"), HOUR, clock.now())
    plans(games, position)
    (row,) = planned_for(games, position, ALICE)
    assert row.due_at == after(position, HALF)


def test_t14_an_absent_seat_is_not_reminded_and_one_that_is_back_is(games: Games, people: list[Person]) -> None:
    position = paced(games, people=people, ruleset="new-corp-order", **{"first-player": 0})
    plans(games, position)
    lapsed = lapses(games, position, ALICE)
    assert reminds(games, lapsed, ALICE, after(position, HALF)) == []
    stands_in(games, lapsed, ALICE)
    assert planned_for(games, position, ALICE) == []


def test_t09_who_has_looked_at_the_table_since_the_mail_is_not_reminded_while_half_of_the_time_is_left(
    runtime: Runtime, games: Games, app: Flask, people: list[Person], mailbox: Path
) -> None:
    position = paced(games, people=people)
    run(runtime)
    page = f"/games/{position.game.id}"
    assert browser(app, games, people[ALICE]).get(page).status_code == 200
    assert reminds(games, position, ALICE, after(position, HALF)) == []
    assert numbers(reminds(games, position, ALICE, after(position, TENTH))) == [2]


def test_t09_who_has_seen_the_turn_without_a_mail_and_does_not_look_again_is_reminded(
    runtime: Runtime, games: Games, app: Flask, people: list[Person], mailbox: Path
) -> None:
    position = paced(games, people=people)
    assert browser(app, games, people[ALICE]).get(f"/games/{position.game.id}").status_code == 200
    run(runtime)
    assert arrived(mailbox, position, "turn") == []
    # a look of somebody else at the table is none of hers
    assert browser(app, games, people[BOB]).get(f"/games/{position.game.id}").status_code == 200
    assert numbers(reminds(games, position, ALICE, after(position, HALF))) == [1]


def test_t08_in_a_daily_mail_a_reminder_has_its_place_unless_the_time_is_up_before_it(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    hour = (clock.now() - HOUR).hour
    mail_preferences.change(games, people[ALICE].id, {"digest": hour})
    slow, brisk = (
        paced(games, people=people),
        paced(games, Pace(free=20 * 3600, bank=0, credit=0, cap=0), people=people),
    )
    for position, moment in ((slow, HALF), (brisk, 10 * HOUR)):
        plans(games, position)
        assert len(reminds(games, position, ALICE, after(position, moment))) == 1
    run(runtime)
    assert arrived(mailbox, slow, "reminder") == [] and len(arrived(mailbox, brisk, "reminder")) == 1
    hurry(runtime)
    run(runtime)
    assert [path for path in mailbox.glob("*.eml") if b"List-Id: <digest." in path.read_bytes()]
