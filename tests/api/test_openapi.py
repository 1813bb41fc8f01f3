"""The API's document: it is what is committed, what the app does, and what it answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask
from openapi_spec_validator import validate

from service.api.contract import PREFIX
from service.api.document import add_bounds, client_document, document_with_examples, main, trim_for_generators
from service.api.examples import operations, problem_example
from service.shared.refusal import REFUSALS
from service.store.pruning import DELIVERIES, KEYS

COMMITTED = Path(__file__).parents[2] / "openapi.yaml"
PUBLIC = (
    *("requestSignIn", "useSignIn", "createPlayer", "listRulesets", "getGuide", "drawGuidePicture"),
    *(
        "openInvitation",
        "refuseInvitations",
        "getDealProof",
        "streamByTicket",
        "streamAccountByTicket",
        "listReadyBots",
        "listSealKeys",
        "listSealDays",
        "listLimits",
    ),
)


@pytest.fixture(scope="module")
def written(app: Flask) -> str:
    """The document with examples of an app with the games of the tests, as it is written."""
    return document_with_examples(app)


@pytest.fixture(scope="module")
def loaded(written: str) -> dict[str, Any]:
    """The same document, read."""
    whole: dict[str, Any] = yaml.load(written, yaml.CSafeLoader)
    return whole


@pytest.fixture
def api_document(loaded: dict[str, Any]) -> dict[str, Any]:
    """The same document for each test, to do with as it likes."""
    return deepcopy(loaded)


def test_the_committed_document_is_the_apps(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    assert capsys.readouterr().out == COMMITTED.read_text(), "run `make openapi` and look at what has changed"


@pytest.mark.slow
def test_the_document_is_the_same_each_time(app: Flask, written: str) -> None:
    assert document_with_examples(app) == written


def test_the_committed_document_lacks_nothing_but_examples(capsys: pytest.CaptureFixture[str]) -> None:
    main(["examples"])
    whole = yaml.load(capsys.readouterr().out, yaml.CSafeLoader)
    for _, _, operation in operations(whole):
        for part in (operation.get("requestBody", {}), *operation["responses"].values()):
            for content in part.get("content", {}).values():
                content.pop("example", None)
    for item in whole["webhooks"].values():
        del item["post"]["requestBody"]["content"]["application/json"]["example"]
    for response in whole["components"]["responses"].values():
        response.get("content", {}).get("application/problem+json", {}).pop("examples", None)
    for header in whole["components"]["headers"].values():
        header.pop("example", None)
    assert whole == yaml.load(COMMITTED.read_text(), yaml.CSafeLoader)


def test_the_document_is_valid(app: Flask, api_document: dict[str, Any]) -> None:
    validate(api_document)
    for other in (COMMITTED.read_text(), client_document(app)):
        validate(yaml.load(other, yaml.CSafeLoader))


def test_the_document_has_exactly_the_operations_of_the_app(app: Flask, api_document: dict[str, Any]) -> None:
    routes = {
        (method.lower(), re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if rule.rule.startswith("/api/v") and method != "HEAD"
    }
    assert routes == {(method, path) for method, path, _ in operations(api_document)}
    assert all(path.startswith(PREFIX) for _, path in routes)


def test_every_operation_is_named_and_grouped_and_says_how_it_fails(api_document: dict[str, Any]) -> None:
    found = [operation for _, _, operation in operations(api_document)]
    names = [operation["operationId"] for operation in found]
    assert len(set(names)) == len(names)
    for operation in found:
        statuses = set(operation["responses"])
        assert operation["summary"]
        assert len(operation["tags"]) == 1
        preferring = "Prefer" in [each["name"] for each in operation.get("parameters", ())]
        assert len([status for status in statuses if status.startswith("2")]) == 1 + preferring
        assert {"429", "500", "503"} <= statuses
        assert ("401" in statuses) == bool(operation["security"])
        assert {"400", "413", "415", "422"} <= statuses or "requestBody" not in operation
    assert [name for name in names if name in PUBLIC] == [
        operation["operationId"] for operation in found if not operation["security"]
    ]


def test_whatever_takes_a_key_says_that_it_answers_again_or_shows_its_secret_once(api_document: dict[str, Any]) -> None:
    with_secret = {"createToken", "createBot", "createBotToken", "createApp", "createWebhook", "rotateWebhookSecret"}
    for _, _, operation in operations(api_document):
        keyed = "Idempotency-Key" in [each.get("name") for each in operation.get("parameters", ())]
        (success, *_) = [operation["responses"][status] for status in operation["responses"] if status < "300"][::-1]
        tells = "Idempotency-Replayed" in success["headers"]
        assert tells == (keyed and operation["operationId"] not in with_secret), operation["operationId"]


def test_the_document_says_how_long_keys_and_deliveries_are_kept(api_document: dict[str, Any]) -> None:
    named = {operation["operationId"]: operation for _, _, operation in operations(api_document)}
    assert f"last {DELIVERIES.days} days" in named["listDeliveries"]["summary"]
    keyed = [each for operation in named.values() for each in operation.get("parameters", ())]
    (said,) = {each["description"] for each in keyed if each.get("name") == "Idempotency-Key"}
    assert f"{KEYS // timedelta(hours=1)} hours" in said


def test_every_error_is_documented_as_a_problem(api_document: dict[str, Any]) -> None:
    for _, _, operation in operations(api_document):
        for status, response in operation["responses"].items():
            if status >= "400":
                assert response == {"$ref": f"#/components/responses/Problem{status}"}
                content = api_document["components"]["responses"][f"Problem{status}"]["content"]
                assert list(content) == ["application/problem+json"]


def test_each_action_of_each_game_is_a_component_with_its_tag(api_document: dict[str, Any]) -> None:
    schemas = api_document["components"]["schemas"]
    assert schemas["SealedBidsBid"]["properties"]["type"] == {"type": "string", "const": "bid"}
    assert schemas["SealedBidsBid"]["required"][0] == "type"
    assert schemas["SealedBidsBid"]["additionalProperties"] is False
    assert schemas["SealedBidsAction"]["discriminator"] == {
        "propertyName": "type",
        "mapping": {"bid": "#/components/schemas/SealedBidsBid", "hold": "#/components/schemas/SealedBidsHold"},
    }
    assert {"$ref": "#/components/schemas/SealedBidsAction"} in schemas["Action"]["anyOf"]


def test_every_component_is_used(api_document: dict[str, Any]) -> None:
    text = yaml.safe_dump(api_document)
    for kind, components in api_document["components"].items():
        for name in components:
            assert kind == "securitySchemes" or f"#/components/{kind}/{name}" in text


def test_requests_are_closed_and_answers_are_open(api_document: dict[str, Any]) -> None:
    schemas = api_document["components"]["schemas"]
    assert all(schemas[name]["additionalProperties"] is False for name in ("NewPlayer", "NewGame", "ActionAsJson"))
    assert all(schemas[name]["additionalProperties"] is True for name in ("Table", "Played", "Happening", "Problem"))


def test_generators_get_neither_webhooks_nor_streams_nor_files(api_document: dict[str, Any]) -> None:
    stream = {"text/event-stream": {"schema": {"type": "string"}}}
    either = {**stream, "application/json": {"schema": {"type": "string"}}}
    for path, content in (("/stream", stream), ("/either", either)):
        api_document["paths"][path] = {"get": {"responses": {"200": {"description": "OK", "content": content}}}}
    api_document["webhooks"] = {"turn": {"post": {"responses": {}}}}
    before = set(api_document["paths"])
    trim_for_generators(api_document)
    streams = {"/stream", "/api/v1/games/{game_id}/stream", "/api/v1/streams/{ticket}"}
    streams |= {"/api/v1/me/stream", "/api/v1/account-streams/{ticket}"}
    plots = {f"/games/{{game_id}}/plots/{{name}}.{kind}" for kind in ("png", "svg")}
    pictures = plots | {"/games/{game_id}/board.svg", "/rulesets/{name}/guide/pictures/{number}.svg"}
    left_out = pictures | {"/games/{game_id}/record", "/me/records"}
    assert before - set(api_document["paths"]) == streams | {f"/api/v1{path}" for path in left_out}
    assert list(api_document["paths"]["/either"]["get"]["responses"]["200"]["content"]) == ["application/json"]
    assert "webhooks" not in api_document


def test_every_operation_has_a_recorded_example(api_document: dict[str, Any]) -> None:
    for _, _, operation in operations(api_document):
        name = operation["operationId"]
        contents = [operation.get("requestBody", {}).get("content", {})]
        contents += [each.get("content", {}) for status, each in operation["responses"].items() if status < "300"]
        assert all("example" in each for content in contents for each in content.values()), (
            f"have {name} answered in tests/recording/story.py, and run `make examples`"
        )


def test_every_message_to_a_webhook_has_a_recorded_example(api_document: dict[str, Any]) -> None:
    for kind, item in api_document["webhooks"].items():
        assert item["post"]["requestBody"]["content"]["application/json"]["example"]["type"] == kind


def test_every_problem_has_a_recorded_example() -> None:
    missing = [code for code in REFUSALS if problem_example(code) is None]
    assert not missing, "have them answered in tests/recording/story.py, and run `make examples`"


def test_every_number_text_and_list_is_bounded_and_every_parameter_described(api_document: dict[str, Any]) -> None:
    before = deepcopy(api_document)
    add_bounds(api_document)
    assert api_document == before
    for _, path, operation in operations(api_document):
        parameters = [each["name"] for each in operation.get("parameters", []) if not each.get("description")]
        assert not parameters, f"{operation['operationId']} at {path}"
        assert operation["summary"].endswith(".")


def test_every_inline_object_and_choice_of_a_component_has_a_title_and_objects_one_of_their_own(
    api_document: dict[str, Any],
) -> None:
    taken = set(api_document["components"]["schemas"])
    for name, component in api_document["components"]["schemas"].items():
        for path, schema in inline(component, name):
            if schema.keys() & {"properties", "anyOf", "oneOf", "allOf", "additionalProperties", "enum"}:
                assert schema.get("title"), path
            if "properties" in schema:
                assert schema["title"] not in taken, path
                taken.add(schema["title"])


def inline(schema: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the schemas in a schema that have no name, and where they are."""
    below = [(f"{path}.{name}", each) for name, each in schema.get("properties", {}).items()]
    below += [(f"{path}.{key}", schema[key]) for key in ("items", "additionalProperties") if key in schema]
    # The alternatives of what is sent say what goes together, and are no types of their own.
    below += [(f"{path}.{key}", each) for key in ("anyOf", "oneOf") for each in schema.get(key, ())]
    for place, each in below:
        if isinstance(each, dict) and "$ref" not in each:
            yield place, each
            yield from inline(each, place)


def test_streams_and_lines_name_the_schemas_of_what_they_hold(api_document: dict[str, Any]) -> None:
    named = {each["operationId"]: each["responses"] for _, _, each in operations(api_document)}
    for name, kind, messages in (
        ("streamEvents", "text/event-stream", ["Happening", "StreamChanged", "StreamEnd"]),
        ("streamAccount", "text/event-stream", ["AccountMessage"]),
        ("listEvents", "application/jsonl", ["Happening"]),
        ("listGames", "application/jsonl", ["GameListed"]),
    ):
        content = named[name]["200"]["content"][kind]["schema"]["contentSchema"]
        found = [each["$ref"].rpartition("/")[2] for each in content.get("anyOf", [content])]
        assert found == messages and set(found) <= set(api_document["components"]["schemas"])
