"""Tables before they begin: the lobby, new tables, computer players."""

from __future__ import annotations

import re
from uuid import UUID, uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.handlers.invitations import ByLink, invite
from service.rules.pace import PACES
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.store.lobby import invitation_token
from tests.browsing import browser, form_on, send
from tests.builders import finished, now_at, sealed_bids, table_for
from tests.builders import opened as builders_opened
from tests.docs.rooms import ROOT
from tests.leaving import leave, running
from tests.letters import Page
from tests.people import Person, alice, bob, carol, new_address, register
from tests.seating import against
from tests.web.test_every_page import Sound

CHOICES = {"kind": "anybody", "start": "host", "on_resignation": "play-on", "spectators": "yes"}


@pytest.fixture
def host(games: Games) -> Person:
    """Alice, who opens tables."""
    return alice(games)


@pytest.fixture
def hosting(app: Flask, games: Games, host: Person) -> FlaskClient:
    """Alice's browser."""
    return browser(app, games, host)


def table_of(web: FlaskClient, **chosen: str) -> str:
    """Open a table by the form, and return its path."""
    sent = {"seats": "2", "name": "Night shift", **CHOICES, **chosen}
    answer = send(web, "/games/new", "/games/new", **sent)
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def game_at(games: Games, path: str) -> UUID:
    """The game at the path, which exists."""
    return now_at(games, UUID(path.rpartition("/")[2])).game.id


def press(web: FlaskClient, path: str, deed: str, **fields: str) -> str:
    """Press a button of the table's page, and return the page it leads to."""
    answer = send(web, path, f"{path}/{deed}", **fields)
    return web.get(str(answer.location)).text if answer.status_code == 303 else answer.text


def test_a_table_is_opened_found_joined_and_started(app: Flask, games: Games, hosting: FlaskClient) -> None:
    path = table_of(hosting, **{"option-short-game": "no", "option-first-player": "1"})
    guest = browser(app, games, bob(games))
    assert path in Page(guest.get("/games/open?ruleset=new-corp-order&seats=1").text).links
    assert path not in Page(guest.get("/games/open?seats=2").text).links
    assert "(du)" in press(guest, path, "join")
    assert path not in Page(guest.get("/games/open").text).links
    assert path in Page(guest.get("/games").text).links
    assert f"{path}/start" not in guest.get(path).text
    send(hosting, path, f"{path}/start")
    position = now_at(games, game_at(games, path))
    assert position.game.status == "running"
    assert position.game.options["first-player"] == 1
    assert position.game.terms == Terms(name="Night shift", access="public", pace=PACES["daily"])


def test_the_form_says_what_is_wrong_and_keeps_what_was_written(hosting: FlaskClient) -> None:
    for chosen, why in (
        ({"name": "a\nb", "seats": "2"}, "one line of at most 60 characters"),
        ({"name": "Mine", "seats": "9"}, "does not have this number of players"),
        ({"name": "Mine", "seats": "1"}, "Nobody can join a game for one"),
        ({"name": "Mine", "seats": "2", "option-first-player": "3"}, "does not fit this number"),
        ({"name": "Mine", "seats": "two"}, "is not valid"),
        ({"name": "Mine", "seats": "2", "kind": "nobody"}, "is not valid"),
    ):
        answer = send(hosting, "/games/new", "/games/new", **{**CHOICES, **chosen})
        assert (answer.status_code, why in answer.text) == (422, True), answer.text
        assert chosen["name"] == "a\nb" or 'value="Mine"' in answer.text


def test_every_ruleset_has_its_form(hosting: FlaskClient, games: Games) -> None:
    for name, ruleset in games.rulesets.items():
        page = hosting.get(f"/games/new?ruleset={name}").text
        assert all(option.describe["en"] in page for option in ruleset.meta.options)
    path = str(send(hosting, "/games/new?ruleset=sealed-bids", "/games/new", seats="3", **CHOICES).location)
    assert "Sealed Bids" in hosting.get(path).text


