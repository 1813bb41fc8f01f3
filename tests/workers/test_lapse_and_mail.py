"""A mail that was received before the deadline is in time, however late it is read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from sqlalchemy import text

from service.local.supervisor import wait_until
from service.rules.shared_events import PlayerBack, TimeLapsed
from service.runtime import Runtime
from service.shared import clock
from service.store import mail
from service.store.games import Games, Position
from tests.builders import now_at, paced
from tests.lapsing import AT_ONCE, HOUR, HOURLY, begun, carried_out, instead_of, logged, pending, stood_in
from tests.letters import Letter, letters
from tests.people import alice, bob, carol
from tests.replying import outcomes, reply, take
from workers.jobs import carry_out
from workers.relay import Relay

ALICE, BOB, CAROL = 0, 1, 2
_RECEIVED = text("update inbound_mail set received_at = :at where game_id = :game")


_WAITS = text("""
select exists (select from pg_stat_activity where wait_event_type = 'Lock'
                  and (query like '%for share%' or query like '%for no key update%'))
""")


def _waits(runtime: Runtime) -> bool:
    """Return whether a transaction waits for the lock of a game."""
    with runtime.engine.connect() as db:
        return bool(db.execute(_WAITS).scalar_one())


def mail_to_bob(runtime: Runtime, mailbox: Path, position: Position) -> Letter:
    """Bob's turn mail, sent without anything else being carried out."""
    for row in pending(runtime.games, position, "turn-mail"):
        if row.payload["seat"] == BOB:
            carry_out(runtime, row.id)
    (letter,) = (each for each in letters(mailbox, position.game.id) if each.recipient == "bob@example.org")
    return letter


def received(games: Games, position: Position, before: timedelta) -> None:
    """Have the mails of the game been received so long before Bob's deadline."""
    (deadline,) = (row.payload["deadline"] for row in pending(games, position) if row.payload["seat"] == BOB)
    with games.engine.begin() as db:
        at = text("select to_timestamp(:deadline / 1000.0) - :before")
        moment = db.execute(at, {"deadline": deadline, "before": before}).scalar_one()
        db.execute(_RECEIVED, {"at": moment, "game": position.game.id})


def test_t12_a_mail_received_in_time_holds_the_lapse_back_until_it_is_carried_out(
    runtime: Runtime, games: Games, mailbox: Path
) -> None:
    position = begun(games, 2 * HOUR)
    take(runtime, reply(mail_to_bob(runtime, mailbox, position), "hold"))
    received(games, position, timedelta(seconds=1))
    carried_out(runtime, position)
    carried_out(runtime, position)
    assert {each.event.seat for each in logged(games, position, TimeLapsed)} == {ALICE, CAROL}
    carried_out(runtime, position, "reply")
    assert outcomes(runtime, position.game.id) == ["played"]
    carried_out(runtime, position)
    assert BOB not in {each.event.seat for each in logged(games, position, TimeLapsed)}


def test_t12_a_mail_that_plays_nothing_does_not_hold_it_back_for_longer(
    runtime: Runtime, games: Games, mailbox: Path
) -> None:
    position = begun(games, 2 * HOUR)
    take(runtime, reply(mail_to_bob(runtime, mailbox, position), "help"))
    received(games, position, timedelta(seconds=1))
    carried_out(runtime, position, seat=BOB)
    assert not logged(games, position, TimeLapsed)
    carried_out(runtime, position, "reply")
    carried_out(runtime, position, seat=BOB)
    assert [each.event.seat for each in logged(games, position, TimeLapsed)] == [BOB]


def test_t12_a_mail_received_after_the_deadline_is_too_late_and_is_told_what_was_played(
    runtime: Runtime, games: Games, mailbox: Path
) -> None:
    position = begun(games, 2 * HOUR)
    letter = mail_to_bob(runtime, mailbox, position)
    take(runtime, reply(letter, "bid 3"))
    stood_in(runtime, position)
    for each in mailbox.glob("*.eml"):
        each.unlink()
    carried_out(runtime, position, "reply")
    assert outcomes(runtime, position.game.id) == ["time-lapsed"]
    (answer,) = (each for each in letters(mailbox, position.game.id) if each.recipient == "bob@example.org")
    assert "Deine Zeit für diese Entscheidung war abgelaufen" in " ".join(answer.text.split())
    hold = position.ruleset.describe(instead_of(position, BOB), BOB, "de", ("", "", ""))
    assert hold in " ".join(answer.text.split())


