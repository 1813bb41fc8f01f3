"""Lasting things need a recent sign-in: each form declares whether it makes things that outlive the session."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from service.handlers import apps, people
from service.handlers.apps import AppTerms
from service.handlers.sessions import Browser, let_in, recognise
from service.shared import clock
from service.store.access import Session
from service.store.games import Games
from tests.letters import Page
from tests.oauth import registered
from tests.operating import verified
from tests.passkeys import site
from tests.people import Person, alice, bob, new_address

__all__ = ["site"]

LASTING = {
    "web.create_token",
    "web.create_bot",
    "web.delete_bot",
    "web.show_sign_in_code",
    "web.begin_registration",
    "web.register_passkey",
    "web.remove_passkey",
    "web.register_app",
    "web.change_app",
    "web.delete_app",
    "web.answer_consent",
    "web.create_channel",
    "web.renew_calendar",
    "web.create_webhook",
    "web.add_reply_address",
    "web.export_account",
    "web.delete_account",
}
"""Forms whose effect outlives the session: a thing made, changed, taken, or gone for good."""
OF_OPERATORS = {"web.operate", "web.export_person", "web.carry_out_act"}
PASSING = {
    "signing in, out and anew": {
        "web.begin_sign_in",
        "web.begin_sign_in_anew",
        "web.choose_language",
        "web.enter_by_code",
        "web.enter_by_passkey",
        "web.request_sign_in",
        "web.sign_in_anew",
        "web.sign_out",
        "web.use_sign_in",
    },
    "what ends a way in": {
        "web.delete_channel",
        "web.delete_webhook",
        "web.end_calendar",
        "web.remove_reply_address",
        "web.revoke_grant",
        "web.revoke_token",
    },
    "wishes": {
        "web.announce_absence",
        "web.change_absence",
        "web.change_channel",
        "web.change_profile",
        "web.choose_second_question",
        "web.end_absence",
        "web.rename_passkey",
        "web.say_name",
        "web.try_channel",
        "web.try_mail",
        "web.unmute_game",
        "web.update_mail",
    },
    "forms behind a mailed link, which is the way in itself": {
        "web.answer_friend_request",
        "web.answer_mailed_challenge",
        "web.confirm",
        "web.confirm_reply_address",
        "web.opt_out",
        "web.play_link",
        "web.play_move",
        "web.refuse_challenge_mails",
        "web.refuse_friend_mails",
        "web.refuse_invitations",
        "web.replace_links",
        "web.request_fresh_link",
        "web.say_back_by_link",
        "web.take_seat",
        "web.unsubscribe",
    },
    "a channel goes along with its browser, which alone knows its address": {"web.renew_subscription"},
    "mail that comes in, and the mailbox of a service without mail": {"web.answer_mail", "web.receive_mail"},
    "other people": {
        "web.answer_challenge",
        "web.challenge_bot",
        "web.challenge_friend",
        "web.challenge_profile",
        "web.change_people",
        "web.decide_on_player",
        "web.decide_on_seat",
        "web.report_player",
        "web.report_tournament",
        "web.send_report",
    },
    "one table": {
        "web.add_computer",
        "web.agree_to_pause",
        "web.agree_to_take_back",
        "web.analyse_game",
        "web.answer_seat_request",
        "web.cancel_game",
        "web.cancel_orders",
        "web.change_mute",
        "web.choose_auto_answers",
        "web.create_stream_ticket",
        "web.decline_take_back",
        "web.end_pause",
        "web.fork_game",
        "web.give_more_time",
        "web.give_order",
        "web.invite",
        "web.invite_substitute",
        "web.join_game",
        "web.kick_player",
        "web.leave_game",
        "web.open_table",
        "web.play",
        "web.play_again",
        "web.post_action",
        "web.post_remark",
        "web.propose_pause",
        "web.put_notes",
        "web.request_seat",
        "web.request_take_back",
        "web.resign_game",
        "web.revoke_invitation",
        "web.say_back",
        "web.start_game",
        "web.substitute_computer",
        "web.take_a_hint",
        "web.take_back_action",
        "web.take_back_answer",
        "web.try_deal",
    },
    "leagues and tournaments": {"web.change_entry", "web.change_tournament", "web.open_tournament"},
}
"""Forms that ask for no recent sign-in, by the reason why."""


def forms_of(app: Flask) -> set[str]:
    changing = {"POST", "PUT", "PATCH", "DELETE"}
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("web.")]
    return {rule.endpoint for rule in rules if changing & (rule.methods or set())}


def test_each_form_says_whether_it_makes_what_outlives_the_session(app: Flask) -> None:
    guarded = {name for name, view in app.view_functions.items() if hasattr(view, "asks_for_recent_sign_in")}
    assert guarded == LASTING | OF_OPERATORS
    passing = set().union(*PASSING.values())
    # A new form: guard it by `recently_signed_in`, or give here the reason why nothing of it outlives the session.
    assert forms_of(app) - guarded == passing


@pytest.fixture
def person(games: Games) -> Person:
    return verified(games, alice(games, new_address()))


def visiting(
    app: Flask, games: Games, whom: Person, how: Session, minutes: int = 0
) -> tuple[FlaskClient, dict[str, str]]:
    """A browser that was signed in so many minutes ago, and the key of its forms."""
    web = app.test_client()
    with games.engine.begin() as db:
        secret = let_in(db, whom.id, clock.now() - timedelta(minutes=minutes), how)
    web.set_cookie("boardroom", secret, domain="localhost")
    return web, {"form_key": Page(web.get("/settings").text).forms[-1].hidden["form_key"]}


def asked(app: Flask, games: Games, whom: Person) -> dict[str, tuple[str, dict[str, Any]]]:
    """The path and the fields by which each lasting thing is made, changed or taken."""
    bot, _ = people.create_bot(games, _identity(games, whom), "Robot", clock.now())
    own = apps.register(games, whom.id, AppTerms("Mine", ["https://mine.example/back"], False), clock.now())
    foreign = registered(app, games, bob(games))
    with games.engine.begin() as db:
        passkey = db.execute(_PASSKEY, {"id": uuid4(), "player": whom.id, "bytes": uuid4().bytes}).scalar_one()
    return {
        "web.create_token": ("/settings/tokens", {"label": "x", "scopes": ["games:read"]}),
        "web.create_bot": ("/settings/bots", {"name": "x"}),
        "web.delete_bot": ("/settings/bots/delete", {"bot": str(bot)}),
        "web.show_sign_in_code": ("/settings/code", {}),
        "web.begin_registration": ("/settings/passkeys/challenge", {}),
        "web.register_passkey": ("/settings/passkeys", {"name": "x", "credential": "{}"}),
        "web.remove_passkey": (f"/settings/passkeys/{passkey}/delete", {}),
        "web.register_app": ("/settings/apps", {"name": "x", "redirect_uris": "https://x.example/back"}),
        "web.change_app": (f"/settings/apps/{own.id}/change", {"name": "y", "redirect_uris": "https://y.example/back"}),
        "web.delete_app": (f"/settings/apps/{own.id}/delete", {}),
        "web.answer_consent": ("/oauth/authorize", {**foreign.asks, "answer": "allow"}),
        "web.create_channel": ("/settings/channels", {"kind": "ntfy", "url": "https://ntfy.sh/x"}),
        "web.renew_calendar": ("/settings/calendar", {}),
        "web.add_reply_address": ("/settings/mail/addresses", {"email": "other@example.org"}),
        "web.create_webhook": ("/settings/webhooks", {"url": "https://x.example/hook", "events": ["game.event"]}),
        "web.delete_account": ("/settings/delete", {"confirm": whom.name}),
    }


_PASSKEY = text("""
insert into passkey (id, player_id, name, credential_id, public_key, transports, sign_count, created_at)
values (:id, :player, 'Laptop', :bytes, :bytes, '{}', 0, clock_timestamp()) returning id
""")
_TOLD = text("""
select payload ->> 'what' from outbox where kind = 'account-changed' and payload ->> 'player' = :id
""")
_OWNED = text("""
select (select count(*) from token where player_id = :id), (select count(*) from player where owner = :id and
        deleted_at is null), (select count(*) from sign_in_code where player_id = :id),
       (select count(*) from passkey where player_id = :id), (select count(*) from passkey_challenge where
        player_id = :id), (select string_agg(name, ' ' order by id) from app where owner = :id),
       (select count(*) from app_grant where player_id = :id), (select count(*) from channel where player_id = :id),
       (select count(*) from calendar where player_id = :id), (select count(*) from webhook where player_id = :id),
       (select deleted_at from player where id = :id)
