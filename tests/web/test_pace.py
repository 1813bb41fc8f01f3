"""The pace and the deadlines on the pages (T-01, T-02, T-05, T-07)."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from flask import Flask
from sqlalchemy import delete, insert

from service.handlers import invitations
from service.handlers.invitations import ByLink
from service.log.recorded import instant, milliseconds
from service.mail.lobby import Invited, invitation_mail
from service.rules.pace import PACES, Pace
from service.rules.shared_events import GamePaused, PlayerAway
from service.shared import clock
from service.store.game_lengths import TableKind, game_length
from service.store.game_row import Terms
from service.store.games import Games
from service.store.lobby import invitation_token
from service.texts.catalog import say
from service.texts.when import instant_text
from service.views.usual_length import UsualLengths, usual_lengths
from tests.browsing import browser, send
from tests.builders import now_at, started, table_for
from tests.people import Person, alice, bob, carol, register
from tests.timed import deadline_of, lapsed, noted, timed

FORM = {"seats": "3", "kind": "anybody", "start": "host", "on_resignation": "play-on"}
OWN = {"free": "2", "free-unit": "hours", "bank": "30", "bank-unit": "minutes", "credit": "0", "cap": "1"}
OWN |= {"credit-unit": "days", "cap-unit": "days"}
DAILY = "Daily – 1 day for each move, plus a bank of 4 days"


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def opened_by_form(app: Flask, games: Games, host: Person, **chosen: str) -> Pace | None:
    """Return the pace of the table that the form opens."""
    answer = send(browser(app, games, host), "/games/new", "/games/new", **{**FORM, "ruleset": "sealed-bids", **chosen})
    assert answer.status_code == 303, answer.text
    return now_at(games, UUID(str(answer.location).rpartition("/")[2])).game.terms.pace


def test_t01_the_form_offers_every_pace_with_its_times_and_daily_is_chosen(
    app: Flask, games: Games, people: list[Person]
) -> None:
    page = browser(app, games, people[0]).get("/games/new").text
    assert re.search(r'value="daily" checked>Daily <small>1 day for each move, plus a bank of 4 days', page)
    assert [name for name in ("none", *PACES, "own") if f'id="pace-{name}"' not in page] == []


@pytest.mark.parametrize(
    ("chosen", "pace"),
    [
        ({}, PACES["daily"]),
        ({"pace": "none", "weekdays": "yes"}, None),
        ({"pace": "brisk", "on_lapse": "stand-in", "away": "yes", "take_back": "yes"}, PACES["brisk"]),
        ({"pace": "live", "on_lapse": "end"}, replace(PACES["live"], on_lapse="end", away=False, take_back=False)),
        ({"pace": "own", **OWN}, Pace(free=7200, bank=1800, credit=0, cap=86_400)),
        (
            {"pace": "weekly", "weekdays": "yes", "zone": "Asia/Kolkata"},
            replace(PACES["weekly"], weekdays="Asia/Kolkata"),
        ),
    ],
)
def test_t01_the_form_opens_a_table_of_the_pace_that_was_chosen(
    app: Flask, games: Games, people: list[Person], chosen: dict[str, str], pace: Pace | None
) -> None:
    assert opened_by_form(app, games, people[0], **chosen) == pace


def test_t01_a_game_for_one_is_opened_without_a_clock_whatever_the_form_says(
    app: Flask, games: Games, people: list[Person]
) -> None:
    solo = {"ruleset": "new-corp-order", "kind": "alone"}
    assert opened_by_form(app, games, people[0], **solo, pace="daily") is None


@pytest.mark.parametrize(
    "chosen",
    [
        {"pace": "own", **OWN, "free": "61", "free-unit": "days"},
        {"pace": "own", **OWN, "bank": "soon"},
        {"pace": "own"},
        {"pace": "daily", "weekdays": "yes", "zone": "Europe/Atlantis"},
    ],
)
def test_t01_times_that_cannot_be_are_refused_and_kept_in_the_form(
    app: Flask, games: Games, people: list[Person], chosen: dict[str, str]
) -> None:
    answer = send(browser(app, games, people[0]), "/games/new", "/games/new", **{**FORM, **chosen})
    assert (answer.status_code, say("en", "new-bad-pace") in answer.text) == (422, True)
    assert f'value="{chosen["pace"]}" checked' in answer.text


def test_t02_the_zone_of_the_weekdays_is_the_hosts_unless_told(app: Flask, games: Games, people: list[Person]) -> None:
    with games.engine.begin() as db:
        db.exec_driver_sql("update player set time_zone = 'Asia/Tokyo' where id = %s", (people[0].id,))
    page = browser(app, games, people[0]).get("/games/new").text
    assert "<option selected>Asia/Tokyo</option>" in page


def test_t01_lobby_join_page_public_list_and_invitation_say_the_pace(
    app: Flask, games: Games, people: list[Person]
) -> None:
    game = table_for(games, "sealed-bids", people[0], 3, Terms(access="public", pace=PACES["daily"]))
    given = invitations.invite(games, game, people[0].id, ByLink("5ec2e7"), clock.now(), None)
    visitor = browser(app, games, people[0])
    for path in (f"/games/{game}", f"/join/{invitation_token(given.id, '5ec2e7')}", "/games/open"):
        page = browser(app, games).get(path) if path.startswith("/join") else visitor.get(path)
        assert DAILY in page.text or path == "/games/open", path
    assert DAILY in browser(app, games, alice(games)).get("/games/open").text
    whom = Invited("zoe@example.org", "en", clock.now(), True)
    mail = invitation_mail(now_at(games, game), whom, "https://x", UsualLengths({})).get_body(("plain",))
    assert mail is not None
    assert f"Pace: {DAILY}" in " ".join(mail.get_content().split())


def test_all_pages_and_the_mail_tell_the_same_length_of_a_game(app: Flask, games: Games, people: list[Person]) -> None:
    # given games of two at the daily pace that took nine days
    kind = TableKind("new-corp-order", 2, (), "daily")
    with games.engine.begin() as db:
        db.execute(insert(game_length), {**kind._asdict(), "games": 5, "seconds": 9 * 86_400})
        lengths = usual_lengths(db)
    try:
        # when a table for two is open
        game = table_for(games, "new-corp-order", people[0], 2, Terms(access="public", pace=PACES["daily"]))
        given = invitations.invite(games, game, people[0].id, ByLink("5ec2e8"), clock.now(), None)
        host, other = browser(app, games, people[0]), browser(app, games, alice(games))
        pages = {path: host.get(path).text for path in ("/play/new-corp-order", "/games/new", f"/games/{game}")}
        pages |= {
            path: browser(app, games).get(path).text for path in ("/", f"/join/{invitation_token(given.id, '5ec2e8')}")
        }
        pages["/games/open"] = other.get("/games/open").text
        whom = Invited("zoe@example.org", "en", clock.now(), True)
        mail = invitation_mail(now_at(games, game), whom, "https://x", lengths).get_body(("plain",))
        assert mail is not None
        # then
        for where, words in {**pages, "mail": mail.get_content()}.items():
            assert "about 9 days" in " ".join(words.split()), where
            assert "a week or two" not in words
            assert "30 days." not in words
    finally:
        with games.engine.begin() as db:
            db.execute(delete(game_length))


def test_t07_the_table_says_the_deadline_in_the_readers_zone_with_what_is_left(
    app: Flask, games: Games, people: list[Person]
) -> None:
    position = timed(games, people)
    with games.engine.begin() as db:
        db.exec_driver_sql("update player set time_zone = 'America/New_York' where id = %s", (people[0].id,))
    page = browser(app, games, people[0]).get(f"/games/{position.game.id}").text
    at = instant(deadline_of(games, position, 0))
    assert f"until {instant_text('en', 'America/New_York', at, clock.now())}" in page
    assert "(New York time)" in page
    left = int(re.findall(r'data-seconds="(\d+)"', page)[0])
    assert timedelta(0) <= timedelta(days=5) - timedelta(seconds=left) < timedelta(minutes=1)
    assert re.search(r"<time[^>]*>4 days and 23 hours left</time>", page)
    assert page.count("Bank: 4 days") == 3
    assert "deadlines.js" in page


def test_t07_the_table_says_who_is_absent_away_or_stood_in_for_and_a_pause(
    app: Flask, games: Games, people: list[Person]
) -> None:
    position = timed(games, people)
    until = milliseconds(clock.now() + timedelta(days=9))
    for _ in range(3):
        position = lapsed(games, position, 1)
    noted(games, position, PlayerAway(seat=2, until=until))
    visitor, path = browser(app, games, people[0]), f"/games/{position.game.id}"
    page = visitor.get(path).text
    assert say("en", "clock-absent") in page
    assert "Away until " in page
    noted(games, position, GamePaused(seat=0, until=until))
    page = visitor.get(path).text
    assert "all clocks stand still" in page
    assert "data-seconds" not in page


def test_words_of_the_clock_in_the_log_are_no_terms_of_the_game(app: Flask, games: Games) -> None:
    seated = [register(games, "Zoë", None, "fr"), bob(games)]
    position = timed(games, seated, ruleset="new-corp-order")
    page = browser(app, games, seated[0]).get(f"/games/{position.game.id}").text
    log = page[page.index('id="moves"') : page.index('id="points"')]
    assert "jours de réserve" in log, "in the game the word means the supply of agents"


def test_who_watches_is_told_so_in_a_sentence_apart_from_the_time_left(
    app: Flask, games: Games, people: list[Person]
) -> None:
    position = timed(games, people)
    page = app.test_client().get(f"/games/{position.game.id}", headers={"Accept-Language": "de"}).text
    assert re.search(r"<small>Du schaust zu\.</small>\s*<small>", page)


def test_t07_a_game_without_a_clock_has_none_on_its_page(app: Flask, games: Games, people: list[Person]) -> None:
    position = started(games, "sealed-bids", people)
    page = browser(app, games, people[0]).get(f"/games/{position.game.id}").text
    assert 'id="clocks"' not in page
    assert "deadlines.js" not in page


def test_t05_the_page_of_a_replay_shows_the_clocks_of_theinstant(
    app: Flask, games: Games, people: list[Person]
) -> None:
    position = timed(games, people)
    lapsed(games, position, 1)
    visitor, path = browser(app, games, people[0]), f"/games/{position.game.id}/replay"
    then, now = (visitor.get(f"{path}?at={at}").text for at in (position.version, position.version + 1))
    assert then.count("Bank: 4 days") == 3
    assert (now.count("Bank: 4 days"), now.count("Bank: 0 minutes")) == (2, 1)


def test_t07_my_games_are_sorted_by_deadline(app: Flask, games: Games, people: list[Person]) -> None:
    old = started(games, "sealed-bids", people)
    slow, fast = (timed(games, people, Pace(free=free, bank=0, credit=0, cap=0)) for free in (86_400, 3600))
    page = browser(app, games, people[0]).get("/games").text
    places = [page.index(str(each.game.id)) for each in (fast, slow, old)]
    assert places == sorted(places)
    assert re.search(r"<time[^>]*>59m left</time>", page)


def test_the_words_of_the_clock_are_explained_in_every_language(app: Flask, games: Games) -> None:
    for language in ("en", "de", "fr"):
        page = browser(app, games).get(f"/pace?language={language}").text
        assert all(say(language, f"time-word-{word}") in page for word in ("pace", "wait", "bank", "deadline", "lapse"))
