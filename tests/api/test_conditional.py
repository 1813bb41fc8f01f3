"""What a program has already: ETags of all that is read, and lists as lines."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.store.game_row import Terms
from service.store.games import Games
from tests.api.scene import Scene
from tests.api.situations import DOCUMENTED, SITUATIONS, ask
from tests.builders import act, first_legal, started, table_for
from tests.people import alice, bob
from tests.rest import Caller

TAGGED = [name for name, (_, _, described) in DOCUMENTED.items() if "304" in described["responses"]]


def test_every_list_and_table_has_a_tag() -> None:
    read = {
        name
        for name, (method, _, described) in DOCUMENTED.items()
        if method == "get" and "text/event-stream" not in described["responses"]["200"]["content"]
    }
    assert {*TAGGED} == read and {
        "listGames",
        "listLegalActions",
        "drawBoard",
        "drawBoardAsSvg",
        "listGame",
        "getRecord",
    } <= read


@pytest.mark.parametrize("name", TAGGED)
def test_what_a_program_has_still_is_not_sent_again(name: str, api: Caller, games: Games) -> None:
    scene = Scene(api, games, alice(games), bob(games, email=None))
    asked = SITUATIONS[name](scene)
    first = ask(api.by(scene.alice), name, asked)
    assert first.status_code == 200
    tag = first.headers["ETag"]
    again = ask(api.by(scene.alice), name, asked, If_None_Match=tag)
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert again.headers["Cache-Control"] == first.headers["Cache-Control"]


def test_a_tag_of_before_an_action_brings_what_is_legal_now(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    path = f"/games/{position.game.id}/legal-actions"
    before = api.by(people[0]).get(path)
    act(games, position, 0, first_legal(position, 0))
    after = api.by(people[0]).get(path, If_None_Match=before.headers["ETag"])
    assert after.status_code == 200
    assert after.headers["ETag"] != before.headers["ETag"]


@pytest.mark.parametrize("form", ["application/jsonl", "application/x-ndjson"])
def test_the_whole_log_comes_as_lines(form: str, api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    path = f"/games/{position.game.id}/events"
    paged = listed(api.by(people[1]), path)
    answer = api.by(people[1]).get(f"{path}?limit=1&wait=25", Accept=form)
    assert answer.content_type == form
    assert lines(answer.text) == paged["items"]
    assert len(paged["items"]) == paged["version"]


def test_all_games_of_a_list_come_as_lines(api: Caller, games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.api.lobby.BULK", 2)
    host = alice(games)
    made = [str(table_for(games, "new-corp-order", host, 2)) for _ in range(5)]
    answer = api.by(host).get("/games?mine=true&limit=1", Accept="application/jsonl")
    assert [each["id"] for each in lines(answer.text)] == made[::-1]


def test_what_asks_for_no_form_gets_one_object(api: Caller, games: Games) -> None:
    assert api.by(alice(games)).get("/games", Accept="*/*").content_type == "application/json"


def test_lines_of_a_strange_game_are_refused_as_one_problem(api: Caller, games: Games) -> None:
    closed = table_for(games, "new-corp-order", alice(games), 2, Terms(access="invitation"))
    answer = api.by(bob(games)).get(f"/games/{closed}/events", Accept="application/jsonl")
    assert (answer.status_code, answer.content_type) == (404, "application/problem+json")


def listed(caller: Caller, path: str) -> dict[str, Any]:
    answer = caller.get(f"{path}?limit=500")
    assert answer.json
    return dict(answer.json)


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]
