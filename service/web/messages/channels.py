"""Channels besides mail, the calendar of a player's deadlines, and the feed of a public game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from flask import Response, make_response, request, url_for
from marshmallow import ValidationError
from sqlalchemy import Connection

from schemas.messages import ChannelChanges, NewChannel, RenewedSubscription
from service.handlers import calendar, channels
from service.handlers.calendar import owner
from service.handlers.channels import ChannelRules, ChannelTerms
from service.handlers.refusals import BadChannel, ChannelsOff, PreconditionFailed, TooMany, UnknownChannel
from service.handlers.transaction import statements, transaction
from service.http.body import read_json
from service.messages.channels import MESSAGES, Where, fields_of
from service.messages.keys import public_key
from service.shared import clock
from service.shared.refusal import Refusal
from service.store.games import Position, is_public
from service.texts.catalog import languages
from service.views.calendar import calendar as calendar_calendar
from service.views.calendar import calendar_address
from service.views.feed import feed
from service.views.messages import channel_of, channels_of
from service.views.table import spoken
from service.web.access.sign_in import recently_signed_in, with_passkey
from service.web.blueprint import web
from service.web.game_page import game_page
from service.web.page import admitted, current_runtime, unknown_page, visitor_language
from service.web.post_guard import unless_changed, version_of
from service.web.session import (
    SCRIPT_POLICY,
    Visitor,
    current_visitor,
    is_cross_site,
    missing_page,
    page,
    see_other,
    signed_in,
)

_NEW, _CHANGES, _RENEWED = NewChannel(), ChannelChanges(), RenewedSubscription()
FIELDS = {
    "discord": ("url",),
    "slack": ("url",),
    "matrix": ("url", "token", "room"),
    "telegram": ("token", "room"),
    "ntfy": ("url", "token"),
}
"""Fields of the form by kind of channel; a browser's subscription comes from its script."""
NAMES = {"discord": "Discord", "slack": "Slack", "matrix": "Matrix", "telegram": "Telegram", "ntfy": "ntfy"}
OPTIONAL = {("ntfy", "token")}


@web.get("/games/<uuid:game_id>/open")
def enter_table(game_id: UUID) -> Response:
    """Redirect a signed-in visitor to the table; ask others to sign in first."""
    if current_visitor() is not None:
        return see_other(url_for("web.show_game", game_id=game_id))
    return with_passkey("messages/enter_table.html", back=url_for("web.show_game", game_id=game_id))


@web.get("/settings/channels")
@signed_in
def show_channels(visitor: Visitor) -> Response:
    """Show the player's channels and the calendar."""
    return _page(visitor, 200)


@web.post("/settings/channels")
@recently_signed_in(back="web.show_channels")
def create_channel(visitor: Visitor) -> Response:
    """Create a channel of the form's `kind` for all messages, and send a test message."""
    sent = {name: value.strip() for name, value in request.form.items() if value.strip()}
    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        fields = {"kind": sent.get("kind", ""), **fields_of(sent)}
        posted = _NEW.load({**fields, "messages": list(MESSAGES)})
        wanted = ChannelTerms(Where(kind=posted["kind"], **fields_of(posted)), posted["messages"])
        channels.create(current_runtime().games, _rules(), visitor.id, wanted, clock.now())
    except ValidationError:
        return _page(visitor, 422, refusal="channels-bad-form")
    except BadChannel as bad:
        return _page(visitor, 422, refusal=f"channels-bad-{'push' if bad.field in ('p256dh', 'auth') else bad.field}")
    except TooMany:
        return _page(visitor, 409, refusal="programs-too-many")
    except ChannelsOff:
        return _page(visitor, 409, refusal="channels-off-here")
    return see_other(url_for("web.show_channels", tried=""))


@web.post("/push/renewal")
def renew_subscription() -> Response:
    """Replace the subscription of a channel of this browser; requested by its service worker.

    The body is JSON: `before`, the address of the old subscription, and `url`, `p256dh` and `auth` of the new one.
    """
    visitor = current_visitor()
    if visitor is None or is_cross_site() or not request.is_json:
        return make_response("", 403)
    if not admitted("writing", visitor.id):
        return make_response("", 429)
    try:
        posted = _RENEWED.load(read_json(request))
        found = channels.renew(
            current_runtime().games,
            _rules(),
            visitor.id,
            posted["before"],
            Where(kind="web-push", **fields_of(posted)),
        )
    except (ValidationError, BadChannel, Refusal):
        return make_response("", 422)
    return make_response("", 204 if found else 404)


