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
from service.rules.games.bastards_inc import RULESET
from service.rules.kernel import GameStarted, fold
from tests.rules.bastards_inc.goldens import (
    FOLDER,
    WANTED,
    Wanted,
    chance_of,
    opening_of,
    result_line,
    seen,
    setup_line,
    views,
    ways,
)
from tests.rules.new_corp_order.goldens import canonical, event_line

CODEC = Codec(RULESET)
every_golden = pytest.mark.parametrize("wanted", WANTED, ids=lambda wanted: wanted.path.stem)


def lines_of(wanted: Wanted) -> list[dict[str, Any]]:
    return [json.loads(line) for line in wanted.path.read_text().splitlines()]


def decoded(line: dict[str, Any]) -> list[Any]:
    return [CODEC.decode(fields.pop("type"), encode(fields)) for fields in map(dict, line["events"])]


def opening(line: dict[str, Any]) -> list[Any]:
    fields = {name: line[name] for name in ("ruleset", "revision", "seats", "options", "commitment")}
    return [GameStarted(**fields, nonces=tuple(line["nonces"])), *decoded(line)]


def expect_seen(line: dict[str, Any], state: Any) -> None:
    assert line["seen"] == seen(state)
    for name, view in line.get("views", {}).items():
        assert canonical(view) == canonical(views(state)[name])


@every_golden
def test_there_is_a_recorded_game_of_every_kind_and_it_ends_as_it_says(wanted: Wanted) -> None:
    assert wanted.path.exists(), "run `make goldens`, and review what it recorded"
    first, *actions, last = lines_of(wanted)
    influence = [each["influence"] for each in last["standings"]["companies"]]
    assert wanted.way in ways(last["outcome"], influence, (line["action"]["type"] for line in actions))
    begun = (first["seats"], first["options"], first["revision"])
    assert begun == (wanted.seats, wanted.options, wanted.revision)


@every_golden
def test_the_recorded_events_fold_to_what_everybody_saw(wanted: Wanted) -> None:
    first, *actions, last = lines_of(wanted)
    state = fold(RULESET, opening(first))
    expect_seen(first, state)
    for line in actions:
        state = fold(RULESET, decoded(line), state)
        expect_seen(line, state)
    expect_seen(last, state)
    assert canonical({key: last[key] for key in ("kind", "outcome", "standings")}) == canonical(result_line(state))


@every_golden
def test_the_recorded_actions_cause_the_recorded_events_again(wanted: Wanted) -> None:
    first, *actions, _ = lines_of(wanted)
    begun = opening_of(wanted, first["seed"])
    assert canonical(setup_line(begun, first["seed"])["events"]) == canonical(first["events"])
    rules, chance = wanted.ruleset, chance_of(first["seed"])
    state = fold(rules, begun)
    for line in actions:
        assert line["decision"] == rules.decision(state)
        events = rules.decide(state, line["seat"], rules.parse(line["notation"]), chance)
        assert canonical(line["events"]) == canonical([event_line(event) for event in events])
        state = fold(rules, events, state)


def test_every_kind_of_action_and_of_event_is_recorded() -> None:
    lines = [line for wanted in WANTED for line in lines_of(wanted)[:-1]]
    assert {line["action"]["type"] for line in lines[1:] if "action" in line} == set(RULESET.action_types)
    # No game is so long that all the events are revealed.
    expected = set(RULESET.event_types) - {"events-reshuffled"}
    assert {event["type"] for line in lines for event in line["events"]} == expected


def test_no_recording_is_without_a_kind_and_all_together_are_small() -> None:
    files = sorted(FOLDER.glob("*.jsonl"))
    assert {wanted.path for wanted in WANTED} == set(files)
    assert sum(file.stat().st_size for file in files) < 3_000_000


@pytest.mark.long
def test_nothing_depends_on_the_order_of_hashes() -> None:
    program = (
        "from tests.rules.bastards_inc.goldens import RULESET, seen\n"
        "from service.commands.selfplay import play_out\n"
        "print([seen(play_out(RULESET, n, {}, 'hashes', False).state) for n in (2, 3, 6)])"
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
