"""A game looked at again: the table after every event, through the eyes of those who may."""

from __future__ import annotations

from typing import Any

from service.handlers.play import resign
from service.shared import clock
from service.store.games import Games, Position
from service.views.table import table
from tests.builders import act, finished, now_at, started
from tests.games.sealed_bids.actions import Bid
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused


def duel(games: Games) -> tuple[Position, list[Person]]:
    people = [alice(games), bob(games)]
    return started(games, "new-corp-order", people, **{"first-player": 0}), people


def steps_of(caller: Caller, position: Position, query: str = "") -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = caller.get(f"/games/{position.game.id}/replay{query}").get_json()["items"]
    return items


def test_every_seat_sees_again_what_it_saw_then(api: Caller, games: Games) -> None:
    position, people = duel(games)
    seen = {}
    for _ in range(6):
        for seat in (0, 1, None):
            seen[position.version, seat] = table(position, seat)["view"]
        seat = min(position.awaited)
        position = act(games, position, seat, position.ruleset.legal(position.state, seat)[0]).position
    resign(games, position.game.id, people[1].id, "api", clock.now())
    for (version, seat), view in seen.items():
        eyes = "spectator" if seat is None else seat
        told = api.by(people[0]).get(f"/games/{position.game.id}/replay/{version}?seat={eyes}").json
        assert told["table"]["view"] == view
        assert told["table"]["seat"] == seat
        assert told["table"]["outcome"] is None


def test_the_steps_lead_from_the_first_event_to_the_last_and_back(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = finished(games, started(games, "sealed-bids", people))
    caller, path = api.by(people[2]), f"/games/{position.game.id}/replay"
    items = steps_of(caller, position)
    assert [each["seq"] for each in items] == [1, *(each["last"] + 1 for each in items[:-1])]
    assert items[-1]["last"] == position.version
    assert [each["turn"] for each in items] == [0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    walked = [1]
    while (following := caller.get(f"{path}/{walked[-1]}").json["next"]) is not None:
        walked.append(following)
    assert walked == [1, *(each["last"] for each in items)]
    assert caller.get(f"{path}/{walked[2]}").json["previous"] == walked[1]
    assert caller.get(f"{path}/2").json["previous"] is None
    last = caller.get(f"{path}/{position.version}?language=de").json
    assert last["table"]["outcome"] == position.outcome
    assert last["step"]["notation"].startswith("bid ")
    assert "Los 3" in last["step"]["text"]


def test_while_a_game_runs_everybody_has_their_own_eyes_alone(api: Caller, games: Games) -> None:
    first, second = alice(games), bob(games)
    position = started(games, "sealed-bids", [first, second, carol(games)])
    card = position.state.hands[0][1]
    position = act(games, position, 0, Bid(card=card)).position
    path = f"/games/{position.game.id}/replay"
    mine, theirs = steps_of(api.by(first), position), steps_of(api.by(second), position)
    assert mine[-1]["notation"] == f"bid {card}"
    assert theirs[-1]["notation"] is None
    for asked in ("?seat=0", "?seat=spectator", "/2?seat=2"):
        place, _, query = asked.rpartition("?")
        refused(api.by(second).get(f"{path}{place}?{query}"), 409, "game-not-over")
    assert api.by(second).get(f"{path}?seat=1").status_code == 200
    beside = api.by(carol(games))
    assert beside.get(f"{path}/3").json["table"]["view"]["hand"] is None
    assert beside.get(f"{path}/3?seat=spectator").status_code == 200
    refused(beside.get(f"{path}?seat=1"), 409, "game-not-over")


def test_what_was_taken_back_is_a_step_and_said_to_be_so(api: Caller, games: Games) -> None:
    position, people = duel(games)
    caller, game = api.by(people[0]), position.game.id
    legal = caller.get(f"/games/{game}/legal-actions").json["items"]
    quiet = next(each["notation"] for each in legal if each["action"]["type"] == "infiltrate")
    act(games, position, 0, position.ruleset.parse(quiet))
    assert caller.post(f"/games/{game}/take-back", {"decision": 1}).status_code == 201
    api.by(people[1]).post(f"/games/{game}/talk", {"text": "Well?"})
    items = steps_of(caller, position)
    assert [each["taken_back"] for each in items] == [False, True, False, False]
    assert items[1]["notation"] == quiet
    assert items[2]["text"] == "Alice takes the last move back."
    before, during, after = (
        caller.get(f"/games/{game}/replay/{items[index]['last']}").json["table"]["view"] for index in (0, 1, 2)
    )
    assert before == after != during
    assert now_at(games, game).state == position.state


def test_what_is_not_there_is_said_so(api: Caller, games: Games) -> None:
    position, people = duel(games)
    path = f"/games/{position.game.id}/replay"
    for seq in (0, position.version + 1):
        assert "1 to" in refused(api.by(people[0]).get(f"{path}/{seq}"), 404, "not-found")["detail"]
    refused(api.by(people[0]).get(f"{path}?seat=2"), 404, "not-found")
    refused(api.by(people[0]).get(f"{path}?seat=everybody"), 422, "validation")
    refused(api.by(people[0]).get(f"{path}/x"), 404, "not-found")


def test_a_game_can_be_looked_at_after_each_event_of_its_setup(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "bastards-inc", people)
    path = f"/games/{position.game.id}/replay"
    answers = [api.by(viewer).get(f"{path}/{seq}") for viewer in people for seq in range(1, position.version + 1)]
    assert {each.status_code for each in answers} == {200}
