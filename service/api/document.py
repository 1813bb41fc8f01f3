"""The API's document: what the app promises, as OpenAPI 3.1 in YAML.

`python -m service.api.document` prints the document as it is committed; `examples` prints it with the recorded
examples, as it is served; `client` prints what generators of clients read.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import yaml
from flask import Flask

from service.api.bounds import add_bounds
from service.api.conditional import describe
from service.api.contract import HEADERS
from service.api.mount import contract_of, mount_api
from service.api.recorded import add_examples, operations
from service.api.titles import add_titles
from service.rules.registry import find_rulesets
from service.shared.rulesets import ruleset_packages

_REFERENCE = re.compile(r"'\$ref': '#/components/(\w+)/([\w-]+)'")

_PARTS = ("operationId", "summary", "description", "tags", "security", "parameters", "requestBody", "responses")
"""What an operation consists of, in the order in which it is written."""
_SECTIONS = ("openapi", "info", "servers", "tags", "paths", "webhooks", "components")
CONDITIONAL = frozenset({"oneOf", "allOf"})
"""What a schema says of fields that go together; generators take it for other schemas."""
STREAMS = frozenset({"text/event-stream"})
FILES = frozenset({"application/jsonl", "image/png", "image/svg+xml"})
"""Answers that are kept rather than read; generators of clients do not know what to make of them."""
_ALWAYS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "Access-Control-Allow-Origin": (
        # The linters take the components themselves for the headers of an answer, and look for the header's own name.
        "Access-Control-Allow-Origin",
        {"description": "`*`: programs in web pages of any origin may read this.", "schema": {"type": "string"}},
    ),
    "X-Request-Id": (
        "RequestId",
        {
            "description": "Names this answer in the log of the service; the request's own X-Request-Id if it had one.",
            "schema": {"type": "string", "minLength": 8, "maxLength": 64, "pattern": "^[A-Za-z0-9-]{8,64}$"},
        },
    ),
}
"""The headers of every answer: the names of their components, and what those are."""


def document(app: Flask) -> str:
    """Return the document of the app's API without examples, always in the same order."""
    return _written(_assembled(app))


def document_with_examples(app: Flask) -> str:
    """Return the document with the recorded examples, for readers and linters."""
    api = _assembled(app)
    add_examples(api)
    for name, (_, example) in HEADERS.items():
        api["components"]["headers"][name]["example"] = example
    return _written(api)


def client_document(app: Flask) -> str:
    """Return the document for generators of clients, without what some reject: webhooks, streams, files."""
    api = _assembled(app)
    trim_for_generators(api)
    return _written(api)


def trim_for_generators(api: dict[str, Any], unread: frozenset[str] = STREAMS | FILES) -> None:
    """Take webhooks and unread kinds of content out of a document; an operation that answers with nothing else goes."""
    api.pop("webhooks", None)
    for schema in api["components"]["schemas"].values():
        for key in CONDITIONAL & schema.keys() if "properties" in schema else ():
            del schema[key]
    for method, path, operation in list(operations(api)):
        contents = [response["content"] for response in operation["responses"].values() if "content" in response]
        for content in contents:
            for kind in unread & content.keys():
                del content[kind]
        if not all(contents):
            del api["paths"][path][method]
    api["paths"] = {path: item for path, item in api["paths"].items() if item.keys() - {"parameters"}}


def _assembled(app: Flask) -> dict[str, Any]:
    # Parts of it belong to the resources and to this package.
    api: dict[str, Any] = deepcopy(contract_of(app).spec.to_dict())
    describe(api)
    for method, path, operation in list(operations(api)):
        api["paths"][path][method] = {part: operation[part] for part in _PARTS if part in operation}
        operation["responses"] = dict(sorted(operation["responses"].items()))
        api["paths"][path][method]["responses"] = operation["responses"]
    _add_usual_headers(api)
    add_bounds(api)
    add_titles(api)
    return api


def _add_usual_headers(api: dict[str, Any]) -> None:
    api["components"]["headers"] = {**dict(_ALWAYS.values()), **api["components"].get("headers", {})}
    own = [each for _, _, operation in operations(api) for each in operation["responses"].values()]
    for response in [*own, *api["components"]["responses"].values()]:
        if "$ref" not in response:
            headers = response.setdefault("headers", {})
            headers |= {name: {"$ref": f"#/components/headers/{component}"} for name, (component, _) in _ALWAYS.items()}


def _written(api: dict[str, Any]) -> str:
    _drop_unused(api)
    ordered = {key: api[key] for key in _SECTIONS if key in api}
    return yaml.dump(ordered, sort_keys=False, allow_unicode=True, width=110, Dumper=_Dumper)


class _Dumper(yaml.SafeDumper):
    """A YAML dumper that repeats an object instead of using an alias, and writes lines as a block."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _write_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _write_text)


def _drop_unused(api: dict[str, Any]) -> None:
    # The library registers components of its own; some are used by nothing, some only by those.
    while True:
        used = set(_REFERENCE.findall(repr(api)))
        for kind in ("schemas", "responses", "parameters", "headers"):
            components = api["components"].get(kind, {})
            for name in [name for name in components if (kind, name) not in used]:
                del components[name]
            if not components:
                api["components"].pop(kind, None)
        if used == set(_REFERENCE.findall(repr(api))):
            return


def main(words: Sequence[str]) -> None:
    """Print a document of the API for the games of RULESET_PACKAGES; needs no servers."""
    kinds = {"": document, "examples": document_with_examples, "client": client_document}
    app = Flask(__name__)
    mount_api(app, find_rulesets(ruleset_packages()))
    sys.stdout.write(kinds[" ".join(words)](app))


if __name__ == "__main__":
    main(sys.argv[1:])
