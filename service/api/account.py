"""The stream of an account, and the bots that are ready to be challenged."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response, request

from schemas.fields import cursor
from schemas.lobby import BotsWanted, NewReady, Ready, ReadyBots
from schemas.play import AccountMessage, AccountStreamWanted, LastMessage, StreamTicket
from service.api.account_stream import Listener, account_stream, moment_of
from service.api.auth import guard, player, runtime, token
from service.api.contract import PREFIX, Answers, Resource
from service.api.stream import StreamIntervals
from service.handlers import ready as handlers
from service.handlers import tickets
from service.handlers.transaction import transaction
from service.http.request import accept_language
from service.http.responses import as_json, no_content, paged
from service.http.waiting_slots import waiting_slots
from service.shared import clock
from service.shared.network import network
from service.texts.names import DEFAULT_LANGUAGE
from service.views import ready as views
from service.views.pages import TOP

account = Resource("account", __name__, description="What concerns an account in all its games; bots that are ready.")
guard(account)

PAGE = 20
LIFETIME = 300
_NEWS = {
    "type": "string",
    "description": "Messages. `data` is a JSON object in one line; its `type` says what has happened. `game.turn` (a "
    "decision waits for one; with `game`, `ruleset`, `seat`, `decision`, `since`, `deadline`), `game.started`, "
    "`game.over` (with `status`), and, each with `challenge` and the `game` that it has led to, `challenge.received`, "
    "`challenge.accepted`, `challenge.declined`, `challenge.withdrawn` and `challenge.expired`. New types may come.",
}
_STREAM = Answers(schema=_NEWS, content_type="text/event-stream", messages=(AccountMessage,))


@account.operation(
    "/me/stream", _STREAM, scope="games:read", bucket="streams", query=AccountStreamWanted, headers=LastMessage
)
def stream_account(wanted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Send what concerns one in all games and challenges as server-sent events, as it happens.

    First it tells what waits: each decision and each challenge that one has to answer; then what happens. With the last
    id it also tells what has begun and ended since. Something may be told twice: go by the ids of games and challenges,
    and by `decision`. No message shows more than that something is there: ask the game. A comment comes every 15
    seconds; take a stream for dead after 45 seconds of silence. After five minutes the server closes it: connect again,
    with the last id. While it is open, a bot that is ready stays so.
    """
    return _streamed(player().id, token().id, wanted, header.get("since", wanted.get("after")))


@account.operation("/me/stream-tickets", Answers(status=201, schema=StreamTicket), method="POST", scope="games:read")
def create_account_stream_ticket() -> Response:
    """Get an address that opens a stream of one's account without a token, as `EventSource` in a browser needs it.

    It works once, within a minute. When the stream has closed get another, and open it with `after`, the last id.
    """
    now = clock.now()
    with transaction(runtime().games.engine) as db:
        ticket = tickets.issue_for_account(db, token().id, now)
    url = f"{runtime().settings.base_url}{PREFIX}/account-streams/{ticket}"
    return as_json({"url": url, "expires_at": (now + tickets.LIFETIME).isoformat()}, 201)


@account.operation(
    "/account-streams/<ticket>",
    _STREAM,
    refuses=(404,),
    public=True,
    bucket="streams",
    query=AccountStreamWanted,
    headers=LastMessage,
)
def stream_account_by_ticket(wanted: dict[str, Any], header: dict[str, Any], ticket: str) -> Response:
    """Send what concerns the player whose ticket it is, as the stream of the account does for a token."""
    if request.method == "HEAD":
        return _stream()
    whose = tickets.use_for_account(runtime().games, ticket, clock.now())
    return _streamed(*whose, wanted, header.get("since", wanted.get("after")))


@account.operation("/me/ready", Answers(schema=Ready), method="PUT", refuses=(409,), scope="games:play", json=NewReady)
def put_ready(posted: dict[str, Any]) -> Response:
    """Put one's bot on the list of those that are ready to be challenged; only a bot may.

    It stays there while a stream of its account is open, and five minutes more. Without a handle, by which it is
    challenged, it is refused.
    """
    found = handlers.make_ready(runtime().games, player(), posted["rulesets"], posted["seats"], clock.now())
    return as_json(views.shown_ready(found))


@account.operation("/me/ready", Answers(status=204), method="DELETE", scope="games:play")
def delete_ready() -> Response:
    """Take one's bot off the list of those that are ready."""
    handlers.end(runtime().games, player())
    return no_content()


@account.operation("/ready-bots", Answers(schema=ReadyBots), public=True, query=BotsWanted)
def list_ready_bots(wanted: dict[str, Any]) -> Response:
    """List the bots that are ready to be challenged, the latest first: POST /challenges with `to`, the handle."""
    limit = wanted.get("limit", PAGE)
    language = accept_language() or DEFAULT_LANGUAGE
    asked = views.BotsWanted(wanted.get("ruleset"), limit + 1, wanted.get("after", TOP))
    with transaction(runtime().games.engine) as db:
        found = views.ready_bots(db, asked, clock.now())
    return as_json(
        paged(found, limit, lambda row: cursor(row.since, row.id), lambda row: views.shown_bot(row, language))
    )


def _streamed(whose: UUID, by: UUID, wanted: dict[str, Any], last: str | None) -> Response:
    if request.method == "HEAD":
        return _stream()
    leave = waiting_slots().stream(whose, network(request.remote_addr or ""))
    who = Listener(runtime(), whose, by, None if last is None else moment_of(last))
    answer = _stream()
    answer.response = account_stream(who, StreamIntervals(lifetime=wanted.get("seconds", LIFETIME)))
    answer.call_on_close(leave)
    return answer


def _stream() -> Response:
    return Response(mimetype="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
