"""Declarations of operations, and the components of the API's document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar

from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask, Request
from flask_smorest import Api, Blueprint
from marshmallow import Schema

from schemas.actions import ActionField, ActionRecord, Actions, Either, pascal
from schemas.answer import Problem
from schemas.messages import WebhookMessage
from schemas.play import AccountMessage, StreamChanged, StreamEnd
from service.api.conditional import RESTING, TAGGED, TaggedRead, resting, sparing
from service.api.outgoing import MESSAGE, outgoing
from service.http.body import reader
from service.http.limit_table import BUCKETS
from service.http.limits import limits_page, usual_bucket
from service.http.ndjson import JSON_LINES
from service.http.problems import MEDIA_TYPE, catalogue, problem
from service.http.request import current_request
from service.shared.refusal import Refusal
from service.store.access import SCOPES
from service.texts.catalog import DEFAULT, languages
from service.texts.locales import languages_named

# How schemas become components of the API's document.

Document = dict[str, Any]


class Converter(OpenAPIConverter):
    """Makes components of schemas: also of unions of actions, of alternatives, and of actions with their own words."""

    def schema2jsonschema(self, schema: Any) -> Document:
        """Return the component of a schema."""
        # The library's converter has no types.
        named: Callable[[Any], Document] = self.resolve_nested_schema
        converted: Callable[[Any], Document] = super().schema2jsonschema
        if isinstance(schema, Actions):
            return self._union(schema)
        if isinstance(schema, Either):
            return {"oneOf": [named(each) for each in schema.either]}
        document = converted(schema)
        # What fields go together, which no field says of itself.
        document |= getattr(schema, "TOGETHER", {})
        if isinstance(schema, ActionRecord) and schema.made.__doc__:
            document["description"] = " ".join(schema.made.__doc__.split())
        return document

    def field2property(self, field: Any) -> Document:
        """Return what a component says of a field."""
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


class Plugin(MarshmallowPlugin):
    """The library's plugin with this converter."""

    Converter = Converter


# The API's contract: what its document says of all operations, and how a view is declared one.

View = TypeVar("View", bound=Callable[..., Any])

VERSION = "1.2.0"
PREFIX = "/api/v1"
EVENT_STREAM = "text/event-stream"
REFUSALS = (400, 401, 403, 404, 408, 409, 410, 412, 413, 415, 422, 429, 500, 503)


