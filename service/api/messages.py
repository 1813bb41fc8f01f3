"""Mail settings, channels, calendars and webhooks."""

from __future__ import annotations

from datetime import datetime
from operator import itemgetter
from typing import Any
from uuid import UUID

from flask import Response

from schemas.messages import (
    CalendarMade,
    CalendarShown,
    Channel,
    ChannelChanges,
    Channels,
    Deliveries,
    DeliveriesWanted,
    Mail,
    MailChanged,
    NewChannel,
    NewReplyAddress,
    NewSecret,
    NewWebhook,
    ReplyAddress,
    ReplyAddresses,
    Sent,
    Trial,
    TrialSent,
    Webhook,
    WebhookChanges,
    WebhookMade,
    Webhooks,
)
from schemas.play import Idempotency
from service.api.auth import guard, player, runtime
from service.api.contract import PREFIX, Answers, Resource
from service.api.idempotency import REPLAYED, once, once_with_secret
from service.handlers import calendar, channels, links, mail_preferences, reply_addresses
from service.handlers import webhooks as handlers
from service.handlers.channels import ChannelRules, ChannelTerms
from service.handlers.idempotency import Receipt
from service.handlers.refusals import NoAddress, UnknownChannel, UnknownWebhook
from service.handlers.transaction import transaction
from service.handlers.webhooks import WebhookTerms
from service.http.limits import admit_mail, budget
from service.http.responses import PRIVATE, as_json, no_content, paged
from service.messages.channels import Where, fields_of
from service.messages.keys import public_key
from service.shared import clock
from service.store.mail import list_reply_addresses as listed
from service.views import messages as views
from service.views.calendar import calendar_address
from service.views.messages import channel_of, channels_of
from service.views.messages import mail_settings as shown

# A player's mails: which they want and when, which games are quiet, whether the address works, and their links.

mail = Resource("mail", __name__, description="Mails to a player.")
guard(mail)


@mail.operation("/me/mail", Answers(schema=Mail), scope="profile:read")
def get_mail() -> Response:
    """Show which mails one gets and when, and whether they arrive.

    Mails that one asks for, such as links to sign in, come whatever is said here.
    """
    return as_json(_mail())


@mail.operation("/me/mail", Answers(schema=Mail), method="PATCH", scope="profile:write", json=MailChanged)
def update_mail(posted: dict[str, Any]) -> Response:
    """Change which mails one gets and when; what is not sent stays. It holds for mails that wait, too."""
    mail_preferences.change(runtime().games, player().id, posted)
    return as_json(_mail())


@mail.operation(
    "/me/mail/trial", Answers(status=202, schema=Trial), method="POST", refuses=(409,), scope="profile:write"
)
def try_mail() -> Response:
    """Have a mail sent to see whether it arrives, and forget what has gone wrong with the address before.

    Turn mails that have waited since then are sent again, too. An address that is not confirmed is asked for that
    instead, once within 30 days.
    """
    asking = player()
    if asking.email is None:
        raise NoAddress
    admit_mail(asking.email)
    mail_preferences.try_again(runtime().games, asking.id, clock.now(), budget())
    return as_json({"email": asking.email}, 202)


@mail.operation("/me/mail/addresses", Answers(schema=ReplyAddresses), scope="account:read")
def list_reply_addresses() -> Response:
    """List the further addresses from which one answers mails, the oldest first."""
    return as_json({"items": _addresses()})


@mail.operation(
    "/me/mail/addresses",
    Answers(status=202, schema=ReplyAddress),
    method="POST",
    refuses=(409,),
    scope="profile:write",
    json=NewReplyAddress,
)
def add_reply_address(posted: dict[str, Any]) -> Response:
    """Answer mails from a further address, too, once its reader has confirmed that by the link of a mail.

    No mails about games go there, and it signs nobody in. The account needs a confirmed address of its own, to which a
    mail tells of it. An address that the account of another player has is not asked, and never counts. To do it again
    changes nothing; another mail goes out once a day at most.
    """
    admit_mail(posted["email"])
    made = reply_addresses.add(runtime().games, player().id, posted["email"], clock.now())
    return as_json(next(each for each in _addresses() if each["id"] == str(made)), 202)


@mail.operation(
    "/me/mail/addresses/<uuid:address_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write"
)
def remove_reply_address(address_id: UUID) -> Response:
    """Answer mails from an address no more, confirmed or not."""
    reply_addresses.remove(runtime().games, player().id, address_id)
    return no_content()


