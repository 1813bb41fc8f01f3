"""Schemas of apps of other people, and of what a player has granted them."""

from __future__ import annotations

from typing import Final

from marshmallow import Schema, fields, validate

from schemas.answer import Answer
from schemas.fields import Cursor, Flag, Several, Text
from schemas.names import NameOfAccount
from schemas.pages import Page, PageLimit

MOST_ADDRESSES: Final = 10
REDIRECT: Final = (
    r"^((https://[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|http://(127\.0\.0\.1|localhost|\[::1\]))(:[0-9]{1,5})?"
    r"(/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?|[a-z][a-z0-9-]{0,62}(\.[a-z0-9][a-z0-9-]{0,62}){1,8}:/([A-Za-z0-9._~%-][A-Za-z0-9._~%/-]*)?)"
    r"(\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?$"
)
"""An address by https, by http at the user's own machine, or by a scheme that is a domain name in reverse (RFC 8252).

It has no fragment, and names no user.
"""


def _addresses(required: bool = False) -> Several:
    return Several(
        Text(least=9, most=500, pattern=REDIRECT),
        required=required,
        validate=validate.Length(min=1, max=MOST_ADDRESSES),
        metadata={
            "description": "Where answers may be sent: by https; by http to 127.0.0.1, [::1] or localhost; or by a "
            "scheme of the app's own that is a domain name in reverse, such as com.example.app:/back. A request of the "
            "app has to name one of them letter by letter; only at the user's own machine the port may be any."
        },
    )


class AppChanges(Schema):
    """The fields of an app to change."""

    name = NameOfAccount()
    redirect_uris = _addresses()


class NewApp(Schema):
    """An app to register."""

    name = NameOfAccount(required=True)
    redirect_uris = _addresses(required=True)
    confidential = Flag(
        metadata={
            "description": "Whether the app has a server that keeps a secret. Without, it is a public client: an app "
            "in a browser, or on the user's machine."
        },
    )


class AppListed(Answer):
    """An app that the account has registered; its id is the `client_id`."""

    id = fields.UUID()
    name = fields.String()
    redirect_uris = fields.List(fields.String())
    confidential = fields.Boolean()
    created_at = fields.DateTime()


class AppMade(AppListed):
    """A new app; `secret` is the `client_secret`, shown only once, and null for a public client."""

    secret = fields.String(allow_none=True)


class AppsListed(Answer):
    """The apps that the account has registered, 20 at most, the oldest first."""

    items = fields.List(fields.Nested(AppListed))


class GrantedApp(Answer):
    """An app of somebody; `owner` is the name of the player who has registered it."""

    id = fields.UUID()
    name = fields.String()
    owner = fields.String()


class Grant(Answer):
    """That an app may act for the player, and for what."""

    id = fields.UUID()
    app = fields.Nested(GrantedApp)
    scopes = fields.List(fields.String())
    granted_at = fields.DateTime()
    last_used_at = fields.DateTime(
        allow_none=True,
        metadata={"description": "Noted every ten minutes at most, of the tokens that the app still has."},
    )


class Grants(Page):
    """A page of grants; ask again with `after` = `next` unless that is null."""

    items = fields.List(fields.Nested(Grant))


class GrantsWanted(Schema):
    """The grants to list."""

    after = Cursor()
    limit = PageLimit("grants")
