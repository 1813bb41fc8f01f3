"""The OpenAPI document, made from the app."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

import yaml
from flask import Flask

from schemas.actions import pascal
from schemas.fields import INT32
from service.api.conditional import describe
from service.api.contract import HEADERS
from service.api.examples import add_examples, operations
from service.api.mount import contract_of, mount_api
from service.rules.registry import find_rulesets
from service.shared.rulesets import ruleset_packages

# Bounds in the document: no whole number, text or list in it is without a format, a least and a most.

LONGEST_TEXT = 64 * 1024
"""The most characters of any text that is answered with; what is sent in has bounds of its own."""
LONGEST_LIST = 64 * 1024
"""The most elements of any list that is answered with."""

_LENGTHS = {"uuid": 36, "date-time": 40, "date": 10, "email": 254}
_RECORDED = ("example", "examples", "enum", "const")
"""Keys of a document below which there are values and no schemas."""


def add_bounds(document: dict[str, Any]) -> None:
    """Add to every schema anywhere in the document the bounds that it does not state itself."""
    for schema in _objects(document):
        kinds = schema.get("type")
        for kind in kinds if isinstance(kinds, list) else [kinds]:
            if kind in _ADDED and (kind == "integer" or not schema.keys() & {"enum", "const"}):
                _ADDED[kind](schema)


def _objects(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        # A property may be called like a key of a schema: only what has a text as its type is one.
        if isinstance(node.get("type"), str | list):
            yield node
        for key, below in node.items():
            if key == "properties":
                for each in below.values():
                    yield from _objects(each)
            elif key not in _RECORDED:
                yield from _objects(below)
    elif isinstance(node, list):
        for below in node:
            yield from _objects(below)


def _whole(schema: dict[str, Any]) -> None:
    values = [each for each in schema.get("enum", (-INT32 - 1, INT32)) if each is not None]
    schema.setdefault("minimum", min(values))
    schema.setdefault("maximum", max(values))
    narrow = schema["minimum"] >= -INT32 - 1 and schema["maximum"] <= INT32
    schema.setdefault("format", "int32" if narrow else "int64")


def _text(schema: dict[str, Any]) -> None:
    schema.setdefault("maxLength", _LENGTHS.get(schema.get("format", ""), LONGEST_TEXT))


def _list(schema: dict[str, Any]) -> None:
    schema.setdefault("maxItems", LONGEST_LIST)


_ADDED = {"integer": _whole, "string": _text, "array": _list}


# Names in the document for what stands in it without one: generators of clients make classes of these.

_INLINE = frozenset({"properties", "anyOf", "oneOf", "allOf", "additionalProperties"})
"""Keywords of an inline schema that needs a title for generators.

The title of an object is its whole name. That of an enumeration is what its field adds to the name of the holder, which
openapi-python-client puts in front; without a title it makes three numbered classes where null is allowed.
"""


def add_titles(document: dict[str, Any]) -> None:
    """Give a title to every schema that stands where it is used: by what holds it, and as what."""
    for name, schema in document["components"]["schemas"].items():
        _below(schema, name)
    for _, _, operation in operations(document):
        name = operation["operationId"][0].upper() + operation["operationId"][1:]
        for status, response in operation["responses"].items():
            for kind, content in response.get("content", {}).items():
                schema = content["schema"]
                if "$ref" not in schema:
                    schema.setdefault("title", f"{name}{status}{pascal(kind.rpartition('/')[2].replace('+', '-'))}")
                _below(schema, f"{name}{status}")


def _below(schema: Any, name: str, field_name: str = "") -> None:
    for field, each in schema.get("properties", {}).items():
        added = pascal(field.replace("_", "-"))
        _named(each, f"{name}{added}", added)
    for key, ending in (("items", "Item"), ("additionalProperties", "Value")):
        if isinstance(schema.get(key), dict):
            _named(schema[key], f"{name}{ending}", f"{field_name}{ending}")
    for key in ("anyOf", "oneOf", "allOf"):
        for number, each in enumerate(schema.get(key, ()), 1):
            _named(each, f"{name}{number}")


def _named(schema: dict[str, Any], name: str, added: str = "") -> None:
    if "$ref" not in schema and _INLINE & schema.keys():
        schema.setdefault("title", name)
    elif "enum" in schema and added:
        schema.setdefault("title", added)
    _below(schema, name, added)


# The API's document: what the app promises, as OpenAPI 3.1 in YAML.
#
# `python -m service.api.document` prints the document as it is committed; `examples` prints it with the recorded
# examples, as it is served; `client` prints what generators of clients read.

_REFERENCE = re.compile(r"'\$ref': '#/components/(\w+)/([\w-]+)'")

_PARTS = ("operationId", "summary", "description", "tags", "security", "parameters", "requestBody", "responses")
"""Fields of an operation, in the order in which they are written."""
_SECTIONS = ("openapi", "info", "servers", "tags", "paths", "webhooks", "components")
CONDITIONAL = frozenset({"oneOf", "allOf"})
"""Keywords for fields that go together; generators take them for other schemas."""
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
