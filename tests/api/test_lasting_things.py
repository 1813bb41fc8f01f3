"""Lasting things need a token of the account's owner: each operation declares whether it makes any."""

from __future__ import annotations

from flask import Flask

from service.api.contract import PREFIX
from service.api.mount import RESOURCES
from service.store.access import APP_SCOPES

LASTING = {
    "apps.change_app",
    "apps.create_app",
    "apps.delete_app",
    "bots.create_bot",
    "bots.create_bot_token",
    "bots.delete_bot",
    "channels.create_channel",
    "channels.renew_calendar",
    "mail.add_reply_address",
    "players.delete_me",
    "players.export_me",
    "players.tie_email",
    "tokens.create_token",
    "webhooks.change_webhook",
    "webhooks.create_webhook",
    "webhooks.rotate_webhook_secret",
}
"""Operations whose effect outlives the token: a thing made, changed, taken, or gone for good."""
PASSING = {
    "what ends a way in": {
        "apps.delete_grant",
        "bots.delete_bot_token",
        "channels.delete_channel",
        "channels.end_calendar",
        "mail.remove_reply_address",
        "tokens.delete_token",
        "webhooks.delete_webhook",
    },
    "wishes": {
        "absences.announce_absence",
        "absences.change_absence",
        "absences.end_absence",
        "channels.change_channel",
        "channels.try_channel",
        "mail.mute_game",
        "mail.try_mail",
        "mail.unmute_game",
        "mail.update_mail",
        "players.update_me",
        "webhooks.send_delivery_again",
        "webhooks.test_webhook",
    },
    "other people": {
        "acquaintances.accept_friend",
        "acquaintances.create_block",
        "acquaintances.create_friend",
        "acquaintances.create_ignored",
        "acquaintances.delete_block",
        "acquaintances.delete_friend",
        "acquaintances.delete_ignored",
    },
    "ways in, which ask for a mailed link, and new guests": {
        "players.create_player",
        "sign-in.request_sign_in",
        "sign-in.use_sign_in",
    },
    "the link of a mail": {"invitations.refuse_invitations"},
}
"""Operations that make nothing of the kind, by the reason why."""
TABLES = ("games", "challenges", "leagues", "tournaments", "deals", "invitations", "reports", "me/ready")
"""Paths of the operations that an app may be granted: tables, and streams that end with their token."""
TICKETS = "me/stream-tickets"


def test_each_operation_on_the_account_says_whether_it_makes_what_outlives_the_token(app: Flask) -> None:
    scopes = {name: needed for resource in RESOURCES for name, needed in resource.scopes.items()}
    changing = {
        rule.endpoint: rule.rule.removeprefix(f"{PREFIX}/")
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(PREFIX) and {"POST", "PUT", "PATCH", "DELETE"} & (rule.methods or set())
    }
    for_apps = {name for name in changing if name in scopes and set(scopes[name]) <= set(APP_SCOPES)}
    assert not for_apps & LASTING
    assert [changing[name] for name in for_apps if not changing[name].startswith((*TABLES, TICKETS))] == []
    # A new operation: if it makes what outlives the token, tell the owner (service/handlers/tell_owner.py).
    assert set(changing) - for_apps == (LASTING - {"players.export_me"}) | set().union(*PASSING.values())