@mail.operation(
    "/games/<uuid:game_id>/mute", Answers(status=204), method="PUT", refuses=(404,), scope="games:play profile:write"
)
def mute_game(game_id: UUID) -> Response:
    """Get no more mails about a game that one sits in."""
    mail_preferences.mute(runtime().games, game_id, player().id)
    return no_content()


@mail.operation(
    "/games/<uuid:game_id>/mute", Answers(status=204), method="DELETE", refuses=(404,), scope="games:play profile:write"
)
def unmute_game(game_id: UUID) -> Response:
    """Get mails about the game again."""
    mail_preferences.unmute(runtime().games, game_id, player().id)
    return no_content()


@mail.operation(
    "/games/<uuid:game_id>/links/renewal", Answers(status=204), method="POST", refuses=(404,), scope="games:play"
)
def renew_links(game_id: UUID) -> Response:
    """Take all links of one's own mails about a game out of use, for others have seen them; a mail brings a new one.

    That mail comes if one of them was still in use, one is to act, and the account has an address. Links of others go
    on working, and so do one's own to other games. To do it again changes nothing until there is a new link.
    """
    links.replace_link(runtime().games, game_id, player().id, clock.now())
    return no_content()


def _addresses() -> list[dict[str, Any]]:
    with transaction(runtime().games.engine) as db:
        return listed(db, player().id)


def _mail() -> dict[str, Any]:
    with transaction(runtime().games.engine) as db:
        return shown(db, player(), runtime().settings.mail_delay, clock.now())


# A player's channels beside mail, and the calendar.

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
    games, rules, owner, now = runtime().games, _channel_rules(), player().id, clock.now()
    where = Where(kind=posted["kind"], **fields_of(posted))
    wanted = ChannelTerms(where, posted["messages"], posted.get("instead", ()))

    def make(receipt: Receipt[UUID] | None) -> UUID:
        return channels.create(games, rules, owner, wanted, now, receipt)

    shown, headers = once("create-channel", header, posted, make, lambda made: {"id": str(made)})
    answer = as_json(_shown_channel(UUID(shown["id"])), 201, {**PRIVATE, **headers})
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
    return as_json(_shown_channel(channel_id))


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
    return as_json(_shown_channel(channel_id))


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


def _channel_rules() -> ChannelRules:
    house = runtime()
    return ChannelRules(house.vault, house.settings.vapid_key is not None, house.settings.webhooks_insecure)


def _shown_channel(channel_id: UUID) -> dict[str, Any]:
    with transaction(runtime().games.engine) as db:
        shown = channel_of(db, player().id, channel_id)
    if shown is None:
        raise UnknownChannel
    return shown


# Webhooks: set up, looked at, changed and taken away by the player whose they are.

PAGE = 20

webhooks = Resource("webhooks", __name__, description="Messages to other services when something happens in a game.")
guard(webhooks)


