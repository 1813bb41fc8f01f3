"""Identities of requests: players, tokens and their scopes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

PREFIX = "brd_"
"""Prefix of every token, by which secret scanners recognise tokens."""
SCOPES = (
    "games:read",
    "games:play",
    "games:create",
    "profile:read",
    "profile:write",
    "webhooks:manage",
    "account:read",
)
"""Scopes of tokens; a token's scopes are stored as one text, separated by spaces."""
Session = Literal["press", "mail", "passkey", "code"]
"""Starts of a browser's session: a guest's press, a mailed link, a passkey, the code of another device."""
TokenKind = Literal["personal", "bot", "app"]
"""Owners of tokens: a player, a bot, an app."""
APP_SCOPES = ("games:read", "games:play", "games:create", "profile:read")
"""Scopes that an app may be granted; `profile:read` is the name, the mail address and the settings, as the consent page
says.

With `account:read` an app would see whom the player knows and blocks, and which tokens and programs there are. With
`profile:write` it could manage the account, its tokens and apps. With `webhooks:manage` it could leave a webhook
behind that reports the player's games after the app was revoked.
"""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """Account of a player; `owner` and `owner_name` are those of a bot's owner.

    `welcomed`: the player was asked for a name, even without an answer.
    `asked_twice`: pages ask once more before an action that reveals something hidden.
    """

    id: UUID
    name: str
    email: str | None
    language: str
    email_verified: bool
    time_zone: str
    owner: UUID | None
    owner_name: str | None
    email_confirmed: bool = False
    asked_twice: bool = True
    handle: str | None = None
    visibility: str = "public"
    welcomed: bool = True


@dataclass(frozen=True, slots=True)
class TokenRow:
    """Token without its secret; `scopes` is a part of SCOPES, in that order."""

    id: UUID
    label: str
    scopes: tuple[str, ...]
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Identity:
    """Player of a request, and the token used."""

    player: PlayerRow
    token: TokenRow