def test_t12_another_players_mail_holds_nothing_back(runtime: Runtime, games: Games, mailbox: Path) -> None:
    position = begun(games, 2 * HOUR)
    take(runtime, reply(mail_to_bob(runtime, mailbox, position), "hold"))
    received(games, position, timedelta(seconds=1))
    carried_out(runtime, position, seat=ALICE)
    assert [each.event.seat for each in logged(games, position, TimeLapsed)] == [ALICE]


def test_t12_a_mail_that_is_being_stored_comes_before_the_lapse(runtime: Runtime, games: Games, mailbox: Path) -> None:
    position = paced(games, AT_ONCE)
    (row,) = (each for each in pending(games, position) if each.payload["seat"] == BOB)
    with ThreadPoolExecutor(1) as threads, games.engine.connect() as db:
        mail.hold_lapses(db, position.game.id)
        lapse = threads.submit(carry_out, runtime, row.id)
        assert wait_until(lambda: _waits(runtime), 60)
        assert not logged(games, position, TimeLapsed)
        db.rollback()
        lapse.result(60)
    assert [each.event.seat for each in logged(games, position, TimeLapsed)] == [BOB]


def test_t12_a_mail_that_comes_during_the_lapse_is_received_after_it(
    runtime: Runtime, games: Games, mailbox: Path
) -> None:
    position = begun(games, 2 * HOUR)
    answer = reply(mail_to_bob(runtime, mailbox, position), "hold")
    with ThreadPoolExecutor(1) as threads, games.engine.connect() as db:
        games.lock(db, position.game.id)
        stored = threads.submit(take, runtime, answer)
        assert wait_until(lambda: _waits(runtime), 60)
        released = clock.now()
        db.close()
        assert stored.result(60) == "stored"
    with games.engine.connect() as db:
        of_the_game = text("select received_at from inbound_mail where game_id = :game")
        assert db.execute(of_the_game, {"game": position.game.id}).scalar_one() >= released


def test_t38_lapses_are_written_in_the_order_of_their_deadlines(runtime: Runtime, games: Games) -> None:
    made = [begun(games, ago, replace(HOURLY, free=free)) for ago, free in ((HOUR, 60), (HOUR, 30), (2 * HOUR, 3600))]
    relay = Relay(replace(runtime, redis=None))
    relay.drain()
    told = [each for position in made for each in logged(games, position, TimeLapsed)]
    assert len(told) == 9
    by_deadline = sorted(told, key=lambda each: each.event.deadline)
    assert [each.at for each in by_deadline] == sorted(each.at for each in told)


def test_t14_any_answer_by_mail_brings_an_absent_player_back(runtime: Runtime, games: Games, mailbox: Path) -> None:
    position = paced(games, AT_ONCE, people=[alice(games), bob(games), carol(games)])
    letter = mail_to_bob(runtime, mailbox, position)
    for _ in range(2):
        position = stood_in(runtime, position)
    position = carried_out(runtime, position, seat=BOB)
    assert position.clocks is not None and position.clocks.absent == {BOB}
    take(runtime, reply(letter, "show"))
    carried_out(runtime, position, "reply")
    assert [(each.seat, each.door) for each in logged(games, position, PlayerBack)] == [(BOB, "reply")]
    assert BOB in now_at(games, position.game.id).awaited


def test_t14_an_answering_machine_brings_nobody_back(runtime: Runtime, games: Games, mailbox: Path) -> None:
    position = paced(games, AT_ONCE)
    letter = mail_to_bob(runtime, mailbox, position)
    for _ in range(2):
        position = stood_in(runtime, position)
    position = carried_out(runtime, position, seat=BOB)
    take(runtime, reply(letter, "I am on holiday.", Auto_Submitted="auto-replied"))
    carried_out(runtime, position, "reply")
    assert not logged(games, position, PlayerBack)


def test_t10_the_relay_carries_all_of_it_out(runtime: Runtime, games: Games) -> None:
    waiting, over = paced(games, HOURLY), paced(games, AT_ONCE)
    relay = Relay(replace(runtime, redis=None))

    def goes_on() -> bool:
        relay.drain()
        return now_at(games, over.game.id).game.status == "running"

    assert wait_until(lambda: not goes_on(), 60)
    assert len(logged(games, over, TimeLapsed)) == 9
    assert not logged(games, waiting, TimeLapsed)
