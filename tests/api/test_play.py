"""A game in play, over REST: the table, legal actions, actions, events, standings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import event

from service.store.fast_path import hand_of
from service.store.games import Games, Position
from tests.builders import now_at, opened, started
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

HOLD = {"type": "hold"}


@dataclass(frozen=True, slots=True)
class Table:
    """A game of sealed bids at its first decision, and callers for its seats and for a stranger."""

    position: Position
    people: list[Person]
    seats: list[Caller]
    stranger: Caller

    @property
    def path(self) -> str:
        return f"/games/{self.position.game.id}"

    def cards(self, seat: int) -> list[int]:
        return list(self.position.state.hands[seat])

    def bid(self, seat: int, card: int, decision: int | None = None, **headers: str) -> Any:
        wanted = self.decision if decision is None else decision
        return self.seats[seat].act(self.position.game.id, wanted, {"type": "bid", "card": card}, **headers)

    @property
    def decision(self) -> int:
        return int(self.position.ruleset.decision(self.position.state))


@pytest.fixture
def table(api: Caller, games: Games) -> Table:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    return Table(position, people, [api.by(person) for person in people], api.by(carol(games)))


def test_each_seat_sees_its_own_hand_and_a_spectator_none(table: Table) -> None:
    views = [caller.get(table.path).json for caller in (*table.seats, table.stranger)]
    assert [each["view"]["hand"] for each in views if each] == [table.cards(0), table.cards(1), table.cards(2), None]
    assert [each["seat"] for each in views if each] == [0, 1, 2, None]
    assert all(each["to_act"] == [0, 1, 2] and each["outcome"] is None for each in views if each)


def test_before_the_game_begins_there_is_nothing_but_the_table_to_see(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    game = opened(games, "sealed-bids", people)
    for viewer in (people[1], alice(games)):
        shown = api.by(viewer).get(f"/games/{game}").json
        assert shown
        assert (shown["view"], shown["decision"], shown["to_act"]) == (None, None, [])
    for path in ("/standings", "/board"):
        refused(api.by(people[0]).get(f"/games/{game}{path}"), 409, "game-not-running")
    assert api.by(people[0]).get(f"/games/{game}/events").json == {"version": 0, "items": []}
    assert api.by(people[0]).get(f"/games/{game}/legal-actions").json == {
        "decision": None,
        "count": 0,
        "items": [],
        "tree": None,
    }


def test_a_game_nobody_knows_is_not_found(table: Table) -> None:
    for path in ("", "/legal-actions", "/events", "/standings", "/board"):
        refused(table.stranger.get(f"/games/{uuid4()}{path}"), 404, "unknown-game")
    for path in ("/seats", "/start"):
        refused(table.stranger.post(f"/games/{uuid4()}{path}"), 404, "unknown-game")
    refused(table.stranger.act(uuid4(), 1, HOLD), 404, "unknown-game")
    refused(table.stranger.get("/games/1"), 404, "not-found")


def test_legal_actions_come_as_json_as_notation_and_as_a_sentence(table: Table) -> None:
    answer = table.seats[0].get(f"{table.path}/legal-actions?language=de")
    assert answer.headers["Content-Language"] == "de"
    assert answer.json
    assert [each["notation"] for each in answer.json["items"]] == [*(f"bid {card}" for card in table.cards(0)), "hold"]
    assert answer.json["items"][-1]["action"] == HOLD
    english = table.seats[0].get(f"{table.path}/legal-actions").json
    assert english
    assert answer.json["items"][0]["text"] != english["items"][0]["text"]


def test_a_language_the_game_does_not_speak_falls_back_to_the_players_own(table: Table) -> None:
    assert table.seats[1].get(f"{table.path}/legal-actions?language=xx").headers["Content-Language"] == "de"


def test_an_action_is_played_as_json_or_as_notation(table: Table) -> None:
    first = table.bid(0, table.cards(0)[0])
    assert first.status_code == 201
    assert first.json["table"]["to_act"] == [1, 2]
    assert first.json["version"] == first.json["table"]["version"] == table.position.version + 1
    assert [event["data"] for event in first.json["events"]] == [{"seat": 0, "card": table.cards(0)[0]}]
    second = table.seats[1].act(table.position.game.id, table.decision, f"  B {table.cards(1)[0]} ".strip())
    assert second.status_code == 201
    assert second.json
    assert second.json["table"]["to_act"] == [2]


def test_an_action_takes_two_statements(table: Table, games: Games) -> None:
    said: list[str] = []

    def note(*call: Any) -> None:
        said.append(call[2])

    table.bid(0, table.cards(0)[0])
    # That a token was used is noted apart, every ten minutes at most.
    table.seats[1].get(table.path)
    event.listen(hand_of(games.engine).engine, "before_cursor_execute", note)
    answer = table.bid(1, table.cards(1)[0], Accept_Language="fr")
    event.remove(hand_of(games.engine).engine, "before_cursor_execute", note)
    assert (answer.status_code, answer.headers["Vary"]) == (201, "Authorization")
    assert ["insert into event" in statement for statement in said] == [False, True]


def test_whoever_has_acted_has_no_legal_actions_and_no_turn(table: Table) -> None:
    table.bid(0, table.cards(0)[0])
    assert table.seats[0].get(f"{table.path}/legal-actions").json["items"] == []  # type: ignore[index]
    refused(table.bid(0, table.cards(0)[1]), 409, "not-your-turn")


def test_the_cards_of_others_are_in_no_event_before_they_are_open(table: Table) -> None:
    table.bid(0, table.cards(0)[0])
    mine = table.seats[0].get(f"{table.path}/events").json
    theirs = table.seats[1].get(f"{table.path}/events").json
    assert mine
    assert theirs
    assert [each["type"] for each in theirs["items"]] == ["game-started", *["hand-dealt"] * 3, "bid-sealed"]
    assert (mine["items"][-1]["data"], theirs["items"][-1]["data"]) == (
        {"seat": 0, "card": table.cards(0)[0]},
        {"seat": 0},
    )
    assert theirs["items"][-1]["actor"] == 0
    assert (mine["items"][-1]["door"], theirs["items"][-1]["door"]) == ("api", "hidden")
    assert "action" not in theirs["items"][-1]


def test_events_are_read_from_a_number_on(table: Table) -> None:
    page = table.stranger.get(f"{table.path}/events?after=1&limit=2").json
    assert page
    assert [each["seq"] for each in page["items"]] == [2, 3]
    assert page["version"] == table.position.version
    assert table.stranger.get(f"{table.path}/events?after={page['version']}").json["items"] == []  # type: ignore[index]


def test_a_stale_action_is_refused_with_what_has_happened_and_changes_nothing(table: Table, games: Games) -> None:
    for seat in range(3):
        assert table.bid(seat, table.cards(seat)[0]).status_code == 201
    before = now_at(games, table.position.game.id)
    body = refused(table.bid(0, table.cards(0)[1]), 409, "stale-decision")
    assert now_at(games, table.position.game.id) == before
    assert body["decision"] == table.decision + 1
    assert body["version"] == before.version
    assert [each["type"] for each in body["since"]] == ["bid-sealed"] * 3 + ["lot-awarded"]
    assert "card" not in body["since"][1]["data"]
    assert [each["notation"] for each in body["legal_actions"]] == [*(f"bid {c}" for c in table.cards(0)[1:]), "hold"]


def test_a_decision_from_the_future_is_stale_too(table: Table) -> None:
    assert refused(table.bid(0, table.cards(0)[0], table.decision + 7), 409, "stale-decision")["since"] == []


def test_an_illegal_action_is_explained_in_the_players_language(table: Table, games: Games) -> None:
    card = next(each for each in range(1, 21) if each not in table.cards(1))
    body = refused(table.bid(1, card), 409, "illegal-action")
    assert (body["code"], body["language"]) == ("not-in-hand", "de")
    assert body["detail"]
    assert now_at(games, table.position.game.id).version == table.position.version


def test_a_refusal_names_the_rule_it_rests_on(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    game = started(games, "new-corp-order", people, **{"first-player": 0}).game.id
    action = {"type": "take-over", "source": "A1", "target": "C3", "agents": 1}
    body = refused(api.by(people[0]).act(game, 1, action), 409, "illegal-action")
    assert body["rule"].startswith("R-")
    assert body["code"]
    assert body["detail"]


def test_a_line_that_is_no_action_is_named(table: Table) -> None:
    answer = table.seats[0].act(table.position.game.id, table.decision, "castle king side")
    assert "castle king side" in refused(answer, 422, "unreadable-notation")["detail"]


def test_a_stranger_cannot_act(table: Table) -> None:
    refused(table.stranger.act(table.position.game.id, table.decision, HOLD), 403, "not-seated")


@pytest.mark.parametrize(
    ("action", "pointer"),
    [
        ({"type": "bid"}, "/action/card"),
        ({"type": "bid", "card": "1"}, "/action/card"),
        ({"type": "bid", "card": True}, "/action/card"),
        ({"type": "bid", "card": 1.0}, "/action/card"),
        ({"type": "bid", "card": 2**31}, "/action/card"),
        ({"type": "bid", "card": 1, "colour/~": 1}, "/action/colour~1~0"),
        ({"type": "fold"}, "/action/type"),
        ({"type": ["bid"]}, "/action/type"),
        ({"card": 1}, "/action/type"),
        ([], "/action"),
    ],
)
def test_a_malformed_action_is_pointed_at(table: Table, action: Any, pointer: str) -> None:
    body = refused(table.seats[0].act(table.position.game.id, table.decision, action), 422, "validation")
    assert [fault["pointer"] for fault in body["errors"]] == [pointer]


def test_an_action_in_two_ways_at_once_is_refused(table: Table) -> None:
    body = {"decision": table.decision, "action": HOLD, "notation": "hold"}
    answer = table.seats[0].post(f"{table.path}/actions", body)
    assert refused(answer, 422, "validation")["errors"][0]["pointer"] == "/notation"


def test_a_game_that_has_not_begun_takes_no_action(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    game = opened(games, "sealed-bids", people)
    body = refused(api.by(people[0]).act(game, 0, HOLD), 409, "game-not-running")
    assert body["game_status"] == "open"


def test_the_same_key_plays_once_and_gets_the_same_answer(table: Table, games: Games) -> None:
    key = str(uuid4())
    first = table.bid(0, table.cards(0)[0], Idempotency_Key=key)
    table.bid(1, table.cards(1)[0])
    again = table.bid(0, table.cards(0)[0], Idempotency_Key=key)
    assert ("Idempotency-Replayed" in first.headers, again.headers["Idempotency-Replayed"]) == (False, "true")
    assert (again.status_code, again.json) == (201, first.json)
    assert now_at(games, table.position.game.id).version == table.position.version + 2
    refused(table.bid(0, table.cards(0)[1], Idempotency_Key=key), 422, "key-reused")
    body = refused(table.bid(0, table.cards(0)[1], Idempotency_Key="no spaces please"), 422, "validation")
    assert body["errors"][0]["parameter"] == "Idempotency-Key"


def test_the_tag_of_a_table_is_its_viewers_own(table: Table) -> None:
    tags = [caller.get(table.path).headers["ETag"] for caller in (*table.seats, table.stranger)]
    assert len(set(tags)) == 4
    for seat, tag in enumerate(tags[:3]):
        same = table.seats[seat].get(table.path, If_None_Match=tag)
        assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", tag)
        assert table.stranger.get(table.path, If_None_Match=tag).status_code == 200
    table.bid(0, table.cards(0)[0])
    assert table.seats[1].get(table.path, If_None_Match=tags[1]).status_code == 200
    assert table.seats[1].get(table.path).headers["Vary"] == "Authorization"


def test_joining_changes_the_tag_of_an_open_game(api: Caller, games: Games) -> None:
    host = api.by(alice(games))
    new = host.post("/games", {"ruleset": "sealed-bids", "seats": 3, "access": "public"}).json
    assert new
    tag = host.get(f"/games/{new['id']}").headers["ETag"]
    api.by(bob(games)).post(f"/games/{new['id']}/seats")
    assert host.get(f"/games/{new['id']}", If_None_Match=tag).status_code == 200


def test_a_whole_game_is_played_to_its_outcome(table: Table) -> None:
    for lot in range(3):
        for seat in range(3):
            assert table.bid(seat, table.cards(seat)[lot], table.decision + lot).status_code == 201
    over = table.stranger.get(table.path).json
    assert over
    assert (over["status"], over["to_act"]) == ("finished", [])
    shown = table.stranger.get(f"{table.path}/standings").json
    assert shown
    assert shown["outcome"] == over["outcome"]
    assert shown["standings"]["scores"] == over["outcome"]["scores"]
    refused(table.bid(0, table.cards(0)[0], over["decision"]), 409, "game-not-running")


def test_the_board_is_drawn_as_text_in_a_language(table: Table) -> None:
    answer = table.seats[0].get(f"{table.path}/board?language=fr")
    assert answer.content_type == "text/plain; charset=utf-8"
    assert answer.headers["Content-Language"] == "fr"
    assert max(map(len, answer.text.splitlines())) <= 72
    assert answer.text != table.stranger.get(f"{table.path}/board?language=fr").text
