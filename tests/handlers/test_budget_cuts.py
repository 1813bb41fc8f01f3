"""While many computer players have to move, a search thinks less, and the record tells how much."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from service.audit.inspect import whole_record
from service.handlers.append import record
from service.handlers.computers import MANY, play_computer
from service.handlers.play import Move, carry_out, resign
from service.handlers.transaction import transaction
from service.log.codec import action_json
from service.players.levels import BUDGETS, CUT, Level
from service.players.player import choice, computer_seated
from service.record.verify import verify
from service.rules.pace import PACES, Pace
from service.rules.shared_events import BudgetCut
from service.shared import clock
from service.store import events
from service.store.events import Cause
from service.store.games import Games, Position
from tests.builders import act, now_at
from tests.people import Person, alice
from tests.record.forging import Change, Lines, rewritten
from tests.record.records import RULESETS
from tests.record.test_two_verifiers import node, with_node
from tests.seating import against, owed

NAME = "new-corp-order"
ALICE, COMPUTER = 0, 1
_NONE_WAITS = text("""
update outbox set state = 'skipped' where kind = 'computer' and state = 'pending' and game_id is distinct from :but
""")
_WAIT = text("""
insert into outbox (dedupe_key, kind, payload, not_before, due_at)
select 'waits:' || gen_random_uuid(), 'computer', '{}', moment, moment
  from generate_series(1, :many), (select clock_timestamp() - interval '1 s') as due(moment)
""")


@pytest.fixture
def host(games: Games) -> Person:
    return alice(games)


def computers_to_move(games: Games, many: int, but: Position | None = None) -> None:
    """Let so many moves of computer players be due, and no others but those of a game."""
    with games.engine.begin() as db:
        db.execute(_NONE_WAITS, {"but": but and but.game.id})
        db.execute(_WAIT, {"many": many})


@pytest.fixture(autouse=True)
def none_waits_afterwards(games: Games) -> Iterator[None]:
    """Leave no rows of these tests to others."""
    yield
    computers_to_move(games, 0)


@pytest.fixture
def many_wait(games: Games) -> None:
    computers_to_move(games, MANY)


def to_move(games: Games, host: Person, level: Level = "expert", pace: Pace | None = None) -> Position:
    """Return a game of Alice's in which the computer player has to move."""
    position = against(games, NAME, host, [level], pace=pace)
    while COMPUTER not in position.to_act:
        position = act(games, position, ALICE, position.ruleset.legal(position.state, ALICE)[0]).position
    return position


def chosen(position: Position, tables: int | None) -> Any:
    """Return what the computer player chooses with a budget."""
    ruleset, seats, game, decision = position.ruleset, position.game.seats, str(position.game.id), position.decision
    return choice(ruleset, seats, game, decision, position.state, computer_seated(COMPUTER, "expert"), tables)


def moved(games: Games, position: Position) -> tuple[list[BudgetCut], list[Any]]:
    """Let the computer player move, and return what has cut its budget, and its action."""
    (row, seat), *_ = owed(games, position.game.id)
    assert play_computer(games, position.game.id, seat, row)
    with games.engine.connect() as db:
        log = events.read(db, position.codec, position.game.id, position.version)
    cuts = [each.event for each in log if isinstance(each.event, BudgetCut)]
    return cuts, [each.action for each in log if each.action is not None]


def given_up(games: Games, position: Position, host: Person) -> bytes:
    """Return the record of the game after Alice has given it up."""
    resign(games, position.game.id, host.id, "web", clock.now())
    with games.engine.connect() as db:
        return whole_record(db, games, position.game.id).text()


def test_a_search_that_thinks_less_while_many_wait_says_so_before_its_move(
    games: Games, host: Person, many_wait: None
) -> None:
    position = to_move(games, host)
    cuts, actions = moved(games, position)
    assert cuts == [BudgetCut(seat=COMPUTER, decision=position.decision, tables=CUT["expert"])]
    assert actions == [action_json(chosen(position, CUT["expert"]))]
    after = now_at(games, position.game.id)
    assert len(owed(games, after.game.id)) == len(after.to_act & {COMPUTER})


@pytest.mark.parametrize(("level", "many"), [("expert", MANY - 2), ("hard", MANY)])
def test_nobody_thinks_less_while_few_wait_nor_where_a_choice_takes_no_time(
    games: Games, host: Person, level: Level, many: int
) -> None:
    position = to_move(games, host, level)
    computers_to_move(games, many, position)
    cuts, _ = moved(games, position)
    assert cuts == []


def test_a_cut_that_was_noted_holds_when_the_move_is_made_after_all(games: Games, host: Person) -> None:
    position = noted(games, to_move(games, host), 1)
    cuts, actions = moved(games, position)
    assert cuts == []
    assert actions == [action_json(chosen(position, 1))]


def test_each_choice_is_computed_again_from_the_record_with_its_own_budget(
    games: Games, host: Person, many_wait: None
) -> None:
    position = to_move(games, host)
    moved(games, position)
    computers_to_move(games, 0)
    report = verify(given_up(games, now_at(games, position.game.id), host), RULESETS)
    assert report.holds is not False, report.findings
    assert "computed again: 1" in report.findings[-1].said


def test_a_move_that_the_budget_in_the_record_does_not_come_to_is_found(games: Games, host: Person) -> None:
    position = noted(games, to_move(games, host), 1)
    legal = position.ruleset.legal(position.state, COMPUTER)
    other = next(action for action in legal if action != chosen(position, 1))
    with transaction(games.engine) as db:
        move = Move(position.game.id, COMPUTER, position.decision, other, "worker")
        position, _ = carry_out(db, position, move)
    assert "had to play something else" in wrong(given_up(games, position, host))


def noted(games: Games, position: Position, tables: int) -> Position:
    """Cut the budget of the computer player's decision."""
    cut = BudgetCut(seat=COMPUTER, decision=position.decision, tables=tables)
    with transaction(games.engine) as db:
        after, _ = record(db, position, [cut], Cause(COMPUTER, "worker", position.decision))
    return after


def wrong(made: bytes) -> str:
    """Return what is said of a record by whose rules something is wrong."""
    last = verify(made, RULESETS).findings[-1]
    assert (last.level, last.holds) == ("rules", False), last
    return last.said


def in_the_cut(**changes: int) -> Change:
    """Change fields of the event that cuts a budget, and the seat of its step with that of the event."""

    def change(lines: Lines) -> None:
        step = next(line for line in lines if line["kind"] == "step" and line["events"][0]["type"] == "budget-cut")
        step["events"][0]["data"].update(changes)
        step["seat"] = step["events"][0]["data"]["seat"]

    return change


def test_a_cut_that_is_none_is_found(games: Games, host: Person) -> None:
    position = noted(games, to_move(games, host), 1)
    moved(games, position)
    made = given_up(games, now_at(games, position.game.id), host)
    for change, said in (
        (in_the_cut(tables=BUDGETS["expert"]), "no smaller budget"),
        (in_the_cut(tables=0), "no smaller budget"),
        (in_the_cut(seat=ALICE), "no such decision"),
        (in_the_cut(decision=position.decision + 1), "no such decision"),
    ):
        assert said in wrong(rewritten(change, made)), said


@with_node
def test_both_verifiers_read_a_record_with_a_cut(games: Games, host: Person, tmp_path: Path) -> None:
    position = noted(games, to_move(games, host, pace=PACES["daily"]), 1)
    moved(games, position)
    made = given_up(games, now_at(games, position.game.id), host)
    (report,) = node(tmp_path, [rewritten(lambda lines: None, made)])
    assert report["holds"], report
    assert verify(made, RULESETS).holds is not False
