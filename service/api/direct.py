"""The action of a player, answered before Flask is asked.

No other request comes as often. The player and the game are taken from memory, and the append makes sure of both
(store/fast_path.py). Where the player has not acted here lately, or the game is not remembered, both are read by one
statement. A game that has come to the decision in another process is read, with what has happened there. Whatever is
not accepted at once goes on to Flask as if nothing had been tried.

Measured in two processes side by side, one without it, that played 1,750 actions each, by the CPU time of their
threads: 0.73 to 0.75 of what they take through Flask (median and fastest tenth, two runs). Of 1,551 calls of Python
functions for an action 891 are left. Where each seat's actions went to a process of its own, 0.70 (median of ten turns
of 150 actions). At so many games that none was remembered any more, 0.77 (median of 40 turns of 300 actions).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING, Any
from uuid import UUID

from flask import Flask
from marshmallow import ValidationError

from schemas.actions import PostedAction
from schemas.play import Acting
from service.api.auth import bearer_in
from service.api.contract import PREFIX
from service.api.play import ACTION_RULE, ACTIONS, RAISED, action_in, answer_to, is_due, play
from service.handlers.append import Played
from service.handlers.authentication import Authenticated, authenticate
from service.handlers.play import Move, play_remembered
from service.handlers.refusals import AccountBlocked, DeadToken, KeyReused, UnreadableNotation
from service.handlers.transaction import statements
from service.http.access_log import ROUTE
from service.http.body import decoded
from service.http.limits import LIMITS, headers_of
from service.http.middleware import wrap
from service.http.request import MAX_BODY_BYTES
from service.http.responses import PRIVATE, encoded
from service.rules.kernel import Illegal
from service.runtime import Runtime
from service.shared.refusal import Invalid, MalformedJson
from service.store.events import StaleVersion
from service.store.games import Position
from service.store.idempotency import IdempotencyKey

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_ENDPOINT = "play.post_action"
_RULE = PREFIX + ACTION_RULE
_HEX = "[0-9a-f]"
_PATH = re.compile(_RULE.replace("<uuid:game_id>", f"({_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}})"))
_HEADERS = (("HTTP_IDEMPOTENCY_KEY", "Idempotency-Key"), ("HTTP_PREFER", "Prefer"))
_NOT_ACCEPTED = (
    MalformedJson,
    ValidationError,
    Invalid,
    UnreadableNotation,
    Illegal,
    StaleVersion,
    KeyReused,
    DeadToken,
    AccountBlocked,
)
"""Nothing has happened then. The reason of a refusal has to come from the current state, which the app reads."""
Answer = tuple[bytes, list[tuple[str, str]]]


def answer_actions(app: Flask, runtime: Runtime) -> None:
    """Let actions be answered before the app is asked, where that can be done."""
    wrap(app, lambda serve: _Direct(serve, app, runtime))


class _Direct:
    """The middleware; it answers byte by byte what the app would answer."""

    def __init__(self, serve: WSGIApplication, app: Flask, runtime: Runtime) -> None:
        self._serve, self._app, self._runtime = serve, app, runtime
        self._needed, self._bucket = play.scopes[_ENDPOINT], play.buckets[_ENDPOINT]
        self._posted, self._headers = PostedAction(), Acting()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        answer = None
        if environ["REQUEST_METHOD"] == "POST" and (path := _PATH.fullmatch(environ["PATH_INFO"])):
            try:
                answer = self._answer(environ, path[1])
            except _NOT_ACCEPTED:
                pass
            except Exception as error:
                # Something may have happened, so it must not be tried once more.
                environ[RAISED] = error
        if answer is None:
            return self._serve(environ, start_response)
        environ[ROUTE] = _RULE
        body, headers = answer
        start_response("201 CREATED", headers)
        return [body]

    def _answer(self, environ: WSGIEnvironment, number: str) -> Answer | None:
        game = UUID(number)
        seen = self._runtime.games.remembered(game)
        asking = self._asking(environ, game, seen) if self._is_plain(environ) else None
        posted = None if asking is None else self._read(environ)
        if asking is None or posted is None:
            return None
        header = self._header(environ)
        played = self._play(asking, game, seen, posted, header.get("key"))
        return None if played is None else self._told(asking, played, header.get("prefer"))

    def _asking(self, environ: WSGIEnvironment, game: UUID, seen: Position | None) -> Authenticated | None:
        """Return the player, who is remembered from now on; None for one who may not act.

        Where either the player or the game is not remembered, both are read. Raises DeadToken, AccountBlocked.
        """
        bearer, tokens = bearer_in(environ.get("HTTP_AUTHORIZATION", "")), self._runtime.remembered_tokens
        if bearer is None:
            return None
        known = None if seen is None else tokens.recall(bearer)
        found = known or authenticate(self._runtime.games, bearer, game)
        if found is None or not all(scope in found.token.scopes for scope in self._needed):
            return None
        if known is None:
            tokens.remember(bearer, found)
        return found

    def _is_plain(self, environ: WSGIEnvironment) -> bool:
        """Return whether a request, and its answer, have nothing that few have."""
        now = self._runtime.mode.now
        return not (
            environ.get("CONTENT_TYPE") != "application/json"
            or environ.get("QUERY_STRING")
            or "HTTP_CONTENT_ENCODING" in environ
            or "HTTP_IF_MATCH" in environ
            or "HTTP_IF_NONE_MATCH" in environ
            or "HTTP_TRANSFER_ENCODING" in environ
            or now.read_only
            or now.maintenance
        )

    def _read(self, environ: WSGIEnvironment) -> Any:
        sent = environ.get("CONTENT_LENGTH", "")
        length = int(sent) if sent.isdecimal() and len(sent) < 9 else 0
        if not 0 < length <= MAX_BODY_BYTES:
            return None
        body = environ["wsgi.input"].read(length)
        # For the app, should it be asked.
        environ["wsgi.input"] = BytesIO(body)
        return self._posted.load(decoded(body)) if len(body) == length else None

    def _header(self, environ: WSGIEnvironment) -> Any:
        """Return the headers of the request by their schema; ValidationError."""
        sent = {name: environ[key] for key, name in _HEADERS if key in environ}
        # Few requests have any, and the schema takes its time.
        return self._headers.load(sent) if sent else sent

    def _play(
        self, asking: Authenticated, game: UUID, seen: Position | None, posted: Any, key: str | None
    ) -> Played | None:
        me, position = asking.player.id, self._position(asking, seen, posted["decision"])
        seat = None if position is None else position.seat_of(me)
        if position is None or seat is None or not is_due(position, seat, posted["decision"]):
            return None
        action = action_in(self._app.extensions[ACTIONS], position, posted)
        move = Move(game, seat, posted["decision"], action, "api", asking.precondition(position), me)
        known = None if key is None else IdempotencyKey(me, key)
        return play_remembered(self._runtime.games, move, position, known)

    def _position(self, asking: Authenticated, seen: Position | None, decision: int) -> Position | None:
        """Return the game as it was read with the token or is remembered, or read anew if it has moved on elsewhere."""
        games, opened = self._runtime.games, asking.opened
        position = seen if opened is None else games.at_hand(opened)
        if position is not None and position.decision >= decision:
            return position
        if position is not None:
            with statements(games.engine) as db:
                return games.open_on(db, position)
        if opened is None:
            # There is no such game.
            return None
        with statements(games.engine) as db:
            return games.open(db, opened.game.id, opened)

    def _told(self, asking: Authenticated, played: Played, prefer: str | None) -> Answer:
        told, more = answer_to(played, asking.player.id, prefer)
        body, known = encoded(told), self._app.extensions[LIMITS]
        headers = [*{**PRIVATE, **more}.items(), ("Content-Type", "application/json")]
        headers.append(("Content-Length", str(len(body))))
        limit = known.table.get(self._bucket)
        if limit is not None:
            headers += headers_of(known.recall(limit, str(asking.player.id)))
        return body, headers