@web.post("/settings/channels/<uuid:channel_id>")
@signed_in
def change_channel(visitor: Visitor, channel_id: UUID) -> Response:
    """Choose which messages go to the channel (`messages`), and which of these replace the mail (`instead`)."""
    messages = request.form.getlist("messages")
    instead = [kind for kind in request.form.getlist("instead") if kind in messages]
    try:
        changes: dict[str, Any] = _CHANGES.load({"messages": messages, "instead": instead})
        unless_changed(
            lambda db: channel_version(channel_of(db, visitor.id, channel_id)),
            lambda: channels.change(current_runtime().games, visitor.id, channel_id, changes),
        )
    except ValidationError:
        return _page(visitor, 422, refusal="channels-bad-messages")
    except PreconditionFailed:
        return _page(visitor, 412, changed={str(channel_id): {"messages": messages, "instead": instead}})
    except UnknownChannel:
        return missing_page()
    return see_other(url_for("web.show_channels", saved=""))


@web.post("/settings/channels/<uuid:channel_id>/trial")
@signed_in
def try_channel(visitor: Visitor, channel_id: UUID) -> Response:
    """Send a test message to the channel."""
    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        channels.try_again(current_runtime().games, visitor.id, channel_id)
    except UnknownChannel:
        return missing_page()
    return see_other(url_for("web.show_channels", tried=""))


@web.post("/settings/channels/<uuid:channel_id>/delete")
@signed_in
def delete_channel(visitor: Visitor, channel_id: UUID) -> Response:
    try:
        channels.remove(current_runtime().games, visitor.id, channel_id)
    except UnknownChannel:
        return missing_page()
    return see_other(url_for("web.show_channels"))


@web.post("/settings/calendar")
@recently_signed_in(back="web.show_channels")
def renew_calendar(visitor: Visitor) -> Response:
    """Give the player's calendar a new secret address, and show the address once."""
    runtime = current_runtime()
    secret = calendar.renew(runtime.games, visitor.id, clock.now())
    return _page(visitor, 200, address=f"{runtime.settings.base_url}/calendar/{secret}.ics")


@web.post("/settings/calendar/delete")
@signed_in
def end_calendar(visitor: Visitor) -> Response:
    """Revoke the address of the player's calendar."""
    calendar.end(current_runtime().games, visitor.id)
    return see_other(url_for("web.show_channels"))


def _rules() -> ChannelRules:
    runtime = current_runtime()
    return ChannelRules(runtime.vault, runtime.settings.vapid_key is not None, runtime.settings.webhooks_insecure)


def channel_version(known: Mapping[str, Any] | None) -> str:
    """Return the version of the values that the form of a channel shows."""
    return "" if known is None else version_of(known["messages"], known["instead"])


def _page(
    visitor: Visitor,
    status: int,
    refusal: str | None = None,
    address: str | None = None,
    changed: Mapping[str, Mapping[str, Any]] | None = None,
) -> Response:
    """Return the page; `changed` maps the id of a channel with an edit conflict to the values that the form chose."""
    runtime = current_runtime()
    with transaction(runtime.games.engine) as db:
        known, found = channels_of(db, visitor.id), calendar_address(db, visitor.id)
    key = runtime.settings.vapid_key
    response = page(
        "messages/channels.html",
        status,
        channels=known,
        channel_version=channel_version,
        changed=changed or {},
        messages=MESSAGES,
        fields=FIELDS,
        names=NAMES,
        optional=OPTIONAL,
        push_key=None if key is None or runtime.vault is None else public_key(key),
        since=found["created_at"],
        address=address,
        refusal=refusal,
        note=next((name for name in ("tried", "saved") if name in request.args), None),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response


# Calendar and feed: files that programs poll.

CALENDAR = "text/calendar; charset=utf-8"
ATOM = "application/atom+xml; charset=utf-8"


@web.get("/calendar/<token>.ics")
def show_calendar(token: str) -> Response:
    """Return the calendar with the secret of the address; no cookie is read."""
    runtime = current_runtime()
    with statements(runtime.games.engine) as db:
        player = owner(db, token)
        if player is None:
            return unknown_page()
        return _file(
            calendar_calendar(db, runtime.games.rulesets, player, runtime.settings.base_url), CALENDAR, "private"
        )


@web.get("/games/<uuid:game_id>/events.atom")
def show_feed(game_id: UUID) -> Response:
    """Return the feed of a public game that has begun, in the `language` of the query or the reader's language."""
    return game_page(game_id, _feed)


def _feed(db: Connection, position: Position, _: Visitor | None) -> Response:
    if not is_public(position):
        return missing_page()
    wished = request.args.get("language", "")
    language = spoken(position, wished if wished in languages() else visitor_language())
    response = _file(feed(db, position, language, current_runtime().settings.base_url), ATOM, "public, max-age=60")
    response.headers["Vary"] = "Accept-Language"
    return response


def _file(data: bytes, kind: str, shared: str) -> Response:
    response = Response(data, content_type=kind, headers={"Cache-Control": f"{shared}, no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response
