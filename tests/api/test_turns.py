"""Turns that wait for a player, over all games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from service.commands.cli import main
from service.handlers import pace
from service.handlers.play import resign
from service.rules.registry import find_rulesets
from service.settings import Settings
from service.shared import clock
from service.store.engine import build_engine
from service.store.games import Games, Position
from service.store.migrations import upgrade
from tests.builders import act, now_at, opened, sealed_bids, started
from tests.games.sealed_bids.actions import Hold
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused
from tests.statements import heard
from tests.workers import solo


def turns(api: Caller, person: Person, query: str = "") -> Any:
    answer = api.by(person).get(f"/me/turns{query}")
    assert answer.status_code == 200, answer.text
    return answer.json


def rows(games: Games, position: Position) -> list[tuple[Any, ...]]:
    with games.engine.connect() as db:
        found = db.execute(
            text("select unnest(awaited) as seat, faces, since from game where id = :game order by seat"),
            {"game": position.game.id},
        )
        return [tuple(row) for row in found]


def test_every_game_that_waits_for_one_is_listed_with_whom_it_is_played(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    first = started(games, "sealed-bids", people)
    second = started(games, "new-corp-order", people[:1])
    opened(games, "sealed-bids", people)
    listed = turns(api, people[0])["items"]
    assert [each["game"] for each in listed] == [str(first.game.id), str(second.game.id)]
    assert [(each["ruleset"], each["seat"], each["decision"]) for each in listed] == [
        ("sealed-bids", 0, 1),
        ("new-corp-order", 0, second.ruleset.decision(second.state)),
    ]
    assert listed[0]["opponents"] == [{"seat": 1, "name": "Bob"}, {"seat": 2, "name": "Carol"}]
    assert listed[1]["opponents"] == [{"seat": 1, "name": "ODS"}]
    assert turns(api, alice(games)) == {"items": [], "next": None}


def test_a_turn_says_what_the_table_is_called_where_it_is_and_whether_one_sits_there_alone(
    api: Caller, games: Games
) -> None:
    person = alice(games)
    for seats, name in ((1, "Alone at last"), (1, None)):
        game = api.by(person).post("/games", {"ruleset": "new-corp-order", "seats": seats, "name": name}).get_json()
        api.by(person).post(f"/games/{game['id']}/start")
    started(games, "sealed-bids", [person, bob(games), carol(games)])
    listed = turns(api, person)["items"]
    assert [(each["name"], each["solo"]) for each in listed] == [("Alone at last", True), (None, True), (None, False)]
    for each in listed:
        assert (
            api.client.get(each["href"], headers={"Authorization": f"Bearer {person.token}"}).json["id"] == each["game"]
        )


def test_a_turn_taken_is_gone_and_the_wait_of_the_others_goes_on(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    since = turns(api, people[1])["items"][0]["since"]
    act(games, position, 0, Hold())
    assert turns(api, people[0])["items"] == []
    assert turns(api, people[1])["items"][0]["since"] == since
    for seat in (1, 2):
        act(games, now_at(games, position.game.id), seat, Hold())
    (again,) = turns(api, people[1])["items"]
    assert again["decision"] == 2
    assert again["since"] > since


def test_nobody_is_awaited_when_the_game_is_over_or_given_up(games: Games) -> None:
    position = sealed_bids(games)
    after = resign(games, position.game.id, position.seats[1].player_id, "api", clock.now()).position
    assert [row[0] for row in rows(games, after)] == [0, 2]
    after = resign(games, position.game.id, position.seats[2].player_id, "api", clock.now()).position
    assert rows(games, after) == []


def test_while_the_automaton_moves_nobody_is_awaited(games: Games) -> None:
    assert rows(games, solo.owed(games)) == []


def test_pages_follow_each_other_without_gaps(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    wanted = [str(started(games, "sealed-bids", people).game.id) for _ in range(5)]
    found, after = [], ""
    for _ in range(3):
        page = turns(api, people[0], f"?limit=2{after}")
        found += [each["game"] for each in page["items"]]
        after = f"&after={page['next']}"
    assert page["next"] is None
    assert found == wanted
    refused(api.by(people[0]).get("/me/turns?after=1"), 422, "validation")


def test_one_statement_finds_them(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    for _ in range(3):
        started(games, "sealed-bids", people)
    with heard(games) as seen:
        turns(api, people[0])
    assert len([statement for statement in seen if "token" not in statement]) == 1


def test_it_can_be_worked_out_from_the_log_again(games: Games) -> None:
    position = act(games, sealed_bids(games), 0, Hold()).position
    for seat in (1, 2):
        position = act(games, position, seat, Hold()).position
    position = act(games, position, 1, Hold()).position
    kept = rows(games, position)
    assert [row[:2] for row in kept] == [(0, 2), (2, 2)]
    with games.engine.begin() as db:
        db.execute(
            text("update game set awaited = '{1}', faces = 9, since = now() where id = :g"), {"g": position.game.id}
        )
    pace.restore_waiting(games, position.game.id)
    assert rows(games, position) == kept


def test_a_command_works_it_out_for_all_games(
    empty_database: Callable[[], tuple[str, str]],
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    owner, url = empty_database()
    upgrade(owner)
    games = Games(build_engine(url), find_rulesets(settings.ruleset_packages))
    position = sealed_bids(games)
    kept = rows(games, position)
    with games.engine.begin() as db:
        db.execute(text("update game set awaited = '{}', faces = null, since = null"))
    for name, value in replace(settings, database_url=url).environment().items():
        monkeypatch.setenv(name, value)
    assert main(["rebuild"]) == 0
    assert capsys.readouterr().out == "Worked out anew: 1\n"
    assert rows(games, position) == kept
    games.engine.dispose()
