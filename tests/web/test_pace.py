"""Pace on the pages: lengths, clocks, absences (T-18, T-20), pauses and take-backs by consent (T-21, T-35)."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import delete, insert, text

from service.handlers import invitations, mail_preferences
from service.handlers.invitations import ByLink
from service.handlers.pace import AbsencePlan, announce_absence
from service.log.recorded import instant, milliseconds
from service.mail.lobby import Invited, invitation_mail
from service.rules.pace import PACES, Pace
from service.rules.shared_events import GamePaused, PlayerAway
from service.runtime import Runtime
from service.shared import clock
from service.store import pace
from service.store.game_lengths import TableKind, game_length
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.store.lobby import invitation_token
from service.texts.catalog import say
from service.texts.when import instant_text
from service.views.lobby import UsualLengths, usual_lengths
from tests.away import DAY, carry_out, clocked
from tests.browsing import browser, form_on, send
from tests.builders import act, finished, now_at, opened, sealed_bids, started, table_for
from tests.consenting import HOUR, after, names
from tests.consenting import clocked as consenting_clocked
from tests.games.sealed_bids.actions import Bid
from tests.letters import Letter, Page, letters
from tests.mail_corpus import arrived
from tests.people import Person, alice, bob, carol, register
from tests.timed import deadline_of, lapsed, noted, timed
from workers.relay import Relay

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


# The page of absences, and what the table says of them.

PAGE = "/settings/away"


@pytest.fixture
def web(app: Flask, games: Games, people: list[Person]) -> FlaskClient:
    """Alice's browser."""
    return browser(app, games, people[0])


def in_days(days: int) -> str:
    return (clock.now().date() + timedelta(days=days)).isoformat()


def kept(games: Games, person: Person) -> list[pace.AbsenceRow]:
    with games.engine.connect() as db:
        return pace.absences_of_player(db, person.id)


def test_t18_an_absence_is_announced_changed_and_ended_on_the_page(
    web: FlaskClient, games: Games, people: list[Person]
) -> None:
    saved = send(web, PAGE, PAGE, **{"from": "", "until": in_days(3)})
    assert "you are away" in web.get(str(saved.location)).text and "Days left: 38." in web.get(PAGE).text
    (row,) = kept(games, people[0])
    send(web, PAGE, f"{PAGE}/{row.id}", until=in_days(5))
    assert "Days left: 36." in web.get(PAGE).text
    send(web, PAGE, f"{PAGE}/{row.id}/end")
    assert "over" in web.get(PAGE).text
    assert [form.action for form in Page(web.get(PAGE).text).forms if str(row.id) in form.action] == []


def test_t18_one_that_has_not_begun_is_called_off(web: FlaskClient, games: Games, people: list[Person]) -> None:
    send(web, PAGE, PAGE, **{"from": in_days(3), "until": in_days(5)})
    assert "Cancel the absence" in web.get(PAGE).text
    send(web, PAGE, f"{PAGE}/{kept(games, people[0])[0].id}/end")
    assert kept(games, people[0]) == []


@pytest.mark.parametrize(
    ("days", "why"),
    [
        ({"from": "", "until": ""}, "Choose the days as dates"),
        ({"from": "", "until": "soon"}, "Choose the days as dates"),
        ({"from": "", "until": in_days(30)}, "at most 21 days in a row"),
        ({"from": in_days(40), "until": in_days(41)}, "at most 30 days from today"),
        ({"from": in_days(-2), "until": in_days(1)}, "lies in the past"),
    ],
)
def test_t18_what_cannot_be_is_explained_and_changes_nothing(
    web: FlaskClient, games: Games, people: list[Person], days: dict[str, str], why: str
) -> None:
    answer = send(web, PAGE, PAGE, **days)
    assert answer.status_code == 422 and why in answer.text
    assert kept(games, people[0]) == []