""")


def told(games: Games, whom: Person) -> list[str]:
    """Return the notices mailed to the owner of the account, sorted."""
    with games.engine.connect() as db:
        return sorted(db.execute(_TOLD, {"id": str(whom.id)}).scalars())


def _identity(games: Games, whom: Person) -> Browser:
    with games.engine.begin() as db:
        secret = let_in(db, whom.id, clock.now())
    found = recognise(games, secret)
    assert found is not None
    return found


def owned(games: Games, whom: Person) -> Any:
    with games.engine.connect() as db:
        return db.execute(_OWNED, {"id": whom.id}).one()


STALE = pytest.mark.parametrize(("how", "minutes"), [("mail", 16), ("passkey", 16), ("code", 0), ("press", 0)])


@STALE
def test_nothing_lasting_comes_of_a_session_without_a_recent_sign_in(
    app: Flask, games: Games, person: Person, how: Session, minutes: int
) -> None:
    ways = asked(app, games, person)
    web, key = visiting(app, games, person, how, minutes)
    before = owned(games, person)
    assert set(ways) == LASTING - {"web.export_account"}
    for name, (path, fields) in ways.items():
        answer = web.post(path, data={**key, **fields})
        assert (name, answer.status_code) == (name, 403)
        assert "Sign in anew" in answer.text and person.email is not None and person.email in answer.text
    exported = web.get("/settings/data")
    assert (exported.status_code, "Sign in anew" in exported.text) == (403, True)
    assert owned(games, person) == before


@pytest.mark.parametrize("how", ["mail", "passkey"])
def test_shortly_after_a_sign_in_all_of_it_can_be_made(site: Flask, games: Games, person: Person, how: Session) -> None:
    ways = asked(site, games, person)
    web, key = visiting(site, games, person, how, 14)
    assert web.get("/settings/data").status_code == 200
    for name, (path, fields) in ways.items():
        answer = web.post(path, data={**key, **fields})
        # The passkey is none, and which is not the guard's doing.
        assert answer.status_code in (200, 303, 409, 422), (name, answer.text)
    assert owned(games, person)[-1] is not None
    # Passkeys have tests of their own (tests/mail/test_access.py), and a code is told of when it is used.
    assert told(games, person) == [
        "account-deleted",
        "app-granted",
        "app-registered",
        "app-registered",
        "app-registered",
        "bot-made",
        "bot-made",
        "calendar-renewed",
        "channel-added",
        "data-exported",
        "passkey-removed",
        "token-made",
        "webhook-added",
    ]


def test_signing_in_anew_leads_back_to_the_page_and_is_not_asked_for_twice(
    app: Flask, games: Games, person: Person
) -> None:
    web, _ = visiting(app, games, person, "mail", 16)
    assert "/sign-in/anew?back=/settings/programs" in web.get("/settings/programs").text
    page = web.get("/sign-in/anew?back=/settings/programs")
    (form,) = (each for each in Page(page.text).forms if each.action == "/sign-in")
    assert (form.hidden["email"], form.hidden["back"]) == (person.email, "/settings/programs")
    assert web.get("/sign-in/anew?back=//evil.example").status_code == 200
    web, _ = visiting(app, games, person, "mail")
    assert web.get("/sign-in/anew?back=/settings/programs").location == "/settings/programs"
    assert web.get("/sign-in/anew?back=//evil.example").location == "/settings"


def test_a_guest_whose_cookie_is_the_whole_account_is_asked_for_nothing_more(app: Flask, games: Games) -> None:
    guest = alice(games, None)
    web, key = visiting(app, games, guest, "press", 60)
    assert web.post("/settings/code", data=key).status_code == 200
    assert web.get("/settings/data").status_code == 200


def test_an_app_is_let_in_only_after_a_recent_sign_in_and_refused_at_any_time(
    app: Flask, games: Games, person: Person
) -> None:
    client = registered(app, games, bob(games))
    web, _ = visiting(app, games, person, "mail", 16)
    page = web.get(client.address())
    (form,) = (each for each in Page(page.text).forms if each.action == "/sign-in")
    assert form.hidden["back"] == client.address()
    key = {"form_key": form.hidden["form_key"]}
    assert web.post("/oauth/authorize", data={**key, **client.asks, "answer": "deny"}).status_code == 303
