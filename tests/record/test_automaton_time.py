"""The clock of a game with an automaton: it has no time of its own, and both verifiers hold that to be right."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from freezegun import freeze_time
from sqlalchemy import text, update

from service.audit.inspect import examine, whole_record
from service.handlers import lobby
from service.handlers.play import play_automaton
from service.handlers.refusals import BadOption
from service.log.recorded import milliseconds
from service.record.verify import verify
from service.rules.pace import PACES
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.store.tables import game as game_table
from tests.builders import act, now_at, table_for
from tests.lapsing import pending
from tests.people import Person, alice
from tests.record.clocked import BEGIN, clocks_of, lapsed, stood_in
from tests.record.records import KEYS, RULESETS, SEALED_AT, SIGNER
from tests.record.test_two_verifiers import node, with_node

ALICE, AUTOMATON = 0, 1


def against_the_automaton(games: Games, person: Person) -> Position:
    """Return a table for one with a clock: none can be opened so, but another ruleset may seat two beside one."""
    game = table_for(games, "new-corp-order", person, 1)
    with games.engine.begin() as db:
        db.execute(update(game_table).where(game_table.c.id == game).values(pace=asdict(PACES["brisk"])))
    return lobby.start(games, game, person.id, clock.now())


def test_t01_no_table_for_one_is_opened_with_a_pace(games: Games) -> None:
    with pytest.raises(BadOption):
        table_for(games, "new-corp-order", alice(games), 1, Terms(pace=PACES["brisk"]))


@with_node
def test_t06_an_automaton_has_no_deadline_never_lapses_and_its_moves_hold(games: Games, tmp_path: Path) -> None:
    # given a game against an automaton by a clock, in which the player lets time lapse now and then
    rng = Random(5)
    with freeze_time(BEGIN) as frozen:
        position = against_the_automaton(games, alice(games))
        while position.game.status == "running":
            clocks = clocks_of(position)
            # then the automaton is never waited for, and no row says that its time lapses
            assert AUTOMATON not in clocks.waits and clocks.deadlines() == [
                (seat, clocks.deadline(seat)) for seat in sorted(position.awaited)
            ]
            assert all(row.payload["seat"] == ALICE for row in pending(games, position))
            frozen.tick(timedelta(hours=rng.choice([1, 5, 40])))
            if position.ruleset.automaton(position.state) is not None:
                assert play_automaton(games, position.game.id)
            elif ALICE in position.stood_in:
                stood_in(games, position)
            elif (clocks.deadline(ALICE) or 0) <= milliseconds(clock.now()):
                lapsed(games, position, ALICE)
            else:
                act(games, position, ALICE, rng.choice(position.ruleset.legal(position.state, ALICE)))
            position = now_at(games, position.game.id)
    # and its record holds for the audit and for both verifiers
    with games.engine.connect() as db:
        examine(db, games, position.game.id)
        doors = db.execute(
            text("select distinct door from event where game_id = :game and seat = :seat"),
            {"game": position.game.id, "seat": AUTOMATON},
        )
        assert doors.scalars().all() == ["worker"]
        made = whole_record(db, games, position.game.id)
    made.seal(SIGNER, SEALED_AT)
    report = verify(made.text(), RULESETS, KEYS)
    assert report.holds, report.as_json()
    [theirs] = node(tmp_path, [made.text()])
    assert theirs["levels"][-1]["said"] == next(each.said for each in report.findings if each.level == "time")
