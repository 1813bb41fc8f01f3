"""Bodies, headers and addresses that nobody means well with: always a problem, never a 500, and nothing changes."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import text

from service.http.request import MAX_BODY_BYTES
from service.store.games import Games, Position
from tests.builders import now_at, started
from tests.people import Person, alice, bob, carol
from tests.rest import PROBLEM, Caller, refused

MALFORMED = {
    "nothing": b"",
    "spaces": b"   ",
    "a word": b"hello",
    "half an object": b'{"decision": 1',
    "two values": b"{} {}",
    "single quotes": b"{'decision': 1}",
    "a trailing comma": b'{"decision": 1,}',
    "latin-1": '{"notation": "é"}'.encode("latin-1"),
    "utf-16": '{"decision": 1}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"decision": 1}',
    "an overlong encoding": b'{"notation": "\xc0\x80"}',
    "a raw control character": b'{"notation": "a\nb"}',
    "not a number": b'{"decision": NaN}',
    "infinity": b'{"decision": Infinity}',
    "ten thousand digits": b'{"decision": ' + b"1" * 10_000 + b"}",
    "a key twice": b'{"decision": 1, "decision": 2}',
    "a key twice further in": b'{"decision": 1, "action": {"type": "hold", "type": "bid"}}',
    "thirty thousand brackets": b"[" * 30_000,
    "ten thousand objects": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "seventeen levels": b"[" * 17 + b"]" * 17,
    "a string of half a surrogate as raw bytes": b'{"notation": "\xed\xa0\x80"}',
}

MISSHAPEN: dict[str, Any] = {
    "null": None,
    "a list": [],
    "a text": "hold",
    "a number": 1,
    "an empty object": {},
    "no action": {"decision": 1},
    "no decision": {"action": {"type": "hold"}},
    "a decision of text": {"decision": "1", "action": {"type": "hold"}},
    "a decision of truth": {"decision": True, "action": {"type": "hold"}},
    "a decision with a fraction": {"decision": 1.5, "action": {"type": "hold"}},
    "a decision of 1.0": {"decision": 1.0, "action": {"type": "hold"}},
    "a negative decision": {"decision": -1, "action": {"type": "hold"}},
    "a huge decision": {"decision": 10**30, "action": {"type": "hold"}},
    "an endless decision": {"decision": 1e308, "action": {"type": "hold"}},
    "an unknown field": {"decision": 1, "action": {"type": "hold"}, "seat": 1},
    "an odd unknown field": {"decision": 1, "action": {"type": "hold"}, "\ud800\x00": 1},
    "an action of text": {"decision": 1, "action": "hold"},
    "an action of null": {"decision": 1, "action": None},
    "an action of nothing": {"decision": 1, "action": {}},
    "a tag of a list": {"decision": 1, "action": {"type": ["hold"]}},
    "a tag of an object": {"decision": 1, "action": {"type": {}}},
    "an unknown tag": {"decision": 1, "action": {"type": "__class__"}},
    "a field of another action": {"decision": 1, "action": {"type": "hold", "card": 1}},
    "a card beyond measure": {"decision": 1, "action": {"type": "bid", "card": 2**63}},
    "a card of nesting": {"decision": 1, "action": {"type": "bid", "card": [[[[[1]]]]]}},
    "a notation of nothing": {"decision": 1, "notation": ""},
    "a notation of spaces": {"decision": 1, "notation": "   "},
    "a notation with NUL": {"decision": 1, "notation": "hold\x00"},
    "a notation with an escape": {"decision": 1, "notation": "hold\x1b[2J"},
    "a notation with half a surrogate": {"decision": 1, "notation": "hold\ud83d"},
    "a notation with a line end": {"decision": 1, "notation": "hold\n"},
    "a notation with a line separator": {"decision": 1, "notation": "hold\u2028hold"},
    "a long notation": {"decision": 1, "notation": "h" * 201},
    "a notation of digits of another script": {"decision": 1, "notation": "bid ٣"},
}

PLAYERS: dict[str, Any] = {
    "no name": {},
    "an empty name": {"name": ""},
    "a name of a space": {"name": " "},
    "a long name": {"name": "a" * 61},
    "a name with NUL": {"name": "a\x00b"},
    "a name with half a surrogate": {"name": "\udfff"},
    "a name with a line end": {"name": "Alice\r\nBcc: everyone@example.org"},
    "a name of a number": {"name": 7},
    "a mail address of two": {"name": "a", "email": "a@example.org, b@example.org"},
    "a mail address with a header": {"name": "a", "email": "a@example.org\r\nBcc: b@example.org"},
    "a mail address with a final line end": {"name": "a", "email": "a@example.org\n"},
    "a mail address without a place": {"name": "a", "email": "alice"},
    "a long mail address": {"name": "a", "email": "a" * 250 + "@example.org"},
    "a language of words": {"name": "a", "language": "english"},
    "a token of one's own": {"name": "a", "token": "brd_1"},
}


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def position(games: Games, people: list[Person]) -> Position:
    return started(games, "sealed-bids", people)


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_what_cannot_be_read_is_a_problem(body: bytes, api: Caller, people: list[Person], position: Position) -> None:
    path = f"/games/{position.game.id}/actions"
    refused(api.by(people[0]).raw(path, body), 400, "malformed-json")
    refused(api.raw("/players", body), 400, "malformed-json")


@pytest.mark.parametrize("body", MISSHAPEN.values(), ids=MISSHAPEN)
def test_what_has_the_wrong_form_is_a_problem(
    body: Any, api: Caller, games: Games, people: list[Person], position: Position
) -> None:
    answer = api.by(people[0]).raw(f"/games/{position.game.id}/actions", json.dumps(body).encode())
    assert (answer.status_code, answer.content_type) == (422, PROBLEM)
    assert len(answer.data) < 2000
    assert now_at(games, position.game.id) == position


@pytest.mark.parametrize("body", PLAYERS.values(), ids=PLAYERS)
def test_nobody_is_registered_under_an_odd_name(body: Any, api: Caller, games: Games) -> None:
    before = _players(games)
    refused(api.raw("/players", json.dumps(body).encode()), 422, "validation")
    assert _players(games) == before


def test_a_huge_body_is_refused_even_without_its_length(app: Flask, people: list[Person]) -> None:
    headers = {"Authorization": f"Bearer {people[0].token}", "Content-Type": "application/json"}
    chunked = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True}
    for environ in ({}, chunked):
        for body in (b'"' + b"a" * MAX_BODY_BYTES + b'"', b"{}" + b" " * MAX_BODY_BYTES, b"1" * (MAX_BODY_BYTES * 3)):
            answer = app.test_client().post("/api/v1/games", data=body, headers=headers, environ_overrides=environ)
            refused(answer, 413, "payload-too-large")


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain", ""])
def test_only_json_is_read(kind: str, api: Caller, people: list[Person]) -> None:
    refused(api.by(people[0]).raw("/games", b"ruleset=sealed-bids&seats=3", kind), 415, "unsupported-media-type")


@pytest.mark.parametrize(("coding", "status"), [("gzip", 415), ("br", 415), ("identity", 201), ("Identity", 201)])
def test_a_compressed_body_is_refused_and_not_taken_for_a_plain_one(coding: str, status: int, api: Caller) -> None:
    answer = api.post("/players", {"name": "Alice"}, Content_Encoding=coding)
    assert answer.status_code == status
    if status == 415:
        assert "Content-Encoding" in refused(answer, 415, "unsupported-media-type")["detail"]


def test_errors_of_routing_are_problems_too(app: Flask) -> None:
    client = app.test_client()
    refused(client.get("/api/v1/nothing"), 404, "not-found")
    refused(client.get("/api/v1/games/"), 404, "not-found")
    refused(client.get("/api//v1/me"), 404, "not-found")
    wrong = client.delete("/api/v1/games")
    refused(wrong, 405, "method-not-allowed")
    assert set(wrong.headers["Allow"].split(", ")) == {"GET", "HEAD", "POST"}
    refused(client.open("/api/v1/me", method="OPTIONS"), 405, "method-not-allowed")


@pytest.mark.parametrize("address", ["%00", "%FF", "..%2F..", "{id}", "'; drop table game; --", "💥", "0" * 5000])
def test_odd_addresses_lead_nowhere(address: str, api: Caller, people: list[Person]) -> None:
    refused(api.by(people[0]).get(f"/games/{address}/events"), 404, "not-found")


@pytest.mark.parametrize("query", ["after=-1", "after=1.5", "after=٣", "after=9" + "9" * 30, "limit=501", "limit="])
def test_odd_parameters_are_problems(query: str, api: Caller, people: list[Person], position: Position) -> None:
    refused(api.by(people[0]).get(f"/games/{position.game.id}/events?{query}"), 422, "validation")


@pytest.mark.parametrize("raw", ["\xff", "after=\xff\xfe", "%FF=%ZZ&=&&"])
def test_a_query_of_odd_bytes_is_a_problem(raw: str, api: Caller, people: list[Person], position: Position) -> None:
    caller, path = api.by(people[0]), f"/api/v1/games/{position.game.id}/events"
    sent = {"Authorization": f"Bearer {caller.token}"}
    answer = api.client.get(path, headers=sent, environ_overrides={"QUERY_STRING": raw})
    refused(answer, 422, "validation")


def test_a_body_that_ends_before_its_length_is_refused(api: Caller, games: Games) -> None:
    who = {"Authorization": f"Bearer {alice(games).token}"}
    sent = b'{"ruleset": "new-corp-order", "seats": 2}'
    about: Any = {"data": sent, "content_type": "application/json", "headers": who}
    whole, broken = (
        api.client.post("/api/v1/games", environ_overrides={"CONTENT_LENGTH": str(length)}, **about)
        for length in (len(sent), len(sent) + 1)
    )
    assert whole.status_code == 201
    refused(broken, 400, "bad-request")


def test_a_request_id_is_taken_over_only_in_a_harmless_form(api: Caller) -> None:
    mine = str(uuid4())
    assert api.get("/rulesets", X_Request_Id=mine).headers["X-Request-Id"] == mine
    for odd in ("short", "a" * 65, "with spaces in it", '{"x":"yyyyyy"}'):
        assert api.get("/rulesets", X_Request_Id=odd).headers["X-Request-Id"] != odd


def _players(games: Games) -> int:
    with games.engine.connect() as db:
        return int(db.execute(text("select count(*) from player")).scalar_one())
