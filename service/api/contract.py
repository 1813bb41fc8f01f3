"""The API's contract: how schemas become components of the document, and how a view is declared an operation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask
from flask_smorest import Api, Blueprint  # type: ignore[import-untyped]
from marshmallow import Schema

from schemas.actions import Actions, Part, pascal
from schemas.play import ActionField, PostedAction
from schemas.problem import Problem
from service.api.body import StrictParser
from service.api.problems import ANSWERS, CATALOGUE, MEDIA_TYPE

View = TypeVar("View", bound=Callable[..., Any])
Document = dict[str, Any]

VERSION = "1.0.0"
PREFIX = "/api/v1"
CONTRACT = "contract"
"""Where the app keeps its Contract."""
REFUSALS = (400, 401, 403, 404, 409, 413, 415, 422, 500, 503)


class _Converter(OpenAPIConverter):
    def schema2jsonschema(self, schema: Any) -> Document:
        if isinstance(schema, Actions):
            return self._union(schema)
        if isinstance(schema, PostedAction):
            return {"oneOf": [self.resolve_nested_schema(each) for each in schema.either]}  # type: ignore[no-untyped-call]
        document: Document = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        if isinstance(schema, Part) and schema.made.__doc__:
            document["description"] = " ".join(schema.made.__doc__.split())
        return document

    def field2property(self, field: Any) -> Document:
        if isinstance(field, ActionField):
            return {"$ref": "#/components/schemas/Action"}
        return dict(super().field2property(field))

    def _union(self, actions: Actions) -> Document:
        references = {tag: self._variant(tag, part) for tag, part in actions.type_schemas.items()}
        return {
            "oneOf": [{"$ref": reference} for reference in references.values()],
            "discriminator": {"propertyName": actions.type_field, "mapping": references},
        }

    def _variant(self, tag: str, part: Any) -> str:
        name = type(part).__name__
        document = self.schema2jsonschema(part)
        document["properties"] = {"type": {"type": "string", "const": tag}, **document["properties"]}
        document["required"] = ["type", *document.get("required", ())]
        self.spec.components.schema(name, document)
        return f"#/components/schemas/{name}"


class _Plugin(MarshmallowPlugin):
    Converter = _Converter


class Contract(Api):  # type: ignore[misc] # the library has no types
    """The library's registry of operations, with our documents; errors are answered elsewhere."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, app: Flask, actions: Sequence[Actions]) -> None:
        app.config |= {"API_TITLE": "Boardroom", "API_VERSION": VERSION, "OPENAPI_VERSION": "3.1.0"}
        super().__init__(app, spec_kwargs={"marshmallow_plugin": _Plugin(), "info": INFO, "servers": [{"url": "/"}]})
        components = self.spec.components
        components.security_scheme("token", {"type": "http", "scheme": "bearer", "bearerFormat": "brd_…"})
        components.schema("Problem", schema=Problem)
        for status in REFUSALS:
            components.response(f"Problem{status}", _problem_document(status))
        for union in actions:
            components.schema(union.component, schema=union)
        references = [{"$ref": f"#/components/schemas/{union.component}"} for union in actions]
        components.schema("Action", {"anyOf": references})

    def _register_error_handlers(self) -> None:
        """Leave errors to the app, which has pages beside the API."""


INFO = {
    "description": (
        "Asynchronous, turn-based board games. Create a player, keep the token, open a game, and answer its decisions: "
        "an action names the number of the decision that it answers. Every error is application/problem+json; "
        "its `type` is what to go by. Fields and event types may be added at any time."
    )
}


def _problem_document(status: int) -> Document:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    titles = dict.fromkeys(kind.title for kind in CATALOGUE.values() if kind.status == status)
    return {"description": "; ".join(titles) + ".", "content": content}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """A successful answer: its status, and what its body and headers are."""

    status: int = 200
    schema: type[Schema] | Document | None = None
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of headers by their names."""


class Resource(Blueprint):  # type: ignore[misc] # the library has no types
    """A group of operations on one kind of thing."""

    ARGUMENTS_PARSER = StrictParser()

    def __init__(self, name: str, module: str, description: str) -> None:
        super().__init__(name, module, description=description)
        self.public: set[str] = set()
        """The endpoints that need no token."""
        for refusal, answer in ANSWERS.items():
            self.register_error_handler(refusal, answer)

    def operation(  # noqa: PLR0913 - all but two are rare, and named
        self,
        rule: str,
        answers: Answers,
        *,
        method: str = "GET",
        refuses: Iterable[int] = (),
        public: bool = False,
        not_modified: bool = False,
        instead: Answers | None = None,
        **reads: type[Schema],
    ) -> Callable[[View], View]:
        """Register a view at a rule below the prefix, and document it.

        `reads` are the schemas of what it reads, by location (json, query, headers); loaded, they are its positional
        arguments in that order. `refuses` are the statuses of problems that it may answer with, beside the usual ones;
        `instead` is another successful answer that it may give.
        """
        statuses = {*refuses, *_usual_refusals(reads, public)}

        def register(view: View) -> View:
            wrapped = self._documented(view, answers, public)
            for status in sorted(statuses):
                wrapped = self.alt_response(status, f"Problem{status}")(wrapped)
            if instead is not None:
                wrapped = self.alt_response(instead.status, schema=instead.schema)(wrapped)
            if not_modified:
                wrapped = self.alt_response(304, description="Not Modified")(wrapped)
            # The outermost parser appends its argument first.
            for location, schema in reversed(reads.items()):
                wrapped = self.arguments(schema, location=location)(wrapped)
            if public:
                self.public.add(f"{self.name}.{view.__name__}")
            self.add_url_rule(PREFIX + rule, view.__name__, wrapped, methods=[method])
            return view

        return register

    def _documented(self, view: View, answers: Answers, public: bool) -> Any:
        name = pascal(view.__name__.replace("_", "-"))
        headers = {name: {"description": text, "schema": {"type": "string"}} for name, text in answers.headers.items()}
        success = self.alt_response(
            answers.status, schema=answers.schema, content_type=answers.content_type, headers=headers or None
        )
        security: list[Document] = [] if public else [{"token": []}]
        return self.doc(operationId=name[0].lower() + name[1:], security=security)(success(view))


def _usual_refusals(reads: Mapping[str, Any], public: bool) -> set[int]:
    statuses = {500, 503} if public else {401, 500, 503}
    if reads:
        statuses.add(422)
    if "json" in reads:
        statuses |= {400, 413, 415}
    return statuses