class Contract(Api):  # type: ignore[misc] # the library has no types
    """The library's registry of operations, with our documents; errors are answered elsewhere."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, app: Flask, actions: Sequence[Actions]) -> None:
        app.config |= {"API_TITLE": "Boardroom", "API_VERSION": VERSION, "OPENAPI_VERSION": "3.1.0"}
        more = {"info": INFO, "servers": [{"url": "/"}], "webhooks": outgoing()}
        super().__init__(app, spec_kwargs={"marshmallow_plugin": Plugin(), **more})
        components = self.spec.components
        components.security_scheme("token", {"type": "http", "scheme": "bearer", "bearerFormat": "brd_…"})
        components.schema("Problem", schema=Problem)
        components.schema(MESSAGE, schema=WebhookMessage)
        for message in (AccountMessage, StreamChanged, StreamEnd):
            components.schema(message.__name__, schema=message)
        for name, (description, example) in HEADERS.items():
            schema = {"type": "string"} if isinstance(example, str) else {"type": "integer"}
            components.header(name, {"description": description, "schema": schema})
        for status in REFUSALS:
            components.response(f"Problem{status}", _problem_document(status))
        components.response("NotModified", {"description": "Not Modified"})
        for union in actions:
            components.schema(union.component, schema=union)
        # A choice from the first game on, so that another game only adds to it.
        unions = [{"$ref": f"#/components/schemas/{union.component}"} for union in actions]
        components.schema("Action", {"anyOf": unions})

    def describe(self, resource: Resource) -> None:
        """Add the operations of a resource that the app serves."""
        resource.register_views_in_doc(self, self._app, self.spec, name=resource.name, parameters=None)
        self.spec.tag({"name": resource.name, "description": resource.description})

    def _register_error_handlers(self) -> None:
        """Leave errors to the app, which answers those of pages too."""


INFO = {
    "description": (
        "Asynchronous, turn-based board games. Sign in or create a player, keep the token, open a game, and answer its "
        "decisions: "
        "an action names the number of the decision that it answers. Every error is application/problem+json; "
        "its `type` is what to go by. Fields and event types may be added at any time.\n\n"
        "## Languages\n\n"
        "`detail` of an error can be shown to whoever plays. It is "
        f"{languages_named(languages(), DEFAULT, 'or')}: as the request's header "
        "Accept-Language asks first (`de-AT, en;q=0.5`), or where that names none of these, in the language of the "
        "account, or else in English. The answer's Content-Language tells which. `title`, and what `errors` says of "
        "the form of a request, are for programmers, and always English.\n\n"
        "## Conditions\n\n"
        "What GET reads has an ETag. Sent back as If-None-Match, it spares the answer where nothing has changed (304). "
        "Sent as If-Match with PUT, PATCH, POST or DELETE at the same address, nothing is written if anybody has "
        "changed it since: `/problems/precondition-failed` tells what there is now. The condition is looked at in the "
        "transaction that writes, so of two that rest on the same state one is refused. An action rests on the ETag of "
        "its table (`GET /games/{game_id}`), beside its `decision`. If-Match where nothing has an ETag is refused. "
        "Every other refusal goes first, and a request that is repeated under its Idempotency-Key is answered as it "
        "was.\n\n"
        "## Limits\n\n"
        "Requests are counted in buckets. Each answer says in which, and how many are left (`RateLimit`, "
        "`RateLimit-Policy`); one too many is refused as `/problems/rate-limited`, with `Retry-After` in seconds. "
        "A legal action on one's own turn is never refused for this. `GET /api/v1/limits` lists what this service "
        f"allows; unless it was told otherwise, that is:\n\n{limits_page()}\n\n"
        "The head of a request has to arrive within 15 seconds, its body within 15 more (408), and a connection on "
        "which nothing is asked is closed after 15. The web server itself answers 414 to an address of 64 KiB, "
        "and 431 to more than 100 headers, both with an empty body.\n\n"
        "## Maintenance\n\n"
        "While maintenance is planned, every answer has the header `Maintenance`: when it begins and when it ends, as "
        "two moments of ISO 8601 with a slash between them. In its course requests that change something may be "
        "refused as `/problems/unavailable`, with `Retry-After` in seconds.\n"
    )
}


def _text_header(description: str) -> Document:
    return {"description": description, "schema": {"type": "string"}}


HEADERS: Mapping[str, tuple[str, str | int]] = {
    "ContentLanguage": ("The language of `detail`.", "en"),
    "ETag": (
        "Changes with the answer. Sent back as If-None-Match, it spares the answer where nothing has changed.",
        '"60303ae22b998861bce3b28f"',
    ),
    "ETagWritten": ("What GET gives from now on, until it changes again.", '"fd61a03af4f77d870fc21e05"'),
    "RateLimit": (
        "The bucket, how many requests are left in it, and in how many seconds it is full again.",
        '"reading";r=599;t=30',
    ),
    "RateLimitPolicy": ("The bucket, its quota, and its window in seconds.", '"reading";q=1200;w=60'),
    "RetryAfter": ("In how many seconds to ask again.", 30),
}
"""Descriptions of headers by the names of their components, each with an example."""

_COUNTED = {"RateLimit": "RateLimit", "RateLimit-Policy": "RateLimitPolicy"}
"""The headers that say where one stands: of every answer but those of a service in trouble."""

_REFUSAL_HEADERS: Mapping[int, Document] = {
    401: {"WWW-Authenticate": _text_header("How to say who one is, and whether the token was the fault.")},
    429: {"Retry-After": "RetryAfter"},
    503: {"Retry-After": "RetryAfter"},
}


def _problem_document(status: int) -> Document:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    titles = dict.fromkeys(kind.title for kind in catalogue().values() if kind.status == status)
    headers = {
        "Content-Language": "ContentLanguage",
        **_REFUSAL_HEADERS.get(status, {}),
        **(_COUNTED if status < 500 else {}),
    }
    return {"description": "; ".join(titles) + ".", "headers": headers, "content": content}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """A successful answer: its status, and what its body and headers are."""

    status: int = 200
    schema: type[Schema] | Document | None = None
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of headers by their names."""
    lines: str | None = None
    """Description of the lines, where a program may have JSON Lines instead (`service.http.ndjson`)."""
    messages: tuple[type[Schema], ...] = ()
    """The schemas of the data of a message in a stream, or of a line."""
    compressed: bool = False
    """Compress the answer, which is long and holds no secret that outlives its game."""


