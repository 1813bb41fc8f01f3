"""A finished game is analysed once, for all who may see it, and a second at a time."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from service.runtime import Runtime
from service.store.games import Games, Position
from tests.builders import finished, started
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused
from workers import proof
from workers.jobs import carry_out

ALICE, BOB = 0, 1


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games)]


@pytest.fixture
def over(games: Games, people: list[Person]) -> Position:
    return finished(games, started(games, "new-corp-order", people))


def rows_of(runtime: Runtime, game: UUID) -> list[int]:
    asked = text("select id from outbox where game_id = :game and kind = 'analysis' and state = 'pending'")
    with runtime.engine.connect() as db:
        return list(db.execute(asked, {"game": game}).scalars())


def analysed(api: Caller, game: UUID) -> dict[str, Any]:
    answer = api.get(f"/games/{game}/analysis")
    assert answer.status_code == 200, answer.text
    return dict(answer.json or {})


@pytest.mark.slow
def test_a_game_is_analysed_once_however_often_that_is_asked(
    api: Caller, runtime: Runtime, people: list[Person], over: Position
) -> None:
    game, mine = over.game.id, api.by(people[ALICE])
    assert analysed(mine, game) == {"state": "none"}

    for each in (mine, mine, api.by(people[BOB])):
        assert each.post(f"/games/{game}/analysis").json == {"state": "asked"}
    (row,) = rows_of(runtime, game)
    while row in rows_of(runtime, game):
        carry_out(runtime, row)

    found = analysed(mine, game)
    assert found["state"] == "ready" and found["fitted"]
    assert all(sum(each["public"]) == pytest.approx(1, abs=0.01) for each in found["points"])
    assert found["points"][-1]["open"] in ([1, 0], [0, 1], [0.5, 0.5])
    assert [each["least"] <= each["most"] for each in found["lost"]] == [True] * len(found["lost"])
    assert mine.post(f"/games/{game}/analysis").json == {"state": "ready"}
    assert not rows_of(runtime, game)


def test_steps_found_in_several_goes_are_those_found_in_one(
    api: Caller, runtime: Runtime, people: list[Person], games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = finished(games, started(games, "sealed-bids", [*people, carol(games)]))
    game, mine = over.game.id, api.by(people[ALICE])
    again = text("update analysis set found = '[]', ready_at = null where game_id = :game")
    pending = text("update outbox set state = 'pending' where game_id = :game and kind = 'analysis'")
    mine.post(f"/games/{game}/analysis")
    (row,) = rows_of(runtime, game)
    while rows_of(runtime, game):
        carry_out(runtime, row)
    at_once = analysed(mine, game)
    with runtime.engine.begin() as db:
        db.execute(again, {"game": game})
        db.execute(pending, {"game": game})
    monkeypatch.setattr(proof, "ANALYSIS_SECONDS", 0.0)
    goes = 0
    while rows_of(runtime, game):
        carry_out(runtime, row)
        goes += 1
    assert goes > 2
    assert analysed(mine, game) == at_once


def test_strangers_and_games_that_go_on_get_no_analysis(api: Caller, games: Games, people: list[Person]) -> None:
    over = finished(games, started(games, "sealed-bids", [*people, carol(games)]))
    going_on = started(games, "sealed-bids", [*people, carol(games)])
    refused(api.by(people[ALICE]).post(f"/games/{going_on.game.id}/analysis"), 409, "game-not-over")
    refused(api.by(people[ALICE]).get(f"/games/{going_on.game.id}/analysis"), 409, "game-not-over")
    with games.engine.begin() as db:
        db.execute(text("update game set access = 'invitation' where id = :id"), {"id": over.game.id})
    refused(api.by(alice(games, "dora@example.org")).post(f"/games/{over.game.id}/analysis"), 404, "unknown-game")
