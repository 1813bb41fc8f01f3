"""Refusals of a request: the base class, refusals before any handler, and JSON pointers to faults.

The response, the catalogue, the problem pages and the API document are derived from the class.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

MAX_POINTER_LENGTH: Final = 200
REFUSALS: Final[dict[str, type[Refusal]]] = {}
"""Types of problems by code, in order of definition."""


def json_pointer(*path: str) -> str:
    """Return a JSON pointer (RFC 6901), cut at MAX_POINTER_LENGTH: its parts may be input of strangers."""
    escaped = (part.replace("~", "~0").replace("/", "~1") for part in path)
    return "".join(f"/{part}" for part in escaped)[:MAX_POINTER_LENGTH]


class Refusal(Exception):
    """Reason to refuse a request: raised by views and handlers, answered as problem (RFC 9457).

    A subclass with a `code` of its own is a type of problem. Its docstring is the meaning on the problem's page, for
    authors of clients, and `remedy` the next step; words in backticks are names in the API. The `detail` of the problem
    is a text of `service/texts`, named by the code, or by code and case with a hyphen between. A subclass without a
    code is a variant of its parent.
    """

    code: ClassVar[str]
    """Identifier for clients: the last part of the problem's `type`. It never changes."""
    status: ClassVar[int]
    title: ClassVar[str]
    """English title, the same for each problem of the type."""
    remedy: ClassVar[str]
    """Next step for the client, in a sentence or two."""
    cases: ClassVar[tuple[str | None, ...]] = (None,)
    """Cases with their own texts; None is the case without a name."""
    retry_after: int | None = None
    """Seconds after which to retry, if known."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "code" not in vars(cls):
            return
        if cls.code in REFUSALS or not (cls.__doc__ and cls.status and cls.title and cls.remedy):
            raise TypeError(f"{cls.__name__} needs a code of its own, and a docstring, status, title and remedy")
        REFUSALS[cls.code] = cls

    def __init__(self, case: str | None = None, /, **members: Any) -> None:
        if case is not None and case not in self.cases:
            raise TypeError(f"{type(self).__name__} has no case {case}")
        super().__init__(case)
        self.case = case
        self.members = members
        """Further members of the problem: shown, and inserted into its text. None is left out."""


class MalformedJson(Refusal):
    """The body is not one JSON value in UTF-8, names a key twice, holds a number that is not finite, or is nested too
    deeply. Nothing of it was looked at.
    """

    code = "malformed-json"
    status = 400
    title = "The body cannot be read"
    remedy = "Send what a JSON library writes, as it writes it."
    cases = (None, "deep", "infinite", "twice")


class BadRequest(Refusal):
    """The request broke off, or is no proper HTTP."""

    code = "bad-request"
    status = 400
    title = "The request cannot be read"
    remedy = "Send it again, whole: the body has to be as long as its Content-Length says."


class Unauthenticated(Refusal):
    """The request has no token, or one that is mistyped, unknown or no longer valid."""

    code = "unauthenticated"
    status = 401
    title = "A valid token is needed"
    remedy = (
        "Send `Authorization: Bearer` and the token. The header WWW-Authenticate says `invalid_token` if one was sent."
    )


class NotFound(Refusal):
    """No page and no operation has this address."""

    code = "not-found"
    status = 404
    title = "There is nothing here"
    remedy = "Compare it with the document. An id in it has to be written out as the service gave it."
    cases = (
        None,
        "bot",
        "deal",
        "entry",
        "event",
        "handle",
        "leaderboard",
        "picture",
        "player",
        "plot",
        "remark",
        "ruleset",
        "seat",
    )


class MethodNotAllowed(Refusal):
    """There is something at this address, but it does not take this method."""

    code = "method-not-allowed"
    status = 405
    title = "This address does not take that method"
    remedy = "Use one of the methods that the header Allow names."


class RequestTimeout(Refusal):
    """The body of the request took longer than 15 seconds. Nothing was changed."""

    code = "request-timeout"
    status = 408
    title = "The request did not arrive in time"
    remedy = "Send the request again, with the whole body at once."


class PayloadTooLarge(Refusal):
    """The body has more than 64 KiB."""

    code = "payload-too-large"
    status = 413
    title = "The body is too large"
    remedy = "Send less. Nothing that the service understands is that long."


class UnsupportedMediaType(Refusal):
    """The body was not announced as JSON, or as compressed."""

    code = "unsupported-media-type"
    status = 415
    title = "The body has to be JSON"
    remedy = "Send the header `Content-Type: application/json`, and no Content-Encoding."
    cases = (None, "encoded")


class Invalid(Refusal):
    """The body or a parameter does not have the form that the document describes. `errors` lists what is wrong, each
    with a JSON pointer into the body or the name of the parameter, and in English, since it is for whoever writes the
    client.
    """

    code = "validation"
    status = 422
    title = "The request does not have the form asked for"
    remedy = "Correct each of them. Fields and parameters that the document does not know are refused as well."


class RateLimited(Refusal):
    """You, or your address, have asked more often than `bucket` allows, or, where that is `mails`, have caused as many
    mails to others, or to one player, as one may in a day. Other buckets cap what a player does at one table in a day,
    or in one game: `talk`, `pause-proposal`, `take-back-request`, `undo`, `sitting-down`. Where none is named, too many
    requests of your address were under way at the same time. Nothing was changed.
    """

    code = "rate-limited"
    status = 429
    title = "Too many requests"
    remedy = (
        "Wait for as many seconds as the header Retry-After says. Rather than asking again and again, wait for news "
        "with `wait`, by a stream or by a webhook."
    )
    cases = (None, "at-once", "mails", "player", "table", "game")


class Internal(Refusal):
    """The service has made a mistake. Nothing was changed."""

    code = "internal"
    status = 500
    title = "Something went wrong on our side"
    remedy = "Try again once. If it stays so, tell whoever runs the service the `request_id`."
    cases = (None, "record")


class TooManyWaiting(Refusal):
    """Waiting requests and streams each keep a place of the service busy. Your own are all taken, or those of your
    network address, or everybody's.
    """

    code = "too-many-waiting"
    status = 503
    title = "Too many requests wait for news"
    remedy = "Close streams that are not needed, or ask without `wait`; the header Retry-After says when to try again."
    cases = (None, "own", "network")


class Unavailable(Refusal):
    """The service, or its database, does not answer at the moment. An action may or may not have been played."""

    code = "unavailable"
    status = 503
    title = "The service cannot answer at the moment"
    remedy = (
        "Wait as long as the header Retry-After says, and send the same request again, with the same Idempotency-Key "
        "if it had one: then it is played at most once."
    )
    cases = (None, "database", "revision", "read-only", "archive", "rules")
    retry_after = 2
