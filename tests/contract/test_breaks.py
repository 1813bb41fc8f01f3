"""Changes of the API's document, and which of them break a program that was written before."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask

from service.api.document import document as written
from service.api.mount import mount_api
from service.rules.registry import GAMES, find_rulesets
from tests.contract.__main__ import COMMITTED, DECLARED, RELEASED, main
from tests.contract.promises import breaks
from tests.promises import committed

Document = dict[str, Any]

SEAT = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "kind": {"type": "string", "enum": ["player", "bot"]}},
    "required": ["name"],
    "additionalProperties": True,
}
MOVE = {
    "type": "object",
    "properties": {"to": {"type": "string", "maxLength": 2}, "agents": {"type": "integer", "minimum": 1}},
    "required": ["to"],
    "additionalProperties": False,
}
WAIT = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
BEFORE: Document = {
    "info": {"version": "1.4.0"},
    "paths": {
        "/seats/{seat}": {
            "parameters": [{"name": "seat", "in": "path", "required": True, "schema": {"type": "integer"}}],
            "get": {
                "security": [{"token": ["games:read"]}],
                "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}}],
                "responses": {
                    "200": {
                        "headers": {"ETag": {}},
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Seat"}}},
                    },
                    "404": {"description": "Not there."},
                },
            },
            "post": {
                "security": [{"token": ["games:play"]}],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "oneOf": [{"$ref": "#/components/schemas/Move"}, {"$ref": "#/components/schemas/Wait"}]
                            }
                        }
                    },
                },
                "responses": {"204": {"description": "Done."}},
            },
        }
    },
    "webhooks": {"moved": {"post": {"requestBody": {"content": {"application/json": {"schema": deepcopy(SEAT)}}}}}},
    "components": {"schemas": {"Seat": SEAT, "Move": MOVE, "Wait": WAIT}},
}
GET, POST = ("paths", "/seats/{seat}", "get"), ("paths", "/seats/{seat}", "post")
SEAT_AT, MOVE_AT = ("components", "schemas", "Seat"), ("components", "schemas", "Move")


def put(*place: Any, below: Any = None) -> Callable[[Document], None]:
    """Set the last to the place that the others lead to; `below` are the alternatives of the component `Below`."""

    def change(document: Document) -> None:
        *path, key, value = place
        if below is not None:
            document["components"]["schemas"]["Below"] = {"oneOf": below, "discriminator": {"propertyName": "type"}}
        for each in path:
            document = document[each]
        document[key] = value

    return change


def drop(*place: Any) -> Callable[[Document], None]:
    """Remove what the place leads to."""

    def change(document: Document) -> None:
        *path, key = place
        for each in path:
            document = document[each]
        del document[key]

    return change


def changed(*changes: Callable[[Document], None]) -> Document:
    document = deepcopy(BEFORE)
    for change in changes:
        change(document)
    return document


def needed(name: str, **more: Any) -> list[Document]:
    return [{"name": name, "in": "query", "schema": {"type": "integer", "maximum": 100}, **more}]


ONE = [{"$ref": "#/components/schemas/Move"}]
WAITS = {"$ref": "#/components/schemas/Wait"}
ALL_BELOW = {"$ref": "#/components/schemas/Below"}
SENT = (*POST, "requestBody", "content", "application/json", "schema")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (drop(*GET), "GET /seats/{seat}: is gone"),
        (put(*GET, "parameters", []), "GET /seats/{seat}: query limit is gone"),
        (put(*GET, "parameters", needed("limit", required=True)), "GET /seats/{seat}: query limit has to be there"),
        (drop(*GET, "responses", "404"), "GET /seats/{seat}: 404 is gone"),
        (drop(*GET, "responses", "200", "headers", "ETag"), "GET /seats/{seat} 200: the header ETag is gone"),
        (
            put(*GET, "security", [{"token": ["games:read", "profile:read"]}]),
            "GET /seats/{seat}: asks for the scope profile:read",
        ),
        (drop(*SEAT_AT, "properties", "kind"), "GET /seats/{seat} 200: kind is gone"),
        (put(*SEAT_AT, "required", []), "GET /seats/{seat} 200: name may be absent"),
        (put(*SEAT_AT, "properties", "name", "type", ["string", "null"]), "GET /seats/{seat} 200.name: now also null"),
        (
            put(*SEAT_AT, "properties", "kind", "enum", ["player", "bot", "ods"]),
            "GET /seats/{seat} 200.kind: now also 'ods'",
        ),
        (put(*MOVE_AT, "required", ["to", "agents"]), "POST /seats/{seat}: agents has to be there"),
        (put(*MOVE_AT, "properties", "to", "type", "integer"), "POST /seats/{seat}.to: no longer string"),
        (put(*MOVE_AT, "properties", "to", "maxLength", 1), "POST /seats/{seat}.to: maxLength is lower"),
        (put(*MOVE_AT, "properties", "to", "pattern", "^[A-E]"), "POST /seats/{seat}.to: pattern is another"),
        (put(*MOVE_AT, "properties", "to", "enum", ["A1"]), "POST /seats/{seat}.to: only some values"),
        (put(*SENT, "oneOf", ONE), "POST /seats/{seat}: no longer Wait"),
        (put(*SENT, {"anyOf": [ALL_BELOW, *ONE]}, below=ONE), "POST /seats/{seat}: no longer Wait"),
        (drop("webhooks", "moved"), "webhook moved: is gone"),
    ],
)
def test_a_change_that_breaks_somebodys_program_is_named(change: Callable[[Document], None], line: str) -> None:
    assert breaks(BEFORE, changed(change)) == [line]


@pytest.mark.parametrize(
    "change",
    [
        put(*GET, "description", "Says more."),
        put(*GET, "parameters", [*needed("limit"), *needed("after")]),
        put(*GET, "responses", "410", {"description": "Gone."}),
        put(*SEAT_AT, "properties", "score", {"type": "integer"}),
        put(*SEAT_AT, "required", ["name", "kind"]),
        put(*SEAT_AT, "properties", "kind", "enum", ["player"]),
        put(*MOVE_AT, "properties", "why", {"type": "string"}),
        put(*MOVE_AT, "properties", "to", "maxLength", 3),
        put(*MOVE_AT, "properties", "agents", "minimum", 0),
        put(*SENT, "oneOf", [*ONE, {"$ref": "#/components/schemas/Wait"}, {"$ref": "#/components/schemas/Seat"}]),
        put("paths", "/seats", {"get": {"responses": {}}}),
        # A choice below a choice is the same as one choice.
        put(*SENT, {"anyOf": [ALL_BELOW]}, below=[*ONE, WAITS]),
    ],
)
def test_a_change_that_breaks_nothing_is_not_named(change: Callable[[Document], None]) -> None:
    assert breaks(BEFORE, changed(change)) == []


def test_a_parameter_of_the_path_may_get_another_name() -> None:
    after = changed()
    item = after["paths"].pop("/seats/{seat}")
    item["parameters"][0]["name"] = "number"
    after["paths"]["/seats/{number}"] = item
    assert breaks(BEFORE, after) == []


def test_one_of_several_alternatives_is_less_than_any_of_them() -> None:
    before = changed(put(*SENT, {"anyOf": [*ONE, WAITS]}))
    assert breaks(before, BEFORE) == ["POST /seats/{seat}: now one alternative only"]


@pytest.mark.long
def test_further_games_break_neither_the_last_release_nor_this_one() -> None:
    app = Flask(__name__)
    mount_api(app, find_rulesets((*GAMES, "tests.games")))
    both = yaml.load(written(app), yaml.CSafeLoader)
    names = ("BastardsInc", "NewCorpOrder", "SealedBids", "ThreeHarbours")
    actions = [{"$ref": f"#/components/schemas/{name}Action"} for name in names]
    assert both["components"]["schemas"]["Action"] == {"anyOf": actions}
    assert committed()["components"]["schemas"]["Action"] == {"anyOf": actions[:2]}
    for before in (committed(), yaml.load(RELEASED.read_text(encoding="utf-8"), yaml.CSafeLoader)):
        assert set(breaks(before, both)) <= set(DECLARED.read_text(encoding="utf-8").splitlines())


def test_the_committed_document_keeps_what_the_last_release_has_promised(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "keeps what version" in capsys.readouterr().out


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A committed document without one operation, what was released before, and an empty list of declared breaks."""
    paths = tmp_path / "openapi.yaml", tmp_path / "released.yaml", tmp_path / "declared.txt"
    for path, document in zip(paths, (changed(drop(*GET)), BEFORE), strict=False):
        path.write_text(yaml.safe_dump(document))
    paths[2].write_text("")
    return paths


