"""Calls a running service and writes down what was asked and answered."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

from service.api.examples import operations

Note = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Book:
    """Notes of a run: first request and first answer of each good status, by operation; first problem, by code;
    first message to a webhook, by type."""

    document: Mapping[str, Any]
    notes: dict[str, Note] = field(default_factory=dict)
    problems: dict[str, Note] = field(default_factory=dict)
    messages: dict[str, Note] = field(default_factory=dict)

    def write(self, method: str, path: str, body: Any, status: int, answer: Any) -> None:
        """Write down an exchange, unless there is one like it already."""
        if status >= 400:
            self.problems.setdefault(answer["type"].removeprefix("/problems/"), answer)
            return
        if not answer and body is None:
            return
        note = self.notes.setdefault(self._operation(method, path), {"responses": {}})
        if str(status) not in note["responses"]:
            note["responses"] |= {str(status): answer} if answer else {}
            note |= {} if body is None else {"request": body}

    def _operation(self, method: str, path: str) -> str:
        for known, template, operation in operations(self.document):
            pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))
            if known == method.lower() and re.fullmatch(pattern, path.partition("?")[0]):
                return str(operation["operationId"])
        raise LookupError(f"{method} {path} is no operation")


@dataclass(frozen=True, slots=True)
class Scribe:
    """Calls the API at an address under a token, None for nobody, and keeps the book."""

    url: str
    book: Book
    token: str | None = None

    def by(self, token: str) -> Scribe:
        """Return the same for somebody."""
        return replace(self, token=token)

    def get(self, path: str, **headers: str) -> Any:
        """Return what a GET below /api/v1 is answered with."""
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        """Return what a POST below /api/v1 is answered with."""
        return self.call("POST", path, body, **headers)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Return what the service answers to JSON, if any; headers are named with underscores."""
        kind = {} if body is None else {"Content_Type": "application/json"}
        return self.raw(method, path, None if body is None else json.dumps(body).encode(), body, **kind, **headers)

    def raw(self, method: str, path: str, sent: bytes | None, shown: Any = None, **headers: str) -> Any:
        """Return what the service answers to any bytes; `shown` is what of them is written down."""
        with closing(self._connect()) as connection:
            connection.request(method, f"/api/v1{path}", sent, self._headers(headers))
            return self._read(method, path, shown, connection.getresponse())

    def half(self, path: str, sent: bytes) -> Any:
        """Return what the service answers to a POST whose body ends before the length that was announced."""
        announced = {"Content_Type": "application/json", "Content_Length": str(2 * len(sent))}
        with closing(self._connect()) as connection:
            connection.putrequest("POST", f"/api/v1{path}")
            for name, value in self._headers(announced).items():
                connection.putheader(name, value)
            connection.endheaders(sent)
            connection.sock.shutdown(socket.SHUT_WR)
            return self._read("POST", path, None, connection.getresponse())

    def _read(self, method: str, path: str, shown: Any, answer: HTTPResponse) -> Any:
        data, kind = answer.read(), answer.headers.get_content_type()
        text = f"{len(data)} bytes" if kind == "image/png" else data.decode()
        body = json.loads(text) if kind.endswith("json") else text
        self.book.write(method, f"/api/v1{path}", shown, answer.status, body)
        return body

    def _headers(self, given: Mapping[str, str]) -> dict[str, str]:
        # What is refused is written down in English, whatever whoever asks reads.
        headers = {"Accept-Language": "en", **{name.replace("_", "-"): value for name, value in given.items()}}
        return headers if self.token is None else {"Authorization": f"Bearer {self.token}", **headers}

    def _connect(self) -> HTTPConnection:
        return HTTPConnection(urlsplit(self.url).netloc, timeout=20)
