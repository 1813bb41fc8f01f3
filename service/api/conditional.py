"""Conditional requests, ETags (RFC 9110), and the header Prefer (RFC 7240)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from flask import Response
from marshmallow import Schema
from werkzeug.http import parse_list_header

from service.api.auth import bearer_in, runtime
from service.api.examples import operations
from service.handlers.authentication import authenticate
from service.handlers.refusals import PreconditionFailed
from service.handlers.transaction import conditional
from service.http.problems import problem
from service.http.request import current_request
from service.http.responses import compress_answer, encoded
from service.shared.refusal import Refusal

# The header Prefer of requests to act (RFC 7240): `return=minimal` asks for the least that the answer can hold.

APPLIED: Final = {
    "Preference-Applied": "`return=minimal` where the request preferred that: `events` is empty and `view` null."
}
MINIMAL: Final = {"Preference-Applied": "return=minimal"}
"""The header of such an answer."""


def prefers_minimal(prefer: str | None) -> bool:
    """Return whether the header prefers a minimal answer; of several `return` the first counts (section 2)."""
    for preference in parse_list_header(prefer) if prefer else ():
        name, _, value = preference.partition(";")[0].partition("=")
        if name.strip().lower() == "return":
            return value.strip(' \t"').lower() == "minimal"
    return False


# If-Match and If-None-Match (RFC 9110, section 13): reads that are spared, and writes that rest on what was read.

CONDITIONS: Final = ("If-Match", "If-None-Match")
_TELLING: Final = (200, 201, 202)
"""The statuses of answers that tell what there is now."""
Answering = Callable[..., Response]


@dataclass(frozen=True, slots=True)
class TaggedRead:
    """A read whose answers have an ETag: its view, the schema of what it answers, and the scopes that it needs."""

    view: Answering
    schema: Any
    scopes: tuple[str, ...]


TAGGED: dict[str, TaggedRead] = {}
"""The reads whose answers have an ETag, by their rules: what writes may rest on."""
RESTING: dict[str, tuple[str, Any]] = {}
"""The rules of the reads that writes rest on, if there are such reads, and what the writes answer, by their names."""
_DESCRIPTIONS: Final = {
    "If-Match": "The ETag of what GET answered: nothing is written if it has changed since (412). `*` is any.",
    "If-None-Match": "An ETag that it must not have now. `*`: nothing is written if there is anything (412).",
}
_PREFERRED: Final = "`return=minimal`: the answer is 204, with the ETag of what there is now."
_APPLIED: Final = {"Preference-Applied": {"description": "`return=minimal`.", "schema": {"type": "string"}}}
_REPLACING: Final = frozenset({"PUT", "PATCH"})
_SPARED: Final = "The ETag of what one has still: it is not sent again (304)."


def tag_of(content: bytes) -> str:
    """Return the ETag of an answer."""
    return blake2b(content, digest_size=12).hexdigest()


def tagged(answer: Response, told: Mapping[str, Any]) -> Response:
    """Give an answer the ETag of a part of what it tells, where the rest changes all the time."""
    answer.set_etag(tag_of(encoded(told)))
    return answer


def sparing(read: Answering, compressed: bool = False) -> Answering:
    """Return the view, whose answer gets an ETag unless it has one, and is 304 where the program has it still.

    Otherwise it is `compressed` for a program that takes that.
    """

    def spared(**path: Any) -> Response:
        answer = _with_tag(read(**path))
        if answer.status_code == 200 and not answer.is_streamed:
            answer.make_conditional(current_request())
        if compressed:
            compress_answer(answer)
        return answer

    return spared


def resting(write: Answering, rule: str, schema: type[Schema] | Any) -> Answering:
    """Return the view of what writes, which is refused where its conditions do not hold for the read at `rule`.

    Its answer gets the ETag of the read, if it answers with what the read has by the same schema.
    """

    def rested(*sent: Any, **path: Any) -> Response:
        read, headers = TAGGED.get(rule), current_request().headers
        if not any(name in headers for name in CONDITIONS):
            answer = write(*sent, **path)
        elif read is None:
            if CONDITIONS[0] in headers:
                # What cannot be made sure of is not taken to be so.
                raise PreconditionFailed("untagged")
            answer = write(*sent, **path)
        else:
            answer = _written(lambda: write(*sent, **path), read, path)
        alike = read is not None and schema is not None and schema is read.schema
        return _as_preferred(_with_tag(answer)) if alike and answer.status_code in _TELLING else answer

    return rested


def describe(document: dict[str, Any]) -> None:
    """Add the conditional headers to the operations of the document, and what they are answered with."""
    for method, _, operation in operations(document):
        responses = operation["responses"]
        if method == "get":
            taken = {"If-None-Match": _SPARED} if "304" in responses else {}
        else:
            rule, schema = RESTING[operation["operationId"]]
            read = TAGGED.get(rule)
            taken = {} if read is None else _DESCRIPTIONS
            if read is not None:
                responses["412"] = {"$ref": "#/components/responses/Problem412"}
            if read is not None and schema is read.schema:
                tag = {"ETag": {"$ref": "#/components/headers/ETagWritten"}}
                for status in {str(each) for each in _TELLING} & responses.keys():
                    responses[status].setdefault("headers", {}).update(tag)
                if method.upper() in _REPLACING and "200" in responses:
                    taken = {**taken, "Prefer": _PREFERRED}
                    counted = {name: told for name, told in responses["200"]["headers"].items() if name != "ETag"}
                    responses["204"] = {"description": "No Content", "headers": {**counted, **tag, **_APPLIED}}
        parameters = [_header(name, told) for name, told in taken.items()]
        if parameters:
            operation["parameters"] = [*operation.get("parameters", []), *parameters]


def _header(name: str, told: str) -> dict[str, Any]:
    schema = {"type": "string", "maxLength": 1000}
    return {"name": name, "in": "header", "required": False, "description": told, "schema": schema}


def _as_preferred(answer: Response) -> Response:
    """Return the answer to a write without its body, where the request prefers that (RFC 7240): its ETag is enough."""
    request = current_request()
    preferred = request.method in _REPLACING and prefers_minimal(request.headers.get("Prefer"))
    if answer.status_code != 200 or not preferred:
        return answer
    headers = {"Cache-Control": answer.headers["Cache-Control"], "ETag": answer.headers["ETag"]}
    return Response(status=204, headers={**headers, **MINIMAL})


def _written(write: Callable[[], Response], read: TaggedRead, path: Mapping[str, Any]) -> Response:
    def holds() -> bool:
        _look_again_at_the_player()
        return _match(_tag_now(read, path))

    try:
        answer, wrote = conditional(holds, write)
        # Where nothing was written nothing has to be undone; an answer of before is that to the very same request.
        if not (wrote or "Idempotency-Replayed" in answer.headers or holds()):
            raise PreconditionFailed
    except PreconditionFailed:
        return _refused(read, path)
    return answer


def _look_again_at_the_player() -> None:
    """Read the player anew, in the snapshot of the write: some of what has a tag is told of the player alone."""
    request = current_request()
    bearer = bearer_in(request.headers.get("Authorization", ""))
    found = authenticate(runtime().games, bearer, writing=False) if bearer else None
    if found is not None:
        request.identity = found


def _match(tag: str | None) -> bool:
    """Return whether what has the tag, None where there is nothing, is as the headers want it."""
    request = current_request()
    if "If-Match" in request.headers and (tag is None or not request.if_match.contains(tag)):
        return False
    return "If-None-Match" not in request.headers or tag is None or not request.if_none_match.contains_weak(tag)


def _tag_now(read: TaggedRead, path: Mapping[str, Any]) -> str | None:
    try:
        return _with_tag(read.view(**path)).get_etag()[0]
    except Refusal as refusal:
        if refusal.status == 404:
            return None
        raise


def _refused(read: TaggedRead, path: Mapping[str, Any]) -> Response:
    """Return the answer to a write whose conditions do not hold: with what there is now, if the token may read that."""
    asking = current_request().identity
    try:
        now = _with_tag(read.view(**path))
    except Refusal:
        return problem(PreconditionFailed())
    shows = asking is None or set(read.scopes) <= set(asking.token.scopes)
    current = json.loads(now.get_data()) if shows and now.status_code == 200 and not now.is_streamed else None
    answer = problem(PreconditionFailed(current=current))
    if "ETag" in now.headers:
        answer.headers["ETag"] = now.headers["ETag"]
    return answer


def _with_tag(answer: Response) -> Response:
    if answer.status_code in _TELLING and "ETag" not in answer.headers and not answer.is_streamed:
        answer.set_etag(tag_of(answer.get_data()))
    return answer
