"""A client that never gives up: it asks again, under the same key, until there is a definite answer."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from time import monotonic
from typing import Any
from urllib.parse import urlencode

from tests.chaos.book import Book

AGAIN_SECONDS = 0.3
TIMEOUT = 8.0
PATIENCE = 300.0
JSON, FORM = "application/json", "application/x-www-form-urlencoded"


class Unresolved(Exception):
    """The run was over before there was a definite answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A definite answer."""

    status: int
    text: str
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def json(self) -> Any:
        """The body."""
        return json.loads(self.text)


@dataclass(frozen=True, slots=True)
class Client:
    """Asks the server on a port of this machine, as the holder of a token or as nobody."""

    port: int
    book: Book
    token: str | None = None

    def by(self, token: str) -> Client:
        """Return the same for somebody else."""
        return Client(self.port, self.book, token)

    def get(self, path: str) -> Any:
        """Return what the API shows, in the end; raises Unresolved, and ValueError if it is refused."""
        answer = self.until_definite("GET", f"/api/v1{path}")
        if answer.status != 200:
            raise ValueError(f"GET {path}: {answer.status} {answer.text[:300]}")
        return answer.json

    def post(self, path: str, body: Any = None, key: str | None = None) -> Answer:
        """Return the definite answer of the API to a POST; raises Unresolved."""
        return self.until_definite("POST", f"/api/v1{path}", body, key)

    def until_definite(self, method: str, path: str, body: Any = None, key: str | None = None) -> Answer:
        """Ask until there is an answer that will not change: neither 5xx nor 429; raises Unresolved."""
        deadline = monotonic() + PATIENCE
        while True:
            answer = self.once(method, path, body, key)
            if answer is not None and answer.status < 500 and answer.status != 429:
                return answer
            if self.book.over.wait(AGAIN_SECONDS) or monotonic() > deadline:
                raise Unresolved(f"{method} {path}: {answer}")

    def once(self, method: str, path: str, body: Any = None, key: str | None = None) -> Answer | None:
        """Ask once; None if nobody knows what came of it. A 500 is a finding."""
        headers = {"Content-Type": FORM if isinstance(body, str) else JSON}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        if key is not None:
            headers["Idempotency-Key"] = key
        sent = body if isinstance(body, str) else None if body is None else json.dumps(body)
        connection = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            connection.request(method, path, sent, headers)
            got = connection.getresponse()
            answer = Answer(got.status, got.read().decode(), {name.lower(): value for name, value in got.getheaders()})
        except (OSError, HTTPException) as error:
            self.book.count(f"answer {type(error).__name__}")
            return None
        finally:
            connection.close()
        self.book.count(f"answer {answer.status}")
        if answer.status == 503:
            self.book.refusal = answer.text
        if answer.status in (500, 502, 504):
            self.book.wrong(f"{method} {path} was answered with {answer.status}: {answer.text[:300]}")
        return answer


def form(fields: dict[str, str]) -> str:
    """Return the body that a browser sends for a form."""
    return urlencode(fields)
