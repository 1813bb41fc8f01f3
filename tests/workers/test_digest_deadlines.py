"""The daily mail has the games in the order of their deadlines, each with its own, and those that wait for others."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from service.handlers import mail_preferences
from service.rules.pace import PACES
from service.rules.shared_events import TimeGiven
from service.runtime import Runtime
from service.store.games import Games
from tests.builders import act, started
from tests.games.sealed_bids.actions import Hold
from tests.people import Person, alice, bob, carol
from tests.reminding import happens, paced, run
from tests.workers.solo import hurry
from tests.workers.test_mail_digest import arrived, words

ALICE, BOB, CAROL = 0, 1, 2
DAY = timedelta(days=1)


@pytest.fixture
def people(games: Games) -> list[Person]:
    """Alice gets a daily mail, Bob and Carol have no address."""
    one = alice(games, f"{uuid4().hex}@example.org")
    mail_preferences.change(games, one.id, {"digest": 7})
    return [one, bob(games, None), carol(games, None)]


def daily_mail(runtime: Runtime, mailbox: Path) -> str:
    """The text of the daily mail of the next morning."""
    run(runtime)
    hurry(runtime)
    run(runtime)
    (mail,) = arrived(mailbox)
    assert mail["List-Id"].startswith("<digest.")
    return words(mail)


def test_t08_in_a_daily_mail_the_games_stand_in_the_order_of_their_deadlines_and_each_has_its_own(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    unhurried = started(games, "sealed-bids", people)
    weekly, brisk, daily = (paced(games, PACES[name], people=people) for name in ("weekly", "brisk", "daily"))
    # A day longer than a whole one at the pace `daily`.
    happens(games, brisk, TimeGiven(seat=ALICE, by=BOB, seconds=5 * 24 * 3600, reason="player"))
    told = daily_mail(runtime, mailbox)
    places = [told.rindex(f"#{each.game.id.hex[-6:]}") for each in (daily, brisk, weekly, unhurried)]
    assert places == sorted(places)
    # The deadlines are a little nearer when the mail is written.
    assert told.count("You have time until ") == 3
    assert "4 days and 23 hours left" in told and "11 days and 23 hours left" in told


def test_t16_games_that_wait_for_others_stand_there_with_the_way_to_give_them_time(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    paced(games, people=people)
    theirs = act(games, paced(games, people=people), ALICE, Hold()).position
    without_clock = act(games, started(games, "sealed-bids", people), ALICE, Hold()).position
    told = daily_mail(runtime, mailbox)
    waits = told.partition("Games that wait for others")[2]
    assert "Bob has time until " in waits and "; Carol has time until " in waits
    assert "where you can give Bob and Carol more time" in waits
    assert f"/games/{theirs.game.id}" in waits and str(without_clock.game.id) not in told


def test_t16_alone_they_make_no_daily_mail(runtime: Runtime, games: Games, people: list[Person], mailbox: Path) -> None:
    position = paced(games, people=people)
    run(runtime)
    act(games, position, ALICE, Hold())
    hurry(runtime)
    run(runtime)
    assert arrived(mailbox) == []


def test_t16_many_of_them_make_no_long_mail(
    runtime: Runtime, games: Games, people: list[Person], mailbox: Path
) -> None:
    paced(games, people=people)
    for _ in range(8):
        act(games, paced(games, people=people), ALICE, Hold())
    assert daily_mail(runtime, mailbox).count("where you can give ") == 5
