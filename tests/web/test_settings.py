"""What a player settles about the account on the site."""

from __future__ import annotations

import re
from dataclasses import replace
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.handlers import mail_wishes
from service.runtime import Runtime
from service.store.access import SCOPES
from service.store.games import Games
from tests.browsing import browser, send
from tests.builders import sealed_bids
from tests.letters import Page
from tests.people import Person, alice, bob
from tests.rest import Caller

TICKED = ("links_need_sign_in", "mails_apart")
SECRET = re.compile(r'<code class="secret">([^<]+)</code>')


@pytest.fixture
def person(games: Games) -> Person:
    """Alice."""
    return alice(games)


@pytest.fixture
def web(app: Flask, games: Games, person: Person) -> FlaskClient:
    """Alice's browser."""
    return browser(app, games, person)


def test_the_profile_is_changed_and_the_page_says_so_in_the_new_language(
    app: Flask, web: FlaskClient, person: Person
) -> None:
    saved = send(web, "/settings", "/settings", name="Alix", language="fr", time_zone="Europe/Paris")
    assert "Enregistré." in web.get(str(saved.location)).text
    me = Caller(app.test_client(), person.token).get("/me").get_json()
    assert (me["name"], me["language"], me["time_zone"]) == ("Alix", "fr", "Europe/Paris")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"name": ""}, "one line of at most 60 characters"),
        ({"name": "a\nb"}, "one line of at most 60 characters"),
        ({"language": "xxx"}, "does not speak"),
        ({"time_zone": "Mars/Olympus"}, "no such time zone"),
    ],
)
def test_what_cannot_be_is_explained_and_changes_nothing(
    app: Flask, web: FlaskClient, person: Person, wrong: dict[str, str], why: str
) -> None:
    answer = send(web, "/settings", "/settings", **{"name": "X", "language": "de", "time_zone": "UTC", **wrong})
    assert (answer.status_code, why in answer.text) == (422, True)
    assert Caller(app.test_client(), person.token).get("/me").get_json()["name"] == "Alice"


@pytest.mark.parametrize("path", ["/settings/mail", "/settings/programs", "/settings/webhooks"])
def test_the_navigation_marks_the_settings_on_each_of_their_pages(web: FlaskClient, path: str) -> None:
    assert 'href="/settings" aria-current="true">' in web.get(path).text


def test_a_token_is_shown_once_works_and_ends(app: Flask, web: FlaskClient) -> None:
    made = send(web, "/settings/programs", "/settings/tokens", label="My script", scopes=["games:read"], days="7")
    (secret,) = SECRET.findall(made.text)
    assert Caller(app.test_client(), secret).get("/games").status_code == 200
    assert Caller(app.test_client(), secret).get("/me").status_code == 403
    page = web.get("/settings/programs").text
    assert "My script" in page
    assert secret not in page
    first, *_ = (each for each in Page(page).forms if each.action == "/settings/tokens/revoke")
    assert web.post(first.action, data=first.hidden).status_code == 303
    assert "My script" not in web.get("/settings/programs").text
    assert Caller(app.test_client(), secret).get("/games").status_code == 401
    assert web.post(first.action, data=first.hidden).status_code == 404


@pytest.mark.parametrize("sent", [{"label": ""}, {"scopes": []}, {"scopes": ["all"]}, {"days": "0"}, {"days": "²"}])
def test_an_odd_token_is_not_made(web: FlaskClient, sent: dict[str, str]) -> None:
    answer = send(web, "/settings/programs", "/settings/tokens", **{"label": "x", "scopes": SCOPES[0], **sent})
    assert (answer.status_code, "A token needs a name" in answer.text) == (422, True)


def test_a_bot_is_made_and_deleted(app: Flask, web: FlaskClient) -> None:
    (secret,) = SECRET.findall(send(web, "/settings/programs", "/settings/bots", name="Robbie").text)
    assert Caller(app.test_client(), secret).get("/me").get_json()["bot"] is True
    send(web, "/settings/programs", "/settings/bots/delete")
    assert "Robbie" not in web.get("/settings/programs").text
    assert send(web, "/settings/programs", "/settings/bots", name="").status_code == 422


def test_a_webhook_is_set_up_looked_at_and_taken_away(app: Flask, games: Games, web: FlaskClient) -> None:
    made = send(web, "/settings/webhooks", "/settings/webhooks", url="https://example.com/hook", events=["game.over"])
    assert SECRET.findall(made.text)[0].startswith("whsec_")
    (path,) = [link for link in Page(made.text).links if link.startswith("/settings/webhooks/")]
    assert "Nothing has been sent yet." in web.get(path).text
    other = browser(app, games, bob(games))
    assert other.get(path).status_code == 404
    key = Page(other.get("/games").text).forms[0].hidden
    assert other.post(f"{path}/delete", data=key).status_code == 404
    send(web, "/settings/webhooks", f"{path}/delete")
    assert path not in Page(web.get("/settings/webhooks").text).links
    bad = send(web, "/settings/webhooks", "/settings/webhooks", url="http://10.0.0.1/", events=["game.over"])
    assert (bad.status_code, "public https address" in bad.text) == (422, True)


