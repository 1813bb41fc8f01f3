"""Problems in the language of the caller: `detail` is translated, clients go by `type`, and `title` stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask, Response
from sqlalchemy import event

from service.app import create_app
from service.http.problems import problem
from service.http.request import MAX_BODY_BYTES
from service.runtime import Runtime
from service.shared.refusal import REFUSALS, Refusal
from service.store.fast_path import hand_of
from tests.api.detail_texts import TEXTS
from tests.builders import opened, started
from tests.people import alice, bob, carol, register
from tests.rest import Caller, refused

TAKE_OVER = {"type": "take-over", "source": "A1", "target": "C3", "agents": 1}
GAME = {"ruleset": "new-corp-order", "seats": 2}
ILLEGAL = {"decision": 1, "action": TAKE_OVER}

REFUSED: Mapping[str, tuple[Any, ...]] = {
    "unauthenticated": ("nobody", "GET", "/me"),
    "scope-missing": ("reader", "GET", "/me"),
    "not-found": ("nobody", "GET", "/nowhere"),
    "not-found-seat": ("alice", "GET", "{running}/record?seat=9"),
    "method-not-allowed": ("alice", "DELETE", "/games"),
    "validation": ("alice", "POST", "/games", {**GAME, "seats": "two"}),
    "unknown-ruleset": ("alice", "POST", "/games", {**GAME, "ruleset": "chess"}),
    "bad-option": ("alice", "POST", "/games", {**GAME, "seats": 9}),
    "unknown-game": ("alice", "GET", f"/games/{uuid4()}"),
    "not-seated": ("stranger", "GET", "{running}/notes"),
    "not-host": ("bob", "POST", "{waiting}/start"),
    "not-open-taken": ("bob", "POST", "{waiting}/seats"),
    "not-open-started": ("alice", "POST", "{running}/start"),
    "game-not-running-open": ("alice", "GET", "{waiting}/board"),
    "game-not-over": ("alice", "POST", "{running}/rematch"),
    "stale-decision": ("alice", "POST", "{running}/actions", {**ILLEGAL, "decision": 7}),
    "not-your-turn": ("bob", "POST", "{running}/actions", ILLEGAL),
    "unreadable-notation": ("alice", "POST", "{running}/actions", {"decision": 1, "notation": "castle king side"}),
    "nothing-to-take-back": ("alice", "POST", "{running}/take-back", {"decision": 1}),
    "unknown-webhook": ("alice", "GET", f"/webhooks/{uuid4()}"),
    "unknown-invitation": ("nobody", "GET", f"/invitations/{'a' * 26}"),
    "unknown-ticket": ("nobody", "GET", f"/streams/{'a' * 26}"),
}
"""Caller and request behind each refusal, by the text that says why."""

UNREAD: Mapping[str, tuple[bytes, str]] = {
    "malformed-json": (b"{", "application/json"),
    "malformed-json-deep": (b"[" * 20 + b"]" * 20, "application/json"),
    "malformed-json-twice": (b'{"seats": 1, "seats": 2}', "application/json"),
    "malformed-json-infinite": (b'{"seats": NaN}', "application/json"),
    "payload-too-large": (b" " * (MAX_BODY_BYTES + 1), "application/json"),
    "unsupported-media-type": (b"seats=2", "application/x-www-form-urlencoded"),
}
"""Bodies that Alice posts, and as what."""


@dataclass(frozen=True, slots=True)
class House:
    """A game that waits for Alice's first action, a table that has not begun, and those who ask, by name."""

    running: str
    waiting: str
    callers: Mapping[str, Caller]

    def ask(self, who: str, method: str, path: str, body: Any = None, **headers: str) -> Any:
        where = path.format(running=self.running, waiting=self.waiting)
        return self.callers[who].call(method, where, body, **headers)


@pytest.fixture(scope="module")
def house(app: Flask, runtime: Runtime) -> House:
    """Alice reads English and Bob German; Carol's token only reads games, and we do not speak Eva's language."""
    games, nobody = runtime.games, Caller(app.test_client())
    people = [alice(games, email=None), bob(games, email=None), carol(games, email=None)]
    made = nobody.by(people[2]).post("/tokens", {"label": "reader", "scopes": ["games:read"]}).json
    assert made
    callers = {
        "nobody": nobody,
        "alice": nobody.by(people[0]),
        "bob": nobody.by(people[1]),
        "reader": Caller(nobody.client, made["token"]),
        "stranger": nobody.by(register(games, "Eva", None, "eo")),
    }
    running = started(games, "new-corp-order", people[:2], **{"first-player": 0}).game.id
    return House(f"/games/{running}", f"/games/{opened(games, 'sealed-bids', people)}", callers)


@pytest.mark.parametrize("language", TEXTS)
def test_what_was_refused_is_said_in_the_language_asked_for(house: House, language: str) -> None:
    wish = {"Accept_Language": language}
    answers = {name: house.ask(*asked, **wish) for name, asked in REFUSED.items()}
    answers |= {name: house.callers["alice"].raw("/games", *sent, **wish) for name, sent in UNREAD.items()}
    for name, answer in answers.items():
        code = str(answer.json["type"]).removeprefix("/problems/")
        body = refused(answer, REFUSALS[code].status, code)
        assert name.startswith(code)
        assert (body["detail"], body["title"]) == (TEXTS[language][name].format_map(body), REFUSALS[code].title)
        assert answer.headers["Content-Language"] == language
        assert answer.headers["Vary"] == "Authorization, Accept-Language"


