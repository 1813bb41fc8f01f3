"""Records of games with computer players: both verifiers read them, and ours computes each choice again."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from freezegun import freeze_time

from service.audit.inspect import whole_record
from service.handlers.play import Move, carry_out
from service.handlers.transaction import transaction
from service.players.levels import VERSIONS, Level
from service.record.verify import verify
from service.rules.pace import PACES
from service.rules.shared_events import TimeLapsed
from service.store.games import Games, Position
from tests.builders import finished, now_at
from tests.lapsing import instead_of
from tests.people import alice, bob
from tests.record.clocked import BEGIN, begun, clocks_of, noted, stood_in
from tests.record.forging import Change, Lines, of_kind, rewritten
from tests.record.records import KEYS, RULESETS, SEALED_AT, SIGNER
from tests.record.test_two_verifiers import node, told_by_node, told_by_us, with_node
from tests.seating import against, played_out

MADE: dict[str, bytes] = {}


@pytest.fixture
def record(games: Games) -> bytes:
    """The sealed record of a game with a clock of Alice's against two computer players, which is played once."""
    if not MADE:
        table = against(games, "new-corp-order", alice(games), ["normal", "easy"], pace=PACES["daily"])
        over = played_out(games, table, Random(1))
        with games.engine.connect() as db:
            made = whole_record(db, games, over.game.id)
        made.seal(SIGNER, SEALED_AT)
        MADE["record"] = made.text()
    return MADE["record"]


def with_level(old: Level, new: Level) -> Change:
    """Change a level, and its version, wherever the record tells it."""

    def change(lines: Lines) -> None:
        told = [*lines[0]["computers"]]
        told += [line["event"]["data"] for line in lines if line["kind"] == "lobby"]
        told += [each["data"] for each in of_kind(lines, "step")["events"]]
        for each in told:
            if each.get("level") == old:
                each.update({"level": new, "version": VERSIONS[new]} if "version" in each else {"level": new})

    return change


def with_version(lines: Lines) -> None:
    """Let computer players of the future have played."""
    for each in [*lines[0]["computers"], *(each["data"] for each in of_kind(lines, "step")["events"])]:
        if "level" in each:
            each["version"] = 99


def by_a_person(lines: Lines) -> None:
    next(line for line in lines if line["kind"] == "step" and line["seat"] == 1)["door"] = "web"


def test_a_record_with_computer_players_names_them_and_holds_with_every_choice(record: bytes) -> None:
    report = verify(record, RULESETS, KEYS)
    assert report.holds
    assert [each["level"] for each in json.loads(record.splitlines()[0])["computers"]] == ["normal", "easy"]
    choices = record.count(b'"seat":1,"seq"') + record.count(b'"seat":2,"seq"') - 2
    assert f"choices of computer players that were computed again: {choices}" in report.findings[-1].said


def test_another_choice_than_the_players_of_that_level_is_wrong(record: bytes) -> None:
    last = verify(rewritten(with_level("normal", "easy"), record), RULESETS, KEYS).findings[-1]
    assert (last.level, last.holds) == ("rules", False)
    assert "had to play something else" in last.said


def test_choices_of_players_that_are_not_here_are_said_not_to_be_checked(record: bytes) -> None:
    report = verify(rewritten(with_version, record), RULESETS, KEYS)
    assert report.holds
    assert "not checked, since their version is not installed here" in report.findings[-1].said


@with_node
def test_both_verifiers_find_the_same(record: bytes, tmp_path: Path) -> None:
    (report,) = node(tmp_path, [record])
    assert report["holds"] and [level["level"] for level in report["levels"]][-1] == "time"
    forged = [
        rewritten(change, record)
        for change in (
            by_a_person,
            lambda lines: lines[0]["computers"].pop(),
            lambda lines: lines[0]["computers"][0].update(level="hard"),
            lambda lines: lines[0].update(computers=[]),
            lambda lines: lines[3]["event"]["data"].pop("level"),
        )
    ]
    ours = told_by_us(forged)
    assert told_by_node(tmp_path, forged) == ours
    assert all(line is not None for _, line in ours)


def record_with(games: Games, action: Any) -> bytes:
    """Return the record of a game in which an action was played for Alice when her time had lapsed, and no other."""
    with freeze_time(BEGIN) as frozen:
        position = begun(games, "new-corp-order", [alice(games), bob(games)])
        [seat] = position.to_act
        frozen.tick(timedelta(days=9))
        deadline = clocks_of(position).deadline(seat)
        assert deadline is not None
        fact = TimeLapsed(seat=seat, decision=position.decision, deadline=deadline, ends=False)
        position = noted(games, position, fact, "timeout")
        with transaction(games.engine) as db:
            carry_out(db, position, Move(position.game.id, seat, position.decision, action(position, seat), "timeout"))
        finished(games, stood_in(games, now_at(games, position.game.id)))
    with games.engine.connect() as db:
        made = whole_record(db, games, position.game.id)
    made.seal(SIGNER, SEALED_AT)
    return made.text()


def the_stand_ins(position: Position, seat: int) -> Any:
    return instead_of(position, seat)


def the_kind_one(position: Position, seat: int) -> Any:
    return position.ruleset.on_timeout(position.state, seat)


def any_other(position: Position, seat: int) -> Any:
    could = (the_stand_ins(position, seat), the_kind_one(position, seat))
    return next(each for each in position.ruleset.legal(position.state, seat) if each not in could)


def test_what_was_played_for_a_player_who_did_not_is_computed_again(games: Games) -> None:
    for action in (the_stand_ins, the_kind_one):
        assert verify(record_with(games, action), RULESETS, KEYS).findings[-1].holds, action
    last = verify(record_with(games, any_other), RULESETS, KEYS).findings[-1]
    assert (last.level, last.holds) == ("rules", False)
    assert "had to play something else" in last.said
