"""Heartbeat of a web process, sent as long as its requests come to an end."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Event, Thread, get_ident
from time import monotonic
from typing import TYPE_CHECKING, Final

from sqlalchemy import Engine

from service.http.middleware import wrap
from service.shared import metrics
from service.shared.pubsub import Subscriber
from service.store.engine import connections
from service.store.heartbeats import EVERY, Heart

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from flask import Flask

STUCK_AFTER_S: Final = 60.0
"""Seconds without the end of a request after which the process counts as stuck; longer than a wait for events."""


class Liveness:
    """Middleware that tracks running requests; a stream counts as ended once it has begun."""

    def __init__(self, serve: WSGIApplication) -> None:
        self._serve = serve
        self._under_way: dict[int, float] = {}
        self._last_end = monotonic()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        thread = get_ident()
        self._under_way[thread] = monotonic()
        try:
            return self._serve(environ, start_response)
        finally:
            del self._under_way[thread]
            self._last_end = monotonic()

    def stuck(self) -> bool:
        """Return whether a request has been running for too long and none has ended since."""
        since = max(self._last_end, min([*self._under_way.values()], default=monotonic()))
        return monotonic() - since > STUCK_AFTER_S


def report_liveness(app: Flask, heart: Heart, subscriber: Subscriber, engine: Engine) -> None:
    """Send heartbeats of this process while neither its requests nor its subscriber are stuck.

    Also reports the engine's connections in use.
    """
    found: list[Liveness] = []

    def put_around(serve: WSGIApplication) -> WSGIApplication:
        found.append(Liveness(serve))
        return found[0]

    wrap(app, put_around)
    Thread(target=_beat, args=(heart, subscriber, found[0], engine), name="heart", daemon=True).start()


def _beat(heart: Heart, subscriber: Subscriber, pulse: Liveness, engine: Engine) -> None:
    pause = Event()
    while True:
        metrics.note_connections(*connections(engine))
        if not pulse.stuck() and not subscriber.stuck():
            heart.beat()
        pause.wait(EVERY)
