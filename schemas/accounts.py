"""Schemas of accounts: sign-in, profile, tokens, bots."""

from __future__ import annotations

from typing import get_args

from marshmallow import Schema, fields, validate

from schemas.answer import Answer
from schemas.fields import CAPABILITY, LANGUAGE, Email, Flag, Text, TimeZone, Whole
from schemas.limits import Allowance
from schemas.lobby import Player
from schemas.names import NameOfAccount
from service.store.access import SCOPES, Session, TokenKind
from service.store.people import VISIBILITIES
from service.texts.names import HANDLE_MAX_LENGTH, HANDLE_MIN_LENGTH, HANDLE_PATTERN

LONGEST_DAYS = 3650


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


class ProfileChanged(Schema):
    """The fields of the profile to change."""

    name = NameOfAccount()
    language = Text(least=2, most=2, pattern=LANGUAGE)
    time_zone = TimeZone(most=64)
    asked_twice = Flag()
    handle = Text(
        least=HANDLE_MIN_LENGTH,
        most=HANDLE_MAX_LENGTH,
        pattern=HANDLE_PATTERN,
        allow_none=True,
        metadata={
            "description": "What leads to one account alone; null gives it back, and nobody else has it for a year."
        },
    )
    visibility = fields.String(
        validate=validate.OneOf(VISIBILITIES),
        metadata={"description": "Who sees the profile: everybody, one's friends, or oneself alone (`hidden`)."},
    )


class Confirmed(Schema):
    """The confirmation of a deletion: the player's own name."""

    confirm = Text(most=60, required=True)


class NewToken(Schema):
    """A token to create: its label, its scopes, and when it expires."""

    label = Text(most=60, required=True)
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        validate=validate.Length(min=1, max=len(SCOPES)),
    )
    expires_in_days = Whole(
        least=1, most=LONGEST_DAYS, metadata={"description": "It works until it is revoked when absent."}
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


class Me(Player):
    """The player who asks, the token of the request, and the player's rate limits."""

    token = fields.Nested(TokenKnown)
    limits = fields.List(fields.Nested(Allowance))


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
