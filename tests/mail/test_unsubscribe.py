"""A link in each mail about a game leads to fewer of them: looking changes nothing, one press is enough, for ever."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape
from sqlalchemy import text as sql

from service.handlers import sign_in
from service.handlers.mail_preferences import try_again
from service.mail import unsubscribe
from service.mail.signing import opened, signed
from service.mail.unsubscribe import KINDS
from service.messages.keys import new_key
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from service.texts.catalog import text
from tests.builders import started
from tests.letters import Letter, Page
from tests.mail_corpus import arrived
from tests.mail_goldens import mail_of, read
from tests.mail_samples import WRITERS
from tests.people import Person, alice, bob, carol
from tests.rest import Caller
from workers.relay import Relay

ONE_CLICK = {"List-Unsubscribe": "One-Click"}
COUNTED = ("digest", "reminder")
"""The kinds that are more than wanted or not."""


@pytest.fixture
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def position(games: Games, people: list[Person]) -> Position:
    return started(games, "sealed-bids", people)


def link(house: Runtime, position: Position, seat: int, kind: str = "turn") -> str:
    """The path of the link in a mail of the kind to the seat."""
    with house.engine.connect() as db:
        fewer = unsubscribe.link(house.settings, db, position.game.id, position.seats[seat].player_id, kind)
    assert fewer is not None and fewer.kind == kind
    url = fewer.url
    assert len(url) < 70 and re.fullmatch(r"[a-z0-9/.:_-]+[a-z0-9]", url)
    return url.removeprefix(house.settings.base_url)


def wishes(api: Caller, person: Person) -> dict[str, Any]:
    found: dict[str, Any] = api.by(person).get("/me/mail").get_json()
    return found


@pytest.mark.parametrize(("seat", "words"), [(0, "miss your turns"), (1, "verpasst du"), (2, "manquer vos tours")])
def test_looking_changes_nothing_and_warns_in_the_players_language(
    runtime: Runtime, web: FlaskClient, api: Caller, people: list[Person], position: Position, seat: int, words: str
) -> None:
    before, path = wishes(api, people[seat]), link(runtime, position, seat)
    pages = [web.open(path, method=method) for method in ("GET", "HEAD", "GET")]
    assert [page.status_code for page in pages] == [200] * 3
    assert words in pages[0].text
    assert not pages[0].headers.getlist("Set-Cookie")
    assert wishes(api, people[seat]) == before


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in COUNTED])
def test_one_click_ends_mails_of_that_kind_and_again_is_as_good(
    runtime: Runtime, web: FlaskClient, api: Caller, people: list[Person], position: Position, kind: str
) -> None:
    path = link(runtime, position, 0, kind).upper().replace("/U/", "/u/")
    for _ in range(2):
        answer = web.post(path, data=ONE_CLICK)
        assert (answer.status_code, answer.headers.getlist("Set-Cookie")) == (200, [])
    assert wishes(api, people[0])["kinds"] == {each: each != kind for each in KINDS if each not in COUNTED}
    assert all(wishes(api, people[1])["kinds"].values())


def test_whoever_wants_no_mails_at_all_still_gets_those_about_the_account(
    runtime: Runtime, web: FlaskClient, games: Games, mailbox: Path
) -> None:
    with runtime.engine.begin() as db:
        db.execute(sql("delete from outbox"))
    person = alice(games, f"{uuid4().hex}@example.org")
    position = started(games, "sealed-bids", [person, bob(games, None), carol(games, None)])
    for kind in KINDS:
        assert web.post(link(runtime, position, 0, kind), data=ONE_CLICK).status_code == 200
    assert web.post(link(runtime, position, 0), data={"scope": "all"}).status_code == 200
    sign_in.ask(games, str(person.email), "Alice", "en", clock.now())
    try_again(games, person.id, clock.now())
    relay = Relay(replace(runtime, redis=None))
    while relay.drain():
        pass
    theirs = [mail.kind for mail in arrived(mailbox) if mail.recipient == person.email]
    assert sorted(theirs) == ["sign-in", "trial"]


@pytest.mark.long
def test_header_and_text_of_every_mail_lead_to_the_same_end_and_say_which_mails_end() -> None:
    kinds = set()
    for name in WRITERS:
        letter = Letter(b"", read(mail_of(name)))
        kind, language = letter.kind, str(letter.message["Content-Language"])
        if letter.message["List-Unsubscribe"] is None:
            assert kind in ("receipt", "problem", "sign-in", "trial", "account"), name
            continue
        kinds.add(kind)
        url = str(letter.message["List-Unsubscribe"]).strip("<>")
        assert letter.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        key = {"invitation": "invite-never", "confirmation": "confirm-never"}.get(kind, f"unsubscribe-kind-{kind}")
        assert " ".join(f"{text(language, key)} {url}".split()) in " ".join(letter.text.split()), name
    assert kinds == {*KINDS, "invitation", "confirmation"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_first_button_is_what_a_mail_program_presses_and_the_answer_says_what_has_ended(
    runtime: Runtime, web: FlaskClient, api: Caller, people: list[Person], position: Position, seat: int, kind: str
) -> None:
    path, words = link(runtime, position, seat, kind), escape(text(people[seat].language, f"unsubscribe-kind-{kind}"))
    page = web.get(path).text
    assert re.findall(r"<button[^>]*>([^<]*)</button>", page)[0] == words
    by_hand = web.post(path, data=Page(page).offers[0])
    ended = wishes(api, people[seat])
    by_program = web.post(path, data=ONE_CLICK)
    assert wishes(api, people[seat]) == ended
    assert f"<strong>{words}</strong>" in by_hand.text and by_program.text == by_hand.text


@pytest.mark.parametrize(("scope", "kind"), [("kind", kind) for kind in KINDS if kind != "digest"] + [("game", "turn")])
def test_what_was_ended_by_mistake_is_had_again_by_one_press(
    runtime: Runtime, web: FlaskClient, api: Caller, people: list[Person], position: Position, scope: str, kind: str
) -> None:
    path, before = link(runtime, position, 0, kind), wishes(api, people[0])
    done = web.post(path, data={"scope": scope})
    assert wishes(api, people[0]) != before
    (back,) = Page(done.text).offers
    assert "come again" in web.post(path, data=back).text
    assert wishes(api, people[0]) == before


def test_each_button_of_the_page_does_what_it_says(
    runtime: Runtime, web: FlaskClient, api: Caller, people: list[Person], position: Position
) -> None:
    path = link(runtime, position, 1)
    offers = {sent["scope"]: sent for sent in Page(web.get(path).text).offers}
    assert list(offers) == ["kind", "digest", "game", "all"]
    for scope in ("digest", "game", "kind", "all"):
        assert web.post(path, data=offers[scope]).status_code == 200
    found = wishes(api, people[1])
    assert found["muted"] == [str(position.game.id)]
    assert found["digest"] is None and not any(found["kinds"].values())
    web.post(path, data=offers["digest"])
    assert wishes(api, people[1])["digest"] == unsubscribe.DIGEST_HOUR
    assert all(wishes(api, people[1])["kinds"].values())


def test_a_daily_mail_leaves_out_what_was_not_wanted_before_but_for_turns(
    runtime: Runtime, web: FlaskClient, api: Caller, people: list[Person], position: Position
) -> None:
    for kind in ("turn", "message"):
        web.post(link(runtime, position, 0, kind), data=ONE_CLICK)
    web.post(link(runtime, position, 0), data={"scope": "digest"})
    wanted = wishes(api, people[0])["kinds"]
    assert wanted == {kind: kind != "message" for kind in KINDS if kind not in COUNTED}


def test_ending_the_daily_mail_ends_mails_about_games(
    runtime: Runtime, web: FlaskClient, api: Caller, people: list[Person], position: Position
) -> None:
    assert web.post(link(runtime, position, 0, "digest"), data=ONE_CLICK).status_code == 200
    found = wishes(api, people[0])
    assert found["digest"] is None and not any(found["kinds"].values())


def test_a_link_works_as_long_as_any_of_the_keys_is_the_one_that_signed_it(
    runtime: Runtime, position: Position
) -> None:
    token, keys = link(runtime, position, 0).removeprefix("/u/"), runtime.settings.mail_keys
    with runtime.engine.connect() as db:
        newer = replace(runtime.settings, mail_keys=(new_key(), *keys))
        assert unsubscribe.resolve(newer, db, token) == unsubscribe.resolve(runtime.settings, db, token) is not None
        assert unsubscribe.resolve(replace(newer, mail_keys=(new_key(),)), db, token) is None
        without = replace(newer, mail_keys=())
        assert unsubscribe.resolve(without, db, token) is None
        assert unsubscribe.link(without, db, position.game.id, position.seats[0].player_id, "turn") is None
    assert unsubscribe.with_headers(EmailMessage(), None).keys() == []


def test_links_that_are_out_in_the_world_end_what_they_always_did(runtime: Runtime, position: Position) -> None:
    player = position.seats[0].player_id
    always = ("turn", "started", "over", "message", "digest", "problem")
    with runtime.engine.connect() as db:
        arrival = db.execute(
            sql("select max(arrival) from seat where player_id = :player"), {"player": player}
        ).scalar()
        for number, kind in enumerate(always):
            token = signed(runtime.settings.mail_keys, "unsubscribe", bytes([number]) + int(arrival or 0).to_bytes(5))
            whose = unsubscribe.resolve(runtime.settings, db, token)
            assert whose is not None and (whose.player, whose.game, whose.kind) == (player, position.game.id, kind)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_link_that_nobody_gave_out_says_so(web: FlaskClient, method: str) -> None:
    answer = web.open(f"/u/{'a' * 26}", method=method, headers={"Accept-Language": "de"})
    assert answer.status_code == 404
    assert "funktioniert nicht" in answer.text


def test_a_token_is_that_of_its_key_and_purpose_in_one_spelling_alone() -> None:
    keys, letters = [new_key()], "abcdefghijklmnopqrstuvwxyz234567"
    token = signed(keys, "test", bytes(6))
    assert opened(keys, "test", token) == opened(keys, "test", token.upper()) == bytes(6)
    # The last of 26 letters has two bits to spare.
    same = token[:-1] + letters[letters.index(token[-1]) ^ 1]
    assert opened(keys, "test", same) is None
    assert opened([new_key()], "test", token) is None
    assert opened(keys, "another", token) is None


@given(st.text(max_size=40))
def test_no_text_that_nobody_signed_leads_anywhere(runtime: Runtime, text: str) -> None:
    with runtime.engine.connect() as db:
        assert unsubscribe.resolve(runtime.settings, db, text) is None
