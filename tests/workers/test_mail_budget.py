"""One may cause so many mails a day, whatever makes them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_network
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import text

from service.runtime import Runtime
from service.shared import clock
from service.store.mail import CONSENT_ASKED_AGAIN_AFTER, consent_asked_at
from service.store.pruning import prune
from service.store.quotas import KNOWN, NEWCOMER, Budget, MailsSpent
from tests.browsing import browser, send
from tests.builders import started, table_for
from tests.people import alice, guest, register
from tests.rest import Caller, refused
from tests.strangers import Deliver, calling, spent, to


def test_whoever_invites_many_strangers_is_stopped_by_the_budget_and_told_until_when(
    runtime: Runtime, caller: Caller, deliver: Deliver
) -> None:
    mallory = register(runtime.games, "Mallory", None, "en")
    tables = [table_for(runtime.games, "sealed-bids", mallory, 3) for _ in range(3)]
    answers = [
        caller.by(mallory).post(f"/games/{table}/invitations", {"email": f"{uuid4().hex}@stranger.example"})
        for table in tables
        for _ in range(NEWCOMER // 2)
    ]
    assert [answer.status_code for answer in answers] == [201] * NEWCOMER + [429] * (NEWCOMER // 2)
    last = refused(answers[-1], 429, "rate-limited")
    assert last["bucket"] == "mails"
    assert 0 < last["seconds"] <= 86_401 and answers[-1].headers["Retry-After"] == str(last["seconds"])
    assert "midnight" in last["detail"]
    assert len(deliver()) == NEWCOMER
    other = register(runtime.games, "Moll", None, "en")
    table = table_for(runtime.games, "sealed-bids", other, 3)
    refused(caller.by(other).post(f"/games/{table}/invitations", {"email": "x@stranger.example"}), 429, "rate-limited")
    known = alice(runtime.games, f"{uuid4().hex}@example.org")
    table = table_for(runtime.games, "sealed-bids", known, 3)
    mail = {"email": f"{uuid4().hex}@stranger.example"}
    assert caller.by(known).post(f"/games/{table}/invitations", mail).status_code == 201


def test_the_budget_is_a_new_one_on_the_next_day(runtime: Runtime, network: str) -> None:
    mallory, now = register(runtime.games, "Mallory", None, "en"), clock.now()
    budget = Budget(1.0, network)
    spent(runtime, budget, mallory, NEWCOMER, now)
    with pytest.raises(MailsSpent) as refusal:
        spent(runtime, budget, mallory, 1, now)
    spent(runtime, budget, mallory, 1, now + timedelta(seconds=refusal.value.seconds))
    with runtime.engine.connect() as db:
        assert network not in str(db.execute(text("select * from mail_budget")).all())


def test_a_bot_spends_what_its_owner_has(runtime: Runtime) -> None:
    owner, now, budget = register(runtime.games, "Mallory", None, "en"), clock.now(), Budget(1.0)
    with runtime.engine.begin() as db:
        bot = uuid4()
        made = text(
            "insert into player (id, name, owner, language, created_at) values (:id, 'Bot', :owner, 'en', :now)"
        )
        db.execute(made, {"id": bot, "owner": owner.id, "now": now})
    spent(runtime, budget, replace(owner, id=bot), NEWCOMER, now)
    with pytest.raises(MailsSpent):
        spent(runtime, budget, owner, 1, now)


def test_whoever_has_confirmed_their_address_may_cause_more_at_the_same_network(runtime: Runtime, network: str) -> None:
    mallory, known = register(runtime.games, "Mallory", None, "en"), alice(runtime.games)
    budget, now = Budget(1.0, network), clock.now()
    spent(runtime, budget, mallory, NEWCOMER, now)
    spent(runtime, budget, known, KNOWN, now)
    with pytest.raises(MailsSpent):
        spent(runtime, budget, known, 1, now)


def test_what_is_spent_at_the_same_time_is_counted_once_each_and_never_too_much(runtime: Runtime, network: str) -> None:
    mallory, now = register(runtime.games, "Mallory", None, "en"), clock.now()

    def spend_one(_: int) -> bool:
        try:
            spent(runtime, Budget(1.0, network), mallory, 1, now)
        except MailsSpent:
            return False
        return True

    with ThreadPoolExecutor(5) as threads:
        assert sum(threads.map(spend_one, range(2 * NEWCOMER))) == NEWCOMER


def test_sign_in_mails_and_players_with_an_address_are_of_the_same_budget(caller: Caller) -> None:
    for number in range(NEWCOMER // 2):
        assert caller.post("/sign-in", {"email": f"{uuid4().hex}@stranger.example"}).status_code == 202
        body = {"name": f"No. {number}", "email": f"{uuid4().hex}@stranger.example"}
        assert caller.post("/players", body).status_code == 201
    refused(caller.post("/players", {"name": "Zoë", "email": "zoe@stranger.example"}), 429, "rate-limited")
    assert caller.post("/players", {"name": "Zoë"}).status_code == 201


def test_who_has_caused_too_many_still_talks_and_is_read_at_the_table(
    runtime: Runtime, limited: Flask, network: str, deliver: Deliver
) -> None:
    games, reader = runtime.games, f"{uuid4().hex}@example.org"
    mallory, bobby = register(games, "Mallory", None, "en"), alice(games, reader)
    game = started(games, "new-corp-order", [mallory, bobby]).game.id
    spent(runtime, Budget(1.0), mallory, NEWCOMER, clock.now())
    assert calling(limited, network).by(mallory).post(f"/games/{game}/talk", {"text": "Hello!"}).status_code == 201
    assert "message" not in {mail.kind for mail in to(deliver(), reader)}
    told = calling(limited, network).by(bobby).get(f"/games/{game}/talk").get_json()["items"]
    assert [each["text"] for each in told] == ["Hello!"]


def test_pages_say_that_the_budget_is_spent_and_change_nothing(
    runtime: Runtime, limited: Flask, network: str, stranger: str
) -> None:
    mallory = register(runtime.games, "Mallory", None, "en")
    game = table_for(runtime.games, "sealed-bids", mallory, 3)
    web = browser(limited, runtime.games, mallory)
    web.environ_base["REMOTE_ADDR"] = network
    spent(runtime, Budget(1.0, str(ip_network((network, 64), strict=False))), mallory, NEWCOMER, clock.now())
    answer = send(web, f"/games/{game}", f"/games/{game}/invite", email=stranger)
    assert answer.status_code == 429 and "No mail was sent" in answer.text
    answer = web.post("/sign-in", data={"email": stranger})
    assert answer.status_code == 429 and "No more mails today" in answer.text
    with runtime.engine.connect() as db:
        assert consent_asked_at(db, stranger, clock.now()) is None


def test_what_was_asked_and_spent_is_forgotten_in_time(runtime: Runtime, stranger: str, network: str) -> None:
    mallory, now = register(runtime.games, "Mallory", None, "en"), clock.now()
    guest(runtime.games, stranger)
    spent(runtime, Budget(1.0, network), mallory, 1, now)
    left = text("select (select count(*) from mail_request), (select count(*) from mail_budget where day = :today)")
    for later, kept in ((timedelta(0), True), (CONSENT_ASKED_AGAIN_AFTER + timedelta(minutes=1), False)):
        while prune(runtime.engine, now + later):
            pass
        with runtime.engine.connect() as db:
            assert [count > 0 for count in db.execute(left, {"today": now.date()}).one()] == [kept, kept]
