"""Webhooks are told what they asked for, and nothing that a spectator may not know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from service.handlers import lobby, operators
from service.handlers import webhooks as handlers
from service.handlers.webhooks import Rules
from service.log.codec import encode, event_data
from service.messages.webhooks import LAPSED, NEAR, TYPES
from service.rules.kernel import GameStarted
from service.runtime import Runtime
from service.shared import clock
from service.store import events
from service.store.events import Cause, Entry, append
from service.store.games import Games, Position
from service.views.table import table
from tests.builders import act, now_at, opened, sealed_bids
from tests.games.sealed_bids.actions import Bid, Hold
from tests.games.sealed_bids.events import HandDealt
from tests.listener import Listener
from tests.operating import ZOE
from tests.people import alice, bob, carol
from tests.workers.hooks import begun, hook, log, run_out
from tests.workers.solo import hurry

CANARY = 7654321


def told(listener: Listener) -> list[tuple[str, Any]]:
    """Return type and data of all that came in, in the order of versions."""
    bodies = [json.loads(each.body) for each in listener.received]
    found = [(each["type"], each["data"]) for each in bodies]
    listener.received.clear()
    return sorted(found, key=lambda each: (each[1]["version"], TYPES.index(each[0])))


def test_a_player_is_told_of_the_own_turn_and_a_table_of_everybodys(
    house: Runtime, games: Games, listener: Listener
) -> None:
    people = [alice(games), bob(games), carol(games)]
    game = opened(games, "sealed-bids", people)
    with Listener() as of_table:
        hook(house, people[1].id, listener)
        hook(house, people[0].id, of_table, game)
        position = begun(games, game, people[0])
        run_out(house)
        common = {"game": str(game), "version": position.version, "decision": 1, "to_act": [0, 1, 2], "deadlines": []}
        kinds = ("game.started", "game.turn", "game.event")
        assert told(listener) == [(kind, {**common, "seat": 1}) for kind in kinds]
        assert told(of_table) == [(kind, {**common, "seat": None}) for kind in kinds]
        position = act(games, position, 1, Hold()).position
        run_out(house)
        common |= {"version": position.version, "to_act": [0, 2]}
        assert told(listener) == [("game.event", {**common, "seat": 1})]
        assert told(of_table) == [("game.event", {**common, "seat": None})]


def test_the_end_is_told_with_the_outcome_that_everybody_sees(house: Runtime, games: Games, listener: Listener) -> None:
    position = sealed_bids(games)
    hook(house, position.seats[2].player_id, listener, kinds=["game.over"])
    for _ in range(3):
        for seat in (0, 1, 2):
            position = act(games, position, seat, Hold()).position
    run_out(house)
    ((kind, data),) = told(listener)
    assert kind == "game.over"
    assert data == {
        "game": str(position.game.id),
        "version": position.version,
        "decision": position.ruleset.decision(position.state),
        "to_act": [],
        "deadlines": [],
        "seat": 2,
        "outcome": table(position, None)["outcome"],
    }


def test_nothing_is_said_to_those_who_did_not_ask(house: Runtime, games: Games, listener: Listener) -> None:
    position = sealed_bids(games)
    owner = position.seats[0].player_id
    hook(house, owner, listener, kinds=["game.over"])
    off, _ = hook(house, owner, listener)
    handlers.change(games, Rules(house.vault, True), owner, off, {"active": False})
    hook(house, carol(games).id, listener)
    act(games, position, 0, Hold())
    run_out(house)
    assert listener.connections == 0
    assert log(house, off) == []


def test_a_host_who_has_left_is_told_nothing_more_of_the_table(
    house: Runtime, games: Games, listener: Listener
) -> None:
    people = [alice(games), bob(games), carol(games)]
    game = opened(games, "sealed-bids", people)
    hook(house, people[0].id, listener, game)
    with Listener() as of_the_next:
        lobby.leave_table(games, game, people[0].id)
        hook(house, people[1].id, of_the_next, game, kinds=["game.started"])
        lobby.join(games, game, alice(games).id, clock.now())
        begun(games, game, people[1])
        run_out(house)
        assert [kind for kind, _ in told(of_the_next)] == ["game.started"]
    assert told(listener) == []


def test_the_webhook_of_a_blocked_player_is_told_nothing_more(house: Runtime, games: Games, listener: Listener) -> None:
    people = [alice(games), bob(games), carol(games)]
    game = opened(games, "sealed-bids", people)
    with Listener() as of_carol:
        hook(house, people[1].id, listener)
        hook(house, people[2].id, of_carol)
        begun(games, game, people[0])
        run_out(house)
        assert told(listener) and told(of_carol)
        operators.block_account(games, people[1].id, ZOE, clock.now())
        act(games, now_at(games, game), 2, Hold())
        run_out(house)
        assert told(of_carol)
    assert told(listener) == []


def test_couriers_that_get_the_same_notice_write_its_messages_once(
    house: Runtime, games: Games, listener: Listener
) -> None:
    position = sealed_bids(games)
    webhook, _ = hook(house, position.seats[0].player_id, listener, kinds=["game.event"])
    act(games, position, 0, Hold())
    for _ in range(3):
        hurry(house)
        run_out(house)
    assert len(log(house, webhook)) == 1
    assert len(listener.received) == 1


def test_no_message_holds_a_card_of_the_toy(house: Runtime, games: Games, listener: Listener) -> None:
    position = sealed_bids(games)
    for seat in position.seats:
        hook(house, seat.player_id, listener)
    hook(house, position.game.host, listener, position.game.id)
    # A hand that nobody else may know, with a number in it that cannot come from anywhere else.
    dealt = [encode(HandDealt(seat=0, cards=(CANARY,)))]
    cause, now = Cause(None, "api", 1), clock.now()
    with games.engine.begin() as db:
        entry = Entry(game=position.game.id, version=position.version, events=dealt, cause=cause, at=now, head=None)
        append(db, entry)
    position = act(games, now_at(games, position.game.id), 0, Bid(card=CANARY)).position
    for seat in (1, 2):
        position = act(games, position, seat, Hold()).position
    run_out(house)
    assert len(listener.received) == 3 * 4 + 4
    assert not any(str(CANARY).encode() in each.body for each in listener.received)


@pytest.mark.slow
def test_no_message_of_a_whole_game_holds_anything_but_numbers_that_everybody_knows(
    house: Runtime, games: Games, listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    random, people = Random(7), [alice(games), bob(games), carol(games)]
    game = opened(games, "new-corp-order", people)
    secrets = [hook(house, person.id, listener)[1] for person in people]
    secrets.append(hook(house, people[0].id, listener, game)[1])
    position = begun(games, game, people[0])
    while position.game.status == "running":
        seat = min(position.ruleset.to_act(position.state))
        position = act(games, position, seat, random.choice(position.ruleset.legal(position.state, seat))).position
    run_out(house)
    sent = [json.loads(each.body) for each in listener.received]
    assert len(sent) > 4 * 50
    # A game without a clock has no deadlines.
    assert {each["type"] for each in sent} == {*TYPES} - {NEAR, LAPSED}
    fields = {"game", "version", "decision", "to_act", "seat", "deadlines"}
    for each in sent:
        assert each.keys() == {"type", "timestamp", "data"}
        data = dict(each["data"])
        assert data.pop("outcome", None) == (position.ruleset.outcome(position.state) if _over(each) else None)
        assert data.keys() == fields
        assert (data["game"], data["deadlines"]) == (str(game), [])
        assert all(isinstance(number, int) for number in (data["version"], data["decision"], *data["to_act"]))
    words = set(_texts(_everything(games, position))) | set(_hidden(house, game)) | set(secrets)
    running = b"".join(each.body for each in listener.received if not _over(json.loads(each.body))).decode()
    assert len(words) > 20
    assert not [word for word in words if f'"{word}"' in running or word in caplog.text]


def _over(message: dict[str, Any]) -> bool:
    return bool(message["type"] == "game.over")


def _everything(games: Games, position: Position) -> list[Any]:
    with games.engine.connect() as db:
        recorded = events.read(db, position.codec, position.game.id)
    return [event_data(each.event) for each in recorded if not isinstance(each.event, GameStarted)]


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for each in data.values() if isinstance(data, dict) else data:
            yield from _texts(each)


def _hidden(house: Runtime, game: UUID) -> list[str]:
    query = text(
        "select encode(seed, 'hex') from seed where game_id = :id union all select nonce from seat where game_id = :id"
    )
    with house.engine.connect() as db:
        return list(db.execute(query, {"id": game}).scalars())
