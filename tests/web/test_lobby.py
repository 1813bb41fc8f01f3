"""Tables on the site: opened, found, joined, invited to, started and called off, all without a script."""

from __future__ import annotations

from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.rules.pace import PACES
from service.store.game_row import Terms
from service.store.games import Games
from tests.browsing import browser, send
from tests.builders import finished, now_at, opened, sealed_bids, table_for
from tests.letters import Page
from tests.people import Person, alice, bob, carol, new_address, register

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
    game = opened(games, "sealed-bids", [host, bob(games), carol(games)])
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
