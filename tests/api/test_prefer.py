"""An accepted action is answered with the least that the answer can hold where that is preferred (RFC 7240)."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from service.api.conditional import prefers_minimal
from service.store.games import Games
from tests.api.test_direct import BY_THE_APP
from tests.builders import first_legal, now_at, started
from tests.people import Person, alice, bob
from tests.rest import Caller, refused

PREFERRED = "return=minimal"
MINIMAL = {"Prefer": PREFERRED}


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games)]


@pytest.fixture
def game(games: Games, people: list[Person]) -> UUID:
    return started(games, "new-corp-order", people).game.id


def due(games: Games, game: UUID) -> tuple[int, dict[str, Any]]:
    """Return a seat that is to act, and its first legal action as it is sent."""
    position = now_at(games, game)
    seat = min(position.awaited)
    return seat, {"decision": position.decision, "notation": position.ruleset.notate(first_legal(position, seat))}


@pytest.mark.parametrize(
    "prefer", ["return=minimal", 'wait=10, Return = "minimal"; x=y', "return=minimal, return=representation"]
)
def test_a_minimal_answer_is_preferred(prefer: str) -> None:
    assert prefers_minimal(prefer)


@pytest.mark.parametrize(
    "prefer",
    [None, "", "return", "return=representation", "return=representation, return=minimal", 'x="a, return=minimal"'],
)
def test_other_preferences_are_ignored(prefer: str | None) -> None:
    assert not prefers_minimal(prefer)


@pytest.mark.parametrize("way", [{}, BY_THE_APP], ids=["direct", "app"])
def test_a_minimal_answer_is_the_usual_one_without_the_events_and_the_view(
    api: Caller, games: Games, people: list[Person], game: UUID, way: dict[str, str]
) -> None:
    for _ in range(4):
        # given an action that is sent again and again under its key, with and without the preference
        seat, said = due(games, game)
        caller, key = api.by(people[seat]), {"Idempotency_Key": str(uuid4()), **way}
        answers = [caller.post(f"/games/{game}/actions", said, **key, **more) for more in (MINIMAL, {}, MINIMAL)]
        minimal, usual, again = (answer.get_json() for answer in answers)
        # then each answer is what is preferred then, and the action is played once
        assert [answer.status_code for answer in answers] == [201, 201, 201]
        assert [answer.headers.get("Preference-Applied") for answer in answers] == [PREFERRED, None, PREFERRED]
        assert [answer.headers.get("Idempotency-Replayed") for answer in answers] == [None, "true", "true"]
        assert usual["events"]
        assert usual["table"]["view"]
        assert minimal == again == {**usual, "events": [], "table": {**usual["table"], "view": None}}
        assert minimal["version"] == now_at(games, game).version


def test_refusals_and_dry_runs_are_told_whatever_is_preferred(
    api: Caller, games: Games, people: list[Person], game: UUID
) -> None:
    seat, said = due(games, game)
    caller, path = api.by(people[seat]), f"/games/{game}/actions"
    tried = caller.post(f"{path}?dry_run=true", said, **MINIMAL)
    assert tried.status_code == 200
    assert tried.json
    assert tried.json["items"]
    stale = caller.post(path, {**said, "decision": said["decision"] + 1}, **MINIMAL)
    assert refused(stale, 409, "stale-decision")["legal_actions"]
    assert not {"Preference-Applied"} & {*tried.headers.keys(), *stale.headers.keys()}


def test_a_preference_that_is_too_long_is_pointed_at(
    api: Caller, games: Games, people: list[Person], game: UUID
) -> None:
    seat, said = due(games, game)
    body = refused(api.by(people[seat]).post(f"/games/{game}/actions", said, Prefer="x" * 201), 422, "validation")
    assert [fault["parameter"] for fault in body["errors"]] == ["Prefer"]
