"""The REST API as `boardroom play` uses it: nothing but the standard library."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen
from uuid import uuid4

TRIES = 3
LONGEST_WAIT = 60
"""The most seconds that it waits after an answer 429."""


class GaveUp(Exception):
    """The client cannot go on; the message is for the person at the terminal."""


class ProblemAnswer(Exception):
    """The service has refused; `body` is its problem+json."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        super().__init__(body.get("detail") or body.get("title"))
        self.body = body


@dataclass(frozen=True, slots=True)
class Api:
    """The service at an address, under a player's token."""

    url: str
    token: str | None = None

    def get(self, path: str, **query: Any) -> Any:
        """Return what the service shows at the path: JSON, or a text."""
        given = {name: value for name, value in query.items() if value is not None}
        return self._send("GET", f"{path}?{urlencode(given)}" if given else path, None)

    def post(self, path: str, body: Any = None) -> Any:
        """Return the answer to the body; an action is sent again under the same key if the answer gets lost."""
        return self._send("POST", path, json.dumps(body).encode() if body is not None else b"")

    def _send(self, method: str, path: str, body: bytes | None) -> Any:
        headers = {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex} if body else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = Request(f"{self.url}/api/v1{path}", body, headers, method=method)  # noqa: S310 - http(s), see main
        # Only an action is safe to send twice: its key makes sure that it is played once.
        tries = TRIES if method == "GET" or path.endswith("/actions") else 1
        for left in reversed(range(tries)):
            try:
                with urlopen(request, timeout=20) as answer:  # noqa: S310 - as above
                    text = answer.read().decode()
                    return json.loads(text) if answer.headers.get_content_type() == "application/json" else text
            except HTTPError as error:
                wait = int(error.headers.get("Retry-After", 0)) if error.code == 429 else 0
                if error.code not in (429, 503) or wait > LONGEST_WAIT or not left:
                    raise _problem(error) from error
                time.sleep(wait)
            except (URLError, TimeoutError, ConnectionError) as error:
                if not left:
                    raise GaveUp(
                        f"{self.url} does not answer ({_why(error)}). Is the service there? See --api."
                    ) from error
            except (HTTPException, ValueError) as error:
                raise GaveUp(f"{self.url} answers, but not as this service does. See --api.") from error
            time.sleep(0.3)
        raise AssertionError


def _why(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    return str(getattr(reason, "strerror", None) or reason).lower()


def _problem(error: HTTPError) -> Exception:
    try:
        return ProblemAnswer(json.loads(error.read()))
    except ValueError:
        return GaveUp(f"The service answers {error.code}, and not in its own words.")
