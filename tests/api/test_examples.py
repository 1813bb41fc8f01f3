"""The recorded examples: they are what a running server still answers, and what the document promises."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from service.api.examples import FOLDER, operations
from service.rules.registry import GAMES
from service.runtime import Runtime
from service.settings import Settings
from service.shared.refusal import REFUSALS
from tests.api.detail_texts import TEXTS
from tests.promises import committed
from tests.recording.pages import pages
from tests.recording.story import told

FILES = {str(path.relative_to(FOLDER)): json.loads(path.read_text()) for path in sorted(FOLDER.rglob("*.json"))}


@pytest.fixture(scope="module")
def recorded(settings: Settings) -> Iterator[dict[str, Any]]:
    """The examples as they would be recorded now."""
    runtime = Runtime.build(replace(settings, ruleset_packages=GAMES, redis_url=None))
    try:
        yield {name: json.loads(text) for name, text in pages(told(runtime)).items()}
    finally:
        runtime.engine.dispose()


@pytest.mark.slow
def test_a_running_server_still_answers_like_that(recorded: dict[str, Any]) -> None:
    assert recorded.keys() == FILES.keys(), "run `make examples` and look at what has changed"
    for name, example in FILES.items():
        assert shape(recorded[name]) == shape(example), f"{name}: run `make examples` and look at what has changed"


@pytest.mark.slow
def test_what_is_recorded_now_is_valid_too(recorded: dict[str, Any]) -> None:
    for name, example in recorded.items():
        assert faults(name, example) == []


@pytest.mark.slow
def test_a_running_server_tells_each_problem_in_words_of_its_own(recorded: dict[str, Any]) -> None:
    in_words_of_their_own(recorded)


def test_each_problem_is_told_in_words_of_its_own() -> None:
    in_words_of_their_own(FILES)


def in_words_of_their_own(examples: dict[str, Any]) -> None:
    # Why an action is against the rules, the game says itself.
    for code in REFUSALS.keys() - {"illegal-action"}:
        example = examples[f"problems/{code}.json"]
        words = [text for name, text in TEXTS["en"].items() if name.startswith(code)]
        assert example["detail"] in [text.format_map(defaultdict(str, example)) for text in words]


@pytest.mark.parametrize("name", FILES)
def test_every_example_is_what_the_document_promises(name: str) -> None:
    assert faults(name, FILES[name]) == []


def test_an_example_of_another_form_is_noticed() -> None:
    wrong = deepcopy(FILES["getGame.json"])
    del wrong["responses"]["200"]["seats"]
    wrong["responses"]["200"]["status"] = "lost"
    assert len(faults("getGame.json", wrong)) == 2
    assert shape(wrong) != shape(FILES["getGame.json"])


def test_no_example_gives_anything_away() -> None:
    for path in FOLDER.rglob("*.json"):
        text = path.read_text()
        assert not re.search(r"(brd|whsec)_(?!example)\w{10}", text), path.name
        # What stands at the end of a mailed link.
        assert not re.search(r"\b(?!example)[a-z2-7]{26}\b", text), path.name
        assert "127.0.0.1" not in text


def shape(example: Any) -> Any:
    """Return what is the same in every recording: the members of request and answer; what is in them may differ."""
    if "responses" not in example:
        return sorted(example)
    answers = {status: sorted(body) if isinstance(body, dict) else "" for status, body in example["responses"].items()}
    return sorted(example.get("request", ())), answers


def faults(name: str, example: Any) -> list[str]:
    """Return what is wrong with a recorded example by the schemas of the document."""
    if name.startswith("problems/"):
        return _against({"$ref": "#/components/schemas/Problem"}, example)
    if name.startswith("messages/"):
        return _against({"$ref": "#/components/schemas/WebhookMessage"}, example)
    (operation,) = (each for _, _, each in operations(committed()) if f"{each['operationId']}.json" == name)
    found = []
    if "request" in example:
        found += _against(_schema(operation["requestBody"]), example["request"])
    for status, body in example["responses"].items():
        found += _against(_schema(operation["responses"][status]), body)
    return found


def _schema(part: Any) -> Any:
    content = part["content"].get("application/json") or next(iter(part["content"].values()))
    return content["schema"]


def _against(schema: Any, value: Any) -> list[str]:
    whole = {**schema, "components": committed()["components"]}
    return [error.message for error in Draft202012Validator(whole).iter_errors(value)]