def test_an_absence_of_somebody_else_is_not_there(
    app: Flask, web: FlaskClient, games: Games, people: list[Person]
) -> None:
    row = announce_absence(games, people[1].id, AbsencePlan(clock.now().date()), clock.now()).row
    hidden = Page(web.get(PAGE).text).forms[0].hidden
    assert web.post(f"{PAGE}/{row.id}/end", data=hidden).status_code == 404
    assert web.post(f"{PAGE}/{row.id}", data={**hidden, "until": in_days(5)}).status_code == 404
    assert kept(games, people[1]) == [row]


@pytest.mark.parametrize("with_clock", [True, False])
def test_t20_the_table_says_who_is_away_until_when(
    runtime: Runtime, web: FlaskClient, games: Games, people: list[Person], with_clock: bool
) -> None:
    position = clocked(games, people) if with_clock else started(games, "sealed-bids", people)
    page = f"/games/{position.game.id}"
    assert "away until" not in web.get(page).text.lower()
    announce_absence(games, people[1].id, AbsencePlan(clock.now().date() + DAY), clock.now())
    carry_out(runtime, people[1], clock.now())
    assert "away until" in web.get(page).text.lower()


def test_t20_a_player_who_is_away_reads_so_at_the_table(web: FlaskClient, games: Games, people: list[Person]) -> None:
    position = started(games, "sealed-bids", people)
    announce_absence(games, people[0].id, AbsencePlan(clock.now().date() + DAY), clock.now())
    assert "You are away until" in web.get(f"/games/{position.game.id}").text


# Pauses and taking actions back by consent, on the page of the table and in the mails that lead there.

ALICE, BOB, CAROL = 0, 1, 2


@pytest.fixture
def position(games: Games, people: list[Person]) -> Position:
    return consenting_clocked(games, people=people)


@pytest.fixture
def webs(app: Flask, games: Games, people: list[Person]) -> list[FlaskClient]:
    """The browsers of Alice, Bob and Carol."""
    return [browser(app, games, person) for person in people]


def bids(games: Games, position: Position, *seats: int) -> Position:
    for seat in seats:
        position = act(games, position, seat, Bid(card=position.state.hands[seat][0])).position
    return position


def path(position: Position) -> str:
    return f"/games/{position.game.id}"


def pressed(web: FlaskClient, position: Position, part: str, **fields: Any) -> Any:
    return send(web, path(position), f"{path(position)}/{part}", **fields)


def test_t21_players_pause_and_go_on_at_the_table(games: Games, position: Position, webs: list[FlaskClient]) -> None:
    assert pressed(webs[BOB], position, "pause", days=7).location == f"{path(position)}#agreement"
    page = webs[ALICE].get(path(position)).text
    assert "Bob proposes a pause until" in page
    assert "Still to agree: you, Carol." in page
    assert "Doivent encore accepter\N{NO-BREAK SPACE}: vous, Alice." in webs[CAROL].get(path(position)).text
    assert "Noch zustimmen müssen: Alice, Carol." in webs[BOB].get(path(position)).text
    assert f"{path(position)}/pause/agreement" not in webs[BOB].get(path(position)).text
    for seat in (ALICE, CAROL):
        assert pressed(webs[seat], position, "pause/agreement").status_code == 303
    assert names(games, position) == ["pause-proposed", "pause-agreed", "pause-agreed", "game-paused"]
    assert "paused" in webs[ALICE].get(path(position)).text
    assert pressed(webs[ALICE], position, "pause/end").status_code == 303
    assert names(games, position)[-1] == "game-resumed"
    assert f"{path(position)}/pause/end" not in webs[ALICE].get(path(position)).text


def test_t35_a_request_and_its_answer_are_among_what_an_open_page_asks_for(
    games: Games, position: Position, webs: list[FlaskClient]
) -> None:
    position = bids(games, position, ALICE, BOB)

    def asked_for_by_carol() -> Any:
        have = f"have={position.version}&beside={beside(webs[CAROL].get(f'{path(position)}/live').text)}"
        assert webs[CAROL].get(f"{path(position)}/live?{have}").status_code == 204
        return lambda: webs[CAROL].get(f"{path(position)}/live?{have}")

    ask = asked_for_by_carol()
    pressed(webs[ALICE], position, "take-back-request")
    assert f"{path(position)}/take-back-request/agreement" in ask().text
    ask = asked_for_by_carol()
    pressed(webs[BOB], position, "take-back-request/agreement")
    assert ask().status_code == 200
    ask = asked_for_by_carol()
    pressed(webs[BOB], position, "take-back-request/refusal")
    assert "take-back-request/agreement" not in ask().text


