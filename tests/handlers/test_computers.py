"""Computer players take seats, are sent away, take over for people who have left, and play whole games."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from uuid import UUID

import pytest

from service.audit.inspect import whole_record
from service.handlers import computers, lobby
from service.handlers.computers import play_computer
from service.handlers.invitations import rematch
from service.handlers.lobby import Plan
from service.handlers.pace import propose_pause
from service.handlers.play import resign
from service.handlers.refusals import BadOption, NoSuchLevel, NotHost, NotOpen, SeatAttended
from service.players.levels import Level
from service.record.verify import verify
from service.rules.pace import PACES
from service.shared import clock
from service.store import events
from service.store.games import Games, Position
from tests.builders import act, now_at, started, table_for
from tests.people import alice, bob, carol
from tests.record.records import RULESETS
from tests.seating import against, let_computers_play, owed, played_out

GAME = "new-corp-order"
QUICK = "sealed-bids"
"""A game of few moves, in which all act at once."""


def levels_at(position: Position) -> list[str | None]:
    return [seat.computer for seat in position.seats]


def test_a_table_full_of_computer_players_starts_at_one_press(games: Games) -> None:
    position = against(games, GAME, alice(games), ["normal", "easy"])
    assert position.game.status == "running"
    assert levels_at(position) == [None, "normal", "easy"]
    assert position.awaited <= {0}
    assert [seat.told for seat in position.seats] == [True, False, False]


def test_two_of_one_level_sit_at_a_table_and_a_seat_left_free_is_waited_for(games: Games) -> None:
    position = against(games, GAME, alice(games), ["easy", "easy"], seats=4)
    assert position.game.status == "open"
    assert len({seat.player_id for seat in position.seats}) == 3


def test_the_host_fills_a_seat_and_sends_the_computer_player_away_again(games: Games) -> None:
    host = alice(games)
    game = table_for(games, GAME, host, 3)
    assert computers.fill(games, game, host.id, "normal", clock.now()) == 1
    computers.dismiss(games, game, host.id, 1)
    assert [seat.seat for seat in now_at(games, game).seats] == [0]
    assert computers.fill(games, game, host.id, "easy", clock.now()) == 1
    assert lobby.join(games, game, bob(games).id, clock.now()) == 2
    after = lobby.start(games, game, host.id, clock.now())
    assert {seat: each.level for seat, each in after.folded.computers.items()} == {1: "easy"}


def test_what_cannot_be_seated_changes_nothing(games: Games) -> None:
    host, other = alice(games), bob(games)
    game = table_for(games, GAME, host, 2)
    with pytest.raises(NotHost):
        computers.fill(games, game, other.id, "easy", clock.now())
    with pytest.raises(NoSuchLevel) as refused:
        computers.fill(games, game, host.id, "random", clock.now())
    assert "easy" in refused.value.levels
    with pytest.raises(NotOpen):
        computers.dismiss(games, game, host.id, 0)
    assert len(now_at(games, game).seats) == 1
    with pytest.raises(BadOption):
        lobby.create(games, host.id, Plan(GAME, 2, computers=("easy", "easy")), clock.now())
    with pytest.raises(BadOption):
        lobby.create(games, host.id, Plan(GAME, 1, computers=("easy",)), clock.now())
    against(games, GAME, host, ["easy"])
    with pytest.raises(NotOpen):
        computers.fill(games, against(games, GAME, host, ["easy"]).game.id, host.id, "easy", clock.now())


def test_a_computer_player_never_becomes_the_host(games: Games) -> None:
    host, guest = alice(games), bob(games)
    game = table_for(games, GAME, host, 3)
    computers.fill(games, game, host.id, "easy", clock.now())
    lobby.join(games, game, guest.id, clock.now())
    lobby.leave_table(games, game, host.id)
    assert now_at(games, game).game.host == guest.id
    lobby.leave_table(games, game, guest.id)
    assert now_at(games, game).game.status == "cancelled"
    assert record_holds(games, game)


@pytest.mark.parametrize(
    ("ruleset", "levels"),
    [
        (QUICK, ["easy", "easy"]),
        pytest.param(GAME, ["hard"], marks=pytest.mark.slow),
        pytest.param(GAME, ["normal", "easy", "easy"], marks=pytest.mark.slow),
        pytest.param("bastards-inc", ["easy", "easy"], marks=pytest.mark.slow),
    ],
)
def test_a_whole_game_is_played_and_its_record_holds_with_every_choice(
    games: Games, ruleset: str, levels: list[Level]
) -> None:
    over = played_out(games, against(games, ruleset, alice(games), levels), Random(1))
    assert over.game.status == "finished"
    said = record_holds(games, over.game.id)
    with games.engine.connect() as db:
        log = events.read(db, over.codec, over.game.id)
    moves = [each for each in log if each.action is not None and each.seat in range(1, len(levels) + 1)]
    assert {each.door for each in moves} == {"worker"}
    assert f"computed again: {len(moves)}" in said


def record_holds(games: Games, game: UUID) -> str:
    """Verify the record of a game that is over, and return what is said of the last level."""
    with games.engine.connect() as db:
        report = verify(whole_record(db, games, game).text(), RULESETS)
    assert report.holds is not False, report.findings
    return report.findings[-1].said


def test_a_row_plays_once_however_often_it_is_carried_out(games: Games) -> None:
    position = let_it_owe(games)
    (row, seat), *_ = owed(games, position.game.id)
    assert play_computer(games, position.game.id, seat, row)
    after = now_at(games, position.game.id)
    assert play_computer(games, position.game.id, seat, row) in (True, False)
    assert now_at(games, position.game.id).version == after.version > position.version


def let_it_owe(games: Games) -> Position:
    """Return a game in which a computer player has to act."""
    position, random = against(games, GAME, alice(games), ["normal"]), Random(1)
    while not owed(games, position.game.id):
        position = act(games, position, 0, random.choice(position.ruleset.legal(position.state, 0))).position
    return position


def test_a_computer_player_takes_over_a_seat_that_was_given_up(games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, QUICK, people)
    with pytest.raises(SeatAttended):
        computers.substitute_computer(games, position.game.id, people[0].id, 1, "easy", clock.now())
    resign(games, position.game.id, people[1].id, "web", clock.now())
    with pytest.raises(NotHost):
        computers.substitute_computer(games, position.game.id, people[2].id, 1, "easy", clock.now())
    after = computers.substitute_computer(games, position.game.id, people[0].id, 1, "easy", clock.now())
    assert levels_at(after) == [None, "easy", None]
    assert not after.resigned and not after.unattended
    random = Random(2)
    while after.game.status == "running":
        after = let_computers_play(games, after.game.id)
        for seat in sorted(after.awaited)[:1]:
            after = act(games, after, seat, random.choice(after.ruleset.legal(after.state, seat))).position
    assert "computed again" in record_holds(games, after.game.id)


def test_nobody_waits_for_a_computer_player_to_agree_and_no_time_runs_for_it(games: Games) -> None:
    host = alice(games)
    position = against(games, QUICK, host, ["easy", "easy"], pace=PACES["daily"])
    assert position.clocks is not None and set(position.clocks.waits) <= {0}
    until = clock.now().replace(microsecond=0) + timedelta(hours=1)
    assert propose_pause(games, position.game.id, host.id, until, "web", clock.now()).clocks.paused is not None
    assert record_holds(games, played_out(games, now_at(games, position.game.id), Random(3)).game.id)


def test_a_rematch_seats_the_computer_players_again(games: Games) -> None:
    host = alice(games)
    over = played_out(games, against(games, QUICK, host, ["easy", "easy"]), Random(4))
    again = rematch(games, over.game.id, host.id, clock.now())
    assert again.game.status == "running"
    assert levels_at(again) == levels_at(over)
