"""A record that was changed in any way is found out, and the first wrong line is named."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given, settings
from hypothesis import strategies as st

from service.record.canonical import canonical
from service.record.lobby import LobbyEvent, lobby_line
from service.record.seal import PublicKey
from service.record.verify import Finding, Report, verify
from tests.record.forging import Change, Lines, of_kind, rewritten
from tests.record.records import (
    KEYS,
    RULESETS,
    SEALED_AT,
    SIGNER,
    STRANGER,
    TABLES,
    Tampered,
    cut_off,
    record_of,
    sealed,
    with_byte,
    with_byte_more,
    with_line,
    with_lines_exchanged,
    with_neighbours_exchanged,
    without_byte,
    without_line,
)

RECORD = sealed()
COUNT = RECORD.count(b"\n")
places = st.integers(0, len(RECORD) - 1)
indexes = st.integers(0, COUNT - 1)


def checked(data: bytes, keys: Any = KEYS) -> Report:
    return verify(data, RULESETS, keys)


def fault(data: bytes, keys: Any = KEYS) -> Finding:
    (wrong,) = (finding for finding in checked(data, keys).findings if finding.holds is False)
    return wrong


def found_out(tampered: Tampered) -> None:
    assert tampered.data != RECORD
    assert fault(tampered.data).line == tampered.line


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_record_of_a_game_holds_on_every_level(name: str, seats: int) -> None:
    report = checked(sealed(name, seats))
    assert [(finding.level, finding.holds) for finding in report.findings] == [
        (level, True) for level in ("form", "chain", "seal", "draws", "rules")
    ]
    assert report.game == "audit-1" and report.as_json()["holds"] is True


@settings(max_examples=60, deadline=None)
@given(places, st.integers(0, 255))
def test_a_changed_byte_is_found(place: int, byte: int) -> None:
    if RECORD[place] != byte:
        found_out(with_byte(RECORD, place, byte))


@settings(max_examples=30, deadline=None)
@given(places)
def test_a_missing_byte_is_found(place: int) -> None:
    found_out(without_byte(RECORD, place))


@settings(max_examples=30, deadline=None)
@given(places, st.integers(0, 255))
def test_a_byte_more_is_found(place: int, byte: int) -> None:
    found_out(with_byte_more(RECORD, place, byte))


@settings(max_examples=30, deadline=None)
@given(places.filter(lambda place: place + 1 < len(RECORD) and RECORD[place] != RECORD[place + 1]))
def test_exchanged_bytes_are_found(place: int) -> None:
    found_out(with_neighbours_exchanged(RECORD, place))


@settings(max_examples=30, deadline=None)
@given(places)
def test_a_missing_end_is_found(place: int) -> None:
    found_out(cut_off(RECORD, place))


@settings(deadline=None)
@given(indexes)
def test_a_missing_line_is_found(index: int) -> None:
    found_out(without_line(RECORD, index))


@settings(max_examples=30, deadline=None)
@given(indexes, indexes)
def test_a_line_more_is_found(index: int, like: int) -> None:
    tampered = with_line(RECORD, index, RECORD.splitlines(keepends=True)[like])
    # A line beside its like: it is the second of the two that is too many.
    assert fault(tampered.data).line in {index + 1, index + 2 if index == like else index + 1}


@settings(max_examples=30, deadline=None)
@given(indexes, indexes)
def test_exchanged_lines_are_found(one: int, other: int) -> None:
    if one != other:
        found_out(with_lines_exchanged(RECORD, one, other))


def test_a_seal_in_the_middle_is_found() -> None:
    found_out(with_lines_exchanged(RECORD, 2, COUNT - 1))


def test_a_moment_before_there_were_moments_is_found() -> None:
    found_out(with_byte(RECORD, RECORD.rindex(b'"at":') + len(b'"at":'), ord("-")))


def test_the_seal_of_somebody_else_is_found() -> None:
    foreign = record_of("new-corp-order", 2, signer=STRANGER).text()
    wrong = fault(foreign)
    assert (wrong.level, wrong.line) == ("seal", COUNT) and STRANGER.id in wrong.said
    assert checked(foreign, keys=None).holds


def test_a_signature_that_is_not_that_of_the_key_is_found() -> None:
    *lines, last = RECORD.splitlines(keepends=True)
    seal = json.loads(last)
    signature = SIGNER.sign(bytes.fromhex(seal["head"]), SEALED_AT + timedelta(seconds=1))
    forged = canonical({**seal, "signature": signature.hex()}) + b"\n"
    wrong = fault(b"".join([*lines, forged]))
    assert (wrong.level, wrong.line, wrong.said) == ("seal", COUNT, "the signature is not that of the key")


def test_the_seal_of_another_game_is_found() -> None:
    other = sealed(seed="2").splitlines(keepends=True)[-1]
    assert fault(b"".join([*RECORD.splitlines(keepends=True)[:-1], other])).line == COUNT


def test_a_key_that_was_not_in_use_seals_nothing() -> None:
    retired = replace(KEYS[0], until=datetime(2026, 2, 1, tzinfo=UTC))
    assert "not in use" in fault(RECORD, [retired]).said
    later = PublicKey(SIGNER.id, SIGNER.public, SEALED_AT + timedelta(days=1))
    assert "not in use" in fault(RECORD, [later]).said


def test_a_record_without_a_seal_holds_only_for_those_who_ask_for_none() -> None:
    unsealed = record_of("new-corp-order", 2, signer=None).text()
    assert fault(unsealed).level == "seal"
    report = checked(unsealed, keys=None)
    assert report.holds and [finding.level for finding in report.findings if finding.holds is None] == ["seal"]


def test_the_reveal_of_another_game_is_found() -> None:
    lines, others = RECORD.splitlines(keepends=True), sealed(seed="2").splitlines(keepends=True)
    kinds = [json.loads(line)["kind"] for line in lines]
    number = kinds.index("reveal")
    lines[number] = next(line for line in others if json.loads(line)["kind"] == "reveal")
    wrong = fault(b"".join(lines))
    assert (wrong.level, wrong.line) == ("chain", number + 1) and "committed" in wrong.said


def deal(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """The event by which the cards were dealt."""
    return next(event["data"] for event in lines[1]["events"] if event["type"] == "cards-dealt")


def test_written_anew_without_a_change_it_is_the_same_record() -> None:
    assert rewritten(lambda lines: None) == RECORD


def test_a_reordered_deck_is_found_even_with_the_key() -> None:
    wrong = fault(rewritten(lambda lines: deal(lines)["deck"].sort()))
    assert (wrong.level, wrong.line) == ("rules", 2)


def test_a_draw_of_ones_own_is_found_even_with_the_key() -> None:
    def reorder(lines: list[dict[str, Any]]) -> None:
        draws = next(line for line in lines if line["kind"] == "draws")
        draws["draws"][0]["result"].reverse()

    wrong = fault(rewritten(reorder))
    assert wrong.level == "draws" and wrong.line == COUNT - 2


def test_another_result_is_found_even_with_the_key() -> None:
    def favour(lines: list[dict[str, Any]]) -> None:
        lines[-2]["outcome"]["winners"] = [1 - lines[-2]["outcome"]["winners"][0]]

    wrong = fault(rewritten(favour))
    assert (wrong.level, wrong.line) == ("rules", COUNT - 1)


def test_an_action_out_of_turn_is_found_even_with_the_key() -> None:
    def usurp(lines: list[dict[str, Any]]) -> None:
        lines[4]["seat"] = 1 - lines[4]["seat"]

    wrong = fault(rewritten(usurp))
    assert (wrong.level, wrong.line) == ("rules", 5) and "not the move" in wrong.said


def test_nonsense_is_found_even_with_the_key() -> None:
    def confuse(lines: list[dict[str, Any]]) -> None:
        lines[0]["options"] = lines[1]["events"][0]["data"]["options"] = {"first-player": "nobody"}

    assert fault(rewritten(confuse)).level == "rules"


@pytest.mark.parametrize("cause", [{"seat": 0}, {"decision": 2**53 - 1}, {"action": {"type": "plot"}}])
def test_a_setup_that_somebody_has_caused_is_found_even_with_the_key(cause: dict[str, Any]) -> None:
    wrong = fault(rewritten(lambda lines: lines[1].update(cause)))
    assert (wrong.level, wrong.line) == ("rules", 2)


def test_an_option_of_another_type_is_found_even_with_the_key() -> None:
    wrong = fault(rewritten(lambda lines: lines[0]["options"].update({"short-game": 0})))
    assert (wrong.level, wrong.line) == ("rules", 2)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_whatever_a_file_holds_it_gets_an_answer(data: bytes) -> None:
    assert fault(data).level == "form"


scalars = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text()
values = st.recursive(scalars, lambda below: st.lists(below) | st.dictionaries(st.text(), below), max_leaves=8)
ENDS = (0, 1, 2, -3, -2, -1)


@settings(deadline=None, max_examples=60)
@example(0, 2, [4])
@example(1, 8, -7)
@given(st.sampled_from(ENDS), st.integers(0, 9), values)
def test_whatever_a_field_holds_it_gets_an_answer(index: int, field: int, value: Any) -> None:
    def confuse(lines: list[dict[str, Any]]) -> None:
        line = lines[index]
        line[sorted(line)[field % len(line)]] = value

    lines = [json.loads(line) for line in RECORD.splitlines()]
    confuse(lines)
    checked(b"".join(canonical(line) + b"\n" for line in lines))


@settings(deadline=None)
@given(st.recursive(scalars, st.lists, max_leaves=8))
def test_our_canonical_form_is_that_of_rfc_8785(value: Any) -> None:
    try:
        expected = rfc8785.dumps({"b": value, "a": [value]})
    except rfc8785.CanonicalizationError:
        return
    assert canonical({"b": value, "a": [value]}) == expected


def test_a_draw_that_was_made_twice_is_found() -> None:
    def twice(lines: Lines) -> None:
        draws = of_kind(lines, "draws")["draws"]
        draws.append(draws[0])

    found = next(each for each in checked(rewritten(twice)).findings if each.level == "draws")
    assert found.holds is False and found.said.endswith("was made twice")


def test_a_lobby_without_its_end_is_found() -> None:
    events = [LobbyEvent(number, SEALED_AT, 0, "seat-left", {}) for number in (1, 2)]

    def gathered(lines: Lines) -> None:
        lines[0].update(format=3, lobby="of the lines")
        lines[1:1] = [{**lobby_line(event), "check": ""} for event in events]

    whole = rewritten(gathered)
    assert next(each for each in checked(whole).findings if each.level == "chain").holds
    found = next(each for each in checked(without_line(whole, 2).data).findings if each.level == "chain")
    assert (found.holds, found.line) == (False, 3)
    assert found.said == "the end of the lobby is missing: the header knows of another"


def _of_an_action(lines: Lines, **more: Any) -> None:
    next(line for line in lines if line["kind"] == "step" and line["action"])["action"].update(more)


def _in_a_list(lines: Lines) -> None:
    """Put a field into a part of an action that has parts."""
    action = next(
        line["action"]
        for line in lines
        if line["kind"] == "step" and any(map(_has_parts, (line["action"] or {}).values()))
    )
    next(part for part in action.values() if _has_parts(part))[0]["more"] = 1


def _has_parts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _of_the_options(lines: Lines, **more: Any) -> None:
    for told in (lines[0], lines[1]["events"][0]["data"]):
        told["options"].update(more)


LAX: dict[str, tuple[Change, str]] = {
    "a field that no action has": (partial(_of_an_action, more=1), "has a field that no such action has: 'more'"),
    "a part with a field that no part has": (_in_a_list, "has a field that no such action has: 'more'"),
    "an option that no game has": (
        partial(_of_the_options, lunar=True),
        "no such option, or not with this value: 'lunar'",
    ),
    "an option of another type": (partial(_of_the_options, **{"short-game": 1}), "not with this value: 'short-game'"),
    "a seat that is not at the table": (partial(_of_the_options, **{"first-player": 7}), "value: 'first-player'"),
}
"""Changes that no request could make, signed with the key, and the finding about each."""


@pytest.mark.parametrize("lax", LAX)
def test_a_record_is_read_as_strictly_as_a_request(lax: str) -> None:
    change, said = LAX[lax]
    found = fault(rewritten(change))
    assert found.level == "rules" and said in found.said and found.line is not None
