"""The schemas of actions, derived from a game's dataclasses."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import Schema, ValidationError

from schemas.actions import ActionAsJson, Actions, PostedAction, action_schema
from service.log.codec import action_json
from service.rules.chance import Chance
from service.rules.kernel import AnyRuleset, begin, fold
from service.rules.registry import find_rulesets

RULESETS = find_rulesets(("service.rules.games", "tests.games"))


class Step(NamedTuple):
    to: Literal[1, 2]
    far: bool = False


@dataclass(frozen=True, kw_only=True)
class Walk:
    steps: tuple[Step, ...]
    pair: tuple[int, int] = (0, 0)
    shout: str | None = None
    pace: Literal["slow", "fast"] = "slow"


def schema_of(**kinds: type[Any]) -> Actions:
    meta = SimpleNamespace(name="walking-game")
    return action_schema(cast(AnyRuleset, SimpleNamespace(meta=meta, action_types=kinds)))


def load(schema: Actions, data: Any) -> Any:
    return schema.load(data)


def test_every_kind_of_field_loads_as_the_games_own_record() -> None:
    sent = {
        "type": "walk",
        "steps": [{"to": 2, "far": True}, {"to": 1}],
        "pair": [3, 4],
        "shout": "hey",
        "pace": "fast",
    }
    loaded = load(schema_of(walk=Walk), sent)
    assert loaded == Walk(steps=(Step(2, True), Step(1)), pair=(3, 4), shout="hey", pace="fast")


def test_fields_left_out_take_the_dataclass_defaults() -> None:
    assert load(schema_of(walk=Walk), {"type": "walk", "steps": [], "shout": None}) == Walk(steps=())


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({}, "steps"),
        ({"steps": None}, "steps"),
        ({"steps": [{"to": 3}]}, "steps"),
        ({"steps": [{"to": True}]}, "steps"),
        ({"steps": [{"to": 1, "far": 1}]}, "steps"),
        ({"steps": [{"to": 1}] * 65}, "steps"),
        ({"steps": [], "pair": [1]}, "pair"),
        ({"steps": [], "shout": "a\x00"}, "shout"),
        ({"steps": [], "pace": "FAST"}, "pace"),
        ({"steps": [], "pace": None}, "pace"),
        ({"steps": [], "made": 1}, "made"),
    ],
)
def test_what_the_dataclass_would_not_hold_is_refused(wrong: Mapping[str, Any], place: str) -> None:
    with pytest.raises(ValidationError) as error:
        load(schema_of(walk=Walk), {"type": "walk", **wrong})
    assert list(error.value.normalized_messages()) == [place]


def test_an_action_known_by_its_text_is_the_same_and_lets_nothing_through_that_only_looks_like_it() -> None:
    schema, sent = schema_of(walk=Walk), {"type": "walk", "steps": [{"to": 1}]}
    assert schema.read(dict(sent)) is schema.read(dict(sent))
    for wrong in ({"to": True}, {"to": 1.0}, {"to": "1"}, {"to": 1, "\ud800": 1}):
        with pytest.raises(ValidationError):
            schema.read({**sent, "steps": [wrong]})


_NUMBERS = st.sampled_from([0, 1, 2**31 - 1, 2**31, -1, 1.0, True, None, "1"])
_ACTIONS = st.sampled_from([{}, {"type": "walk"}, [], "walk", None, 1])
_POSTED = st.dictionaries(st.sampled_from(["decision", "action", "more"]), st.one_of(_NUMBERS, _ACTIONS))


@given(st.one_of(_POSTED, st.fixed_dictionaries({"decision": _NUMBERS, "action": _ACTIONS})))
def test_what_is_taken_at_a_glance_is_what_the_schema_would_take(posted: Any) -> None:
    def outcome(schema: Schema) -> Any:
        try:
            return schema.load(posted)
        except ValidationError as error:
            return error.messages

    assert outcome(PostedAction()) == outcome(ActionAsJson())


def test_a_field_nobody_can_send_is_refused_when_the_app_starts() -> None:
    @dataclass
    class Odd:
        when: float

    with pytest.raises(TypeError, match="float"):
        schema_of(odd=Odd)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_every_legal_action_loads_from_its_json(ruleset: AnyRuleset) -> None:
    schema, dice, met = action_schema(ruleset), random.Random(1), set()
    for seats in ruleset.meta.seats:
        options = {option.name: option.default for option in ruleset.meta.options}
        chance = Chance(bytes(32))
        state = fold(ruleset, begin(ruleset, seats, options, chance, "0" * 64, ["00" * 16] * seats))
        while to_act := sorted(ruleset.to_act(state)):
            legal = ruleset.legal(state, to_act[0])
            for action in legal:
                assert load(schema, action_json(action)) == action
                met.add(type(action))
            state = fold(ruleset, ruleset.decide(state, to_act[0], dice.choice(legal), chance), state)
    assert len(met) >= min(2, len(ruleset.action_types))