@pytest.mark.parametrize("language", TEXTS)
def test_every_case_of_every_problem_is_said_in_every_language(runtime: Runtime, language: str) -> None:
    app = create_app(runtime)
    values = {"most": 7, "last": 12, "scope": "games:play", "reason": "spam", "part": '"castle" (P 1)', "days": "easy"}

    @app.get("/api/v1/refused/<code>/<case>")
    def refuse(code: str, case: str) -> Response:
        blanks = {blank for _, blank, _, _ in Formatter().parse(TEXTS["en"][named(code, case)]) if blank}
        refusal = REFUSALS[code].__new__(REFUSALS[code])
        Refusal.__init__(refusal, None if case == "-" else case, **{blank: values[blank] for blank in blanks})
        return problem(refusal)

    client = app.test_client()
    for name, said in TEXTS[language].items():
        code = max((code for code in REFUSALS if name == code or name.startswith(f"{code}-")), key=len)
        case = name.removeprefix(code).removeprefix("-") or "-"
        answer = client.get(f"/api/v1/refused/{code}/{case}", headers={"Accept-Language": language})
        body = refused(answer, REFUSALS[code].status, code)
        assert body["detail"] == said.format_map(values)
        assert "{" not in body["detail"] or code == "webhook-inactive"


def named(code: str, case: str) -> str:
    """Return the name of the text for a case of a problem; `-` is none."""
    return code if case == "-" else f"{code}-{case}"


@pytest.mark.parametrize(
    ("wish", "language"),
    [
        ("de-AT, en;q=0.5", "de"),
        ("FR-ca", "fr"),
        ("eo, fr;q=0.2, en;q=0.1", "fr"),
        ("en", "en"),
        ("eo", "de"),
        ("*", "de"),
        ("fr;q=0, *", "de"),
        ("de;q=x, ,;;=\x01", "de"),
        ("", "de"),
        (None, "de"),
    ],
)
def test_the_language_asked_for_comes_before_that_of_the_account(house: House, wish: str | None, language: str) -> None:
    headers = {} if wish is None else {"Accept_Language": wish}
    for name in ("not-host", "not-your-turn", "not-open-taken"):
        answer = house.ask(*REFUSED[name], **headers)
        assert (answer.json["detail"], answer.headers["Content-Language"]) == (TEXTS[language][name], language)


def test_a_language_that_nobody_here_speaks_is_answered_in_english(house: House) -> None:
    for who in ("nobody", "stranger"):
        answer = house.ask(who, "GET", "/nowhere", Accept_Language="eo, tlh;q=0.5")
        assert (answer.json["detail"], answer.headers["Content-Language"]) == (TEXTS["en"]["not-found"], "en")
    assert house.ask(*REFUSED["not-seated"]).json["detail"] == TEXTS["en"]["not-seated"]


def test_what_the_rules_forbid_is_said_in_the_same_language_as_all_else(house: House) -> None:
    said = {wish: house.ask("alice", "POST", "{running}/actions", ILLEGAL, Accept_Language=wish) for wish in TEXTS}
    for wish, answer in said.items():
        assert refused(answer, 409, "illegal-action")["language"] == answer.headers["Content-Language"] == wish
    assert len({answer.json["detail"] for answer in said.values()}) == len(TEXTS)
    dry = house.ask("alice", "POST", "{running}/actions?dry_run=true", ILLEGAL, Accept_Language="fr")
    assert dry.json["detail"] == said["fr"].json["detail"]
    assert house.ask("alice", "POST", "{running}/actions", ILLEGAL).json["detail"] == said["en"].json["detail"]


def test_what_is_said_of_the_form_of_a_request_is_for_programmers(house: House) -> None:
    body = house.ask(*REFUSED["validation"], Accept_Language="fr").json
    assert body["errors"] == [{"pointer": "/seats", "detail": "Not a valid integer."}]


def test_the_language_takes_no_statement(house: House, runtime: Runtime) -> None:
    said: list[str] = []

    def note(*call: Any) -> None:
        said.append(call[2])

    cases = ("not-found", "stale-decision", "not-host", "game-not-running-open")
    # The first use of a token is noted, by one statement more.
    for name in cases:
        house.ask(*REFUSED[name])
    event.listen(hand_of(runtime.engine).engine, "before_cursor_execute", note)
    try:
        counts = {}
        for name in cases:
            for wish in ({}, {"Accept_Language": "fr"}):
                said.clear()
                house.ask(*REFUSED[name], **wish)
                counts.setdefault(name, set()).add(tuple(said))
    finally:
        event.remove(hand_of(runtime.engine).engine, "before_cursor_execute", note)
    assert {name: len(found) for name, found in counts.items()} == dict.fromkeys(counts, 1)
