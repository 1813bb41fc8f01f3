"""Remove what was kept for long enough: old keys, links, carried out effects and so on; and nothing else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers import links, sessions, tokens
from service.handlers.play import Move, play
from service.handlers.tokens import issue
from service.handlers.webhooks import send_again
from service.runtime import Runtime
from service.shared import clock
from service.store import notices, outbox
from service.store.games import Games
from service.store.idempotency import IdempotencyKey
from service.store.pruning import BROWSERS, DELIVERIES, EFFECTS, KEYS, LINKS, prune
from tests.builders import now_at, sealed_bids
from tests.games.sealed_bids.actions import Hold
from tests.listener import Listener
from tests.people import alice
from tests.workers.hooks import hook, run_out, sent_test
from workers.hourly_jobs import EVERY, Upkeep
from workers.relay import Relay

A_LITTLE = timedelta(minutes=5)
INVITATIONS = "kind = 'invitation'"


@pytest.fixture(autouse=True)
def nothing_kept(runtime: Runtime) -> None:
    """No keys of other tests."""
    with runtime.engine.begin() as db:
        db.execute(text("delete from idempotency"))
        db.execute(text("delete from outbox"))


def count(runtime: Runtime, table: str, where: str = "true") -> int:
    with runtime.engine.connect() as db:
        return int(db.execute(text(f"select count(*) from {table} where {where}")).scalar_one())


def settled(runtime: Runtime, *states: Any) -> list[int]:
    """Rows of the outbox that have come to these states."""
    with runtime.engine.begin() as db:
        outbox.post(
            db, sealed_bids(runtime.games).game.id, [notices.invitation(UUID(int=n)) for n in range(len(states))]
        )
        rows = list(db.execute(text("select id from outbox where kind = 'invitation' order by id")).scalars())
        for row, state in zip(rows, states, strict=True):
            if state != "pending":
                outbox.finish(db, row, state)
        db.execute(text("delete from outbox where kind <> 'invitation'"))
    return rows


def long_done(runtime: Runtime) -> None:
    """A row of the outbox that was carried out more than a week ago."""
    settled(runtime, "done")
    with runtime.engine.begin() as db:
        db.execute(text("update outbox set done_at = done_at - interval '8 days'"))


def test_a_key_is_kept_for_a_day(runtime: Runtime, games: Games) -> None:
    position = sealed_bids(games)
    key = IdempotencyKey(position.seats[0].player_id, "a-key-of-mine")
    play(games, Move(position.game.id, 0, 1, Hold(), "api"), key)
    prune(runtime.engine, clock.now() + KEYS - A_LITTLE)
    assert count(runtime, "idempotency") == 1
    prune(runtime.engine, clock.now() + KEYS + A_LITTLE)
    assert count(runtime, "idempotency") == 0


def test_effects_are_kept_for_a_week_and_what_is_undone_or_has_failed_for_good_stays(runtime: Runtime) -> None:
    rows = settled(runtime, "done", "skipped", "dead", "pending")
    prune(runtime.engine, clock.now() + EFFECTS - A_LITTLE)
    assert count(runtime, "outbox") == len(rows)
    prune(runtime.engine, clock.now() + EFFECTS + A_LITTLE)
    assert count(runtime, "outbox") == 2
    assert count(runtime, "outbox", "state in ('dead', 'pending')") == 2


def test_deliveries_are_kept_for_a_month_with_their_rows(house: Runtime, games: Games, listener: Listener) -> None:
    owner = alice(games).id
    webhook, _ = hook(house, owner, listener)
    row = sent_test(house, owner, webhook)
    run_out(house)
    for age, left in ((EFFECTS + A_LITTLE, 1), (DELIVERIES - A_LITTLE, 1), (DELIVERIES + A_LITTLE, 0)):
        prune(house.engine, clock.now() + age)
        assert count(house, "webhook_delivery", f"outbox_id = {row}") == left
        assert count(house, "outbox", f"id = {row}") == left


def test_a_delivery_that_is_to_be_sent_again_is_not_taken_away(
    house: Runtime, games: Games, listener: Listener
) -> None:
    owner = alice(games).id
    webhook, _ = hook(house, owner, listener)
    row = sent_test(house, owner, webhook)
    run_out(house)
    with house.engine.connect() as db:
        delivery = db.execute(text(f"select id from webhook_delivery where outbox_id = {row}")).scalar_one()
    send_again(games, owner, webhook, delivery)
    prune(house.engine, clock.now() + DELIVERIES + A_LITTLE)
    assert count(house, "webhook_delivery", f"outbox_id = {row}") == 1


def test_tickets_go_when_they_have_expired(runtime: Runtime, games: Games) -> None:
    position, now = sealed_bids(games), clock.now()
    with runtime.engine.begin() as db:
        token, _ = issue(db, position.seats[0].player_id, "mine", ["games:read"], None, now)
        tokens.issue_ticket(db, position.game.id, token.id, now)
    mine = f"token_id = '{token.id}'"
    prune(runtime.engine, now + tokens.TICKET_LIFETIME - timedelta(seconds=1))
    assert count(runtime, "stream_ticket", mine) == 1
    prune(runtime.engine, now + tokens.TICKET_LIFETIME + timedelta(seconds=1))
    assert count(runtime, "stream_ticket", mine) == 0


def test_browsers_go_when_they_have_long_been_signed_out_and_programs_stay(runtime: Runtime, games: Games) -> None:
    player, now = sealed_bids(games).seats[0].player_id, clock.now()
    with runtime.engine.begin() as db:
        secret = sessions.let_in(db, player, now)
        issue(db, player, "mine", ["games:read"], now + sessions.LIFETIME, now)
    ended, kept = now + sessions.LIFETIME + BROWSERS, f"player_id = '{player}'"
    before = count(runtime, "token", kept)
    prune(runtime.engine, ended - A_LITTLE)
    assert sessions.recognise(games, secret)
    assert count(runtime, "token", kept) == before
    # It has visited just now, and so has its time before it once more.
    prune(runtime.engine, ended + A_LITTLE * 2)
    assert count(runtime, "token", kept) == before - 1
    assert count(runtime, "token", f"{kept} and label = 'mine'") == 1
    assert not sessions.recognise(games, secret)


def test_a_link_explains_itself_for_three_months_after_it_expired(app: Flask, runtime: Runtime, games: Games) -> None:
    position, now = sealed_bids(games), clock.now()
    web = app.test_client(use_cookies=False)
    with runtime.engine.begin() as db:
        old = links.issue(db, position.game.id, 0, 1, now - links.LIFETIME - LINKS)
        revoked = links.issue(db, position.game.id, 1, 1, now)
        links.revoke(db, position.seats[1].player_id, "seen", now)
    for moment, left in ((now - A_LITTLE, 2), (now + A_LITTLE, 1), (now + links.LIFETIME + LINKS - A_LITTLE, 1)):
        prune(runtime.engine, moment)
        assert count(runtime, "action_link", f"game_id = '{position.game.id}'") == left
        assert web.get(f"/t/{old}").status_code == (410 if left == 2 else 404)
        assert web.get(f"/t/{revoked}").status_code == 410
    prune(runtime.engine, now + links.LIFETIME + LINKS + A_LITTLE)
    assert count(runtime, "action_link", f"game_id = '{position.game.id}'") == 0
    assert now_at(games, position.game.id).version == position.version


def test_much_is_taken_away_in_batches_and_what_is_locked_is_left_for_the_next_time(runtime: Runtime) -> None:
    rows, late = settled(runtime, *["done"] * 5), clock.now() + EFFECTS + A_LITTLE
    assert prune(runtime.engine, late, batch=2)
    assert count(runtime, "outbox") == 3
    with runtime.engine.begin() as other:
        other.execute(text("select from outbox where id = :id for update"), {"id": rows[2]})
        assert prune(runtime.engine, late, batch=2)
        assert not prune(runtime.engine, late, batch=2)
        assert count(runtime, "outbox") == 1
    assert not prune(runtime.engine, late, batch=2)
    assert count(runtime, "outbox") == 0


def test_it_is_done_once_an_hour(runtime: Runtime) -> None:
    # Of now, and not of a day to come: today's seals have not been counted yet.
    upkeep, now = Upkeep(runtime), clock.now()
    long_done(runtime)
    assert not upkeep.go_on(now)
    assert count(runtime, "outbox", INVITATIONS) == 0
    long_done(runtime)
    upkeep.go_on(now + EVERY - timedelta(seconds=1))
    assert count(runtime, "outbox", INVITATIONS) == 1
    upkeep.go_on(now + EVERY)
    assert count(runtime, "outbox", INVITATIONS) == 0


def test_the_relay_does_it_when_it_has_nothing_more_to_hand_out(runtime: Runtime) -> None:
    long_done(runtime)
    Relay(runtime).drain()
    assert count(runtime, "outbox", INVITATIONS) == 0
