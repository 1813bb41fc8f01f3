"""What was changed in the database behind the service's back is found, by game and by event."""

from __future__ import annotations

from datetime import timedelta

import pytest

from service.audit.inspect import examine, inspect, whole_record
from service.audit.log import Altered, NoChain
from service.handlers.resign import resign
from service.handlers.take_back import Wish, take_back
from service.handlers.talk import say
from service.record.verify import verify
from service.shared import clock
from service.store.games import Games, Position
from tests.builders import act, finished, first_legal, now_at, sealed_bids, started
from tests.people import alice, bob
from tests.record.records import RULESETS, SEALED_AT, SIGNER
from tests.superuser import UNCHAINED, Tamper

APPEND = "select max(seq) from event where game_id = %s and head is not null and seq <= %s"


def altered(games: Games, position: Position) -> tuple[int, str]:
    # A process that has folded the game before would not read its events again.
    fresh = Games(games.engine, games.rulesets)
    with pytest.raises(Altered) as found, games.engine.connect() as db:
        inspect(db, fresh, position.game.id)
    return found.value.seq, found.value.wrong


def verified(games: Games, position: Position) -> None:
    with games.engine.connect() as db:
        record = whole_record(db, games, position.game.id)
    record.seal(SIGNER, SEALED_AT)
    report = verify(record.text(), RULESETS)
    assert [finding.holds for finding in report.findings] == [True] * 5, report.findings


def corp(games: Games) -> Position:
    return started(games, "new-corp-order", [alice(games), bob(games)], **{"short-game": False})


def test_whole_games_have_records_that_hold(games: Games) -> None:
    verified(games, finished(games, corp(games)))
    verified(games, finished(games, sealed_bids(games)))


def test_so_has_a_game_with_talk_an_action_taken_back_and_a_resignation(games: Games) -> None:
    position = sealed_bids(games)
    game, people = position.game.id, position.seats
    act(games, position, 1, first_legal(position, 1))
    take_back(games, Wish(game, 1, position.decision, "api"), timedelta(minutes=10), clock.now())
    say(games, game, people[0].player_id, "hello", "api", clock.now())
    for person in people[1:]:
        resign(games, game, person.player_id, "api", clock.now())
    assert now_at(games, game).game.status == "finished"
    verified(games, now_at(games, game))


def test_the_head_in_the_game_is_that_of_the_record(games: Games) -> None:
    position = corp(games)
    with games.engine.connect() as db:
        inspected = inspect(db, games, position.game.id)
    assert inspected.record.head.hex() == position.game.head == now_at(games, position.game.id).game.head
    assert inspected.rerun.folded == position.folded


@pytest.mark.parametrize(
    ("change", "seq"),
    [
        ("update event set data = '{\"seat\": 1}' where game_id = %s and seq = 9", 9),
        ("update event set at = at + interval '1 ms' where game_id = %s and seq = 9", 9),
        ("update event set door = 'reply' where game_id = %s and seq = 9", 9),
        ("update event set name = 'turn-began' where game_id = %s and seq = 9", 9),
        ("delete from event where game_id = %s and seq = 9", 9),
        ("update event set seq = 1000 where game_id = %s and seq = 9", 9),
    ],
)
def test_a_changed_event_is_found_by_its_number(games: Games, as_superuser: Tamper, change: str, seq: int) -> None:
    position = corp(games)
    while position.version < 12:
        position = act(games, position, min(position.to_act), first_legal(position, min(position.to_act))).position
    (begins,) = as_superuser(APPEND, (position.game.id, seq)).fetchone()
    as_superuser(change, (position.game.id,))
    assert altered(games, position)[0] in {seq, begins}


@pytest.mark.parametrize(
    ("change", "seq"),
    [
        ("update event set at = 'infinity' where game_id = %s and seq = 3", 3),
        ("update event set at = '0001-01-01 BC' where game_id = %s and seq = 3", 3),
        ("update event set data = 'null' where game_id = %s and seq = 3", 1),
        ("update event set data = '{\"x\": 1.5}' where game_id = %s and seq = 3", 1),
        ("delete from event where game_id = %s", 1),
        ("update game set version = 0 where id = %s", 1),
        ("update game set version = version + 1 where id = %s", None),
        ("update game set head = null where id = %s", None),
        ("update game set status = 'finished' where id = %s", None),
        ("update game set status = 'open' where id = %s", None),
        ("update game set status = 'cancelled' where id = %s", None),
        ("update game set seats = 3 where id = %s", 1),
        ("update game set options = '{}' where id = %s", 1),
        ("update game set commitment = repeat('0', 64) where id = %s", 1),
        ("update game set ruleset = 'chess' where id = %s", 1),
        ("delete from seed where game_id = %s", 1),
        ("update seat set nonce = repeat('0', 32) where game_id = %s", 1),
        ("update seat set drawn_by = 'client' where game_id = %s", 1),
        ("delete from seat where game_id = %s", 1),
    ],
)
def test_whatever_else_was_changed_is_found_and_ends_no_audit(
    games: Games, as_superuser: Tamper, change: str, seq: int | None
) -> None:
    position = corp(games)
    as_superuser(change, (position.game.id,))
    fresh = Games(games.engine, games.rulesets)
    with pytest.raises(Altered) as found, games.engine.connect() as db:
        examine(db, fresh, position.game.id)
    # What no game has, no other test is to come upon.
    as_superuser("update game set ruleset = 'new-corp-order' where id = %s", (position.game.id,))
    assert found.value.seq in ({seq} if seq else {position.version, position.version + 1})


def test_that_only_the_lobby_is_still_chained_is_found(games: Games, as_superuser: Tamper) -> None:
    position = corp(games)
    as_superuser("update event set head = null where game_id = %s", (position.game.id,))
    as_superuser("update game set head = null, lobby = null where id = %s", (position.game.id,))
    assert altered(games, position) == (position.version, "the game's head is missing")


def test_a_head_that_was_set_back_is_found(games: Games, as_superuser: Tamper) -> None:
    position = corp(games)
    as_superuser("update game set head = decode(repeat('00', 32), 'hex') where id = %s", (position.game.id,))
    assert "head" in altered(games, position)[1]


def test_a_game_cut_short_is_found(games: Games, as_superuser: Tamper) -> None:
    position = finished(games, corp(games))
    as_superuser("delete from event where game_id = %s and seq = %s", (position.game.id, position.version))
    assert altered(games, position)[0] == position.version


def test_of_a_game_without_a_chain_nothing_is_said(games: Games, as_superuser: Tamper) -> None:
    position = corp(games)
    as_superuser(UNCHAINED, {"game": position.game.id})
    with pytest.raises(NoChain), games.engine.connect() as db:
        inspect(db, games, position.game.id)
    seat = min(position.to_act)
    assert act(games, now_at(games, position.game.id), seat, first_legal(position, seat)).position.game.head is None
