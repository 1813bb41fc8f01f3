"""A player's mails: which they want and when, which games are quiet, whether the address works, and their links."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.messages import Mail, MailChanged, NewReplyAddress, ReplyAddress, ReplyAddresses, Trial
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.handlers import fresh_links, mail_wishes, reply_addresses
from service.handlers.refusals import NoAddress
from service.handlers.transaction import transaction
from service.http.limits import admit_mail, budget
from service.http.responses import as_json, no_content
from service.shared import clock
from service.store.mail import list_reply_addresses as listed
from service.views.mail import mail as shown

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
    mail_wishes.change(runtime().games, player().id, posted)
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
    mail_wishes.try_again(runtime().games, asking.id, clock.now(), budget())
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
    mail_wishes.mute(runtime().games, game_id, player().id)
    return no_content()


@mail.operation(
    "/games/<uuid:game_id>/mute", Answers(status=204), method="DELETE", refuses=(404,), scope="games:play profile:write"
)
def unmute_game(game_id: UUID) -> Response:
    """Get mails about the game again."""
    mail_wishes.unmute(runtime().games, game_id, player().id)
    return no_content()


@mail.operation(
    "/games/<uuid:game_id>/links/renewal", Answers(status=204), method="POST", refuses=(404,), scope="games:play"
)
def renew_links(game_id: UUID) -> Response:
    """Take all links of one's own mails about a game out of use, for others have seen them; a mail brings a new one.

    That mail comes if one of them was still in use, one is to act, and the account has an address. Links of others go
    on working, and so do one's own to other games. To do it again changes nothing until there is a new link.
    """
    fresh_links.replace(runtime().games, game_id, player().id, clock.now())
    return no_content()


def _addresses() -> list[dict[str, Any]]:
    with transaction(runtime().games.engine) as db:
        return listed(db, player().id)


def _mail() -> dict[str, Any]:
    with transaction(runtime().games.engine) as db:
        return shown(db, player(), runtime().settings.mail_delay, clock.now())
