"""Webhooks are told at least once, signed, ever later while nobody answers, and not for ever."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from standardwebhooks import Webhook

from service.handlers import webhooks as handlers
from service.handlers.webhooks import Rules
from service.messages.calls import Caller
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.builders import act, sealed_bids
from tests.games.sealed_bids.actions import Hold
from tests.listener import Listener, Reply
from tests.people import alice
from tests.workers.hooks import at, hook, log, run_out, sent_test, shown
from workers.messages import GIVEN_UP_AFTER, JITTER, RETRIES

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_a_message_verifies_with_the_stock_library_and_nothing_else_does(
    house: Runtime, games: Games, listener: Listener
) -> None:
    position = sealed_bids(games)
    _, secret = hook(house, position.seats[0].player_id, listener, kinds=["game.event"])
    act(games, position, 0, Hold())
    run_out(house)
    (got,) = listener.received
    headers = dict(got.headers)
    assert Webhook(secret).verify(got.body, headers) == json.loads(got.body)
    assert headers["content-type"] == "application/json"
    assert len(got.body) < 20_000
    false: list[tuple[bytes, dict[str, str]]] = [
        (got.body.replace(b"game.event", b"game.over!"), headers),
        (got.body + b" ", headers),
        (b"\xff" + got.body, headers),
        (b"", headers),
        (got.body, {**headers, "webhook-id": "msg_0"}),
        (got.body, {**headers, "webhook-timestamp": "0"}),
        (got.body, {**headers, "webhook-timestamp": "soon"}),
        (got.body, {**headers, "webhook-signature": "v1,AAAA"}),
        (got.body, {**headers, "webhook-signature": "v1,A"}),
        (got.body, {**headers, "webhook-signature": "nonsense"}),
        (got.body, {}),
    ]
    for body, sent in false:
        # The library says no in more ways than one: its own error, and those of base64, of unpacking and of JSON.
        with pytest.raises(Exception) as refusal:  # noqa: PT011
            Webhook(secret).verify(body, sent)
        assert type(refusal.value).__name__ in ("WebhookVerificationError", "ValueError", "Error", "UnicodeDecodeError")


def test_after_a_rotation_both_secrets_sign_until_the_old_one_expires(
    house: Runtime, games: Games, listener: Listener
) -> None:
    person, rules = alice(games), Rules(house.vault, True)
    webhook, first = hook(house, person.id, listener)
    now = clock.now()
    second, until = handlers.rotate(games, rules, person.id, webhook, now)
    assert until == now + timedelta(hours=24)
    assert at(house, sent_test(house, person.id, webhook), now).state == "done"
    verifies(listener, first, second)
    third, _ = handlers.rotate(games, rules, person.id, webhook, now)
    assert at(house, sent_test(house, person.id, webhook), now).state == "done"
    verifies(listener, second, third, never=first)
    row = sent_test(house, person.id, webhook)
    assert at(house, row, now + timedelta(hours=24, seconds=1)).state == "done"
    assert len(listener.received[-1].headers["webhook-signature"].split()) == 1


def verifies(listener: Listener, *secrets: str, never: str | None = None) -> None:
    """Check that exactly these secrets have signed what came last."""
    got = listener.received[-1]
    assert len(got.headers["webhook-signature"].split()) == len(secrets)
    for secret in secrets:
        assert Webhook(secret).verify(got.body, dict(got.headers))
    if never is not None:
        with pytest.raises(Exception, match="No matching signature"):
            Webhook(never).verify(got.body, dict(got.headers))


def test_a_message_is_tried_ten_times_ever_later_under_one_id(house: Runtime, games: Games, listener: Listener) -> None:
    person = alice(games)
    webhook, _ = hook(house, person.id, listener)
    listener.reply, now = Reply(500), clock.now()
    row_id = sent_test(house, person.id, webhook)
    for number, wait in enumerate(RETRIES, 1):
        row, tried_at = at(house, row_id, now), clock.now()
        assert (row.state, row.attempts) == ("pending", number)
        assert wait - timedelta(seconds=5) < row.not_before - tried_at <= wait * (1 + JITTER)
        (entry,) = log(house, webhook)
        assert (entry["state"], entry["attempts"], entry["code"]) == ("pending", number, 500)
        assert entry["next_at"] == row.not_before.isoformat()
        now += wait
    assert at(house, row_id, now).state == "dead"
    (entry,) = log(house, webhook)
    assert (entry["state"], entry["attempts"], entry["next_at"]) == ("failed", 10, None)
    assert len({each.headers["webhook-id"] for each in listener.received}) == 1
    assert len({each.body for each in listener.received}) == 1
    assert len({each.headers["webhook-timestamp"] for each in listener.received}) == 10
    assert [round(wait.total_seconds()) for wait in RETRIES] == [
        *(5, 5 * 60, 30 * 60),
        *(hours * 3600 for hours in (2, 5, 10, 14, 20, 24)),
    ]


@pytest.mark.parametrize("status", [300, 301, 302, 307, 400, 404, 429, 503])
def test_only_a_status_from_200_to_299_says_that_it_has_arrived(
    house: Runtime, games: Games, listener: Listener, status: int
) -> None:
    person = alice(games)
    webhook, _ = hook(house, person.id, listener)
    row_id = sent_test(house, person.id, webhook)
    listener.reply = Reply(status, {"Location": listener.url})
    assert at(house, row_id, clock.now()).state == "pending"
    assert shown(house, person.id, webhook)["failing_since"]
    listener.reply = Reply(204)
    assert at(house, row_id, clock.now()).state == "done"
    assert shown(house, person.id, webhook)["failing_since"] is None
    assert len(listener.received) == 2


@pytest.mark.parametrize(
    ("status", "said", "waits"),
    [
        (429, "120", timedelta(seconds=120)),
        (503, "Fri, 01 Jan 2100 00:00:00 GMT", timedelta(days=1)),
        (429, "9" * 40, timedelta(days=1)),
        (429, "soon", RETRIES[0]),
        (429, "1", RETRIES[0]),
        (429, "-5", RETRIES[0]),
        (500, "120", RETRIES[0]),
    ],
)
def test_a_server_is_left_alone_for_as_long_as_it_asks_and_no_longer_than_a_day(
    house: Runtime, games: Games, listener: Listener, status: int, said: str, waits: timedelta
) -> None:
    person = alice(games)
    webhook, _ = hook(house, person.id, listener)
    listener.reply = Reply(status, {"Retry-After": said})
    row = at(house, sent_test(house, person.id, webhook), clock.now())
    assert waits - timedelta(seconds=5) < row.not_before - clock.now() <= waits * (1 + JITTER)


def test_what_failed_or_arrived_may_be_sent_again_under_the_same_id(
    house: Runtime, games: Games, listener: Listener
) -> None:
    person = alice(games)
    webhook, secret = hook(house, person.id, listener)
    row_id = sent_test(house, person.id, webhook)
    run_out(house)
    (entry,) = log(house, webhook)
    assert (entry["state"], entry["code"]) == ("delivered", 200)
    handlers.send_again(games, person.id, webhook, UUID(entry["id"]))
    run_out(house)
    one, two = listener.received
    assert one.headers["webhook-id"] == two.headers["webhook-id"] == f"msg_{UUID(entry['id']).hex}"
    assert Webhook(secret).verify(two.body, dict(two.headers))["type"] == "webhook.test"
    handlers.send_again(games, person.id, webhook, UUID(entry["id"]))
    listener.reply = Reply(500)
    assert at(house, row_id, clock.now()).attempts == 1
    handlers.send_again(games, person.id, webhook, UUID(entry["id"]))
    listener.reply = Reply(200)
    run_out(house)
    assert log(house, webhook)[0]["state"] == "delivered"


def test_whoever_answers_410_is_not_called_any_more(house: Runtime, games: Games, listener: Listener) -> None:
    person = alice(games)
    webhook, _ = hook(house, person.id, listener)
    listener.reply = Reply(410)
    waiting = sent_test(house, person.id, webhook)
    assert at(house, sent_test(house, person.id, webhook), clock.now()).state == "dead"
    now_off = shown(house, person.id, webhook)
    assert (now_off["active"], now_off["disabled"]) == (False, "gone")
    assert at(house, waiting, clock.now()).state == "skipped"
    assert len(listener.received) == 1
    handlers.change(games, Rules(house.vault, True), person.id, webhook, {"active": True})
    assert shown(house, person.id, webhook)["disabled"] is None


def test_a_webhook_that_fails_for_days_is_switched_off_and_says_why(
    house: Runtime, games: Games, listener: Listener
) -> None:
    person = alice(games)
    webhook, _ = hook(house, person.id, listener)
    listener.reply = Reply(500)
    first, last = (sent_test(house, person.id, webhook) for _ in range(2))
    at(house, first, NOON)
    at(house, first, NOON + GIVEN_UP_AFTER - timedelta(seconds=1))
    assert shown(house, person.id, webhook)["active"]
    at(house, last, NOON + GIVEN_UP_AFTER)
    now_off = shown(house, person.id, webhook)
    assert (now_off["active"], now_off["disabled"]) == (False, "failing")
    assert now_off["failing_since"] == NOON.isoformat()
    handlers.change(games, Rules(house.vault, True), person.id, webhook, {"active": True})
    now_on = shown(house, person.id, webhook)
    assert (now_on["active"], now_on["disabled"], now_on["failing_since"]) == (True, None, None)


def test_an_address_inside_is_not_called_even_if_it_has_come_into_the_database(
    house: Runtime, games: Games, listener: Listener
) -> None:
    person = alice(games)
    webhook, _ = hook(house, person.id, listener)
    assert at(house, sent_test(house, person.id, webhook), clock.now(), Caller()).state == "pending"
    (entry,) = log(house, webhook)
    assert (entry["code"], entry["error"]) == (None, "address-refused")
    assert listener.connections == 0


def test_without_the_key_nothing_goes_out_unsigned(house: Runtime, games: Games, listener: Listener) -> None:
    person = alice(games)
    webhook, _ = hook(house, person.id, listener)
    row_id = sent_test(house, person.id, webhook)
    assert at(replace(house, vault=None), row_id, clock.now()).state == "pending"
    assert log(house, webhook)[0]["error"] == "no-secret"
    assert listener.connections == 0
