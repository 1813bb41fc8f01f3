"""Schemas of sign-in, tokens, bots, apps and what apps are granted."""

from __future__ import annotations

from typing import Final, get_args

from marshmallow import Schema, fields, validate

from schemas.answer import Answer, Page, PageLimit
from schemas.fields import CAPABILITY, LANGUAGE, Cursor, Email, Flag, Several, Text, TimeZone, Whole
from schemas.names import NameOfAccount
from service.store.access import SCOPES, Session, TokenKind

MAX_TOKEN_DAYS = 3650


class SignInWanted(Schema):
    """A request to sign in; name and language are for an account that does not exist yet."""

    email = Email(required=True)
    name = NameOfAccount()
    language = Text(least=2, most=2, pattern=LANGUAGE)


class SignInAsked(Answer):
    """The answer to a request to sign in; the same whether the address is known or not."""

    valid_minutes = fields.Integer(metadata={"description": "How long the link in the mail will work."})


class SignInUsed(Schema):
    """The secret of a mailed link: the part after `/sign-in/`."""

    sign_in = Text(least=26, most=26, pattern=CAPABILITY, required=True)
    time_zone = TimeZone(most=64, metadata={"description": "For an account that does not know its time zone yet."})


class NewToken(Schema):
    """A token to create: its label, its scopes, and when it expires."""

    label = Text(most=60, required=True)
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        validate=validate.Length(min=1, max=len(SCOPES)),
    )
    expires_in_days = Whole(
        least=1, most=MAX_TOKEN_DAYS, metadata={"description": "It works until it is revoked when absent."}
    )


class NewBot(Schema):
    """A bot to create."""

    name = NameOfAccount(required=True)


class TokenKnown(Answer):
    """A token without its secret."""

    id = fields.UUID()
    label = fields.String()
    scopes = fields.List(fields.String())
    expires_at = fields.DateTime(allow_none=True)


class TokenListed(TokenKnown):
    """A token in a list; `hint` is its beginning and its end."""

    kind = fields.String(
        validate=validate.OneOf([*get_args(TokenKind), *get_args(Session)]),
        metadata={
            "description": "`personal`, `bot` and `app` are tokens. The others are sessions of browsers, which are no "
            "tokens of the API: they began by a guest's `press`, a link by `mail`, a `passkey`, or the `code` of "
            "another device. New kinds may come."
        },
    )
    hint = fields.String()
    created_at = fields.DateTime()
    last_used_at = fields.DateTime(allow_none=True, metadata={"description": "Noted every ten minutes at most."})


class TokenMade(TokenListed):
    """A new token; `token` is shown only once."""

    token = fields.String()


class TokenKept(TokenListed):
    """A token, revoked or not."""

    revoked_at = fields.DateTime(allow_none=True)


class TokensListed(Answer):
    """The tokens of an account that are not revoked, the newest first."""

    items = fields.List(fields.Nested(TokenListed))


class Bot(Answer):
    """A bot; everybody can see that it is one."""

    id = fields.UUID()
    name = fields.String()
    created_at = fields.DateTime()


class BotMade(Bot):
    """A new bot with its token, which is shown only once."""

    token = fields.String()


class BotsListed(Answer):
    """The bots of an account, the newest first."""

    items = fields.List(fields.Nested(Bot))


# Apps, and what a player has granted them.

MAX_REDIRECT_ADDRESSES: Final = 10
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
        validate=validate.Length(min=1, max=MAX_REDIRECT_ADDRESSES),
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
    """An app's permission to act for the player, with its scopes."""

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