def beside(page: str) -> str:
    return page.partition('data-beside="')[2].partition('"')[0]


def test_t21_what_has_to_be_answered_stands_above_the_table_and_the_form_for_a_pause_below(
    position: Position, webs: list[FlaskClient]
) -> None:
    before = webs[BOB].get(path(position)).text
    assert before.index('id="felt"') < before.index('id="pause"') < before.index(f"{path(position)}/pause")
    pressed(webs[ALICE], position, "pause", days=7)
    page = webs[BOB].get(path(position)).text
    assert page.index('id="agreement"') < page.index(f"{path(position)}/pause/agreement") < page.index('id="felt"')


def test_t35_the_others_are_asked_at_the_table_and_agree_there(
    games: Games, position: Position, webs: list[FlaskClient]
) -> None:
    bids(games, position, ALICE, BOB)
    assert pressed(webs[ALICE], position, "take-back-request").status_code == 303
    shown = [web.get(path(position)).text for web in webs]
    assert ["take-back-request/agreement" in page for page in shown] == [False, True, True]
    assert "Withdraw the request" in shown[ALICE]
    assert "Alice möchte einen Zug zurücknehmen." in shown[BOB]
    assert "Alice demande à reprendre un coup." in shown[CAROL]
    missing = ("Still to agree: Bob, Carol.", "Noch zustimmen müssen: du, Carol.", "vous, Bob.")
    assert all(text in page for text, page in zip(missing, shown, strict=True))
    for seat in (BOB, CAROL):
        assert pressed(webs[seat], position, "take-back-request/agreement").status_code == 303
    assert names(games, position)[-1] == "action-taken-back"
    assert "Cards that were seen stay seen." in webs[ALICE].get(path(position)).text


def test_t35_a_player_declines_at_the_table(games: Games, position: Position, webs: list[FlaskClient]) -> None:
    bids(games, position, ALICE, BOB)
    pressed(webs[ALICE], position, "take-back-request")
    assert pressed(webs[CAROL], position, "take-back-request/refusal").status_code == 303
    assert "take-back-request/agreement" not in webs[BOB].get(path(position)).text
    late = webs[BOB].post(
        f"{path(position)}/take-back-request/agreement",
        data={**form_on(webs[BOB].get(path(position)), f"{path(position)}/pause").hidden, "first": 4},
    )
    assert late.status_code == 409 and "gilt nicht mehr" in late.text


def test_t35_what_can_be_taken_back_alone_is_offered_so_and_the_others_are_not_asked(
    games: Games, position: Position, webs: list[FlaskClient]
) -> None:
    assert "take-back-request" not in webs[ALICE].get(path(position)).text
    bids(games, position, ALICE)
    page = webs[ALICE].get(path(position)).text
    assert f"{path(position)}/undo" in page and "take-back-request" not in page
    with after(HOUR):
        page = webs[ALICE].get(path(position)).text
    assert f"{path(position)}/undo" not in page and "take-back-request" in page


def test_games_without_a_clock_spectators_and_games_that_are_over_show_none_of_it(
    app: Flask, games: Games, people: list[Person], position: Position, webs: list[FlaskClient]
) -> None:
    untimed = sealed_bids(games)
    for web, game in (
        (webs[ALICE], untimed),
        (browser(app, games, bob(games)), position),
        (browser(app, games), position),
    ):
        assert 'id="agreement"' not in web.get(path(game)).text
    finished(games, position)
    page = webs[ALICE].get(path(position)).text
    assert '<section id="agreement" data-part hidden>' in page and "/pause" not in page


