"""Both verifiers compute the clocks of a game anew, and refuse what could not be so (T-05, T-36, T-37)."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time

from service.audit.inspect import examine, inspect, whole_record
from service.audit.log import Altered
from service.commands.cli import main
from service.log.folding import clocked_folds
from service.record.reading import FORMATS, MONOTONE
from service.record.verify import verify
from service.rules.pace import PACES
from service.rules.shared_events import SeatHandedOver, SeatResigned, TimeGiven, TimeLapsed
from service.store import events
from service.store.games import Games
from tests.builders import act, finished, first_legal, now_at, sealed_bids
from tests.lapsing import pending
from tests.people import alice, bob, carol
from tests.record.clocked import BEGIN, WEEKDAYS, begun, clocks_of, lapsed, noted, random_game, stood_in
from tests.record.forging import Change, Lines, rewritten
from tests.record.records import KEYS, RULESETS, SEALED_AT, SIGNER, record_of
from tests.record.test_two_verifiers import NODE, VERIFIER, node, with_node
from tests.superuser import Tamper

ALICE, BOB, CAROL = 0, 1, 2
HOUR = 3_600_000


def records(games: Games) -> list[bytes]:
    people = [alice(games), bob(games), carol(games)]
    return [
        *(random_game(games, "sealed-bids", people, seed) for seed in range(3)),
        random_game(games, "sealed-bids", people, 3, WEEKDAYS),
        random_game(games, "new-corp-order", people[:2], 4),
    ]


def last_level(record: bytes) -> tuple[str, int | None]:
    """Return the level at which our verifier ended, the rules left out, and the line."""
    found = verify(record, RULESETS, KEYS).findings[-1]
    return ("time" if found.level == "rules" and found.holds else found.level, found.line)


@with_node
@pytest.mark.long
def test_t36_both_verifiers_say_of_whole_games_with_a_clock_that_they_hold(games: Games, tmp_path: Path) -> None:
    made = records(games)
    for record in made:
        report = verify(record, RULESETS, KEYS)
        assert report.holds, report.as_json()
        assert [finding.level for finding in report.findings] == ["form", "chain", "seal", "draws", "time", "rules"]
    told = node(tmp_path, made)
    assert [report["levels"][-1]["said"] for report in told] == [
        next(finding.said for finding in verify(record, RULESETS, KEYS).findings if finding.level == "time")
        for record in made
    ]
    happened = b"".join(made)
    for name in (
        "time-lapsed",
        "time-given",
        "player-away",
        "player-back",
        "pause-withdrawn",
        "game-paused",
        "game-resumed",
    ):
        assert f'"type":"{name}"'.encode() in happened, f"none of these games has {name}"


def step_of(lines: Lines, name: str) -> dict[str, Any]:
    return next(line for line in lines if line["kind"] == "step" and line["events"][0]["type"] == name)


def told(name: str, **data: Any) -> Change:
    return lambda lines: step_of(lines, name)["events"][0]["data"].update(data)


def too_early(lines: Lines) -> None:
    step = step_of(lines, "time-lapsed")
    step["at"] = step["events"][0]["data"]["deadline"] - 1


def door_of_a_player(lines: Lines) -> None:
    next(line for line in lines if line.get("door") == "timeout" and line["action"])["door"] = "api"


def door_of_the_service(lines: Lines) -> None:
    next(line for line in lines if line.get("door") == "api" and line["action"])["door"] = "timeout"


LIES: dict[str, Change] = {
    "a lapse that came too early": too_early,
    "another deadline than the clocks come to": told("time-lapsed", deadline=0),
    "a lapse that ends a game whose pace says otherwise": told("time-lapsed", ends=True),
    "more time than anybody can give": told("time-given", seconds=1),
    "time for an outage that is longer than the wait": told("time-given", by=None, reason="outage", seconds=10**7),
    "time that a player gives to themselves": lambda lines: told("time-given", by=step_of(lines, "time-given")["seat"])(
        lines
    ),
    "an absence beyond its limit": told("player-away", until=4_200_000_000_000),
    "a pause beyond its limit": told("pause-proposed", until=4_200_000_000_000),
    "a proposal of a pause withdrawn by another seat": told("pause-withdrawn", seat=9),
    "a pause other than the one that was proposed": told("game-paused", until=1),
    "a stand-in who played through the door of a player": door_of_a_player,
    "a player who played through the door of the stand-in": door_of_the_service,
    "a pace that no table can have": lambda lines: lines[0]["pace"].update(free=10**9),
}


@with_node
@pytest.mark.long
def test_t36_both_verifiers_refuse_what_could_not_be_so_at_the_same_line(games: Games, tmp_path: Path) -> None:
    people = [alice(games), bob(games), carol(games)]
    # Games are random: the first one in which all of it happens.
    whole = next(
        each
        for each in (random_game(games, "sealed-bids", people, seed) for seed in count())
        if all(name in each for name in (b"time-lapsed", b"game-paused", b"time-given", b"player-away"))
    )
    changed = [rewritten(lie, whole) for lie in LIES.values()]
    ours = [last_level(record) for record in changed]
    theirs = [(report["levels"][-1]["level"], report["levels"][-1]["line"]) for report in node(tmp_path, changed)]
    assert {level for level, _ in ours} == {"time"}, dict(zip(LIES, ours, strict=True))
    assert dict(zip(LIES, theirs, strict=True)) == dict(zip(LIES, ours, strict=True))


@with_node
@pytest.mark.parametrize(
    "zone", ["localtime", "Factory", "Europe/Nowhere", "Mars/Olympus_Mons", "../../etc/passwd", ""]
)
def test_t36_a_time_zone_that_a_verifier_does_not_know_accuses_nobody(
    games: Games, tmp_path: Path, zone: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def of_that_zone(lines: Lines) -> None:
        lines[0]["pace"]["weekdays"] = zone
        for event in step_of(lines, "game-started")["events"]:
            if event["type"] == "pace-set":
                event["data"]["pace"]["weekdays"] = zone

    whole = random_game(games, "sealed-bids", [alice(games), bob(games), carol(games)], 3, WEEKDAYS)
    record = rewritten(of_that_zone, whole)
    report = verify(record, RULESETS, KEYS)
    (theirs,) = node(tmp_path, [record])
    assert (report.holds, theirs["holds"]) == (None, None)
    assert [(each.level, each.holds) for each in report.findings[-2:]] == [("time", None), ("rules", None)]
    assert "cannot be checked here" in report.findings[-2].said
    assert "cannot be checked here" in theirs["levels"][-1]["said"] and theirs["levels"][-1]["holds"] is None
    file = tmp_path / "record.jsonl"
    file.write_bytes(record)
    assert main(["verify", str(file)]) == 3
    assert "cannot be checked here" in capsys.readouterr().out
    assert subprocess.run([NODE or "", str(VERIFIER), str(file)], check=False, capture_output=True).returncode == 3


@with_node
def test_t36_what_is_wrong_is_wrong_also_where_the_time_zone_is_not_known(games: Games, tmp_path: Path) -> None:
    def wrong(lines: Lines) -> None:
        lines[0]["pace"].update(weekdays="localtime", free=10**9)

    record = rewritten(wrong, random_game(games, "sealed-bids", [alice(games), bob(games), carol(games)], 3, WEEKDAYS))
    assert verify(record, RULESETS, KEYS).holds is False
    assert [report["holds"] for report in node(tmp_path, [record])] == [False]


@with_node
def test_a_record_of_a_newer_version_accuses_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def of_tomorrow(lines: Lines) -> None:
        lines[0].update(format=FORMATS[-1] + 1, weather="fair")

    record = rewritten(of_tomorrow, record_of("new-corp-order", 2).text())
    report = verify(record, RULESETS, KEYS)
    (theirs,) = node(tmp_path, [record])
    assert [(each.level, each.holds) for each in report.findings] == [("form", None)] and report.holds is None
    assert [(each["level"], each["holds"]) for each in theirs["levels"]] == [("form", None)] and theirs["holds"] is None
    file = tmp_path / "record.jsonl"
    file.write_bytes(record)
    assert main(["verify", str(file)]) == 3 and main(["listing", str(file)]) == 3
    told = capsys.readouterr()
    assert "cannot be checked here" in told.out and "Install a newer version." in told.err
    assert subprocess.run([NODE or "", str(VERIFIER), str(file)], check=False, capture_output=True).returncode == 3


def test_a_running_table_whose_zone_is_one_of_this_machine_alone_plays_on_and_is_audited(games: Games) -> None:
    pace = replace(WEEKDAYS, weekdays="Etc/GMT-3")
    with freeze_time(BEGIN) as frozen:
        position = begun(games, "sealed-bids", [alice(games), bob(games), carol(games)], pace)
        frozen.tick(timedelta(hours=30))
        over = finished(games, now_at(games, position.game.id))
    with games.engine.connect() as db:
        record = whole_record(db, games, over.game.id)
    assert verify(record.text(), RULESETS).holds is None


@with_node
def test_t13_who_is_asked_beside_a_seat_that_has_lapsed_gives_it_no_new_wait(games: Games, tmp_path: Path) -> None:
    with freeze_time(BEGIN) as frozen:
        position = begun(games, "sealed-bids", [alice(games), bob(games), carol(games)])
        game = position.game.id
        position = noted(games, position, SeatResigned(seat=CAROL, ends=False))
        frozen.tick(timedelta(days=9))
        deadline = clocks_of(position).deadline(BOB)
        assert deadline is not None
        noted(games, position, TimeLapsed(seat=BOB, decision=position.decision, deadline=deadline, ends=False))
        after = noted(games, now_at(games, game), SeatHandedOver(seat=CAROL))
        assert (after.stood_in, after.awaited) == ({BOB}, {ALICE, CAROL})
        finished(games, stood_in(games, after))
    with games.engine.connect() as db:
        made = whole_record(db, games, game)
    made.seal(SIGNER, SEALED_AT)
    assert verify(made.text(), RULESETS, KEYS).holds
    assert all(report["holds"] for report in node(tmp_path, [made.text()]))


@with_node
def test_t15_both_verifiers_refuse_a_second_outage_that_would_have_cost_what_the_first_one_did(
    games: Games, tmp_path: Path
) -> None:
    def with_outages(*hours: int) -> bytes:
        with freeze_time(BEGIN) as frozen:
            position = begun(games, "new-corp-order", [alice(games), bob(games)], PACES["brisk"])
            (seat,) = position.awaited
            for each in hours:
                frozen.tick(timedelta(hours=27))
                given = TimeGiven(seat=seat, by=None, seconds=each * 3600, reason="outage")
                position = noted(games, position, given, "timeout")
            finished(games, position)
        with games.engine.connect() as db:
            made = whole_record(db, games, position.game.id)
        made.seal(SIGNER, SEALED_AT)
        return made.text()

    possible, too_much = with_outages(30, 29), with_outages(30, 30)
    assert verify(possible, RULESETS, KEYS).holds
    level, line = last_level(too_much)
    assert level == "time"
    told = [(report["levels"][-1]["level"], report["holds"]) for report in node(tmp_path, [possible, too_much])]
    assert told == [("time", True), ("time", False)]
    assert node(tmp_path, [too_much])[0]["levels"][-1]["line"] == line


def test_t36_who_was_asked_is_what_the_rules_come_to(games: Games) -> None:
    whole = random_game(games, "sealed-bids", [alice(games), bob(games), carol(games)], 1)

    def other(lines: Lines) -> None:
        [line for line in lines if line["kind"] == "asked"][-1]["seats"] = [ALICE]

    findings = verify(rewritten(other, whole), RULESETS, KEYS).findings
    assert (findings[-1].level, findings[-1].holds) == ("rules", False)


def test_t37_two_services_with_the_same_log_show_the_same_clocks(games: Games) -> None:
    with freeze_time(BEGIN) as frozen:
        position = begun(games, "sealed-bids", [alice(games), bob(games), carol(games)])
        frozen.tick(timedelta(days=6))
        after = lapsed(games, position, BOB)
        after = act(games, after, ALICE, first_legal(after, ALICE)).position
        elsewhere = now_at(Games(games.engine, games.rulesets), position.game.id)
        assert clocks_of(elsewhere) == clocks_of(after)
        with games.engine.connect() as db:
            assert inspect(db, games, position.game.id).rerun.folded == after.folded
            assert examine(db, games, position.game.id) == after.version


def test_t05_each_moment_of_a_replay_has_the_clocks_of_that_moment(games: Games) -> None:
    with freeze_time(BEGIN) as frozen:
        position = begun(games, "sealed-bids", [alice(games), bob(games), carol(games)], PACES["daily"])
        first = clocks_of(position)
        frozen.tick(timedelta(hours=30))
        after = act(games, position, ALICE, first_legal(position, ALICE)).position
    with games.engine.connect() as db:
        timeline = games.timeline(db, after)
        log = events.read(db, after.codec, after.game.id)
    assert timeline.after(timeline.steps[0]).clocks == first
    assert timeline.folds[-1].clocks == clocks_of(after)
    assert clocks_of(after).banks[ALICE] == (96 - 6 + 6) * HOUR
    assert list(clocked_folds(after.ruleset, log)) == list(timeline.folds)


def test_t05_the_deadlines_in_the_row_of_the_game_are_those_of_the_log(games: Games) -> None:
    with freeze_time(BEGIN):
        position = begun(games, "sealed-bids", [alice(games), bob(games), carol(games)])
    with games.engine.connect() as db:
        row = db.exec_driver_sql("select awaited, deadlines, timer from game where id = %s", (position.game.id,)).one()
    assert row.deadlines == [BEGIN + timedelta(days=5)] * 3
    assert row.timer == BEGIN + timedelta(days=5)
    assert [row.payload["seat"] for row in pending(games, position)] == row.awaited


def test_the_header_of_a_record_tells_the_pace_or_that_there_is_none(games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    with_clock = json.loads(random_game(games, "sealed-bids", people, 1).split(b"\n")[0])
    assert (with_clock["format"], with_clock["pace"]["free"]) == (MONOTONE, PACES["brisk"].free)
    with games.engine.connect() as db:
        without = json.loads(whole_record(db, games, finished(games, sealed_bids(games)).game.id).lines[0])
    assert without["format"] == MONOTONE and without["pace"] is None


def test_a_deadline_that_was_changed_beside_the_log_is_found(games: Games, as_superuser: Tamper) -> None:
    with freeze_time(BEGIN):
        game = begun(games, "sealed-bids", [alice(games), bob(games), carol(games)]).game.id
    as_superuser("update game set deadlines[1] = deadlines[1] + interval '1 hour' where id = %s", (game,))
    with games.engine.connect() as db, pytest.raises(Altered, match="other deadlines"):
        examine(db, games, game)
