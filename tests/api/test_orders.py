"""T-33, T-34: orders and auto-answers through the API."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from service.handlers.play import resign
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from service.store.pruning import ORDERS, prune
from tests.builders import act, now_at, opened, started
from tests.games.sealed_bids.actions import Hold
from tests.ordering import by_order, rows, try_orders
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused


@pytest.fixture
def people(games: Games) -> tuple[Person, Person]:
    return alice(games), bob(games)


@pytest.fixture
def corp(games: Games, people: tuple[Person, Person]) -> Position:
    return started(games, "new-corp-order", people, **{"first-player": 0})


def place(position: Position) -> str:
    return f"/games/{position.game.id}/orders"


def orders_of(api: Caller, position: Position) -> dict[str, Any]:
    answer = api.get(place(position))
    assert answer.status_code == 200 and answer.json, answer.text
    shown: dict[str, Any] = answer.json
    return shown


def test_t33_orders_are_kept_in_either_form_shown_and_played(
    runtime: Runtime, api: Caller, people: tuple[Person, Person], corp: Position
) -> None:
    given = [{"notation": "P D D"}, {"action": {"type": "plot", "sources": ["1", "2"]}, "conditions": []}]
    answer = api.by(people[1]).put(place(corp), {"orders": given})
    assert answer.status_code == 200, answer.text
    shown = orders_of(api.by(people[1]), corp)
    assert answer.json == shown
    assert [each["notation"] for each in shown["orders"]] == ["P D D", "P 1 2"]
    assert shown["orders"][0]["action"] == {"type": "plot", "sources": ["deck", "deck"]}
    assert shown["dropped"] == []
    act(runtime.games, corp, 0, corp.ruleset.parse("P D D"))
    try_orders(runtime, corp)
    assert [each["notation"] for each in orders_of(api.by(people[1]), corp)["orders"]] == ["P 1 2"]
    doors = []
    for person in people:
        told = api.by(person).get(f"/games/{corp.game.id}/events?after={corp.version}").json
        assert told
        doors.append({each["door"] for each in told["items"]})
    assert doors == [{"api", "hidden"}, {"hidden", "order"}]


def test_t31_what_get_has_shown_put_keeps_with_its_values(
    runtime: Runtime, api: Caller, people: tuple[Person, Person], corp: Position
) -> None:
    bob_there = api.by(people[1])
    shown = bob_there.put(place(corp), {"orders": [{"notation": "P 1 D"}]}).json
    assert shown
    assert shown["orders"][0]["conditions"] == [{"pointer": "/display/0", "value": corp.state.display[0]}]
    again = [{"notation": each["notation"], "conditions": each["conditions"]} for each in shown["orders"]]
    kept = bob_there.put(place(corp), {"orders": again}).json
    assert kept and kept["orders"][0]["conditions"] == shown["orders"][0]["conditions"]


def test_t30_a_dropped_order_says_why_in_the_players_language(
    runtime: Runtime, api: Caller, people: tuple[Person, Person], corp: Position
) -> None:
    given = [
        {"notation": "P D D", "conditions": [{"pointer": "/deck", "value": 1}]},
        {"notation": "P D D", "conditions": []},
    ]
    api.by(people[1]).put(place(corp), {"orders": given})
    asked = act(runtime.games, corp, 0, corp.ruleset.parse("P D D")).position
    try_orders(runtime, corp)
    shown = orders_of(api.by(people[1]), corp)
    assert shown["orders"] == []
    first, second = shown["dropped"]
    assert (first["reason"], first["pointer"], first["decision"]) == ("changed", "/deck", asked.decision)
    assert first["detail"] == "die Lage, auf der er beruhte, hat sich seitdem geändert."
    assert (second["reason"], second["pointer"]) == ("follows", None)


def test_an_illegal_order_says_what_the_rules_say(
    runtime: Runtime, api: Caller, people: tuple[Person, Person], corp: Position
) -> None:
    api.by(people[1]).put(place(corp), {"orders": [{"notation": "T A1-B1 3", "conditions": []}]})
    act(runtime.games, corp, 0, corp.ruleset.parse("P D D"))
    try_orders(runtime, corp)
    (dropped,) = orders_of(api.by(people[1]), corp)["dropped"]
    assert dropped["reason"] == "illegal"
    after = now_at(runtime.games, corp.game.id)
    body = {"decision": after.decision, "notation": "T A1-B1 3"}
    said = refused(api.by(people[1]).post(f"/games/{corp.game.id}/actions", body), 409, "illegal-action")
    assert dropped["detail"] == said["detail"]


def test_delete_cancels_and_nobody_else_sees_any(api: Caller, people: tuple[Person, Person], corp: Position) -> None:
    first, second = (api.by(each) for each in people)
    second.put(place(corp), {"orders": [{"notation": "P D D"}]})
    assert orders_of(first, corp)["orders"] == []
    assert "P D D" not in first.get(f"/games/{corp.game.id}").text
    assert second.delete(place(corp)).status_code == 204
    assert orders_of(second, corp)["orders"] == []


def test_t34_auto_answers_are_off_chosen_and_shown_at_the_table(
    runtime: Runtime, api: Caller, people: tuple[Person, Person], corp: Position
) -> None:
    second, path = api.by(people[1]), f"{place(corp)}/auto-answers"
    listed = second.get(path).json
    assert listed
    assert [(each["name"], each["chosen"]) for each in listed["items"]] == [
        ("skip-ability", False),
        ("discard-commonest", False),
    ]
    assert listed["items"][1]["text"] == "Karten der Farbe abwerfen, von der am meisten auf der Hand sind"
    tag = api.by(people[0]).get(f"/games/{corp.game.id}").headers["ETag"]
    chosen = second.put(path, {"chosen": ["discard-commonest"]}).json
    assert chosen and [each["chosen"] for each in chosen["items"]] == [False, True]
    assert orders_of(second, corp)["auto_answers"] == chosen["items"]
    seen = api.by(people[0]).get(f"/games/{corp.game.id}", If_None_Match=tag)
    assert seen.json
    assert [each["auto_answers"] for each in seen.json["seats"]] == [[], ["discard-commonest"]]
    assert second.put(path, {"chosen": []}).json == listed


@pytest.mark.parametrize(
    ("orders", "where", "details"),
    [
        (
            [{"notation": "P D D"}, {"notation": "T A1-C3 1"}],
            "/orders/1",
            ("C3 is not next to A1", "C3", "C3"),
        ),
        (
            [{"notation": "castle"}],
            "/orders/0/notation",
            ("not a move of the game", "kein Zug dieses Spiels", "pas un coup de ce jeu"),
        ),
        (
            [{"notation": "P D", "conditions": [{"pointer": "/nowhere"}]}],
            "/orders/0/conditions/0/pointer",
            ("no such place", "keine solche Stelle", "pas d’endroit"),
        ),
        (
            [{"notation": "P D", "conditions": [{"pointer": "/deck", "value": "\0"}]}],
            "/orders/0/conditions/0/value",
            ("could have", "könnte", "ne pourrait"),
        ),
        (
            [{"notation": "P D", "conditions": [{"pointer": "/deck", "value": [{"x": 10**30}]}]}],
            "/orders/0/conditions/0/value",
            ("could have", "könnte", "ne pourrait"),
        ),
    ],
)
def test_an_order_that_makes_no_sense_is_pointed_at_in_three_languages(
    api: Caller,
    people: tuple[Person, Person],
    corp: Position,
    orders: list[Any],
    where: str,
    details: tuple[str, ...],
) -> None:
    for language, words in zip(("en", "de", "fr"), details, strict=True):
        answer = api.by(people[1]).call("PUT", place(corp), {"orders": orders}, Accept_Language=language)
        (fault,) = refused(answer, 422, "bad-order")["errors"]
        assert fault["pointer"] == where
        assert words in fault["detail"]
    assert orders_of(api.by(people[1]), corp)["orders"] == []


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"orders": [{"notation": "P D"}] * 11}, "/orders"),
        ({"orders": [{"notation": "P D", "action": {"type": "plot", "sources": ["1"]}}]}, "/orders/0/notation"),
        ({"orders": [{"action": {"type": "plot", "sources": ["7"]}}]}, "/orders/0/action/sources/0"),
        ({"orders": [{}]}, "/orders/0/action"),
        ({"orders": [{"notation": "P D", "conditions": [{"pointer": "deck"}]}]}, "/orders/0/conditions/0/pointer"),
        ({}, "/orders"),
    ],
)
def test_orders_of_another_form_are_pointed_at(
    api: Caller, people: tuple[Person, Person], corp: Position, body: Any, where: str
) -> None:
    told = refused(api.by(people[1]).put(place(corp), body), 422, "validation")
    assert [each["pointer"] for each in told["errors"]] == [where]


def test_an_auto_answer_that_the_game_does_not_offer_is_pointed_at(
    api: Caller, people: tuple[Person, Person], corp: Position
) -> None:
    answer = api.by(people[1]).put(f"{place(corp)}/auto-answers", {"chosen": ["skip-ability", "win"]})
    assert refused(answer, 422, "bad-order")["errors"][0]["pointer"] == "/chosen/1"


def test_orders_are_for_those_who_sit_in_a_game_that_runs(
    api: Caller, games: Games, people: tuple[Person, Person], corp: Position
) -> None:
    stranger, path = api.by(carol(games)), place(corp)
    private = "unknown-game" if corp.game.terms.access == "invitation" else "not-seated"
    for answer in (stranger.get(path), stranger.get(f"{path}/auto-answers")):
        refused(answer, 404 if private == "unknown-game" else 403, private)
    for method, where, body in (
        ("PUT", path, {"orders": []}),
        ("DELETE", path, None),
        ("PUT", f"{path}/auto-answers", {"chosen": []}),
    ):
        refused(stranger.call(method, where, body), 404 if private == "unknown-game" else 403, private)
    table = f"/games/{opened(games, 'new-corp-order', people)}/orders"
    refused(api.by(people[0]).put(table, {"orders": [{"notation": "P D"}]}), 409, "game-not-running")
    refused(api.by(people[0]).delete(table), 409, "game-not-running")
    refused(api.by(people[0]).put(f"{table}/auto-answers", {"chosen": []}), 409, "game-not-running")


def test_a_game_that_says_nothing_about_orders_takes_them_too(runtime: Runtime, api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    answer = api.by(people[1]).put(place(position), {"orders": [{"action": {"type": "hold"}, "conditions": []}]})
    assert answer.status_code == 200, answer.text
    # It is Bob's turn already, so the order is due.
    assert len(rows(runtime, position.game.id)) == 1
    try_orders(runtime, position)
    assert [each.action for each in by_order(games, position.game.id)] == [{"type": "hold"}]
    assert orders_of(api.by(people[1]), position)["auto_answers"] == []
    act(games, now_at(games, position.game.id), 0, Hold())


def test_the_export_has_the_orders_and_they_are_taken_away_when_the_game_is_over(
    runtime: Runtime, api: Caller, people: tuple[Person, Person], corp: Position
) -> None:
    api.by(people[1]).put(place(corp), {"orders": [{"notation": "P D D"}]})
    exported = api.by(people[1]).get("/me/export").json
    assert exported
    (kept,) = exported["orders"]
    assert (kept["game"], kept["action"]) == (str(corp.game.id), {"type": "plot", "sources": ["deck", "deck"]})
    long_ago = clock.now() + ORDERS + timedelta(minutes=1)
    prune(runtime.engine, long_ago)
    assert orders_of(api.by(people[1]), corp)["orders"] != []
    resign(runtime.games, corp.game.id, people[0].id, "api", clock.now())
    prune(runtime.engine, long_ago)
    assert orders_of(api.by(people[1]), corp)["orders"] == []
