"""The transport of libraries that speak HTTP by `requests`: every call of theirs is one of the guarded Caller."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from io import BytesIO
from time import monotonic
from typing import Any, Final

from requests import ConnectionError as NoAnswer
from requests import PreparedRequest, Response, Session
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse

from service.shared import clock
from service.webhooks.call import SECONDS, Caller, CallFailed
from service.webhooks.retry_after import asked_wait

AGENT: Final = "Boardroom-Channels/1"
"""What calls are made as, where a library does not say so itself."""
MOST_CALLS: Final = 8
"""The most calls that one message takes: Matrix takes three."""
_OURS: Final = frozenset({"host", "connection", "content-length", "transfer-encoding", "accept-encoding"})
"""Headers that the Caller sets itself, or that would bring an answer in a form that it does not read."""


class GuardedSession(Session):
    """A session of `requests` for one message, whose calls go by the Caller to public addresses only.

    It follows nobody, knows no proxies, cookies files or passwords of the environment, and ends after SECONDS and after
    MOST_CALLS. `status` is that of the last answer, None where the last call had none; `failure` says then why.
    `wait` is how long the last answer asks to be left alone.
    """

    def __init__(self, caller: Caller) -> None:
        super().__init__()
        self.trust_env = False
        self.headers["User-Agent"] = AGENT
        self.wait = timedelta()
        self.status: int | None = None
        self.failure: str | None = None
        self.adapters.clear()
        self.mount("https://", _Guarded(self, caller))
        self.mount("http://", _Guarded(self, caller))

    def request(self, method: Any, url: Any, *more: Any, **options: Any) -> Response:
        """Send a request, as `requests` does, and return its own answer: it is not redirected."""
        return super().request(method, url, *more, **{**options, "allow_redirects": False})


class _Guarded(HTTPAdapter):
    def __init__(self, session: GuardedSession, caller: Caller) -> None:
        super().__init__()
        self._session = session
        self._caller = caller
        self._end = monotonic() + SECONDS
        self._left = MOST_CALLS

    def send(
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> Response:
        """Send the request by the Caller; requests.ConnectionError with nothing of the address in it."""
        self._session.status, self._session.failure = None, None
        try:
            return self._sent(request)
        except CallFailed as failed:
            self._session.failure = failed.reason
            # Without its cause, which may name the address.
            raise NoAnswer(failed.reason) from None

    def _sent(self, request: PreparedRequest) -> Response:
        self._left -= 1
        if self._left < 0:
            raise CallFailed("too-many-calls")
        seconds = self._end - monotonic()
        if seconds <= 0:
            raise CallFailed("timeout")
        headers = {name: str(value) for name, value in request.headers.items() if name.lower() not in _OURS}
        body = request.body or b""
        assert isinstance(body, str | bytes)  # noqa: S101 # for the type checker: no service is sent a stream
        data = body.encode() if isinstance(body, str) else body
        answered = self._caller.exchange(request.method or "", request.url or "", headers, data, seconds)
        self._session.status = answered.status
        self._session.wait = asked_wait(answered.status, answered.headers, clock.now())
        plain = {name: value for name, value in answered.headers.items() if name.lower() != "content-encoding"}
        raw = HTTPResponse(BytesIO(answered.body), plain, answered.status, preload_content=False)
        return self.build_response(request, raw)