@webhooks.operation(
    "/webhooks",
    Answers(status=201, schema=WebhookMade, headers={"Location": "Where the webhook is found."}),
    method="POST",
    refuses=(403, 404, 409),
    json=NewWebhook,
    headers=Idempotency,
    scope="webhooks:manage",
)
def create_webhook(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Set up a webhook for all one's games, or for the table of a game that one hosts.

    The secret in the answer is shown only this once. A repeated Idempotency-Key makes no second one, and is refused as
    `/problems/secret-shown`.
    """
    games, rules, owner, wanted, now = (
        runtime().games,
        _webhook_rules(),
        player().id,
        WebhookTerms(**posted),
        clock.now(),
    )

    def make(receipt: Receipt[tuple[UUID, str]] | None) -> tuple[UUID, str]:
        return handlers.create(games, rules, owner, wanted, now, receipt)

    webhook_id, secret = once_with_secret("create-webhook", header, posted, make, lambda made: made[0])
    answer = as_json({**_shown_webhook(webhook_id), "secret": secret}, 201)
    answer.headers["Location"] = f"{PREFIX}/webhooks/{webhook_id}"
    return answer


@webhooks.operation("/webhooks", Answers(schema=Webhooks), scope="webhooks:manage")
def list_webhooks() -> Response:
    """List one's webhooks."""
    with transaction(runtime().games.engine) as db:
        return as_json({"items": views.webhooks_of(db, player().id)})


@webhooks.operation("/webhooks/<uuid:webhook_id>", Answers(schema=Webhook), refuses=(404,), scope="webhooks:manage")
def get_webhook(webhook_id: UUID) -> Response:
    """Show a webhook, and whether it is switched off and why."""
    return as_json(_shown_webhook(webhook_id))


@webhooks.operation(
    "/webhooks/<uuid:webhook_id>",
    Answers(schema=Webhook),
    method="PATCH",
    refuses=(404,),
    json=WebhookChanges,
    scope="webhooks:manage",
)
def change_webhook(changes: dict[str, Any], webhook_id: UUID) -> Response:
    """Change a webhook, or switch it off or on."""
    handlers.change(runtime().games, _webhook_rules(), player().id, webhook_id, changes)
    return as_json(_shown_webhook(webhook_id))


@webhooks.operation(
    "/webhooks/<uuid:webhook_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="webhooks:manage"
)
def delete_webhook(webhook_id: UUID) -> Response:
    """Take a webhook away, with its deliveries."""
    handlers.remove(runtime().games, player().id, webhook_id)
    return Response(status=204, headers=PRIVATE)


@webhooks.operation(
    "/webhooks/<uuid:webhook_id>/secret",
    Answers(schema=NewSecret),
    method="POST",
    refuses=(404, 409),
    headers=Idempotency,
    scope="webhooks:manage",
)
def rotate_webhook_secret(header: dict[str, Any], webhook_id: UUID) -> Response:
    """Make a new secret; for a day every message is signed with the old one as well.

    A repeated Idempotency-Key makes no other one, and is refused as `/problems/secret-shown`.
    """
    games, rules, owner, now = runtime().games, _webhook_rules(), player().id, clock.now()

    def rotate(receipt: Receipt[tuple[str, datetime]] | None) -> tuple[str, datetime]:
        return handlers.rotate(games, rules, owner, webhook_id, now, receipt)

    secret, until = once_with_secret("rotate-secret", header, str(webhook_id), rotate, lambda _: webhook_id)
    return as_json({"secret": secret, "old_expires_at": until.isoformat()})


@webhooks.operation(
    "/webhooks/<uuid:webhook_id>/test",
    Answers(status=202, schema=Sent, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    headers=Idempotency,
    scope="webhooks:manage",
)
def test_webhook(header: dict[str, Any], webhook_id: UUID) -> Response:
    """Send a webhook a message of type webhook.test."""
    games, owner, now = runtime().games, player().id, clock.now()

    def send(receipt: Receipt[UUID] | None) -> UUID:
        return handlers.send_test(games, owner, webhook_id, now, receipt)

    shown, headers = once("test-webhook", header, str(webhook_id), send, lambda delivery: {"id": str(delivery)})
    return as_json(shown, 202, {**PRIVATE, **headers})


@webhooks.operation(
    "/webhooks/<uuid:webhook_id>/deliveries",
    Answers(schema=Deliveries),
    refuses=(404,),
    query=DeliveriesWanted,
    scope="webhooks:manage",
)
def list_deliveries(wanted: dict[str, Any], webhook_id: UUID) -> Response:
    """List what a webhook was sent in the last 30 days, the newest first, and what came of it."""
    limit = wanted.get("limit", PAGE)
    with transaction(runtime().games.engine) as db:
        if views.webhook_of(db, player().id, webhook_id) is None:
            raise UnknownWebhook
        found = views.deliveries(db, webhook_id, wanted.get("after"), limit + 1)
    return as_json(paged(found, limit, itemgetter("id")))


@webhooks.operation(
    "/webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/again",
    Answers(status=202, schema=Sent),
    method="POST",
    refuses=(404, 409),
    scope="webhooks:manage",
)
def send_delivery_again(webhook_id: UUID, delivery_id: UUID) -> Response:
    """Send a message again, under the same webhook-id; one that waits for its next attempt is sent now."""
    handlers.send_again(runtime().games, player().id, webhook_id, delivery_id)
    return as_json({"id": str(delivery_id)}, 202)


def _webhook_rules() -> handlers.Rules:
    return handlers.Rules(runtime().vault, runtime().settings.webhooks_insecure)


def _shown_webhook(webhook_id: UUID) -> dict[str, Any]:
    with transaction(runtime().games.engine) as db:
        shown = views.webhook_of(db, player().id, webhook_id)
    if shown is None:
        raise UnknownWebhook
    return shown
