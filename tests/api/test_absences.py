"""Absences over the API: announced, listed, changed, ended; seen by others, exported, deleted, and pruned."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.store.pruning import ABSENCES, prune
from tests.away import DAY, carry_out, clocked
from tests.builders import started
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

SENTENCES = {"en": "in a row", "de": "am Stück", "fr": "de suite"}


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def caller(api: Caller, people: list[Person]) -> Caller:
    return api.by(people[0])


def in_days(days: int) -> str:
    return (clock.now().date() + timedelta(days=days)).isoformat()


def announced(caller: Caller, body: dict[str, Any], **headers: str) -> dict[str, Any]:
    answer = caller.post("/me/absences", body, **headers)
    assert answer.status_code == 201, answer.text
    shown: dict[str, Any] = answer.json
    return shown


def test_t18_an_absence_is_announced_listed_changed_and_ended(caller: Caller) -> None:
    made = announced(caller, {"from": in_days(3), "until": in_days(9)})
    assert (made["from"], made["until"], made["state"], made["days_left"]) == (in_days(3), in_days(9), "announced", 35)
    changed = caller.patch(f"/me/absences/{made['id']}", {"until": in_days(5)})
    assert changed.status_code == 200 and changed.json
    assert (changed.json["until"], changed.json["days_left"]) == (in_days(5), 39)
    listed = caller.get("/me/absences").json
    assert listed == {
        "items": [{name: value for name, value in changed.json.items() if name != "days_left"}],
        "days_left": 39,
    }
    assert caller.delete(f"/me/absences/{made['id']}").status_code == 204
    assert caller.get("/me/absences").json == {"items": [], "days_left": 42}
    refused(caller.delete(f"/me/absences/{made['id']}"), 404, "not-found")


def test_t18_one_that_has_begun_is_over_when_it_is_ended(caller: Caller) -> None:
    made = announced(caller, {"until": in_days(9)})
    assert made["state"] == "begun"
    assert caller.delete(f"/me/absences/{made['id']}").status_code == 204
    listed = caller.get("/me/absences").json
    assert listed and [each["state"] for each in listed["items"]] == ["over"]
    refused(caller.patch(f"/me/absences/{made['id']}", {"until": in_days(9)}), 404, "not-found")


def test_t18_days_are_those_of_the_zone_that_is_given(caller: Caller) -> None:
    made = announced(caller, {"from": in_days(5), "until": in_days(5), "time_zone": "Asia/Tokyo"})
    begins, ends = (datetime.fromisoformat(made[name]) for name in ("begins", "ends"))
    assert (made["from"], ends - begins, begins.hour) == (in_days(5), DAY, 15)


@pytest.mark.parametrize("language", SENTENCES)
def test_t18_a_problem_points_at_the_day_and_says_why_in_the_readers_language(caller: Caller, language: str) -> None:
    answer = caller.post("/me/absences", {"until": in_days(21)}, Accept_Language=language)
    body = refused(answer, 422, "bad-absence")
    assert SENTENCES[language] in body["detail"]
    assert (body["most"], body["errors"][0]["pointer"]) == (21, "/until")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"from": -1, "until": 3}, "/from"),
        ({"from": 31, "until": 32}, "/from"),
        ({"until": -1}, "/until"),
        ({"from": 4, "until": 3}, "/until"),
        ({"until": 3, "time_zone": "Mars/Olympus"}, "/time_zone"),
    ],
)
def test_t18_what_cannot_be_is_refused_and_changes_nothing(caller: Caller, body: dict[str, Any], pointer: str) -> None:
    days = {name: in_days(value) if isinstance(value, int) else value for name, value in body.items()}
    problem = refused(caller.post("/me/absences", days), 422, "bad-absence")
    assert problem["errors"][0]["pointer"] == pointer
    assert caller.get("/me/absences").json == {"items": [], "days_left": 42}


@pytest.mark.parametrize("until", ["tomorrow", "2026-02-30", "2026-3-1", 3, None])
def test_what_is_no_date_is_pointed_at(caller: Caller, until: object) -> None:
    assert refused(caller.post("/me/absences", {"until": until}), 422, "validation")["errors"][0]["pointer"] == "/until"


def test_a_repeated_key_announces_once_and_answers_the_same(caller: Caller) -> None:
    body = {"from": in_days(3), "until": in_days(9)}
    first = announced(caller, body, Idempotency_Key="my-holidays")
    assert announced(caller, body, Idempotency_Key="my-holidays") == first
    again = caller.post("/me/absences", {"until": in_days(1)}, Idempotency_Key="my-holidays")
    refused(again, 422, "key-reused")


def test_t20_the_others_see_who_is_away_until_when_and_not_why(
    runtime: Runtime, api: Caller, games: Games, people: list[Person], caller: Caller
) -> None:
    tables = [clocked(games, people).game.id, started(games, "sealed-bids", people).game.id]
    ends = announced(caller, {"until": in_days(2)})["ends"]
    carry_out(runtime, people[0], clock.now())
    for table in tables:
        path = f"/games/{table}"
        seen = api.by(people[1]).get(path)
        assert seen.json and [each["seat"] for each in seen.json["away"]] == [0]
        assert datetime.fromisoformat(seen.json["away"][0]["until"]) == datetime.fromisoformat(ends)
        assert api.by(people[1]).get(path, If_None_Match=seen.headers["ETag"]).status_code == 304
    clocks = api.by(people[1]).get(f"/games/{tables[0]}").json
    assert clocks and clocks["clock"]["seats"][0]["away_until"] is not None
    tag = api.by(people[1]).get(f"/games/{tables[1]}").headers["ETag"]
    (mine,) = caller.get("/me/absences").json["items"]
    caller.delete(f"/me/absences/{mine['id']}")
    after = api.by(people[1]).get(f"/games/{tables[1]}", If_None_Match=tag)
    assert after.status_code == 200 and after.json and after.json["away"] == []


def test_absences_are_private_but_for_until_when(api: Caller, people: list[Person], caller: Caller) -> None:
    announced(caller, {"until": in_days(2)})
    assert api.by(people[1]).get("/me/absences").json == {"items": [], "days_left": 42}


def test_an_export_holds_absences_and_they_go_with_the_account(
    runtime: Runtime, people: list[Person], caller: Caller
) -> None:
    made = announced(caller, {"from": in_days(3), "until": in_days(9)})
    exported = caller.get("/me/export").json
    assert exported and [each["id"] for each in exported["absences"]] == [made["id"]]
    assert caller.delete("/me", {"confirm": "Alice"}).status_code == 204
    query = text("select count(*) from absence where player_id = :player")
    with runtime.engine.connect() as db:
        assert db.execute(query, {"player": people[0].id}).scalar_one() == 0
    # What was due about it finds nobody.
    carry_out(runtime, people[0], clock.now() + 20 * DAY)


def test_absences_are_kept_for_thirteen_months(runtime: Runtime, caller: Caller) -> None:
    made = announced(caller, {"until": in_days(0)})
    end = datetime.fromisoformat(made["ends"])
    prune(runtime.engine, end + ABSENCES)
    assert len(caller.get("/me/absences").json["items"]) == 1
    prune(runtime.engine, end + ABSENCES + DAY)
    assert caller.get("/me/absences").json["items"] == []
