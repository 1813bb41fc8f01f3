"""The settings of an account, names in both directions of writing, and forms of two tabs."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.handlers import invitations, mail_preferences, talk
from service.handlers.invitations import ByLink
from service.mail.bidi import with_bdi
from service.rules.bidi import FSI, PDI
from service.runtime import Runtime
from service.shared import clock
from service.store.access import SCOPES
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.store.lobby import invitation_token
from tests.api.scene import APP, CHANNEL
from tests.browsing import browser, send
from tests.builders import sealed_bids, started, table_for
from tests.letters import Form, Page
from tests.people import Person, alice, bob, register
from tests.replying import delivered
from tests.rest import Caller
from tests.web.test_table import Visit, duel

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
    mail_preferences.mute(games, game, player)
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


# A name that is read from right to left turns nothing round: in pages, in both parts of mails, in subjects.

OMAR = "عمر"
ISOLATED = f"{FSI}{OMAR}{PDI}"
ELEMENT = f"<bdi>{OMAR}</bdi>"


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [register(games, OMAR, f"{uuid4().hex}@example.org", "en"), bob(games, f"{uuid4().hex}@example.org")]


@pytest.fixture
def position(games: Games, people: list[Person]) -> Position:
    return started(games, "new-corp-order", people, **{"first-player": 1})


def outside_of_elements(page: str) -> list[str]:
    """The texts of a page in which the name stands without an element of its own."""
    texts = re.sub(r"(?s)<(title|svg|script|style|option|textarea)\b.*?</\1>", "", page)
    texts = texts.replace(ELEMENT, "").replace(f"<bdi>{OMAR} &amp; friends</bdi>", "")
    return [each for each in re.sub(r"<[^>]*>", "\n", texts).splitlines() if OMAR in each]


def test_pages_have_the_name_in_an_element_of_its_own(
    app: Flask, games: Games, people: list[Person], position: Position
) -> None:
    lobby = table_for(games, "new-corp-order", people[0], 3, Terms(name=f"{OMAR} & friends", access="public"))
    talk.say(games, position.game.id, people[0].id, "Hello", "web", clock.now())
    paths = ("/games", "/games/open", f"/games/{lobby}", f"/games/{position.game.id}")
    more = (f"/games/{position.game.id}/proof", f"/games/{position.game.id}/replay", "/settings/programs")
    for person in people:
        web = browser(app, games, person)
        pages = {path: web.get(path, follow_redirects=True) for path in (*paths, *more)}
        assert {page.status_code for page in pages.values()} == {200}
        assert [(path, outside_of_elements(page.text)) for path, page in pages.items()] == [
            (path, []) for path in pages
        ]
    labels = re.findall(r'aria-label="([^"]*)"', pages[more[1]].text)
    assert any(ISOLATED in each for each in labels) and all("<bdi>" not in each for each in labels)
    assert [path for path in paths if f"<bdi>{OMAR}" not in pages[path].text] == []


def test_mails_isolate_the_name_in_text_subject_and_board_and_mark_it_in_html(
    runtime: Runtime, mailbox: Path, people: list[Person], position: Position
) -> None:
    mails = delivered(runtime, mailbox, position.game.id)
    letter = mails[str(people[1].email)][0]
    # A subject is one line of its own, and isolates show as boxes in some lists of mails.
    assert OMAR in letter.message["Subject"] and ISOLATED not in letter.message["Subject"]
    text = letter.text.replace(ISOLATED, "")
    assert ISOLATED in letter.text and OMAR not in text
    assert f"  {ISOLATED}" in letter.text
    (own,) = mails[str(people[0].email)]
    htmls = [each.message.get_body(("html",)).get_content() for each in (letter, own)]
    assert any(ELEMENT in html for html in htmls) and [outside_of_elements(html) for html in htmls] == [[], []]
    assert own.message["To"].addresses[0].display_name == OMAR


def test_the_api_has_the_name_as_it_was_given(api: Caller, people: list[Person], position: Position) -> None:
    seats = api.by(people[1]).get(f"/games/{position.game.id}").get_json()["seats"]
    assert seats[0]["name"] == OMAR
    assert api.by(people[0]).get("/me").get_json()["name"] == OMAR


def test_attributes_and_what_holds_no_elements_keep_the_characters() -> None:
    picture = f"<svg><title>{ISOLATED}</title><text>{ISOLATED}</text></svg>"
    page = f'<title>{ISOLATED}</title><p title="{ISOLATED}">NAME 1</p>{picture}'
    assert with_bdi(page.replace("NAME", ISOLATED)) == page.replace("NAME", ELEMENT)
    assert with_bdi(f"<svg/>{ISOLATED}") == f"<svg/>{ELEMENT}"


def test_names_from_before_are_shown_and_their_owners_may_change_all_else(app: Flask, games: Games) -> None:
    person = register(games, "ODS", None, "en")
    web = browser(app, games, person)
    saved = send(web, "/settings", "/settings", name="ODS", language="fr", time_zone="UTC")
    assert saved.status_code == 303
    me = Caller(app.test_client(), person.token).get("/me").get_json()
    assert (me["name"], me["language"]) == ("ODS", "fr")
    refused = send(web, "/settings", "/settings", name="О D S", language="fr", time_zone="UTC")
    assert refused.status_code == 422 and "pourrait passer pour" in refused.text


@pytest.mark.parametrize(("page", "action"), [("/settings/programs", "/settings/bots"), ("/games/new", "/games/new")])
def test_forms_that_name_something_say_why_a_name_is_refused(app: Flask, games: Games, page: str, action: str) -> None:
    answer = send(browser(app, games, bob(games)), page, action, name="ODS", seats="2", ruleset="sealed-bids")
    assert answer.status_code == 422 and "mit dem Computer" in answer.text


def test_whoever_joins_by_a_link_is_told_why_a_name_is_refused(app: Flask, games: Games) -> None:
    host = bob(games)
    game = table_for(games, "sealed-bids", host, 3)
    given = invitations.invite(games, game, host.id, ByLink("secret"), clock.now(), None)
    path = f"/join/{invitation_token(given.id, 'secret')}"
    answer = app.test_client().post(path, data={"name": "früherer\u200b Spieler"}, headers={"Accept-Language": "de"})
    assert answer.status_code == 422 and "unsichtbar sind" in answer.text


# A form that replaces what it shows is carried out only if that is still so: two tabs lose nothing of each other's.

CHANGED = "have been changed meanwhile"


def form(page: str, part: str) -> Form:
    """The form of a page whose address ends so."""
    return next(each for each in Page(page).forms if each.action.endswith(part))


def sent(web: FlaskClient, form: Form, **fields: Any) -> Any:
    return web.post(form.action, data={**form.hidden, **fields})


def test_notes_of_two_tabs_are_both_shown_and_nothing_is_lost(app: Flask, games: Games) -> None:
    # given two tabs with the same notes, of which the first has saved
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    one, other = visit.look(), visit.look()
    assert visit.send(one, "/notes", text="Bob bluffs").status_code == 303
    # when the second saves upon what it had shown
    refused = visit.send(other, "/notes", text="Bob is honest")
    # then nothing is written, and the page shows both texts
    assert (refused.status_code, CHANGED in refused.text) == (412, True)
    assert '<p class="said">Bob bluffs</p>' in refused.text
    assert ">Bob is honest</textarea>" in refused.text
    assert ">Bob bluffs</textarea>" in visit.look()
    # and pressed again, it is written on purpose
    assert visit.send(refused.text, "/notes", text="Bob is honest").status_code == 303
    assert ">Bob is honest</textarea>" in visit.look()


def test_a_page_of_before_without_a_version_is_still_taken(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    form = visit.form(visit.look(), "/notes")
    hidden = {name: value for name, value in form.hidden.items() if name != "version"}
    assert visit.web.post(form.action, data={**hidden, "text": "old"}).status_code == 303


def test_a_remark_that_is_refused_stands_in_its_field(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    refused = visit.send(visit.look(), "/talk", text="word " * 200)
    assert (refused.status_code, "word word" in refused.text) == (422, True)


def test_profiles_of_two_tabs_are_both_shown(web: FlaskClient, app: Flask, person: Person) -> None:
    # given two tabs, of which the first has given another name
    one, other = (form(web.get("/settings").text, "/settings") for _ in range(2))
    usual = {"handle": "", "visibility": "private", "language": "en", "time_zone": "UTC"}
    me = Caller(app.test_client(), person.token)
    usual = {name: me.get("/me").get_json()[name] or "" for name in usual}
    assert sent(web, one, **usual, name="Ann").status_code == 303
    # when the second gives a third one
    refused = sent(web, other, **usual, name="Anna")
    # then neither is lost
    assert (refused.status_code, CHANGED in refused.text) == (412, True)
    assert "<dd>Ann</dd>" in refused.text
    assert 'value="Anna"' in refused.text
    assert me.get("/me").get_json()["name"] == "Ann"
    assert sent(web, form(refused.text, "/settings"), **usual, name="Anna").status_code == 303


def test_mail_settings_of_two_tabs(web: FlaskClient, app: Flask, person: Person) -> None:
    one, other = (form(web.get("/settings/mail").text, "/settings/mail") for _ in range(2))
    assert sent(web, one, delay="7").status_code == 303
    refused = sent(web, other, delay="9", mails_apart="yes")
    assert (refused.status_code, CHANGED in refused.text, 'value="9"' in refused.text) == (412, True, True)
    assert Caller(app.test_client(), person.token).get("/me/mail").get_json()["delay"] == 7


def test_channels_and_apps_of_two_tabs(web: FlaskClient, app: Flask, person: Person) -> None:
    # given what a program has set up, shown in a tab, and changed by the program since
    me = Caller(app.test_client(), person.token)
    channel, registered = me.post("/me/channels", CHANNEL).get_json(), me.post("/apps", APP).get_json()
    shown = form(web.get("/settings/channels").text, f"/channels/{channel['id']}")
    listed = form(web.get("/settings/apps").text, f"/apps/{registered['id']}/change")
    assert me.patch(f"/me/channels/{channel['id']}", {"messages": ["turn"]}).status_code == 200
    assert me.patch(f"/apps/{registered['id']}", {"name": "Better boards"}).status_code == 200
    # when the tab saves
    chosen = sent(web, shown, messages=["over"])
    called = sent(web, listed, name="Best boards", redirect_uris="https://board.example/other")
    # then nothing is written
    assert (chosen.status_code, CHANGED in chosen.text) == (412, True)
    assert (called.status_code, CHANGED in called.text, "Best boards" in called.text) == (412, True, True)
    assert me.get(f"/me/channels/{channel['id']}").get_json()["messages"] == ["turn"]


def test_absences_of_two_tabs(web: FlaskClient, app: Flask, person: Person) -> None:
    me = Caller(app.test_client(), person.token)
    first, second, third = ((clock.now().date() + timedelta(days=each)).isoformat() for each in (3, 4, 5))
    made = me.post("/me/absences", {"until": first})
    shown = form(web.get("/settings/away").text, made.get_json()["id"])
    assert me.patch(f"/me/absences/{made.get_json()['id']}", {"until": second}).status_code == 200
    refused = sent(web, shown, until=third)
    assert (refused.status_code, f'value="{third}"' in refused.text) == (412, True)
