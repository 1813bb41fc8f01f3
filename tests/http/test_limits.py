"""Limits: enforced, told in headers, the same everywhere, and never in the way of a legal action."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from uuid import uuid4

import pytest
from flask import Flask
from freezegun import freeze_time
from werkzeug.test import TestResponse

from service.api.contract import Answers, Resource
from service.app import create_app
from service.http.limit_table import BUCKETS, MAIL_LIMITS, RATE_LIMITS
from service.http.limits import admit_mail, limits_page
from service.http.waiting_slots import (
    MAX_STREAMS,
    MAX_STREAMS_PER_NETWORK,
    MAX_WAITS,
    WAITING_SHARE,
    WAITING_SLOTS,
    Full,
    WaitingSlots,
)
from service.runtime import Runtime
from service.settings import WEB_PROCESSES
from service.shared.network import network
from service.shared.refusal import RateLimited
from service.store.games import Games, Position
from tests.builders import opened, started
from tests.people import alice, bob, carol
from tests.rest import Caller, refused

# In the future: the thread that clears what is counted in memory goes by the real clock.
FULL_HOUR, A_MINUTE_LATER = "2100-01-01 12:00:00", "2100-01-01 12:01:00"
SMALL = 0.01
"""Leaves twelve readings and two refused actions a minute, and one new player and one new game an hour."""

Limited = Callable[..., Caller]


@pytest.fixture(autouse=True)
def _at_the_beginning_of_a_window() -> Iterator[None]:
    with freeze_time(FULL_HOUR, tick=True):
        yield


@pytest.fixture
def limited(runtime: Runtime, redis_url: str) -> Limited:
    """Makes an app that limits, for a caller with an address of its own."""

    def make(factor: float = SMALL, address: str | None = None, redis: str | None = redis_url, **more: int) -> Caller:
        settings = replace(runtime.settings, rate_limits=factor, redis_url=redis, **more)
        client = create_app(replace(runtime, settings=settings)).test_client()
        client.environ_base["REMOTE_ADDR"] = address or str(uuid4())
        return Caller(client)

    return make


def test_every_answer_says_where_one_stands(limited: Limited, games: Games) -> None:
    caller = limited().by(alice(games))
    assert caller.get("/me").headers["RateLimit-Policy"] == '"reading";q=12;w=60'
    assert _left(caller.get("/games")) == ("reading", 10)
    assert _left(caller.get(f"/games/{uuid4()}")) == ("reading", 9)
    assert _left(caller.post(f"/games/{uuid4()}/seats")) == ("writing", 1)
    assert _left(caller.post("/games", {"ruleset": "nonsense", "seats": 3})) == ("games", 0)


def test_one_too_many_is_refused_until_the_next_window(limited: Limited, games: Games) -> None:
    caller = limited().by(alice(games))
    assert {caller.get("/me").status_code for _ in range(12)} == {200}
    answer = caller.get("/me")
    problem = refused(answer, 429, "rate-limited")
    assert problem["bucket"] == "reading"
    assert 55 <= problem["seconds"] <= 60
    assert answer.headers["Retry-After"] == str(problem["seconds"])
    assert answer.headers["RateLimit"] == f'"reading";r=0;t={problem["seconds"]}'
    assert caller.post(f"/games/{uuid4()}/seats").status_code == 404
    with freeze_time(A_MINUTE_LATER, tick=True):
        assert _left(caller.get("/me")) == ("reading", 11)


def test_accounts_are_counted_apart_wherever_they_come_from(limited: Limited, games: Games) -> None:
    people, caller = [alice(games), bob(games)], limited()
    for _ in range(13):
        answer = caller.by(people[0]).get("/me")
    refused(answer, 429, "rate-limited")
    assert _left(caller.by(people[1]).get("/me")) == ("reading", 11)
    refused(limited().by(people[0]).get("/me"), 429, "rate-limited")


def test_who_has_no_token_is_counted_by_address(limited: Limited) -> None:
    caller = limited(address="203.0.113.1")
    for _ in range(12):
        refused(caller.get("/me"), 401, "unauthenticated")
    refused(caller.get("/me"), 429, "rate-limited")
    refused(caller.get("/rulesets"), 429, "rate-limited")
    assert limited(address="203.0.113.2").get("/rulesets").status_code == 200


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("198.51.100.1", "198.51.100.2", False),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::9", True),
        ("2001:db8:0:2::1", "2001:db8:0:3::1", False),
    ],
)
def test_new_players_are_counted_by_address(first: str, second: str, together: bool, limited: Limited) -> None:
    assert limited(address=first).post("/players", {"name": "Alice"}).status_code == 201
    refused(limited(address=first).post("/players", {"name": "Alice"}), 429, "rate-limited")
    assert limited(address=second).post("/players", {"name": "Alice"}).status_code == (429 if together else 201)


def test_an_address_is_taken_from_a_proxy_only_where_there_is_one(limited: Limited) -> None:
    for proxies, statuses in ((0, [201, 429, 429]), (1, [201, 201, 429])):
        caller = limited(address=f"192.0.2.{proxies}", proxies=proxies)
        claimed = ("9.9.9.9, 192.0.2.77", "9.9.9.9, 192.0.2.78", "9.9.9.8, 192.0.2.78")
        answers = [caller.post("/players", {"name": "Alice"}, X_Forwarded_For=each) for each in claimed]
        assert [answer.status_code for answer in answers] == statuses


def test_a_legal_first_action_is_taken_when_every_limit_is_used_up(limited: Limited, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    caller = limited().by(people[0])
    for use in (
        lambda: caller.get("/me"),
        lambda: caller.post(f"/games/{position.game.id}/start"),
        lambda: caller.post("/games", {"ruleset": "sealed-bids", "seats": 3}),
        lambda: caller.post("/players", {"name": "Alice"}),
        lambda: _bid(caller, position, -1),
    ):
        _until_refused(use)
    answer = _bid(caller, position, position.state.hands[0][0])
    assert answer.status_code == 201, answer.text
    assert _left(answer) == ("actions", 0)
    # Whatever is not a legal first action has to wait: one that comes twice, too late, too early, or is not legal.
    refused(_bid(caller, position, position.state.hands[0][1]), 429, "rate-limited")
    for other in people[1:]:
        limited().by(other).act(position.game.id, 1, {"type": "hold"})
    refused(_bid(caller, position, position.state.hands[0][1]), 429, "rate-limited")
    refused(caller.act(position.game.id, 99, {"type": "hold"}), 429, "rate-limited")
    refused(caller.act(position.game.id, 2, "nonsense"), 429, "rate-limited")
    refused(caller.raw(f"/games/{position.game.id}/actions", b"{"), 429, "rate-limited")
    assert caller.act(position.game.id, 2, {"type": "hold"}).status_code == 201


def test_only_refused_actions_count(limited: Limited, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    caller = limited().by(people[0])
    assert _left(caller.act(position.game.id, 1, {"type": "hold"})) == ("actions", 2)
    answer = caller.act(position.game.id, 1, {"type": "hold"})
    refused(answer, 409, "not-your-turn")
    assert _left(answer) == ("actions", 1)


def test_a_game_that_has_not_begun_has_no_turn_to_protect(limited: Limited, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    game = opened(games, "sealed-bids", people)
    caller = limited().by(people[0])
    _until_refused(lambda: caller.act(game, 1, {"type": "hold"}))


def test_the_limits_in_force_are_listed(limited: Limited) -> None:
    for factor in (1, SMALL):
        listed = limited(factor).get("/limits").json
        assert listed
        table = [*RATE_LIMITS, *MAIL_LIMITS]
        assert [each["bucket"] for each in listed["items"]] == [*BUCKETS, "mails", "mails-confirmed"]
        assert [each["quota"] for each in listed["items"]] == [max(1, round(each.quota * factor)) for each in table]
    assert listed["items"][2]["counts"] == "refusals"
    open_at_once = [(each["most"], each["processes"], each["per"]) for each in listed["open"]]
    assert open_at_once == [
        (MAX_STREAMS, WEB_PROCESSES, "account"),
        (MAX_STREAMS_PER_NETWORK, WEB_PROCESSES, "address"),
        (MAX_WAITS, WEB_PROCESSES, "account"),
    ]


def test_the_number_of_web_processes_and_of_their_threads_is_that_of_the_settings(limited: Limited) -> None:
    client = limited(web_processes=5, web_threads=400).client
    listed = Caller(client).get("/limits").json
    assert listed
    assert {each["processes"] for each in listed["open"]} == {5}
    slots = client.application.extensions[WAITING_SLOTS]
    for _ in range(400 // WAITING_SHARE):
        slots.wait(uuid4())
    with pytest.raises(Full):
        slots.wait(uuid4())


def test_the_document_says_how_many_may_be_open_in_one_process_and_in_all() -> None:
    assert f"| Streams of events. | {MAX_STREAMS} | {WEB_PROCESSES} | {MAX_STREAMS * WEB_PROCESSES} |" in limits_page()
    assert (
        f"| Requests that wait for events. | {MAX_WAITS} | {WEB_PROCESSES} | {MAX_WAITS * WEB_PROCESSES} |"
        in limits_page()
    )


def test_a_player_is_told_where_the_account_stands(limited: Limited, games: Games) -> None:
    caller = limited().by(alice(games))
    caller.get("/games")
    me = caller.get("/me").json
    assert me
    assert [(each["bucket"], each["left"]) for each in me["limits"]] == [
        ("reading", 10),
        ("writing", 2),
        ("actions", 2),
        ("games", 1),
        ("streams", 1),
        ("records", 1),
        ("absences", 1),
    ]
    assert all(0 < each["reset"] <= each["window"] for each in me["limits"])


def test_without_limits_nothing_is_counted_or_said(limited: Limited, games: Games) -> None:
    caller = limited(0).by(alice(games))
    assert limited(0).get("/limits").get_json()["items"] == []
    answers = [caller.get("/me") for _ in range(20)]
    assert not {"RateLimit", "RateLimit-Policy"} & set(dict(answers[-1].headers))
    assert answers[-1].json
    assert answers[-1].json["limits"] == []


def test_without_redis_each_process_counts_by_itself(limited: Limited, games: Games) -> None:
    person = alice(games)
    for redis in (None, "redis://127.0.0.1:1/0"):
        caller = limited(redis=redis).by(person)
        assert {caller.get("/me").status_code for _ in range(12)} == {200}
        refused(caller.get("/me"), 429, "rate-limited")


def test_sign_in_mails_are_counted_by_mail_address_in_any_spelling(limited: Limited) -> None:
    app: Flask = limited(1).client.application
    with app.test_request_context():
        for address in ("dora@example.org", "Dora@example.org", "dora@EXAMPLE.org"):
            admit_mail(address)
        admit_mail("erin@example.org")
        with pytest.raises(RateLimited) as refusal:
            admit_mail("DORA@example.org")
    assert refusal.value.members["bucket"] == "sign-in-mail"


def test_trial_mails_are_counted_with_sign_in_mails(limited: Limited, games: Games) -> None:
    callers = [limited(1).by(alice(games, "tries@example.org")) for _ in range(2)]
    assert [caller.post("/me/mail/trial").status_code for caller in [*callers, callers[0]]] == [202] * 3
    body = refused(callers[1].post("/me/mail/trial"), 429, "rate-limited")
    assert body["bucket"] == "sign-in-mail"


def test_an_operation_cannot_name_a_bucket_that_is_not_in_the_table() -> None:
    with pytest.raises(KeyError, match="nonsense"):
        Resource("odd", __name__, description="Odd.").operation("/odd", Answers(), public=True, bucket="nonsense")


def _bid(caller: Caller, position: Position, card: int) -> TestResponse:
    return caller.act(position.game.id, 1, {"type": "bid", "card": card})


def _until_refused(use: Callable[[], TestResponse]) -> None:
    """Do it until the limit is used up; the smallest of the tests' limits leave at most twelve."""
    assert 429 in [use().status_code for _ in range(13)]


