"""The examples of the document: recorded answers of a running server, which `make examples` records anew."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from service.http.ndjson import JSON_LINES
from service.http.problems import MEDIA_TYPE, catalogue

FOLDER = Path(__file__).with_name("examples")
METHODS = ("get", "post", "put", "patch", "delete")


def operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Return (method, path, operation) for every operation of the document, webhooks left out."""
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield method, path, item[method]


def problem_example(code: str) -> dict[str, Any] | None:
    """Return the recorded problem of a code, None if there is none."""
    return _read(FOLDER / "problems" / f"{code}.json")


def message_example(kind: str) -> dict[str, Any] | None:
    """Return the recorded message of a type to a webhook, None if there is none."""
    return _read(FOLDER / "messages" / f"{kind}.json")


def add_examples(document: dict[str, Any]) -> None:
    """Put the recorded examples into every operation and every message to a webhook, and those of each problem into
    the answers of its status."""
    for _, _, operation in operations(document):
        recorded = _read(FOLDER / f"{operation['operationId']}.json")
        if recorded is not None:
            _add(operation, recorded)
    for kind, item in document["webhooks"].items():
        message = message_example(kind)
        if message is not None:
            item["post"]["requestBody"]["content"]["application/json"]["example"] = message
    for name, response in document["components"]["responses"].items():
        types, status = catalogue(), name.removeprefix("Problem")
        found = {code: problem_example(code) for code, kind in types.items() if str(kind.status) == status}
        shown = {code: {"summary": types[code].title, "value": value} for code, value in found.items() if value}
        if shown:
            response["content"][MEDIA_TYPE]["examples"] = shown


def _add(operation: dict[str, Any], recorded: Mapping[str, Any]) -> None:
    if "request" in recorded and "requestBody" in operation:
        for content in operation["requestBody"]["content"].values():
            content["example"] = recorded["request"]
    for status, body in recorded["responses"].items():
        for media_type, content in operation["responses"].get(status, {}).get("content", {}).items():
            # What is answered in lines alone was recorded as text, and stays it.
            content["example"] = (
                _as_lines(body["items"]) if media_type == JSON_LINES and isinstance(body, dict) else body
            )


def _as_lines(items: Sequence[Any]) -> str:
    return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)


def _read(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    recorded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return recorded