class Resource(Blueprint):  # type: ignore[misc] # the library has no types
    """A group of operations on one kind of thing."""

    def __init__(self, name: str, module: str, description: str) -> None:
        super().__init__(name, module, description=description)
        self.public: set[str] = set()
        """The endpoints that need no token."""
        self.scopes: dict[str, tuple[str, ...]] = {}
        """Scopes that a token needs, by endpoint, unless public."""
        self.buckets: dict[str, str] = {}
        """The bucket of limits in which each endpoint's requests are counted."""
        self.register_error_handler(Refusal, problem)

    def operation(  # noqa: PLR0913 - each is named where an operation is declared
        self,
        rule: str,
        answers: Answers,
        *,
        method: str = "GET",
        refuses: Iterable[int] = (),
        scope: str | None = None,
        public: bool = False,
        bucket: str | None = None,
        instead: Answers | None = None,
        rests_on: str | None = None,
        **reads: type[Schema],
    ) -> Callable[[View], View]:
        """Register a view at a rule below the prefix, and document it.

        `reads` are the schemas of what it reads, by location (json, query, headers); loaded, they are its positional
        arguments in that order. `refuses` are the statuses of problems that it may answer with, beside the usual ones;
        `instead` is another successful answer. `scope` is what its token has to be good for (several with spaces
        between them), unless it is `public`. `bucket` names a row of the table of limits other than the method's.
        What is read has an ETag, and is not sent again to a program that has it still. What writes may rest on
        the ETag of what is read at its own rule, or at the rule that it `rests_on`.
        """
        scopes, limit = _declared(rule, scope, public), BUCKETS[bucket or usual_bucket(method)]
        statuses = {*refuses, *_usual_refusals(reads, public)}
        schemas = {location: schema() for location, schema in reads.items()}
        tagged = method == "GET" and answers.content_type != EVENT_STREAM

        def register(view: View) -> View:
            documented = self._refusing(self._documented(view, answers, scopes, tagged), statuses)
            documented = self._taking(self._or_else(documented, instead, tagged), schemas)
            # The library calls a view through one more function for all that it documents.
            read = _reading([reader(each, at) for at, each in schemas.items()])
            if method == "GET":
                answering = read(view)
                if tagged:
                    TAGGED[rule] = TaggedRead(answering, answers.schema, scopes)
                    answering = sparing(answering, answers.compressed)
            else:
                # What was sent is read once, and may then be tried several times.
                answering = read(resting(view, rests_on or rule, answers.schema))
                RESTING[operation_id(view)] = rests_on or rule, answers.schema
            wrapped = wraps(documented)(answering)
            self._enter(f"{self.name}.{view.__name__}", None if public else scopes, limit.bucket)
            self.add_url_rule(PREFIX + rule, view.__name__, wrapped, methods=[method])
            return view

        return register

    def _refusing(self, documented: Any, statuses: Iterable[int]) -> Any:
        for status in sorted(statuses):
            documented = self.alt_response(status, f"Problem{status}")(documented)
        return documented

    def _or_else(self, documented: Any, instead: Answers | None, tagged: bool) -> Any:
        if instead is not None:
            documented = self.alt_response(instead.status, schema=instead.schema, headers=_COUNTED)(documented)
        return self.alt_response(304, "NotModified")(documented) if tagged else documented

    def _taking(self, documented: Any, schemas: Mapping[str, Schema]) -> Any:
        for location in reversed([*schemas]):
            documented = self.arguments(schemas[location], location=location)(documented)
        return documented

    def _enter(self, endpoint: str, scopes: tuple[str, ...] | None, bucket: str) -> None:
        """Note what a request to the endpoint needs and where it counts; no scopes where it needs no token."""
        if scopes is None:
            self.public.add(endpoint)
        else:
            self.scopes[endpoint] = scopes
        self.buckets[endpoint] = bucket

    def _documented(self, view: View, answers: Answers, scopes: Sequence[str], tagged: bool) -> Any:
        own = {name: _text_header(text) for name, text in answers.headers.items()}
        headers = {**({"ETag": "ETag"} if tagged else {}), **own, **_COUNTED}
        shown = answers.schema
        if isinstance(shown, dict) and answers.messages:
            shown = {**shown, **_content(answers.messages)}
        success = self.alt_response(answers.status, schema=shown, content_type=answers.content_type, headers=headers)(
            view
        )
        if answers.lines is not None:
            lines = {"type": "string", "description": answers.lines, **_content(answers.messages)}
            success = self.alt_response(answers.status, schema=lines, content_type=JSON_LINES, headers=headers)(success)
        security: list[Document] = [{"token": list(scopes)}] if scopes else []
        return self.doc(operationId=operation_id(view), security=security)(success)


def _content(messages: Sequence[type[Schema]]) -> Document:
    """Return what a text says of the JSON in it: each line, or the `data` of each message, is one of these."""
    found = [{"$ref": f"#/components/schemas/{each.__name__}"} for each in messages]
    return {"contentMediaType": "application/json", "contentSchema": found[0] if len(found) == 1 else {"anyOf": found}}


def operation_id(view: View) -> str:
    """Return the name of the operation in the document."""
    name = pascal(view.__name__.replace("_", "-"))
    return name[0].lower() + name[1:]


def _reading(readers: Sequence[Callable[[Request], Any]]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what gives a view first what the readers read of the request."""

    def giving(view: Callable[..., Any]) -> Callable[..., Any]:
        def viewed(**path: Any) -> Any:
            request = current_request()
            return view(*[read(request) for read in readers], **path)

        return viewed

    return giving


def _declared(rule: str, scope: str | None, public: bool) -> tuple[str, ...]:
    scopes = tuple((scope or "").split())
    if public == bool(scopes) or not set(scopes) <= set(SCOPES):
        raise TypeError(f"the operation at {rule} has to be public, or to name scopes that there are")
    return scopes


def _usual_refusals(reads: Mapping[str, Any], public: bool) -> set[int]:
    statuses = {429, 500, 503} if public else {401, 403, 429, 500, 503}
    if reads:
        statuses.add(422)
    if "json" in reads:
        statuses |= {400, 408, 413, 415}
    return statuses
