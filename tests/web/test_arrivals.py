"""Whichever way a person comes in, the account has the name, the time zone and the language that are known of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers import invitations, sign_in_codes
from service.handlers.invitations import ByLink
from service.handlers.players import Arrival, newly_met
from service.mail.strip_links import host_name, sender_name
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.store.lobby import invitation_token
from service.texts.names import UNNAMED, UNNAMED_VARIANTS, display_name
from tests.browsing import browser, form_on, send
from tests.builders import first_legal, now_at, table_for
from tests.passkeys import Authenticator, registered, signed_in_by, site, visiting
from tests.people import Person, alice, new_address
from tests.rest import Caller
from tests.signing_in import address, link_to, player_at

__all__ = ["address", "site"]

GERMAN = {"Accept-Language": "de-AT"}
ZONE = "Europe/Vienna"


class Known(NamedTuple):
    """What is set of a person who has come in."""

    name: str
    time_zone: str
    language: str


def known(games: Games, player: UUID) -> Known:
    query = text("select name, time_zone, language from player where id = :player")
    with games.engine.connect() as db:
        return Known(*db.execute(query, {"player": player}).one())


def newest(games: Games) -> UUID:
    with games.engine.connect() as db:
        # Other tests let people be made in days to come.
        query = text("select id from player where created_at <= clock_timestamp() order by created_at desc limit 1")
        found: UUID = db.execute(query).scalar_one()
        return found


class Way(NamedTuple):
    """What a way in may use."""

    app: Flask
    runtime: Runtime
    mailbox: Path
    address: str


def by_a_press(way: Way) -> UUID:
    web = way.app.test_client()
    form = form_on(web.get("/", headers=GERMAN), "/play").hidden
    web.post("/play", data={**form, "zone": ZONE}, headers=GERMAN)
    return newest(way.runtime.games)


def by_a_mailed_link(way: Way) -> UUID:
    web = way.app.test_client()
    path = link_to(way.runtime, way.mailbox, Caller(web), way.address, language="de")
    form = form_on(web.get(path), path)
    assert "name" in form.inputs, "who has no name yet is asked for one"
    return player_at(way.runtime.games, web.post(path, data={**form.hidden, "name": "Zoë", "zone": ZONE})).id


def by_an_invitation(way: Way) -> UUID:
    games, host = way.runtime.games, alice(way.runtime.games)
    game = table_for(games, "sealed-bids", host, 3)
    given = invitations.invite(games, game, host.id, ByLink("secret"), clock.now(), None)
    link = f"/join/{invitation_token(given.id, 'secret')}"
    web = way.app.test_client()
    form = form_on(web.get(link, headers=GERMAN), link)
    web.post(link, data={**form.hidden, "name": "Zoë", "language": "de", "zone": ZONE}, headers=GERMAN)
    return newest(games)


def by_the_api_with_an_address(way: Way) -> UUID:
    posted = {"name": "Zoë", "email": way.address, "time_zone": ZONE}
    return UUID(Caller(way.app.test_client()).post("/players", posted, **GERMAN).get_json()["id"])


def by_the_api_s_sign_in(way: Way) -> UUID:
    api = Caller(way.app.test_client())
    asked = {"email": way.address, "name": "Zoë"}
    path = link_to(way.runtime, way.mailbox, api, way.address, language="de", name=asked["name"])
    made = api.post("/sign-in/token", {"sign_in": path[-26:], "time_zone": ZONE}).get_json()
    return UUID(Caller(api.client, made["token"]).get("/me").get_json()["id"])


def made_by_a_program(way: Way) -> UUID:
    """An account of which nothing is known, since a program signed in first."""
    api = Caller(way.app.test_client())
    path = link_to(way.runtime, way.mailbox, api, way.address, language="de")
    made = api.post("/sign-in/token", {"sign_in": path[-26:]}).get_json()
    return UUID(Caller(api.client, made["token"]).get("/me").get_json()["id"])


def by_the_code_of_another_device(way: Way) -> UUID:
    player = made_by_a_program(way)
    web = way.app.test_client()
    code = sign_in_codes.give(way.runtime.games, player, clock.now())
    form = form_on(web.get("/sign-in"), "/sign-in-code").hidden
    web.post("/sign-in-code", data={**form, "code": code, "zone": ZONE})
    send(web, "/games", "/name", name="Zoë")
    return player


def by_an_app(way: Way) -> UUID:
    """An app sends to its page of consent, which sends to sign in, and back."""
    web = way.app.test_client()
    sent = web.get("/oauth/authorize?client_id=x&response_type=code", headers=GERMAN)
    assert sent.location is not None and sent.location.startswith("/sign-in?back=")
    return by_a_mailed_link(way)


WAYS: tuple[Callable[[Way], UUID], ...] = (
    by_a_press,
    by_a_mailed_link,
    by_an_invitation,
    by_the_api_with_an_address,
    by_the_api_s_sign_in,
    by_the_code_of_another_device,
    by_an_app,
)


@pytest.mark.parametrize("come", WAYS)
def test_each_way_in_sets_the_same(
    come: Callable[[Way], UUID], app: Flask, runtime: Runtime, mailbox: Path, address: str
) -> None:
    player = come(Way(app, runtime, mailbox, address))
    name = UNNAMED if come is by_a_press else "Zoë"
    assert known(runtime.games, player) == Known(name, ZONE, "de")


def test_by_a_passkey_an_account_that_a_program_made_learns_the_zone_and_is_asked_for_a_name(
    site: Flask, runtime: Runtime, mailbox: Path, address: str
) -> None:
    way, device = Way(site, runtime, mailbox, address), Authenticator()
    person = Person(made_by_a_program(way), "", "", address, "de")
    registered(visiting(site, runtime.games, person), device, "My phone")
    signed_in_by(site.test_client(), device, zone=ZONE)
    assert known(runtime.games, person.id) == Known(UNNAMED, ZONE, "de")
    assert "Wähle den Namen, den die anderen sehen" in browser(site, runtime.games, person).get("/games").text


def test_what_a_player_has_chosen_no_browser_overwrites(
    app: Flask, runtime: Runtime, mailbox: Path, address: str
) -> None:
    way = Way(app, runtime, mailbox, address)
    player = by_a_mailed_link(way)
    with runtime.engine.begin() as db:
        db.execute(text("update player set time_zone = 'UTC' where id = :player"), {"player": player})
    web = app.test_client()
    path = link_to(runtime, mailbox, Caller(web), address)
    form = form_on(web.get(path), path)
    assert form.inputs == [], "who has a name is not asked again"
    web.post(path, data={**form.hidden, "name": "Other", "zone": "Asia/Tokyo"})
    assert known(runtime.games, player) == Known("Zoë", "UTC", "de")


def test_a_guest_is_asked_after_the_first_move_and_only_once(app: Flask, games: Games) -> None:
    # given a guest who has begun a game alone
    web = app.test_client()
    game = UUID(str(send(web, "/", "/play").location).rpartition("/")[2])
    ask = "Choose the name that the others see"
    assert ask not in web.get(f"/games/{game}").text and ask not in web.get("/games").text
    # when they have moved
    position = now_at(games, game)
    move = {"decision": str(position.decision), "notation": position.ruleset.notate(first_legal(position, 0))}
    key = form_on(web.get("/games"), "/language").hidden
    assert web.post(f"/games/{game}/action", data={**key, **move, "sure": "yes"}).status_code == 303
    # then the page of the table asks for a name, and does not once it was put off
    assert ask in web.get(f"/games/{game}").text
    assert send(web, f"/games/{game}", "/name", name="").location == f"/games/{game}"
    assert ask not in web.get(f"/games/{game}").text
    # and a host without a name is asked for one with the invitation
    table = web.get("/games/new?ruleset=new-corp-order").text
    assert "Your name, as it stands in the invitation" in table


@pytest.mark.parametrize("name", UNNAMED_VARIANTS)
def test_a_player_without_a_name_is_called_so_in_the_language_of_each_reader(name: str) -> None:
    assert [display_name(name, language) for language in ("en", "de", "fr")] == [
        "New player",
        "Neuer Spieler",
        "Nouveau joueur",
    ]


def test_an_invitation_bears_the_name_that_is_given_with_it_or_none(
    app: Flask, runtime: Runtime, mailbox: Path, games: Games
) -> None:
    # given a host without a name
    player, _ = newly_met(games, Arrival("de"), clock.now())
    host = Person(player, "", UNNAMED, None, "de")
    game = table_for(games, "sealed-bids", host, 3)
    web = browser(app, games, host)
    # when one invitation leaves without a name, and the next one with it
    for name in ("", "Zoë"):
        send(web, f"/games/{game}", f"/games/{game}/invite", email=new_address(), language="en", own_name=name)
    # then no mail is from a new player
    with games.engine.connect() as db:
        query = text("select id from outbox where game_id = :game and kind = 'invitation' order by id")
        rows = list(db.execute(query, {"game": game}).scalars())
    assert len(rows) == 2
    assert known(games, player).name == "Zoë"


def test_the_mail_of_a_host_without_a_name_is_from_somebody(games: Games) -> None:
    player, _ = newly_met(games, Arrival("de"), clock.now())
    game = table_for(games, "sealed-bids", Person(player, "", UNNAMED, None, "de"), 3)
    assert [host_name(now_at(games, game), language) for language in ("en", "de")] == [
        sender_name(UNNAMED, "en"),
        sender_name(UNNAMED, "de"),
    ]
    assert "Somebody" in sender_name(UNNAMED, "en") and "Jemand" in sender_name("New player", "de")
