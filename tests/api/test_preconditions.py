"""What a write rests on (RFC 9110, section 13): where it has changed since it was read, nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Engine, event

from service.api.conditional import RESTING, TAGGED
from service.api.contract import PREFIX
from service.store.games import Games
from tests.api.scene import Asked, Scene
from tests.api.situations import DOCUMENTED, SITUATIONS, ask
from tests.api.test_direct import BY_THE_APP
from tests.builders import first_legal, now_at, started
from tests.people import alice, bob
from tests.rest import Caller, refused

WRITES = [name for name, (method, _, _) in DOCUMENTED.items() if method != "get"]
RESTED = [name for name in WRITES if "412" in DOCUMENTED[name][2]["responses"]]
ALIKE = [
    name for name in RESTED if RESTING[name][1] is not None and RESTING[name][1] is TAGGED[RESTING[name][0]].schema
]
STRANGE = '"no-such-tag"'


@pytest.fixture
def scene(api: Caller, games: Games) -> Scene:
    return Scene(api, games, alice(games), bob(games, email=None))


def read(scene: Scene, name: str, asked: Asked) -> Any:
    """Return the answer to the GET that the operation rests on."""
    rule = RESTING[name][0]
    path = rule.replace("<uuid:", "<").replace("<int:", "<")
    for key, value in asked.path.items():
        path = path.replace(f"<{key}>", str(value))
    return scene.api.by(scene.alice).get(path)


def test_every_write_of_what_has_a_tag_is_documented_to_take_conditions(app: Flask) -> None:
    read_at = {
        rule.rule.removeprefix(PREFIX)
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and rule.rule.removeprefix(PREFIX) in TAGGED
    }
    for rule in app.url_map.iter_rules():
        where = rule.rule.removeprefix(PREFIX)
        for method in (rule.methods or set()) & {"PUT", "PATCH", "POST", "DELETE"}:
            if rule.rule.startswith(PREFIX) and where in read_at:
                named = [name for name, (at, _) in RESTING.items() if at == where]
                assert any(DOCUMENTED[name][0] == method.lower() and name in RESTED for name in named), rule


@pytest.mark.parametrize("name", WRITES)
def test_a_write_is_refused_where_the_tag_is_another(name: str, scene: Scene) -> None:
    # given something that could be written
    asked = SITUATIONS[name](scene)
    before = read(scene, name, asked) if name in RESTED else None
    # when it is to be as it never was
    body = refused(ask(scene.api.by(scene.alice), name, asked, If_Match=STRANGE), 412, "precondition-failed")
    # then nothing is written, and the answer tells what there is now
    if before is not None and before.status_code == 200:
        after = read(scene, name, asked)
        assert after.headers["ETag"] == before.headers["ETag"]
        assert body["current"] == after.json
    # and without the condition it is written
    done = ask(scene.api.by(scene.alice), name, asked)
    assert done.status_code < 300


@pytest.mark.parametrize("name", RESTED)
def test_a_write_is_carried_out_where_the_tag_is_that_of_now(name: str, scene: Scene) -> None:
    asked = SITUATIONS[name](scene)
    there = read(scene, name, asked)
    condition = {"If_Match": there.headers["ETag"]} if there.status_code == 200 else {"If_None_Match": "*"}
    assert ask(scene.api.by(scene.alice), name, asked, **condition).status_code < 300


@pytest.mark.parametrize("name", RESTED)
def test_what_must_not_be_there_is_not_overwritten(name: str, scene: Scene) -> None:
    asked = SITUATIONS[name](scene)
    answer = ask(scene.api.by(scene.alice), name, asked, If_None_Match="*")
    if read(scene, name, asked).status_code == 200 and answer.status_code != 201:
        refused(answer, 412, "precondition-failed")


@pytest.mark.parametrize("name", ALIKE)
def test_the_answer_to_a_write_has_the_tag_of_what_is_read_next(name: str, scene: Scene) -> None:
    asked = SITUATIONS[name](scene)
    written = ask(scene.api.by(scene.alice), name, asked)
    assert written.headers["ETag"] == read(scene, name, asked).headers["ETag"]


@pytest.mark.parametrize("name", [name for name in RESTED if {"200", "204"} <= DOCUMENTED[name][2]["responses"].keys()])
def test_a_write_is_answered_by_nothing_but_its_tag_where_the_least_is_preferred(name: str, scene: Scene) -> None:
    asked = SITUATIONS[name](scene)
    written = ask(scene.api.by(scene.alice), name, asked, Prefer="return=minimal")
    assert (written.status_code, written.data) == (204, b"")
    assert written.headers["Preference-Applied"] == "return=minimal"
    assert written.headers["ETag"] == read(scene, name, asked).headers["ETag"]


def test_a_token_that_may_not_read_is_not_told_what_there_is(api: Caller, games: Games) -> None:
    me = alice(games)
    made = api.by(me).post("/tokens", {"label": "writes", "scopes": ["profile:write"]}).json
    assert made
    blind = Caller(api.client, made["token"])
    body = refused(blind.call("patch", "/me", {"name": "Ann"}, If_Match=STRANGE), 412, "precondition-failed")
    assert "current" not in body


def test_a_request_that_was_carried_out_is_answered_again_although_its_condition_is_gone(scene: Scene) -> None:
    # given a remark that rests on what had been said, under a key
    asked = SITUATIONS["postRemark"](scene)
    said = {"If_Match": read(scene, "postRemark", asked).headers["ETag"], "Idempotency_Key": "k" * 16}
    first = ask(scene.api.by(scene.alice), "postRemark", asked, **said)
    # when it is sent again, after it has changed the talk itself
    again = ask(scene.api.by(scene.alice), "postRemark", asked, **said)
    # then it is answered as before
    assert (first.status_code, again.status_code, again.json) == (201, 201, first.json)


@pytest.mark.parametrize("way", [{}, BY_THE_APP], ids=["direct", "app"])
def test_an_action_rests_on_the_table_where_it_is_asked_to(api: Caller, games: Games, way: dict[str, str]) -> None:
    # given two who have looked at the table, of whom one then says something
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    me, game = api.by(people[0]), position.game.id
    move = {"decision": position.decision, "notation": position.ruleset.notate(first_legal(position, 0))}
    seen = me.get(f"/games/{game}").headers["ETag"]
    assert api.by(people[1]).post(f"/games/{game}/talk", {"text": "wait"}).status_code == 201
    # when the other plays on what was seen
    body = refused(me.post(f"/games/{game}/actions", move, If_Match=seen, **way), 412, "precondition-failed")
    # then nothing is played before the new table was seen
    assert body["current"]["version"] == now_at(games, game).version
    now = me.get(f"/games/{game}").headers["ETag"]
    assert me.post(f"/games/{game}/actions", move, If_Match=now, **way).status_code == 201


def test_a_stale_decision_is_told_as_such_whatever_the_condition(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    move = {"decision": position.decision + 1, "notation": position.ruleset.notate(first_legal(position, 0))}
    refused(api.by(people[0]).post(f"/games/{position.game.id}/actions", move, If_Match=STRANGE), 409, "stale-decision")


def _notes(scene: Scene) -> tuple[str, str, Callable[[int], Any]]:
    game = scene.running().path["game_id"]
    return "put", f"/games/{game}/notes", lambda number: {"text": f"number {number}"}


def _profile(scene: Scene) -> tuple[str, str, Callable[[int], Any]]:
    return "patch", "/me", lambda number: {"name": f"Number {number}"}


def _mail(scene: Scene) -> tuple[str, str, Callable[[int], Any]]:
    return "patch", "/me/mail", lambda number: {"delay": number + 1}


@pytest.mark.parametrize("of", [_notes, _profile, _mail])
def test_of_many_who_rest_on_the_same_one_writes(
    scene: Scene, app: Flask, of: Callable[[Scene], tuple[str, str, Callable[[int], Any]]]
) -> None:
    # given eight who have read the same
    method, path, body = of(scene)
    seen = scene.api.by(scene.alice).get(path).headers["ETag"]
    together = Barrier(8)

    def write(number: int) -> int:
        caller = Caller(app.test_client(), scene.alice.token)
        together.wait()
        return caller.call(method, path, body(number), If_Match=seen).status_code

    # when all write at once
    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(write, range(8)))
    # then one has, and the others are told
    assert statuses == [200] + [412] * 7


def test_a_writer_without_a_condition_is_not_overwritten_unseen(scene: Scene, games: Games, app: Flask) -> None:
    # given notes, and somebody who writes them without a condition just when another's condition was looked at
    method, path, body = _notes(scene)
    me = scene.api.by(scene.alice)
    me.put(path, body(0))
    seen = me.get(path).headers["ETag"]
    other = Caller(app.test_client(), scene.alice.token)
    with just_before_writing(games.engine, lambda: other.put(path, body(1))):
        # when that one goes on to write
        answer = me.call(method, path, body(2), If_Match=seen)
    # then it is told what has been written
    assert refused(answer, 412, "precondition-failed")["current"]["text"] == "number 1"
    assert me.get(path).json == refused(answer, 412, "precondition-failed")["current"]


class just_before_writing:  # noqa: N801 - used as a function
    """Context manager: call something once, before the notes are written next."""

    def __init__(self, engine: Engine, call: Callable[[], Any]) -> None:
        self.engine, self.call, self.called = engine, call, False

    def __enter__(self) -> None:
        event.listen(self.engine, "before_cursor_execute", self._hear)

    def __exit__(self, *_: object) -> None:
        event.remove(self.engine, "before_cursor_execute", self._hear)

    def _hear(self, _db: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if "insert into note" in statement and not self.called:
            self.called = True
            assert self.call().status_code == 200