def test_a_private_table_is_there_for_nobody_else(app: Flask, games: Games, host: Person) -> None:
    path = f"/games/{table_for(games, 'sealed-bids', host, 3, Terms(access='invitation'))}"
    for web in (browser(app, games, carol(games)), browser(app, games)):
        for answer in (web.get(path), web.get("/games/00000000-0000-0000-0000-000000000000")):
            assert answer.status_code == 404
            assert "Alice" not in answer.text
    stranger = browser(app, games, carol(games))
    key = Page(stranger.get("/games").text).forms[0].hidden
    for deed in ("join", "leave", "kick", "start", "cancel", "invite", "take-back", "play-again"):
        assert stranger.post(f"{path}/{deed}", data=key).status_code == 404, deed
        assert app.test_client().post(f"{path}/{deed}").location == "/sign-in"


def test_an_invitation_by_link_is_shown_once_and_taken_back(
    app: Flask, games: Games, hosting: FlaskClient, host: Person
) -> None:
    path = table_of(hosting, kind="friends")
    page = press(hosting, path, "invite")
    link = page.partition('<code class="secret">')[2].partition("</code>")[0]
    assert link.startswith("http://127.0.0.1:8000/join/")
    assert link not in hosting.get(path).text
    door = link.removeprefix("http://127.0.0.1:8000")
    assert browser(app, games).get(door).status_code == 200
    (form,) = [each for each in Page(hosting.get(path).text).forms if each.action == f"{path}/take-back"]
    hosting.post(form.action, data=form.hidden)
    assert browser(app, games).get(door).status_code == 410


def test_an_invitation_by_mail_goes_out_or_says_why_not(hosting: FlaskClient) -> None:
    path = table_of(hosting)
    address = new_address()
    assert address in press(hosting, path, "invite", email=address)
    assert "has not answered your last invitation yet" in press(hosting, path, "invite", email=address)
    assert "does not look like a mail address" in press(hosting, path, "invite", email="zoe")


def test_an_invitation_is_open_until_its_guest_has_a_seat(app: Flask, games: Games, hosting: FlaskClient) -> None:
    path, address = table_of(hosting), new_address()
    assert address in press(hosting, path, "invite", email=address)
    press(browser(app, games, register(games, "Zoë", address, "en")), path, "join")
    page = hosting.get(path).text
    assert "Zoë" in page and address not in page


def test_the_host_asks_somebody_to_leave_and_calls_the_game_off(app: Flask, games: Games, hosting: FlaskClient) -> None:
    path = table_of(hosting)
    guest = browser(app, games, bob(games))
    press(guest, path, "join")
    assert "Remove Bob" in hosting.get(path).text
    assert "Bob" not in press(hosting, path, "kick", seat="1")
    key = Page(hosting.get(path).text).forms[0].hidden
    assert "Nobody sits there any more." in hosting.post(f"{path}/kick", data={**key, "seat": "1"}).text
    assert "leave the table instead" in hosting.post(f"{path}/kick", data={**key, "seat": "0"}).text
    assert "cancelled" in press(hosting, path, "cancel")
    assert guest.get(path).status_code == 404


def test_what_is_refused_is_explained_on_the_page_of_the_table(
    app: Flask, games: Games, hosting: FlaskClient, host: Person
) -> None:
    game = builders_opened(games, "sealed-bids", [host, bob(games), carol(games)])
    path, stranger = f"/games/{game}", browser(app, games, register(games, "Dora", None, "en"))
    key = Page(stranger.get(path).text).forms[0].hidden
    for deed, why in (
        ("join", "All seats are taken."),
        ("start", "Only the host may do that."),
        ("kick", "Only the host may do that."),
        ("leave", "You have no seat at this table."),
        ("play-again", "You have no seat at this table."),
    ):
        answer = stranger.post(f"{path}/{deed}", data=key)
        assert (answer.status_code, why in answer.text) == (409, True), (deed, answer.text)
    send(hosting, path, f"{path}/start")
    late = stranger.post(f"{path}/join", data=key)
    assert (late.status_code, "The game has begun" in late.text) == (409, True)


def test_leaving_leads_to_ones_own_games(app: Flask, games: Games, hosting: FlaskClient) -> None:
    path = table_of(hosting)
    assert send(hosting, path, f"{path}/leave").location == "/games"
    assert path not in Page(hosting.get("/games").text).links


def test_a_solo_game_begins_with_one_press_and_the_guest_keeps_it(app: Flask, games: Games) -> None:
    web = browser(app, games)
    begun = send(web, "/", "/play")
    assert begun.status_code == 303
    position = now_at(games, game_at(games, str(begun.location)))
    assert (position.game.status, position.game.seats) == ("running", 1)
    mine = web.get("/games").text
    assert begun.location in Page(mine).links
    assert "You play as a guest" in mine
    again = send(web, "/games", "/play")
    assert again.location != begun.location
    assert "Set-Cookie" not in again.headers