def _left(answer: TestResponse) -> tuple[str, int]:
    """Return the bucket in which a request was counted and how many are left in it."""
    bucket, left, _ = answer.headers["RateLimit"].split(";")
    return bucket.strip('"'), int(left.removeprefix("r="))


# Where requests are counted by where they come from, one address is one client, and so is the network of one.


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("", "unknown"),
        ("192.0.2.1:80", "unknown"),
    ],
)
def test_an_address_counts_as_its_network(address: str, counted: str) -> None:
    assert network(address) == counted


# Places for requests that wait: of an account, of a network, and in all.


def test_there_are_so_many_places_and_each_is_given_back_once() -> None:
    slots, one, other = WaitingSlots(places=MAX_STREAMS + 1), uuid4(), uuid4()
    leave, *_ = [slots.stream(one, "192.0.2.1") for _ in range(MAX_STREAMS)]
    with pytest.raises(Full) as own:
        slots.stream(one, "192.0.2.1")
    slots.wait(one)
    with pytest.raises(Full) as all_taken:
        slots.stream(other, "192.0.2.1")
    assert (own.value.whose, all_taken.value.whose) == ("own", None)
    leave()
    leave()
    slots.stream(other, "192.0.2.1")
    with pytest.raises(Full):
        slots.stream(one, "192.0.2.1")


def test_a_network_has_so_many_streams_whoever_opens_them() -> None:
    slots = WaitingSlots()
    leave = [slots.stream(uuid4(), "192.0.2.1") for _ in range(MAX_STREAMS_PER_NETWORK)]
    with pytest.raises(Full) as full:
        slots.stream(uuid4(), "192.0.2.1")
    assert full.value.whose == "network"
    slots.stream(uuid4(), "192.0.2.2")
    slots.wait(uuid4())
    leave[0]()
    slots.stream(uuid4(), "192.0.2.1")
