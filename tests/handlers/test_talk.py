"""Table talk and private notes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest

from service.store.games import Games, Position
from tests.builders import act, now_at, opened, started
from tests.games.sealed_bids.actions import Hold
from tests.people import alice, bob, carol
from tests.rest import Caller, refused


@dataclass(frozen=True, slots=True)
class Table:
    """A game of sealed bids, callers for its seats, and a stranger."""

    position: Position
    seats: list[Caller]
    stranger: Caller

    @property
    def talk(self) -> str:
        return f"/games/{self.position.game.id}/talk"

    @property
    def notes(self) -> str:
        return f"/games/{self.position.game.id}/notes"


@pytest.fixture
def table(api: Caller, games: Games) -> Table:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    return Table(position, [api.by(person) for person in people], api.by(carol(games)))


def said(answer: Any) -> list[tuple[int, int, str]]:
    return [(each["number"], each["seat"], each["text"]) for each in answer.json["items"]]


def test_those_who_sit_at_the_table_hear_each_other(table: Table) -> None:
    first = table.seats[0].post(table.talk, {"text": "Good luck!\nAnd have fun."})
    assert (first.status_code, first.json and first.json["number"]) == (201, 1)
    table.seats[1].post(table.talk, {"text": "¡Órale!"})
    heard = [(1, 0, "Good luck!\nAnd have fun."), (2, 1, "¡Órale!")]
    assert [said(seat.get(table.talk)) for seat in table.seats] == [heard] * 3
    assert said(table.seats[2].get(f"{table.talk}?after=1")) == heard[1:]
    assert said(table.seats[2].get(f"{table.talk}?limit=1")) == heard[:1]


def test_others_neither_hear_nor_speak(table: Table) -> None:
    refused(table.stranger.get(table.talk), 403, "not-seated")
    refused(table.stranger.post(table.talk, {"text": "Hello?"}), 403, "not-seated")
    refused(table.stranger.get(f"/games/{uuid4()}/talk"), 404, "unknown-game")


def test_the_log_only_tells_that_something_was_said(table: Table, games: Games) -> None:
    table.seats[1].post(table.talk, {"text": "I hold the seven."})
    told = table.stranger.get(f"/games/{table.position.game.id}/events?after={table.position.version}").json
    assert told
    (event,) = told["items"]
    assert (event["type"], event["actor"], event["data"]) == ("something-said", 1, {"seat": 1})
    assert event["text"] == "Bob dit quelque chose."
    assert "seven" not in json.dumps(told)
    assert now_at(games, table.position.game.id).state == table.position.state


def test_talk_makes_no_move_stale_and_no_turn_taken(table: Table, games: Games) -> None:
    table.seats[0].post(table.talk, {"text": "Hm."})
    assert table.seats[0].act(table.position.game.id, 1, "hold").status_code == 201
    assert now_at(games, table.position.game.id).awaited == {1, 2}


def test_after_the_end_one_can_still_talk_and_the_log_stays_closed(table: Table, games: Games) -> None:
    position = table.position
    while position.game.status == "running":
        position = act(games, position, min(position.awaited), Hold()).position
    assert table.seats[2].post(table.talk, {"text": "gg"}).status_code == 201
    assert said(table.seats[0].get(table.talk)) == [(1, 2, "gg")]
    assert now_at(games, position.game.id).version == position.version


def test_before_the_game_begins_nobody_talks(api: Caller, games: Games) -> None:
    person = alice(games)
    game = opened(games, "sealed-bids", [person, bob(games), carol(games)])
    refused(api.by(person).post(f"/games/{game}/talk", {"text": "Hi"}), 409, "game-not-running")


@pytest.mark.parametrize("text", ["", "x" * 501, "bell\x07", "\ud800", 7, None])
def test_what_cannot_be_said_is_refused_and_not_kept(table: Table, text: Any) -> None:
    refused(table.seats[0].post(table.talk, {"text": text}), 422, "validation")
    assert said(table.seats[0].get(table.talk)) == []


def test_notes_are_ones_own(table: Table) -> None:
    assert table.seats[0].get(table.notes).json == {"text": "", "at": None}
    assert table.seats[0].put(table.notes, {"text": "Bob bluffs.\nWatch the 9."}).status_code == 200
    table.seats[1].put(table.notes, {"text": "Alice knows."})
    kept = table.seats[0].get(table.notes).json
    assert kept
    assert kept["text"] == "Bob bluffs.\nWatch the 9."
    assert kept["at"]
    table.seats[0].put(table.notes, {"text": ""})
    assert [(seat.get(table.notes).json or {})["text"] for seat in table.seats] == ["", "Alice knows.", ""]


def test_notes_need_a_seat_and_an_end(table: Table) -> None:
    refused(table.stranger.get(table.notes), 403, "not-seated")
    refused(table.stranger.put(table.notes, {"text": "x"}), 403, "not-seated")
    refused(table.seats[0].put(f"/games/{uuid4()}/notes", {"text": "x"}), 404, "unknown-game")
    refused(table.seats[0].put(table.notes, {"text": "x" * 10_001}), 422, "validation")
    assert table.seats[0].put(table.notes, {"text": "x" * 10_000}).status_code == 200
