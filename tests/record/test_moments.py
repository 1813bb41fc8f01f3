"""Moments in a record never fall from format 8 on, as both verifiers demand; records of older formats hold as ever."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from service.audit.inspect import whole_record
from service.handlers import lobby
from service.handlers.lobby import Fork, fork
from service.record.canonical import canonical
from service.record.reading import MONOTONE
from service.record.record import seal_line
from service.record.verify import verify
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games
from service.store.heartbeats import Heart
from tests.builders import finished, now_at, opened, sealed_bids
from tests.dealing import dealing, played, tried
from tests.people import alice, bob, carol
from tests.record.clocked import random_game
from tests.record.forging import Change, Lines, of_kind, rewritten
from tests.record.records import KEYS, RULESETS, SEALED_AT, SIGNER
from tests.record.test_two_verifiers import node, told_by_node, told_by_us, with_node
from tests.seating import against, played_out

__all__ = ["dealing"]

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.jsonl"))
"""Sealed records that the release before format 8 has written, one of each format and of a game that was called off."""
YEARS = 31 * 365 * 86_400_000
MADE: dict[str, bytes] = {}


def _back(line: dict[str, Any]) -> None:
    line["at"] = max(0, line["at"] - YEARS)


def _last_step(lines: Lines) -> None:
    _back([line for line in lines if line["kind"] == "step"][-1])


def _second_of_the_lobby(lines: Lines) -> None:
    _back([line for line in lines if line["kind"] == "lobby"][1])


def _setup(lines: Lines) -> None:
    steps = [line for line in lines if line["kind"] == "step"]
    if steps:
        steps[0]["at"] = of_kind(lines, "lobby")["at"] - 1
    else:
        _second_of_the_lobby(lines)


FALLS: dict[str, Change] = {
    "a step 31 years before the one before it": _last_step,
    "an event of the lobby before the one before it": _second_of_the_lobby,
    "a game that begins before its lobby": _setup,
}


def honest(runtime: Runtime, games: Games) -> dict[str, bytes]:
    """Return a sealed record of each kind of game, which are played once."""
    if not MADE:
        people = [alice(games), bob(games), carol(games)]
        over = finished(games, sealed_bids(games))
        called_off = opened(games, "sealed-bids", people)
        lobby.cancel_game(games, called_off, people[0].id)
        with games.engine.connect() as db:
            steps = games.timeline(db, over).steps
        terms = Terms(access="public")
        other = fork(games, over.seats[0].player_id, Fork(over.game.id, steps[1].last, terms), clock.now()).game.id
        for each in people[1:]:
            lobby.join(games, other, each.id, clock.now())
        lobby.start(games, other, over.seats[0].player_id, clock.now())
        finished(games, now_at(games, other))
        with_computers = played_out(games, against(games, "new-corp-order", people[0], ["easy"]), Random(1))
        deal = played(games, tried(games, alice(games)))
        found = {"plain": over.game.id, "called off": called_off, "fork": other, "deal": deal.game.id}
        for name, game in {**found, "computers": with_computers.game.id}.items():
            with games.engine.connect() as db:
                record = whole_record(db, games, game)
            record.seal(SIGNER, SEALED_AT)
            MADE[name] = record.text()
        MADE["clock"] = next(
            record
            for record in (random_game(games, "sealed-bids", people, seed) for seed in range(50))
            if b"time-lapsed" in record and b"game-paused" in record
        )
    return MADE


def header(record: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(record.partition(b"\n")[0])
    return found


@pytest.fixture
def made(dealing: Runtime, games: Games) -> dict[str, bytes]:
    return honest(dealing, games)


@with_node
def test_records_of_the_formats_before_hold_in_both_verifiers_and_may_have_moments_that_fall(tmp_path: Path) -> None:
    records = [each.read_bytes() for each in CORPUS]
    assert [header(each)["format"] for each in records] == [3, 3, 4, 5, 6, 7]
    falling = [rewritten(_second_of_the_lobby, each) for each in records]
    for each in (*records, *falling):
        report = verify(each, RULESETS, KEYS)
        assert report.holds, report.as_json()
    assert all(report["holds"] for report in node(tmp_path, [*records, *falling]))


@with_node
def test_honest_records_of_every_kind_of_game_have_format_8_and_hold_in_both_verifiers(
    made: dict[str, bytes], tmp_path: Path
) -> None:
    for name, record in made.items():
        report = verify(record, RULESETS, KEYS)
        assert (name, report.holds) == (name, True), report.as_json()
        assert header(record)["format"] == MONOTONE
    assert {name for name, record in made.items() if header(record)["pace"]} == {"clock"}
    assert {name for name, record in made.items() if header(record)["origin"]} == {"fork"}
    assert {name for name, record in made.items() if header(record)["computers"]} == {"computers"}
    assert {name for name, record in made.items() if header(record)["deal"]} == {"deal"}
    assert all(report["holds"] for report in node(tmp_path, list(made.values())))


@with_node
@pytest.mark.parametrize("fall", FALLS)
def test_both_verifiers_refuse_a_moment_that_falls_at_its_line(
    made: dict[str, bytes], tmp_path: Path, fall: str
) -> None:
    forged = [rewritten(FALLS[fall], record) for name, record in made.items() if name != "called off"]
    ours = told_by_us(forged)
    assert {level for level, _ in ours} == {"chain"}
    for (_, line), record in zip(ours, forged, strict=True):
        lines = [json.loads(each) for each in record.splitlines()]
        before = [each["at"] for each in lines[: (line or 0) - 1] if "at" in each]
        assert before == sorted(before) and lines[(line or 0) - 1]["at"] < before[-1]
    assert told_by_node(tmp_path, forged) == ours


@with_node
def test_both_verifiers_refuse_a_seal_from_before_the_end_of_the_game(made: dict[str, bytes], tmp_path: Path) -> None:
    forged = []
    for record in made.values():
        lines = record.splitlines()
        head, at = bytes.fromhex(json.loads(lines[-1])["head"]), KEYS[0].since
        forged.append(
            b"\n".join([*lines[:-1], canonical(seal_line(head, at, SIGNER.public, SIGNER.sign(head, at)))]) + b"\n"
        )
    ours = told_by_us(forged)
    assert ours == [("chain", record.count(b"\n")) for record in forged]
    assert told_by_node(tmp_path, forged) == ours


def _as_of_format_3(lines: Lines) -> None:
    lines[0]["format"] = 3
    for name in ("origin", "pace", "computers", "deal"):
        del lines[0][name]


FORGERIES: dict[str, Change] = {
    "a header of the format before": _as_of_format_3,
    "a lobby that tells no format": lambda lines: of_kind(lines, "lobby")["event"]["data"].pop("format"),
    "a lobby of another format": lambda lines: of_kind(lines, "lobby")["event"]["data"].update(format=9),
    "a format that is no number": lambda lines: of_kind(lines, "lobby")["event"]["data"].update(format="8"),
    "a header without computer players": lambda lines: lines[0].pop("computers"),
    "a deal of no day": lambda lines: lines[0].update(deal="today"),
    "a deal of a game that goes on from another one": lambda lines: lines[0].update(
        deal="2026-03-04", origin={"game": "1", "head": None, "seq": 1}
    ),
}


@with_node
def test_both_verifiers_refuse_what_tells_another_format_than_it_is_of(made: dict[str, bytes], tmp_path: Path) -> None:
    forged = [rewritten(change, made["plain"]) for change in FORGERIES.values()]
    ours = told_by_us(forged)
    assert dict(zip(FORGERIES, told_by_node(tmp_path, forged), strict=True)) == dict(zip(FORGERIES, ours, strict=True))
    assert all(line for _, line in ours)


def test_while_a_process_of_the_version_before_runs_tables_are_opened_in_the_format_that_it_reads(
    games: Games, runtime: Runtime
) -> None:
    heart = Heart(runtime.engine)
    heart.begin("relay-of-old")
    heart.beat(1000)
    with runtime.engine.begin() as db:
        db.exec_driver_sql("update heartbeat set clock_ms = null where part = 'relay-of-old'")
    before = sealed_bids(games)
    with runtime.engine.begin() as db:
        db.exec_driver_sql("delete from heartbeat where part = 'relay-of-old'")
    with games.engine.connect() as db:
        record = whole_record(db, games, finished(games, before).game.id)
    record.seal(SIGNER, SEALED_AT)
    assert header(record.text())["format"] == 3 and b'"format":8' not in record.text()
    assert verify(record.text(), RULESETS, KEYS).holds