@pytest.mark.parametrize("path", ["/games", "/settings"])
def test_who_has_given_an_address_that_is_not_confirmed_is_told_so_and_not_called_a_guest(
    app: Flask, games: Games, path: str
) -> None:
    web = browser(app, games, alice(games))
    told = web.get(path).text
    assert "You have not signed in with alice@example.org yet" in told
    assert "guest" not in told + web.get("/sign-in").text
    assert "/sign-in" in Page(told).links


def test_my_games_say_what_waits_for_me_and_how_games_ended(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    person = Person(position.seats[0].player_id, "", "Alice", None, "en")
    web = browser(app, games, person)
    assert "Your move" in web.get("/games").text
    finished(games, position)
    page = web.get("/games").text
    assert "No game waits for you" in page
    assert "Winner: " in page
    rematch = web.post(f"/games/{position.game.id}/play-again", data=Page(page).forms[0].hidden)
    assert "Bob" in press(web, str(rematch.location), "invite")


def test_lists_go_on_where_the_page_before_ended(app: Flask, games: Games, host: Person) -> None:
    for _ in range(21):
        table_for(games, "sealed-bids", host, 3)
    web = browser(app, games)
    first = Page(web.get("/games/open?ruleset=sealed-bids").text.partition('id="watch"')[0]).links
    (older,) = [link for link in first if "after=" in link]
    second = Page(web.get(older).text).links
    tables = [link for link in first if link.startswith("/games/0")]
    assert len(tables) == 20
    assert not set(tables) & set(second)
    assert web.get("/games/open?after=nonsense&seats=%C2%B2").status_code == 200


@pytest.mark.parametrize(
    "free", ["0", "10", "0099999999999", "009" + "9" * 5000], ids=["none", "many", "long", "endless"]
)
def test_a_number_of_free_seats_that_no_table_has_is_as_good_as_none(
    app: Flask, games: Games, host: Person, free: str
) -> None:
    game = table_for(games, "sealed-bids", host, 3)
    page = browser(app, games).get(f"/games/open?seats={free}")
    assert page.status_code == 200
    assert f"/games/{game}" in Page(page.text).links


# A new game by three choices: alone, with friends, with anybody; and the buttons that begin one at once.

FORM = {"kind": "friends", "seats": "3", "start": "host", "on_resignation": "play-on", "pace": "daily"}


@pytest.fixture
def web(app: Flask, games: Games) -> FlaskClient:
    """Alice's browser."""
    return browser(app, games, alice(games))


def opened(games: Games, location: str | None) -> Position:
    """Return the game that an answer leads to."""
    assert location is not None and location.startswith("/games/")
    return now_at(games, UUID(location.partition("?")[0].rpartition("/")[2]))


def test_friends_are_invited_by_the_form_that_opens_the_table(web: FlaskClient, games: Games) -> None:
    addresses = [f"{uuid4().hex}@example.org" for _ in range(2)]
    answer = send(web, "/games/new", "/games/new", **FORM, emails="\r\n".join(addresses))
    assert answer.status_code == 303 and "missed" not in str(answer.location)
    position = opened(games, answer.location)
    assert (position.game.terms.access, position.game.seats) == ("invitation", 3)
    page = web.get(str(answer.location)).text
    assert all(address in page for address in addresses)


def test_an_invitation_that_was_not_sent_is_told_and_the_table_is_there(web: FlaskClient, games: Games) -> None:
    address = f"{uuid4().hex}@example.org"
    answer = send(web, "/games/new", "/games/new", **FORM, emails=f"nonsense {address}")
    assert answer.status_code == 303
    page = web.get(str(answer.location)).text
    assert "Some invitations were not sent." in page and address in page
    assert opened(games, answer.location).game.status == "open"


def test_what_strangers_read_of_a_table_says_nothing_of_its_invitations(app: Flask, web: FlaskClient) -> None:
    answer = send(web, "/games/new", "/games/new", **{**FORM, "kind": "anybody"}, emails="nonsense")
    seen = browser(app, app.extensions["runtime"].games).get(f"{answer.location}?missed=")
    assert seen.status_code == 200 and "Not all invitations" not in seen.text


def test_a_game_alone_begins_at_once_whatever_else_the_form_says(web: FlaskClient, games: Games) -> None:
    answer = send(web, "/games/new", "/games/new", **{**FORM, "kind": "alone"})
    position = opened(games, answer.location)
    assert (position.game.status, position.game.seats, position.game.terms.pace) == ("running", 1, None)


def test_the_form_has_only_the_choices_that_the_game_has(web: FlaskClient) -> None:
    both, several = (web.get(f"/games/new?ruleset={name}").text for name in ("new-corp-order", "sealed-bids"))
    assert all(f'id="kind-{kind}"' in both for kind in ("alone", "friends", "anybody"))
    assert 'id="kind-alone"' not in several and 'id="kind-friends"' in several


def test_a_stranger_who_plays_with_friends_becomes_a_guest_and_comes_to_the_form(app: Flask, games: Games) -> None:
    web = browser(app, games)
    answer = send(web, "/play/sealed-bids", "/play", **{"with": "friends"})
    assert (answer.status_code, answer.location) == (303, "/games/new?ruleset=sealed-bids")
    assert "boardroom=brd_" in answer.headers["Set-Cookie"]
    assert form_on(web.get(str(answer.location)), "/games/new").hidden["ruleset"] == "sealed-bids"


@pytest.mark.parametrize(("said", "kept"), [("Europe/Berlin", "Europe/Berlin"), ("Mars/Olympus", "UTC"), ("", "UTC")])
def test_a_new_account_keeps_the_time_zone_of_its_browser(app: Flask, games: Games, said: str, kept: str) -> None:
    web = browser(app, games)
    send(web, "/", "/play", zone=said)
    assert f'name="time_zone" value="{kept}"' in web.get("/settings").text


def test_each_game_of_the_shelf_leads_to_its_first_page_and_that_begins_it(app: Flask, games: Games) -> None:
    web = browser(app, games)
    start = web.get("/").text
    for name, ruleset in games.rulesets.items():
        assert f'href="/play/{name}"' in start
        page = web.get(f"/play/{name}")
        assert ruleset.meta.title in page.text
        assert form_on(page, "/play").hidden["ruleset"] == name


def test_the_game_that_is_offered_unasked_does_not_depend_on_the_alphabet(web: FlaskClient, games: Games) -> None:
    assert list(games.rulesets) != sorted(games.rulesets)
    assert 'name="ruleset" value="new-corp-order"' in web.get("/games/new").text


def test_a_title_that_ends_with_a_full_stop_has_no_second_one(web: FlaskClient) -> None:
    page = web.get("/games/new?ruleset=bastards-inc").text
    assert "<strong>Ba$tard$ Inc.</strong>" in page


# Computer players on the pages: chosen in a new game, added in the lobby, taking over; marked in every language.

GAME = "new-corp-order"
CALLED = {
    "en": ("Computer (normal)", "Computer 2 (normal)"),
    "de": ("Computer (mittel)", "Computer 2 (mittel)"),
    "fr": ("Ordinateur (moyen)", "Ordinateur 2 (moyen)"),
}


def led_to(games: Games, location: str | None) -> Position:
    """The game that an answer leads to."""
    return now_at(games, UUID(str(location).rpartition("/")[2]))


def levels(position: Position) -> list[str | None]:
    return [seat.computer for seat in position.seats]


def test_a_game_against_two_computer_players_begins_with_one_press(games: Games, hosting: FlaskClient) -> None:
    sent = {"kind": "computer", "opponents": "2", "level": "hard", "seats": "2", "pace": "daily", "start": "host"}
    position = led_to(games, send(hosting, "/games/new", "/games/new", **sent).location)
    assert (position.game.status, position.game.terms.pace) == ("running", None)
    assert levels(position) == [None, "hard", "hard"]


@pytest.mark.parametrize(("ruleset", "opponents"), [(GAME, 1), ("bastards-inc", 1)])
def test_a_stranger_plays_at_once_against_the_computer(app: Flask, games: Games, ruleset: str, opponents: int) -> None:
    web = browser(app, games)
    assert "Play now against the computer" in web.get(f"/play/{ruleset}").text
    position = led_to(games, send(web, f"/play/{ruleset}", "/play", **{"with": "computer"}).location)
    assert (position.game.ruleset, position.game.status) == (ruleset, "running")
    assert len([each for each in levels(position) if each]) == opponents


@pytest.mark.parametrize("chosen", [{"level": "random"}, {"level": ""}, {"opponents": "9"}, {"opponents": "x"}])
def test_a_choice_that_the_game_does_not_have_is_refused_on_the_form(
    hosting: FlaskClient, chosen: dict[str, str]
) -> None:
    sent = {"kind": "computer", "opponents": "1", "level": "easy"} | chosen
    answer = send(hosting, "/games/new", "/games/new", **sent)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_the_form_says_against_how_many_a_level_is_there(hosting: FlaskClient) -> None:
    form = hosting.get("/games/new?ruleset=new-corp-order").text
    assert ">hard</option>" in form
    assert ">expert, only against 1</option>" in form


def test_the_host_adds_a_computer_player_in_the_lobby_and_takes_it_away(
    app: Flask, games: Games, host: Person, hosting: FlaskClient
) -> None:
    game = table_for(games, GAME, host, 3, Terms(access="public"))
    path = f"/games/{game}"
    send(hosting, path, f"{path}/computers", level="easy")
    page = hosting.get(path).text
    assert "Computer (easy)" in page and "computer-mark" in page
    assert f"{path}/computers" not in browser(app, games, bob(games)).get(path).text
    send(hosting, path, f"{path}/kick")
    assert levels(now_at(games, game)) == [None]
    assert send(hosting, path, f"{path}/computers", level="random").status_code == 409


@pytest.mark.parametrize("language", CALLED)
def test_computer_players_are_called_what_they_are_in_every_language(app: Flask, games: Games, language: str) -> None:
    reader = register(games, "Ann", None, language)
    position = against(games, GAME, reader, ["normal", "normal"])
    web = browser(app, games, reader)
    table, mine = web.get(f"/games/{position.game.id}").text, web.get("/games").text
    assert all(name in table and name in mine for name in CALLED[language])
    assert "ui-computer" in table
    assert " normal 1" not in table


def test_the_host_lets_a_computer_player_take_over_the_seat_of_one_who_has_left(
    app: Flask, games: Games, host: Person, hosting: FlaskClient
) -> None:
    position = leave(games, running(games, GAME, [host, bob(games), carol(games)], Terms()), 1)
    path = f"/games/{position.game.id}"
    answer = send(hosting, path, f"{path}/substitute-computers", level="normal")
    assert answer.status_code == 303
    assert levels(now_at(games, position.game.id)) == [None, "normal", None]
    page = hosting.get(path).text
    assert "Computer (normal)" in page and f"{path}/substitute-computers" not in page


def test_what_makes_no_sense_for_computer_players_is_not_offered(
    games: Games, host: Person, hosting: FlaskClient
) -> None:
    position = against(games, GAME, host, ["easy"], pace=PACES["daily"])
    page = hosting.get(f"/games/{position.game.id}").text
    for action in ("time", "take-back-request", "talk", "report"):
        assert f"/games/{position.game.id}/{action}" not in page, action


def test_an_invitation_says_who_sits_at_the_table(app: Flask, games: Games, host: Person) -> None:
    game = against(games, GAME, host, ["easy"], seats=3).game.id
    given = invite(games, game, host.id, ByLink("secret"), clock.now(), None)
    page = browser(app, games).get(f"/join/{invitation_token(given.id, 'secret')}").text
    assert "<bdi>Computer (easy)</bdi>" in page


@pytest.mark.parametrize("label", ["Play now against the computer", "Full game against the computer", "New game"])
def test_the_readme_names_buttons_that_are_on_the_first_page(app: Flask, games: Games, label: str) -> None:
    said = re.findall(r"(?<![*])[*]([A-Z][^*]+)[*]", (ROOT / "README.md").read_text())
    page = browser(app, games, alice(games)).get("/").text
    assert label in {" ".join(each.split()) for each in said}
    assert label in page


def test_the_face_of_a_computer_player_is_drawn_in_a_replay_too(app: Flask, games: Games) -> None:
    reader = register(games, "Ann", None, "en")
    position = against(games, GAME, reader, ["easy"])
    page = browser(app, games, reader).get(f"/games/{position.game.id}/replay")
    assert 'href="#ui-computer"' in page.text
    assert list(Sound(page.text).faults) == []
