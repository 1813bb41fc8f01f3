"""Recorded whole games play out to the same events and the same views, for every viewer, for ever."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from msgspec.json import encode

from service.log.codec import Codec
from service.rules.chance import Chance
from service.rules.games.new_corp_order import RULESET
from service.rules.kernel import GameStarted, fold
from tests.rules.new_corp_order.goldens import (
    FOLDER,
    WANTED,
    Wanted,
    canonical,
    event_line,
    result_line,
    seen,
    views,
    ways,
)

CODEC = Codec(RULESET)
NO_CHANCE = Chance(bytes(32))


def lines_of(wanted: Wanted) -> list[dict[str, Any]]:
    return [json.loads(line) for line in wanted.path.read_text().splitlines()]


def decoded(line: dict[str, Any]) -> list[Any]:
    return [CODEC.decode(fields.pop("type"), encode(fields)) for fields in map(dict, line["events"])]


def opening(line: dict[str, Any]) -> list[Any]:
    fields = {name: line[name] for name in ("ruleset", "revision", "seats", "options", "commitment")}
    return [GameStarted(**fields, nonces=tuple(line["nonces"])), *decoded(line)]


def action_of(line: dict[str, Any]) -> Any:
    return RULESET.parse(line["notation"])


def expect_seen(line: dict[str, Any], state: Any) -> None:
    assert line["seen"] == seen(state)
    if "views" in line:
        assert canonical(line["views"]) == canonical(views(state))


@pytest.mark.parametrize("wanted", WANTED, ids=lambda wanted: wanted.path.stem)
def test_there_is_a_recorded_game_of_every_kind_and_it_ends_as_it_says(wanted: Wanted) -> None:
    assert wanted.path.exists(), "run `make goldens`, and review what it recorded"
    lines = lines_of(wanted)
    assert wanted.way in ways(lines)
    assert (lines[0]["seats"], lines[0]["options"]) == (wanted.seats, wanted.options)


@pytest.mark.parametrize("wanted", WANTED, ids=lambda wanted: wanted.path.stem)
def test_the_recorded_events_fold_to_what_everybody_saw(wanted: Wanted) -> None:
    first, *actions, last = lines_of(wanted)
    state = fold(RULESET, opening(first))
    expect_seen(first, state)
    for line in actions:
        state = fold(RULESET, decoded(line), state)
        expect_seen(line, state)
    expect_seen(last, state)
    assert canonical({key: last[key] for key in ("kind", "outcome", "standings")}) == canonical(result_line(state))


@pytest.mark.parametrize("wanted", WANTED, ids=lambda wanted: wanted.path.stem)
def test_the_recorded_actions_cause_the_recorded_events_again(wanted: Wanted) -> None:
    first, *actions, _ = lines_of(wanted)
    state = fold(RULESET, opening(first))
    for line in actions:
        assert line["decision"] == RULESET.decision(state)
        events = RULESET.decide(state, line["seat"], action_of(line), NO_CHANCE)
        assert canonical(line["events"]) == canonical([event_line(event) for event in events])
        state = fold(RULESET, events, state)


def test_no_recording_is_without_a_kind_and_all_together_are_small() -> None:
    files = sorted(FOLDER.glob("*.jsonl"))
    assert {wanted.path for wanted in WANTED} == set(files)
    assert sum(file.stat().st_size for file in files) < 3_000_000


@pytest.mark.long
def test_nothing_depends_on_the_order_of_hashes() -> None:
    program = (
        "from tests.rules.new_corp_order.goldens import WANTED, RULESET, seen\n"
        "from service.commands.selfplay import play_out\n"
        "print([seen(play_out(RULESET, n, {}, 'hashes', False).state) for n in (1, 2, 3, 4)])"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