def test_a_refusal_is_said_in_the_language_of_the_player(
    games: Games, people: list[Person], position: Position, webs: list[FlaskClient]
) -> None:
    hidden = form_on(webs[BOB].get(path(position)), f"{path(position)}/pause").hidden
    for part, fields, words in (
        ("pause", {"days": 31}, "Eine Pause muss innerhalb der nächsten 30 Tage enden."),
        ("pause", {}, "Eine Pause muss innerhalb der nächsten 30 Tage enden."),
        ("pause/end", {}, "Die Partie pausiert nicht."),
        ("pause/agreement", {"until": "tomorrow"}, "Diese Pause schlägt niemand mehr vor."),
        ("take-back-request", {"decision": 1}, "Du hast keinen Zug gemacht, der sich zurücknehmen ließe."),
    ):
        answer = webs[BOB].post(f"{path(position)}/{part}", data={**hidden, **fields})
        assert answer.status_code == 409 and words in answer.text, part
    assert names(games, position) == []
    waiting = opened(games, "sealed-bids", people)
    answer = webs[BOB].post(f"/games/{waiting}/pause", data={**hidden, "days": 1})
    assert answer.location == f"/games/{waiting}"
    stranger = webs[BOB].post(f"/games/{people[0].id}/pause", data=hidden)
    assert stranger.status_code == 404


def mailed(runtime: Runtime, mailbox: Any, position: Position) -> list[Letter]:
    relay = Relay(replace(runtime, redis=None))
    while relay.drain():
        pass
    return [mail for mail in letters(mailbox, position.game.id) if mail.kind == "proposal"]


def test_t21_the_others_get_mails_that_lead_to_the_table(
    runtime: Runtime, mailbox: Any, games: Games, position: Position, webs: list[FlaskClient]
) -> None:
    pressed(webs[ALICE], position, "pause", days=3)
    asked = mailed(runtime, mailbox, position)
    assert [mail.recipient for mail in asked] == ["bob@example.org", "carol@example.org"]
    assert "Alice schlägt eine Pause bis" in asked[0].text.replace("\u2068", "").replace("\u2069", "")
    assert f"http://127.0.0.1:8000{path(position)}" in asked[0].text
    for seat in (BOB, CAROL):
        pressed(webs[seat], position, "pause/agreement")
    begun = mailed(runtime, mailbox, position)[2:]
    assert [mail.recipient for mail in begun] == ["alice@example.org", "bob@example.org"]
    assert "The game is paused until" in begun[0].text
    pressed(webs[CAROL], position, "pause/end")
    ended = mailed(runtime, mailbox, position)[4:]
    assert ["The pause is over." in ended[0].text, "Die Pause ist vorbei." in ended[1].text] == [True, True]


def test_t35_the_others_get_a_mail_unless_the_request_is_over_by_then(
    runtime: Runtime, mailbox: Any, games: Games, position: Position, webs: list[FlaskClient]
) -> None:
    bids(games, position, ALICE, BOB)
    pressed(webs[ALICE], position, "take-back-request")
    pressed(webs[BOB], position, "take-back-request/agreement")
    (asked,) = mailed(runtime, mailbox, position)
    assert asked.recipient == "carol@example.org" and "ce qui a été vu reste vu" in " ".join(asked.text.split())
    pressed(webs[ALICE], position, "take-back-request/refusal")
    pressed(webs[ALICE], position, "take-back-request")
    bids(games, now_at(games, position.game.id), CAROL)
    assert len(mailed(runtime, mailbox, position)) == 1


def test_a_player_does_without_these_mails_or_reads_of_them_in_the_digest(
    runtime: Runtime, mailbox: Any, games: Games, people: list[Person], position: Position, webs: list[FlaskClient]
) -> None:
    mail_preferences.change(games, people[BOB].id, {"kinds": {"proposal": False}})
    mail_preferences.change(games, people[CAROL].id, {"digest": 7})
    pressed(webs[ALICE], position, "pause", days=3)
    assert mailed(runtime, mailbox, position) == []
    with games.engine.begin() as db:
        db.execute(text("update outbox set not_before = now() where kind = 'digest'"))
    mailed(runtime, mailbox, position)
    (digest,) = (mail for mail in arrived(mailbox) if mail.kind == "digest" and position.game.id.hex[-6:] in mail.text)
    assert "propose une pause" in digest.text
