"""The log takes what follows on its newest event, and gives nothing back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from msgspec.structs import replace
from sqlalchemy import create_engine, text
from sqlalchemy.exc import IntegrityError, ProgrammingError

from service.log.codec import Codec, encode
from service.store import events
from service.store.events import Cause, Entry, StaleVersion, append
from service.store.games import Games
from service.store.idempotency import IdempotencyKey, IdempotentRequest
from service.store.notices import turn_mail
from tests.builders import now_at, opened, sealed_bids
from tests.games.sealed_bids import RULESET
from tests.games.sealed_bids.events import BidSealed, HandDealt
from tests.people import alice, bob, carol

DEALT = [encode(HandDealt(seat=seat, cards=(seat, 9))) for seat in (0, 1)]
MOMENT = datetime(2026, 1, 31, 12, 0, 0, 5000, UTC)
CHANGES = ("update event set seat = 1", "delete from event", "truncate event", "delete from event where seq = 1")


@pytest.fixture
def game(games: Games) -> UUID:
    return opened(games, "sealed-bids", [alice(games), bob(games), carol(games)])


def entry(game: UUID, version: int = 0) -> Entry:
    cause = Cause(2, "web", 5, {"type": "deal"})
    return Entry(game=game, version=version, events=DEALT, cause=cause, at=MOMENT, head=None)


def test_events_get_consecutive_numbers_and_keep_their_cause(games: Games, game: UUID) -> None:
    with games.engine.begin() as db:
        append(db, entry(game))
        append(db, entry(game, version=2))
        recorded = events.read(db, Codec(RULESET), game)
    assert [each.seq for each in recorded] == [1, 2, 3, 4]
    last = recorded[2:]
    assert [each.event for each in last] == [HandDealt(seat=0, cards=(0, 9)), HandDealt(seat=1, cards=(1, 9))]
    assert {(each.seat, each.door, each.decision, each.at) for each in last} == {(2, "web", 5, MOMENT)}
    assert [each.action for each in last] == [{"type": "deal"}, None]


def test_an_append_to_a_version_gone_by_writes_nothing(games: Games, game: UUID) -> None:
    with games.engine.begin() as db:
        append(db, entry(game))
    notice, request = turn_mail(game, 1, 0), IdempotentRequest(IdempotencyKey(game, "key"), b"hash")
    with games.engine.begin() as db, pytest.raises(StaleVersion):
        append(db, replace(entry(game), notices=[notice], request=request))
    with games.engine.connect() as db:
        assert len(events.read(db, Codec(RULESET), game)) == 2
        assert db.execute(text("select count(*) from outbox where game_id = :game"), {"game": game}).scalar() == 0
        assert db.execute(text("select count(*) from idempotency where game_id = :game"), {"game": game}).scalar() == 0


def test_a_notice_is_written_once_however_often_it_is_given(games: Games, game: UUID) -> None:
    with games.engine.begin() as db:
        for version in (0, 2):
            append(db, replace(entry(game, version), notices=[turn_mail(game, 1, 0), turn_mail(game, 1, 1)]))
        keys = db.execute(text("select dedupe_key from outbox where game_id = :game order by id"), {"game": game})
        assert keys.scalars().all() == [f"turn-mail:{game}:1:0", f"turn-mail:{game}:1:1"]


def test_deadlines_that_an_append_does_not_name_stay_as_they_are(games: Games, game: UUID) -> None:
    # given a game that awaits two seats until their deadlines
    deadlines = [MOMENT + timedelta(milliseconds=1), None]
    with games.engine.begin() as db:
        append(db, replace(entry(game), awaited=[0, 2], deadlines=deadlines))
        # when an append leaves them, and another one has none any more
        append(db, replace(entry(game, version=2), awaited=[0, 2], deadlines=None))
        left = db.execute(text("select deadlines from game where id = :game"), {"game": game}).scalar_one()
        append(db, entry(game, version=4))
        gone = db.execute(text("select deadlines from game where id = :game"), {"game": game}).scalar_one()
    # then only the second one takes them away
    assert (left, gone) == (deadlines, [])


def test_a_key_used_for_another_game_stops_the_whole_append(games: Games, game: UUID) -> None:
    other = opened(games, "sealed-bids", [alice(games), bob(games), carol(games)])
    request = IdempotentRequest(IdempotencyKey(game, "key"), b"hash")
    with games.engine.begin() as db:
        append(db, replace(entry(game), request=request))
    with pytest.raises(IntegrityError), games.engine.begin() as db:
        append(db, replace(entry(other), request=request))
    assert now_at(games, other).version == 0


def test_an_append_to_a_game_that_is_not_there_writes_nothing(games: Games, game: UUID) -> None:
    nowhere = UUID(int=game.int + 1)
    notice, request = turn_mail(nowhere, 1, 0), IdempotentRequest(IdempotencyKey(nowhere, "key"), b"hash")
    with games.engine.begin() as db, pytest.raises(StaleVersion):
        append(db, replace(entry(nowhere), notices=[notice], request=request))
    with games.engine.connect() as db:
        for table in ("event", "outbox", "idempotency"):
            rows = db.execute(text(f"select count(*) from {table} where game_id = :game"), {"game": nowhere})
            assert rows.scalar() == 0, table


@pytest.mark.parametrize("change", ["delete from game", "truncate game cascade", "update game set id = id"])
def test_a_game_cannot_be_taken_from_under_its_log(games: Games, owner_url: str, change: str) -> None:
    version = sealed_bids(games).version
    engine = create_engine(owner_url)
    for whose in (games.engine, engine):
        with whose.connect() as db, pytest.raises(ProgrammingError, match=r"permission denied|a game is kept"):
            db.execute(text(change))
    with engine.connect() as db:
        orphans = "select count(*) from event where game_id not in (select id from game)"
        assert db.execute(text(orphans)).scalar() == 0
        assert (db.execute(text("select count(*) from event")).scalar() or 0) >= version
    engine.dispose()


@pytest.mark.parametrize("change", CHANGES)
def test_the_application_cannot_change_the_log(games: Games, change: str) -> None:
    version = sealed_bids(games).version
    with games.engine.connect() as db:
        assert db.execute(text("select current_user")).scalar() == "boardroom_app"
        with pytest.raises(ProgrammingError, match="permission denied for table event"):
            db.execute(text(change))
        db.rollback()
        assert (db.execute(text("select count(*) from event")).scalar() or 0) >= version


@pytest.mark.parametrize("change", CHANGES)
def test_not_even_the_owner_of_the_tables_can_change_the_log(games: Games, owner_url: str, change: str) -> None:
    sealed_bids(games)
    engine = create_engine(owner_url)
    with engine.connect() as db, pytest.raises(ProgrammingError, match="event is append-only"):
        db.execute(text(change))
    engine.dispose()


def test_what_is_hidden_stays_out_of_the_errors_of_the_database(games: Games, game: UUID) -> None:
    secret = [encode(BidSealed(seat=0, card=1234567))]
    cause = Cause(0, "cellar", 1, {"type": "bid", "card": 1234567})
    broken = replace(entry(game), events=secret, cause=cause)
    with games.engine.begin() as db, pytest.raises(IntegrityError) as refused:
        append(db, broken)
    assert "1234567" not in str(refused.value)