def test_without_a_key_there_are_no_webhooks(runtime: Runtime, games: Games, person: Person) -> None:
    web = browser(create_app(replace(runtime, vault=None)), games, person)
    answer = send(web, "/settings/webhooks", "/settings/webhooks", url="https://example.com/", events=["game.over"])
    assert (answer.status_code, "sends no webhooks" in answer.text) == (409, True)


def test_wishes_about_mails_are_kept_and_shown_again(app: Flask, web: FlaskClient, person: Person) -> None:
    wishes = {"delay": "15", "digest": "8", "quiet_from": "22", "quiet_to": "7", "kind-turn": "yes"}
    saved = send(web, "/settings/mail", "/settings/mail", **wishes, **dict.fromkeys(TICKED, "yes"))
    assert "Saved." in web.get(str(saved.location)).text
    kept = Caller(app.test_client(), person.token).get("/me/mail").get_json()
    assert (kept["delay"], kept["digest"], kept["quiet"]) == (15, 8, {"from": 22, "to": 7})
    assert [kept[name] for name in TICKED] == [True, True]
    unwanted = ("started", "over", "message", "problem", "proposal", "lapsed", "challenge", "league")
    assert kept["kinds"] == {"turn": True, **dict.fromkeys(unwanted, False)}
    send(web, "/settings/mail", "/settings/mail", delay="0")
    kept = Caller(app.test_client(), person.token).get("/me/mail").get_json()
    assert (kept["digest"], kept["quiet"]) == (None, None)
    assert [kept[name] for name in TICKED] == [False, False]
    for wrong in ("61", "", "soon"):
        refused = send(web, "/settings/mail", "/settings/mail", delay=wrong)
        assert (refused.status_code, "0 to 60 minutes" in refused.text) == (422, True)


def test_a_mail_is_sent_to_see_whether_it_arrives(app: Flask, games: Games, web: FlaskClient) -> None:
    assert "on its way to alice@example.org" in send(web, "/settings/mail", "/settings/mail/trial").text
    guest = browser(app, games, alice(games, None))
    key = Page(guest.get("/games").text).forms[0].hidden
    assert guest.post("/settings/mail/trial", data=key).status_code == 409


def test_a_game_that_was_quiet_sends_mails_again(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    game, player = position.game.id, position.seats[0].player_id
    web = browser(app, games, Person(player, "", "Alice", None, "en"))
    mail_wishes.mute(games, game, player)
    send(web, "/settings/mail", f"/settings/mail/unmute/{game}")
    assert f"/games/{game}" not in Page(web.get("/settings/mail").text).links
    key = Page(web.get("/games").text).forms[0].hidden
    assert web.post(f"/settings/mail/unmute/{UUID(int=1)}", data=key).status_code == 404


def test_the_data_come_as_a_file_with_ones_games_and_no_secrets(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    web = browser(app, games, Person(position.seats[0].player_id, "", "Alice", None, "en"))
    answer = web.get("/settings/data")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="boardroom.json"'
    assert [game["id"] for game in answer.get_json()["games"]] == [str(position.game.id)]
    assert not re.search(r"brd_\w{36}", answer.text)


def test_an_account_goes_only_with_its_name_repeated(app: Flask, web: FlaskClient, person: Person) -> None:
    kept = send(web, "/settings", "/settings/delete", confirm="Bob")
    assert (kept.status_code, "nothing has been deleted" in kept.text) == (422, True)
    gone = send(web, "/settings", "/settings/delete", confirm="Alice")
    assert gone.location == "/"
    assert web.get("/settings").location == "/sign-in"
    assert Caller(app.test_client(), person.token).get("/me").status_code == 401


def test_a_handle_is_taken_and_given_back_and_one_that_another_has_is_refused(
    app: Flask, games: Games, web: FlaskClient, person: Person
) -> None:
    asked = {"name": "Alice", "language": "en", "time_zone": "UTC"}
    send(web, "/settings", "/settings", **asked, handle=" @Settled-1", visibility="hidden")
    me = Caller(app.test_client(), person.token).get("/me").get_json()
    assert (me["handle"], me["visibility"]) == ("settled-1", "hidden")
    # The form has what is kept: who saves another name loses neither.
    shown = web.get("/settings").text
    assert re.search('<input id="handle" [^>]*value="settled-1"', shown)
    assert '<option value="hidden" selected>' in shown and '<option value="public" selected>' not in shown
    assert "Only you see this page." in web.get("/players/settled-1").text
    assert 'href="/players/settled-1"' in web.get("/people").text

    other = browser(app, games, bob(games))
    refused = send(other, "/settings", "/settings", **asked, handle="settled-l")
    assert refused.status_code == 409
    assert "Dieser Benutzername ist nicht verfügbar." in refused.text
    assert send(other, "/settings", "/settings", **asked, handle="se--ttled").status_code == 422

    send(web, "/settings", "/settings", **asked, handle="")
    assert Caller(app.test_client(), person.token).get("/me").get_json()["handle"] is None
