"""Identities of requests: players, tokens and their scopes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

PREFIX = "brd_"
"""How every token begins, so that scanners of public places for secrets can tell one."""
SCOPES = (
    "games:read",
    "games:play",
    "games:create",
    "profile:read",
    "profile:write",
    "webhooks:manage",
    "account:read",
)
"""What a token may be good for; a token's are stored as one text with spaces between them."""
Session = Literal["press", "mail", "passkey", "code"]
"""How a session of a browser began: by a guest's press, a mailed link, a passkey, the code of another device."""
TokenKind = Literal["personal", "bot", "app"]
"""Whose a token is: a player's own, a bot's, an app's."""
APP_SCOPES = ("games:read", "games:play", "games:create", "profile:read")
"""What an app may be granted; `profile:read` is the name, the mail address and the settings, as the consent page says.

With `account:read` it would see whom the player knows and blocks, and which tokens and programs there are. With
`profile:write` it could manage the account, its tokens and apps; with `webhooks:manage` it could leave something
behind that goes on telling it of the player's games after it was revoked.
"""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player's account; `owner` and `owner_name` are those of the player whose bot it is.

    `welcomed` if the player was asked for a name, be it in vain.
    `asked_twice` if pages ask once more before an action that shows something hidden.
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
    """A token as its owner may know it afterwards; `scopes` is a part of SCOPES, in that order."""

    id: UUID
    label: str
    scopes: tuple[str, ...]
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Identity:
    """Who asks, and by which token."""

    player: PlayerRow
    token: TokenRow
