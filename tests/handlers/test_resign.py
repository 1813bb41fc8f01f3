"""Resignations: the game ends or the others play on, and the log says so."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from service.handlers.play import Move, play, play_automaton, resign
from service.handlers.refusals import NotYourTurn
from service.log.codec import action_json
from service.mail.compose import text_part
from service.mail.game_blocks import MailLinks
from service.mail.play import game_over_mail
from service.runtime import Runtime
from service.shared import clock
from service.store import events, outbox
from service.store.games import Games, Position
from service.views.history import latest_recap
from service.views.table import choices, table
from tests.builders import act, ending_on_resignation, now_at, opened, sealed_bids, started
from tests.games.sealed_bids.actions import Hold
from tests.lapsing import instead_of
from tests.people import alice, bob
from tests.rest import Caller, refused
from workers.jobs import carry_out

CONFIRMED = {"confirm": True}


def player_in(position: Position, seat: int) -> Any:
    return position.seats[seat].player_id


def resigned(games: Games, position: Position, *seats: int) -> Position:
    for seat in seats:
        position = resign(games, position.game.id, player_in(position, seat), "api", clock.now()).position
    return position


def pending(games: Games, position: Position, kind: str) -> list[Any]:
    query = text(
        "select id, payload from outbox where game_id = :game and kind = :kind and state = 'pending' order by id"
    )
    with games.engine.connect() as db:
        return list(db.execute(query, {"game": position.game.id, "kind": kind}))


def test_the_others_play_on_and_the_service_makes_the_moves_of_the_seat(runtime: Runtime, games: Games) -> None:
    position = resigned(games, sealed_bids(games), 1)
    assert (position.game.status, position.resigned, position.outcome) == ("running", (1,), None)
    (row,) = pending(games, position, "automaton")
    assert row.payload == {"decision": 1, "seat": 1}
    owed = action_json(instead_of(position, 1))
    carry_out(runtime, row.id)
    carry_out(runtime, row.id)
    assert now_at(games, position.game.id).to_act == {0, 2}
    for seat in (0, 2):
        position = act(games, now_at(games, position.game.id), seat, Hold()).position
    assert position.state.lot == 2
    assert [row.payload for row in pending(games, position, "automaton")] == [{"decision": 2, "seat": 1}]
    with games.engine.connect() as db:
        made = [each for each in events.read(db, position.codec, position.game.id) if each.door == "worker"]
    assert [(each.seat, each.action) for each in made] == [(1, owed)]


def test_two_who_have_resigned_at_one_decision_are_both_moved(runtime: Runtime, games: Games) -> None:
    people = [alice(games, None), *(bob(games, None) for _ in range(3))]
    position = resigned(games, started(games, "sealed-bids", people), 3, 1)
    for row in pending(games, position, "automaton"):
        carry_out(runtime, row.id)
    assert now_at(games, position.game.id).to_act == {0, 2}
    assert not pending(games, position, "automaton")


def test_whoever_has_resigned_gets_no_mail_any_more_and_cannot_act(runtime: Runtime, games: Games) -> None:
    position = resigned(games, sealed_bids(games), 1)
    position = act(games, position, 0, Hold()).position
    with pytest.raises(NotYourTurn):
        act(games, position, 1, Hold())
    assert choices(position, 1, "en") == []
    position = act(games, position, 2, Hold()).position
    assert play_automaton(games, position.game.id, seat=1)
    mailed = [(row.payload["decision"], row.payload["seat"]) for row in pending(games, position, "turn-mail")]
    assert sorted(mailed) == [(1, 0), (1, 1), (1, 2), (2, 0), (2, 2)]
    stale = next(row.id for row in pending(games, position, "turn-mail") if row.payload == {"decision": 1, "seat": 1})
    carry_out(runtime, stale)
    with games.engine.connect() as db:
        assert outbox.read(db, stale) is None


def test_a_seat_that_nobody_gave_up_is_not_moved(games: Games) -> None:
    position = sealed_bids(games)
    assert not play_automaton(games, position.game.id, seat=1)


def test_when_one_player_is_left_that_one_has_won(games: Games) -> None:
    position = resigned(games, sealed_bids(games), 2, 0)
    assert position.game.status == "finished"
    assert position.outcome == {"winners": [1], "scores": None, "reason": "resignation"}
    assert (position.to_act, position.awaited) == (frozenset(), frozenset())
    assert position == now_at(games, position.game.id)
    with games.engine.connect() as db:
        assert games.at_version(db, position, position.version) == position
        assert games.at_version(db, position, position.version - 1).game.status == "running"


def test_by_the_tables_option_the_game_ends_at_once_and_all_others_have_won(games: Games) -> None:
    position = resigned(games, ending_on_resignation(games, sealed_bids(games)), 1)
    assert position.game.status == "finished"
    assert position.outcome == {"winners": [0, 2], "scores": None, "reason": "resignation"}
    assert table(position, 1)["outcome"] == position.outcome
    with pytest.raises(Exception, match="finished"):
        act(games, position, 0, Hold())


def test_a_solo_game_given_up_is_lost_to_the_automaton(games: Games) -> None:
    position = resigned(games, started(games, "new-corp-order", [alice(games)]), 0)
    assert position.game.status == "finished"
    assert position.outcome == {"winners": [1], "scores": None, "reason": "resignation"}


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "Bob resigns."), ("de", "Bob gibt auf."), ("fr", "Bob abandonne.")]
)
def test_the_history_tells_it(games: Games, language: str, sentence: str) -> None:
    position = resigned(games, sealed_bids(games), 1)
    with games.engine.connect() as db:
        assert latest_recap(db, position, 0, language).sentences[-1] == sentence


def test_the_mail_at_the_end_tells_who_has_won_without_scores(games: Games) -> None:
    position = resigned(games, sealed_bids(games), 1, 2)
    with games.engine.connect() as db:
        way = MailLinks("http://127.0.0.1:8000", position.game.id)
        told = text_part(game_over_mail(position, 0, latest_recap(db, position, 0, "en"), way))
    assert "Winner: Alice" in told
    assert "* Carol resigns, and the game is over." in told


def test_over_the_api_it_takes_a_word_and_works_once(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), bob(games)]
    game = started(games, "sealed-bids", people).game.id
    callers = [api.by(person) for person in people]
    place = f"/games/{game}/resignation"
    for body in ({}, {"confirm": False}, {"confirm": "true"}):
        refused(callers[1].post(place, body), 422, "validation")
    refused(api.by(alice(games)).post(place, CONFIRMED), 403, "not-seated")
    answer = callers[1].post(place, CONFIRMED)
    assert (answer.status_code, answer.json and answer.json["table"]["resigned"]) == (201, [1])
    assert answer.json
    (event,) = answer.json["events"]
    assert (event["type"], event["actor"], event["door"]) == ("seat-resigned", 1, "api")
    assert event["data"] == {"seat": 1, "ends": False}
    refused(callers[1].post(place, CONFIRMED), 409, "already-resigned")
    refused(callers[1].act(game, 1, "hold"), 409, "not-your-turn")
    assert callers[2].post(place, CONFIRMED).status_code == 201
    refused(callers[0].post(place, CONFIRMED), 409, "game-not-running")
    refused(callers[0].act(game, 1, "hold"), 409, "game-not-running")


def test_before_the_game_begins_there_is_nothing_to_give_up(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), bob(games)]
    game = opened(games, "sealed-bids", people)
    refused(api.by(people[0]).post(f"/games/{game}/resignation", CONFIRMED), 409, "game-not-running")


def test_a_late_move_of_the_seat_changes_nothing(games: Games) -> None:
    before = sealed_bids(games)
    after = resigned(games, before, 0)
    with pytest.raises(NotYourTurn):
        play(games, Move(before.game.id, 0, 1, Hold(), "link"))
    assert now_at(games, before.game.id) == after
