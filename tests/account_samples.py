"""Mails about an account that stand nowhere: of what has changed in it, of friends, and of addresses."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from types import SimpleNamespace

from service.handlers.sign_in import SignInRequest
from service.mail.access import account_changed_mail, confirmation_mail, reply_address_mail, sign_in_mail
from service.mail.compose import add_identity_headers
from service.mail.messages import address_test_mail
from service.mail.people import AskedFriend, friend_request_mail
from service.rules.bidi import isolated
from service.store.notices import AccountChange
from tests.sample_games import BASE_URL, STAMP, TOKEN, WAY


def _trial(language: str) -> EmailMessage:
    return add_identity_headers(
        address_test_mail("Alice", "alice@example.org", language, WAY.settings), STAMP, "trial", 1
    )


def _changed(what: AccountChange, app: str = "") -> Callable[[str], EmailMessage]:
    def write(language: str) -> EmailMessage:
        player = SimpleNamespace(name="Alice", email="alice@example.org", language=language)
        return add_identity_headers(
            account_changed_mail(player, what, app and isolated(app), BASE_URL), STAMP, "account", 1
        )

    return write


def _friend_request(language: str) -> EmailMessage:
    whom = AskedFriend("Alice", "alice@example.org", language, isolated("Bob"))
    return add_identity_headers(friend_request_mail(whom, f"{BASE_URL}/f/{TOKEN}", WAY.settings), STAMP, "challenge", 1)


def _confirmation(language: str) -> EmailMessage:
    mail = confirmation_mail(language, "zoe@example.org", f"{BASE_URL}/confirm/{TOKEN}")
    return add_identity_headers(mail, STAMP, "confirmation", 1)


def _reply_address(language: str) -> EmailMessage:
    link, never = f"{BASE_URL}/reply-address/{TOKEN}", f"{BASE_URL}/confirm/{TOKEN}/never"
    return add_identity_headers(reply_address_mail(language, "zoe@example.org", link, never), STAMP, "confirmation", 1)


def _sign_in(language: str) -> EmailMessage:
    asked = SignInRequest("alice@example.org", language, TOKEN)
    return add_identity_headers(sign_in_mail(asked, f"{BASE_URL}/sign-in/{TOKEN}"), STAMP, "sign-in", 1)


MAILS: dict[str, Callable[[str], EmailMessage]] = {
    "trial": _trial,
    "account-passkey-added": _changed("passkey-added"),
    "account-passkey-removed": _changed("passkey-removed"),
    "account-app-granted": _changed("app-granted", "Boards"),
    "account-app-registered": _changed("app-registered"),
    "account-token-made": _changed("token-made"),
    "account-bot-made": _changed("bot-made"),
    "account-code-used": _changed("code-used"),
    "account-webhook-added": _changed("webhook-added"),
    "account-channel-added": _changed("channel-added"),
    "account-calendar-renewed": _changed("calendar-renewed"),
    "account-data-exported": _changed("data-exported"),
    "account-address-given": _changed("address-given"),
    "account-reply-address-confirmed": _changed("reply-address-confirmed"),
    "account-account-deleted": _changed("account-deleted"),
    "friend-request": _friend_request,
    "confirmation": _confirmation,
    "confirmation-reply-address": _reply_address,
    "sign-in": _sign_in,
}
