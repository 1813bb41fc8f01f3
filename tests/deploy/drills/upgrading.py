"""A client before two web servers, one of which may be replaced, and the parts of each version apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from random import Random
from typing import Any, Final
from urllib.parse import urlencode

from redis import Redis

from tests.chaos.client import Answer, Client, Unresolved
from tests.letters import Page
from tests.serving import Server
from workers.queue import QUEUES, name_in_redis

FORM: Final = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Retrying(Client):
    """A client that asks one of the web servers, and if that gives no good answer once more, the other one.

    `ports` are those of the web servers; `dice` says which is asked first.
    """

    ports: list[int] = field(default_factory=list)
    dice: Random = field(default_factory=Random)

    def by(self, token: str) -> Retrying:
        """Return the same for somebody else."""
        return replace(self, token=token)

    def until_definite(self, method: str, path: str, body: Any = None, key: str | None = None) -> Answer:
        """Return the first answer that is no 5xx, of two at most; Unresolved and a finding without one."""
        answer = None
        for port in self.dice.sample(self.ports, 2):
            self.book.count("asked")
            answer = Client(port, self.book, self.token).once(method, path, body, key)
            if answer is not None and answer.status < 500:
                return answer
            self.book.count("asked again")
        self.book.wrong(f"{method} {path} got no good answer from either: {answer}")
        raise Unresolved(f"{method} {path}: {answer}")


@dataclass(frozen=True, slots=True)
class Browser:
    """What a browser sends to a web server: a cookie, and the fields of a form if there are any."""

    server: Server

    def open(self, path: str, fields: Mapping[str, str] | None = None, cookie: str = "") -> tuple[int, str, str | None]:
        """Return status, page and new cookie."""
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        headers = {"Host": "127.0.0.1:8000", **({"Cookie": cookie} if cookie else {})}
        if fields is not None:
            headers |= {"Content-Type": FORM, "Origin": "http://127.0.0.1:8000"}
        try:
            connection.request(
                "GET" if fields is None else "POST", path, None if fields is None else urlencode(fields), headers
            )
            got = connection.getresponse()
            page = "" if got.headers.get_content_type() == "text/event-stream" else got.read().decode()
            given = got.headers.get("Set-Cookie")
            return got.status, page, given and given.partition(";")[0]
        finally:
            connection.close()

    def press(self, path: str) -> tuple[int, str, str | None]:
        """Open a page and press its first button, and the second one if it asks for that.

        Of the page behind a mailed link that of all actions is opened; an older version has them on the page itself.
        """
        status, page, _ = self.open(f"{path}/all/0" if path.startswith("/t/") else path)
        if status != 200:
            status, page, _ = self.open(path)
        assert status == 200, page
        offers = [(path, each) for each in Page(page).offers]
        where, sent = (offers or [(form.action or path, form.hidden) for form in Page(page).forms])[0]
        status, page, cookie = self.open(where, sent)
        for sure in (each for each in Page(page).forms if "sure" in each.hidden):
            status, page, _ = self.open(sure.action, sure.hidden)
        return status, page, cookie


def waiting(redis: Redis, queue: str) -> int:
    """Return how many jobs wait in a queue."""
    return int(redis.llen(f"rq:queue:{name_in_redis(queue)}"))  # type: ignore[arg-type] # the client is not async


def failed(redis: Redis) -> int:
    """Return how many jobs of all queues have failed."""
    return sum(int(redis.zcard(f"rq:failed:{name_in_redis(queue)}")) for queue in QUEUES)  # type: ignore[arg-type] # as above
