"""A player's channels beside mail, and the calendar."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.messages import CalendarMade, CalendarShown, Channel, ChannelChanges, Channels, NewChannel, TrialSent
from schemas.play import Idempotency
from service.api.auth import guard, player, runtime
from service.api.contract import PREFIX, Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.handlers import calendar, channels
from service.handlers.channels import ChannelRules, ChannelTerms
from service.handlers.idempotency import Receipt
from service.handlers.refusals import UnknownChannel
from service.handlers.transaction import transaction
from service.http.responses import PRIVATE, as_json, no_content
from service.messages.channels import Where, fields_of
from service.messages.keys import public_key
from service.shared import clock
from service.views.calendar import calendar_address
from service.views.channels import channel_of, channels_of

channel_resource = Resource("channels", __name__, description="Messages to a player beside mail, and the calendar.")
guard(channel_resource)


@channel_resource.operation(
    "/me/channels",
    Answers(status=201, schema=Channel, headers={"Location": "Where the channel is found.", **REPLAYED}),
    method="POST",
    refuses=(409, 422),
    json=NewChannel,
    headers=Idempotency,
    scope="profile:write",
)
def create_channel(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Set up a channel, and have it tried by a message that has to be taken before others are sent there."""
    games, rules, owner, now = runtime().games, _rules(), player().id, clock.now()
    where = Where(kind=posted["kind"], **fields_of(posted))
    wanted = ChannelTerms(where, posted["messages"], posted.get("instead", ()))

    def make(receipt: Receipt[UUID] | None) -> UUID:
        return channels.create(games, rules, owner, wanted, now, receipt)

    shown, headers = once("create-channel", header, posted, make, lambda made: {"id": str(made)})
    answer = as_json(_shown(UUID(shown["id"])), 201, {**PRIVATE, **headers})
    answer.headers["Location"] = f"{PREFIX}/me/channels/{shown['id']}"
    return answer


@channel_resource.operation("/me/channels", Answers(schema=Channels), scope="account:read")
def list_channels() -> Response:
    """List one's channels."""
    # Without a vault no subscription could be stored.
    key = None if runtime().vault is None else runtime().settings.vapid_key
    with transaction(runtime().games.engine) as db:
        found = channels_of(db, player().id)
    return as_json({"items": found, "push_key": None if key is None else public_key(key)})


@channel_resource.operation(
    "/me/channels/<uuid:channel_id>", Answers(schema=Channel), refuses=(404,), scope="account:read"
)
def get_channel(channel_id: UUID) -> Response:
    """Show a channel, and whether it is silenced and why."""
    return as_json(_shown(channel_id))


@channel_resource.operation(
    "/me/channels/<uuid:channel_id>",
    Answers(schema=Channel),
    method="PATCH",
    refuses=(404,),
    json=ChannelChanges,
    scope="profile:write",
)
def change_channel(changes: dict[str, Any], channel_id: UUID) -> Response:
    """Change which messages go to a channel, and of which of them no mails are sent."""
    channels.change(runtime().games, player().id, channel_id, changes)
    return as_json(_shown(channel_id))


@channel_resource.operation(
    "/me/channels/<uuid:channel_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write"
)
def delete_channel(channel_id: UUID) -> Response:
    """Take a channel away; mails that waited for a message to it go out."""
    channels.remove(runtime().games, player().id, channel_id)
    return no_content()


@channel_resource.operation(
    "/me/channels/<uuid:channel_id>/trial",
    Answers(status=202, schema=TrialSent, headers=REPLAYED),
    method="POST",
    refuses=(404,),
    headers=Idempotency,
    scope="profile:write",
)
def try_channel(header: dict[str, Any], channel_id: UUID) -> Response:
    """Have a channel tried by a message; one that was silenced is used again when it takes it."""
    games, owner = runtime().games, player().id

    def send(receipt: Receipt[UUID] | None) -> UUID:
        return channels.try_again(games, owner, channel_id, receipt)

    shown, headers = once("try-channel", header, str(channel_id), send, lambda trial: {"id": str(trial)})
    return as_json(shown, 202, {**PRIVATE, **headers})


@channel_resource.operation("/me/calendar", Answers(schema=CalendarShown), scope="account:read")
def get_calendar() -> Response:
    """Show whether one's calendar has an address; the address itself is not kept."""
    with transaction(runtime().games.engine) as db:
        return as_json(calendar_address(db, player().id))


@channel_resource.operation(
    "/me/calendar", Answers(status=201, schema=CalendarMade), method="POST", scope="profile:write"
)
def renew_calendar() -> Response:
    """Give one's calendar a new secret address, which is shown only this once; the one before ends."""
    now = clock.now()
    secret = calendar.renew(runtime().games, player().id, now)
    url = f"{runtime().settings.base_url}/calendar/{secret}.ics"
    return as_json({"created_at": now.isoformat(), "url": url}, 201)


@channel_resource.operation("/me/calendar", Answers(status=204), method="DELETE", scope="profile:write")
def end_calendar() -> Response:
    """End the address of one's calendar."""
    calendar.end(runtime().games, player().id)
    return no_content()


def _rules() -> ChannelRules:
    house = runtime()
    return ChannelRules(house.vault, house.settings.vapid_key is not None, house.settings.webhooks_insecure)


def _shown(channel_id: UUID) -> dict[str, Any]:
    with transaction(runtime().games.engine) as db:
        shown = channel_of(db, player().id, channel_id)
    if shown is None:
        raise UnknownChannel
    return shown
