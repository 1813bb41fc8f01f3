"""A game that is over gets one seal, which anybody can check; and each day gets one root over its seals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from structlog.testing import capture_logs

from service.app import create_app
from service.audit.derived_tables import discrepancies
from service.audit.inspect import whole_record
from service.audit.seal_roots import altered_days, altered_keys
from service.log.recorded import milliseconds as ms
from service.messages.keys import new_key
from service.record.merkle import leads_to, leaf, path
from service.record.seal import PublicKey, signed_by, signer
from service.runtime import Runtime
from service.shared import clock
from service.store import proof
from service.store.games import Games
from service.store.proof import SEAL_GRACE, DayRow, SealRow
from tests.builders import finished, sealed_bids
from tests.people import alice
from tests.superuser import UNCHAINED, Tamper
from tests.workers.solo import state_of
from workers.jobs import carry_out
from workers.proof import DayClosed, begin_night, close_days, sign
from workers.relay import Relay

ITS_KEY = "id = (select key from seal where game_id = %s)"


@pytest.fixture
def sealing(runtime: Runtime, as_superuser: Tamper) -> Iterator[Runtime]:
    """The house with a key of its own and nothing sealed, as it is left too."""
    empty = "truncate seal, seal_day, seal_key, deal_standing, deal_tally, deal_try, deal_seed, deal"
    as_superuser(empty)
    yield replace(runtime, signer=signer(new_key()))
    as_superuser(empty)


def over(games: Games) -> UUID:
    """Return a game that is over and waits for its seal."""
    return finished(games, sealed_bids(games)).game.id


def row_of(runtime: Runtime, game: UUID) -> int:
    with runtime.engine.connect() as db:
        found = text("select id from outbox where kind = 'seal' and game_id = :game")
        return int(db.execute(found, {"game": game}).scalar_one())


def sealed(runtime: Runtime, game: UUID) -> SealRow:
    row = row_of(runtime, game)
    carry_out(runtime, row)
    assert state_of(runtime, row)[0] == "done"
    with runtime.engine.connect() as db:
        made = proof.seal_of(db, game)
    assert made is not None
    return made


def published(runtime: Runtime) -> list[PublicKey]:
    with runtime.engine.connect() as db:
        return [PublicKey(key.id, key.public, key.since, key.until) for key in proof.seal_keys(db)]


def test_the_end_of_a_game_brings_its_seal_by_the_relay(sealing: Runtime, games: Games) -> None:
    game = over(games)
    relay = Relay(replace(sealing, redis=None, mailer=None))
    relay.drain()
    with sealing.engine.connect() as db:
        made, head = proof.seal_of(db, game), whole_record(db, games, game).head
    assert made is not None
    assert made.head == head
    assert signed_by(made.public, head, ms(made.at), made.signature)


def test_a_game_is_sealed_once(sealing: Runtime, games: Games) -> None:
    game = over(games)
    first = sealed(sealing, game)
    with sealing.engine.begin() as db:
        db.execute(text("update outbox set state = 'pending' where id = :id"), {"id": row_of(sealing, game)})
    assert sealed(sealing, game) == first
    for change in ("update seal set at = now()", "delete from seal", "truncate seal", "delete from seal_day"):
        with pytest.raises(DBAPIError, match=r"append-only|permission denied"), sealing.engine.begin() as db:
            db.execute(text(change))


def test_without_a_key_or_a_chain_there_is_no_seal(sealing: Runtime, games: Games, as_superuser: Tamper) -> None:
    keyless, unchained = over(games), over(games)
    as_superuser(UNCHAINED, {"game": unchained})
    carry_out(replace(sealing, signer=None), row_of(sealing, keyless))
    carry_out(sealing, row_of(sealing, unchained))
    for game in (keyless, unchained):
        assert state_of(sealing, row_of(sealing, game))[0] == "skipped"
        with sealing.engine.connect() as db:
            assert proof.seal_of(db, game) is None


def test_a_new_key_ends_the_span_of_the_old_one_which_seals_no_more(sealing: Runtime, games: Games) -> None:
    first, newer = sealed(sealing, over(games)), replace(sealing, signer=signer(new_key()))
    second, late = sealed(newer, over(games)), over(games)
    carry_out(sealing, row_of(sealing, late))
    assert state_of(sealing, row_of(sealing, late)) == ("pending", 1)
    third = sealed(newer, late)
    assert first.key != second.key == third.key
    old, new = published(sealing)
    assert (old.id, new.id, new.until) == (first.key, second.key, None)
    assert old.until == new.since
    assert old.since <= first.at <= old.until <= second.at


def test_seals_are_within_the_span_of_their_key_whatever_the_clock_of_their_process_says(
    sealing: Runtime, games: Games
) -> None:
    older, newer, right = signer(new_key()), signer(new_key()), clock.now()
    ahead, behind = right + timedelta(hours=2, microseconds=7), right - timedelta(hours=2)
    for key, moment in [(older, ahead), (older, behind), (older, right), (newer, behind), (newer, right)]:
        game = over(games)
        with sealing.engine.begin() as db:
            sign(db, key, game, bytes(32), lambda moment=moment: moment)
            assert discrepancies(db, [game]).get(game) is None
    old, new = published(sealing)
    assert (old.until, new.until) == (new.since, None)
    with sealing.engine.connect() as db:
        assert list(altered_keys(db)) == []


def test_the_moment_of_a_seal_is_one_of_the_record_though_its_key_began_between_two_milliseconds(
    sealing: Runtime, games: Games, as_superuser: Tamper
) -> None:
    sealed(sealing, over(games))
    as_superuser("update seal_key set since = date_trunc('ms', clock_timestamp()) + interval '1 h 7 us'")
    game = over(games)
    made, (key,) = sealed(sealing, game), published(sealing)
    assert made.at - key.since == timedelta(microseconds=993)


def test_an_altered_game_is_not_sealed_and_the_log_names_the_event(
    sealing: Runtime, games: Games, as_superuser: Tamper
) -> None:
    game = over(games)
    as_superuser("update event set door = 'reply' where game_id = %s and seq = 2", (game,))
    fresh = replace(sealing, games=Games(sealing.engine, games.rulesets))
    with capture_logs() as told:
        carry_out(fresh, row_of(sealing, game))
    assert state_of(sealing, row_of(sealing, game))[0] == "dead"
    (error,) = [each for each in told if each["log_level"] == "error"]
    assert (error["game"], error["seq"]) == (str(game), 2)
    with sealing.engine.connect() as db:
        assert proof.seal_of(db, game) is None


def test_nothing_is_sealed_in_a_day_that_has_its_root(sealing: Runtime, games: Games) -> None:
    game = over(games)
    assert sealing.signer is not None
    # Nothing of it is committed: other tests seal on this day.
    with sealing.engine.connect() as db:
        proof.close_day(db, DayRow(clock.now().date(), bytes(32), 0, clock.now()))
        with pytest.raises(DayClosed):
            sign(db, sealing.signer, game, bytes(32))


def test_a_day_that_is_over_has_one_root_to_which_each_seal_leads(
    sealing: Runtime, games: Games, as_superuser: Tamper
) -> None:
    made = {game: sealed(sealing, game) for game in (over(games), over(games), over(games))}
    yesterday = datetime(2026, 3, 1, 23, 59, tzinfo=UTC)
    as_superuser("update seal set at = %s where game_id = any(%s)", (yesterday, list(made)))
    close_days(sealing.engine, yesterday + timedelta(minutes=2))
    with sealing.engine.connect() as db:
        assert proof.closed_days(db, None, 9) == []
    close_days(sealing.engine, yesterday + SEAL_GRACE + timedelta(minutes=2))
    sealed(sealing, over(games))
    close_days(sealing.engine, clock.now())
    with sealing.engine.connect() as db:
        (day,) = proof.closed_days(db, None, 9)
        on = proof.sealed_on(db, day.day)
    assert (day.day, day.count) == (yesterday.date(), 3)
    assert [game for game, _ in on] == sorted(made)
    with sealing.engine.connect() as db:
        assert list(altered_days(db)) == []
    leaves = [leaf(signature) for _, signature in on]
    for index, each in enumerate(leaves):
        assert leads_to(each, index, day.count, path(leaves, index)) == day.root
    as_superuser("delete from seal where game_id = %s", (min(made),))
    with sealing.engine.connect() as db:
        assert list(altered_days(db)) == [day.day], "a seal that was taken away"
    as_superuser("delete from outbox where kind = 'night'")
    begin_night(sealing.engine, clock.now())
    with sealing.engine.connect() as db:
        night = db.execute(text("select id from outbox where kind = 'night'")).scalar_one()
    with capture_logs() as told:
        carry_out(sealing, night)
    assert [each["days"] for each in told if each["log_level"] == "error"] == [[yesterday.date().isoformat()]]
    assert state_of(sealing, night)[0] == "dead"


def test_who_asks_for_the_proof_is_led_from_the_seal_to_the_root_of_its_day(
    sealing: Runtime, games: Games, as_superuser: Tamper
) -> None:
    made = {game: sealed(sealing, game) for game in (over(games), over(games), over(games))}
    web, paths = create_app(sealing).test_client(), [f"/games/{game}/proof" for game in made]
    assert all("come to one root" in web.get(each).text for each in paths)
    day = datetime(2026, 3, 1, 12, tzinfo=UTC)
    as_superuser("update seal set at = %s where game_id = any(%s)", (day, list(made)))
    close_days(sealing.engine, day + timedelta(days=2))
    reader = {"Authorization": f"Bearer {alice(games).token}"}
    for address, seal in zip(paths, made.values(), strict=True):
        told = web.get(f"/api/v1{address}", headers=reader).json
        assert told is not None and told["day"]["count"] == 3
        way = [bytes.fromhex(step) for step in told["day"]["path"]]
        assert leads_to(leaf(seal.signature), told["day"]["index"], 3, way).hex() == told["day"]["root"]
        page = web.get(address).text
        assert told["day"]["root"] in page and seal.signature.hex() in page and "(3 in all)" in page


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("delete from seal where game_id = %s", "its seal is missing, and there was one"),
        (f"update seal_key set since = now() + interval '1 h' where {ITS_KEY}", "the key of its seal was not in use"),
    ],
)
def test_a_seal_that_was_taken_away_or_whose_key_is_said_to_be_younger_is_found(
    sealing: Runtime, games: Games, as_superuser: Tamper, change: str, said: str
) -> None:
    game = over(games)
    sealed(sealing, game)
    as_superuser(change, (game,))
    with sealing.engine.connect() as db:
        assert said in discrepancies(db, [game])[game].wrong
    as_superuser("delete from outbox where game_id = %s", (game,))


def test_a_day_that_has_lost_its_root_is_found(sealing: Runtime, games: Games, as_superuser: Tamper) -> None:
    days = [datetime(2026, 3, day, 12, tzinfo=UTC) for day in (1, 2)]
    for day in days:
        as_superuser("update seal set at = %s where game_id = %s", (day, _sealed_game(sealing, games)))
    close_days(sealing.engine, days[1] + timedelta(days=1))
    with sealing.engine.connect() as db:
        assert list(altered_days(db)) == []
        as_superuser("delete from seal_day where day = %s", (days[0].date(),))
        close_days(sealing.engine, days[1] + timedelta(days=2))
        assert list(altered_days(db)) == [days[0].date()]


def _sealed_game(sealing: Runtime, games: Games) -> UUID:
    game = over(games)
    sealed(sealing, game)
    return game


@pytest.mark.parametrize(
    "change",
    [
        "update seal_key set until = until + interval '1 h' where until is not null",
        "update seal_key set until = now() where until is null",
        "update seal_key set public = sha256(public) where until is null",
        "delete from seal_key where until is null",
        "insert into seal_key (id, public, since, until) select 'a' || id, public, since, since from seal_key",
    ],
)
def test_a_key_that_was_changed_taken_away_or_slipped_in_is_found(
    sealing: Runtime, games: Games, as_superuser: Tamper, change: str
) -> None:
    sealed(sealing, over(games))
    sealed(replace(sealing, signer=signer(new_key())), over(games))
    with sealing.engine.connect() as db:
        assert list(altered_keys(db)) == []
        as_superuser(change)
        assert list(altered_keys(db)) != []