def test_nothing_is_released_that_breaks_a_promise(files: tuple[Path, Path, Path]) -> None:
    before = files[1].read_text()
    assert main(["release"], *files) == 1
    assert files[1].read_text() == before


def test_a_break_that_is_declared_is_released_once(files: tuple[Path, Path, Path]) -> None:
    files[2].write_text("# Nobody asks for it.\nGET /seats/{seat}: is gone\n")
    assert main(["release"], *files) == 0
    assert "get" not in yaml.safe_load(files[1].read_text())["paths"]["/seats/{seat}"]
    assert "is gone" not in files[2].read_text()


@pytest.mark.parametrize(("version", "code"), [("1.4.0", 1), ("1.5.0", 0)])
def test_what_is_new_needs_a_number_of_its_own(
    files: tuple[Path, Path, Path], version: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    new = changed(put("paths", "/seats", {"get": deepcopy(BEFORE["paths"]["/seats/{seat}"]["get"])}))
    files[0].write_text(yaml.safe_dump({**new, "info": {"version": version}}))
    assert main([], *files) == code
    assert ("GET /seats: is gone" in capsys.readouterr().out) == bool(code)


def test_another_first_number_may_break_anything(files: tuple[Path, Path, Path]) -> None:
    document = changed(drop(*GET), put("info", "version", "2.0.0"))
    files[0].write_text(yaml.safe_dump(document))
    assert main([], *files) == 0


def test_what_is_released_has_no_examples_and_lies_here() -> None:
    assert "example" not in RELEASED.read_text()
    assert DECLARED.exists() and COMMITTED.exists()
