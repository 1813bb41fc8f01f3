"""Channels besides mail: kinds of channels and messages, and the checked address of a channel.

The names of kinds are stored and part of the API.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from binascii import Error as NoBase64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey

from service.messages.calls import NotCallable, Target, target

ChannelKind = Literal["web-push", "discord", "slack", "matrix", "telegram", "ntfy"]
MessageKind = Literal["turn", "reminder", "lapsed", "started", "over", "message", "problem", "invitation"]

CHANNELS: Final[tuple[ChannelKind, ...]] = get_args(ChannelKind)
MESSAGES: Final[tuple[MessageKind, ...]] = get_args(MessageKind)
MESSAGE_OF_EFFECT: Final[Mapping[str, MessageKind]] = {
    "turn-mail": "turn",
    "reminder": "reminder",
    "lapsed": "lapsed",
    "started": "started",
    "game-over": "over",
    "message": "message",
    "problem": "problem",
    "invitation": "invitation",
}
"""Kind of message beside a mail, by the kind of the outbox row."""
_DISCORD: Final = re.compile(
    r"https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/(\d{5,25})/([\w-]{20,120})", re.ASCII
)
_SLACK: Final = re.compile(r"https://hooks\.slack\.com/services/([A-Z0-9]{5,20})/([A-Z0-9]{5,20})/([A-Za-z0-9]{10,60})")
_TELEGRAM: Final = re.compile(r"\d{3,20}:[\w-]{20,80}", re.ASCII)
_CHAT: Final = re.compile(r"-?\d{1,20}|@\w{3,64}", re.ASCII)
_ROOM: Final = re.compile(r"[!#][\w.:=/+-]{1,250}", re.ASCII)
_TOPIC: Final = re.compile(r"/[\w-]{1,64}", re.ASCII)
_TOKEN: Final = re.compile(r"[\w.~+/=-]{1,300}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Message:
    """Message: its title, a line of text, and the address to open.

    It holds no secrets, no token, and no words of other people. Messages with the same `tag` are about the same matter.
    """

    title: str
    text: str
    url: str
    tag: str


class BadWhere(ValueError):
    """Unusable part of a channel's address: `field` names it, the message says why and quotes nothing."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Address of a channel; all of it is secret.

    `url` is the address of a webhook (Discord, Slack), of a topic (ntfy), of a homeserver (Matrix) or of a push
    subscription; `token` the access token of a Matrix account or of ntfy, or that of a Telegram bot; `room` the room of
    Matrix or the chat of Telegram; `p256dh` and `auth` are the keys of a push subscription (RFC 8291).
    """

    kind: ChannelKind
    url: str = ""
    token: str = ""
    room: str = ""
    p256dh: str = ""
    auth: str = ""

    def __repr__(self) -> str:
        """Return the kind only, without the secrets."""
        return f"Where({self.kind})"

    def packed(self) -> str:
        """Return the address as a text, to be sealed."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def unpacked(cls, text: str) -> Where:
        """Return the address from a text of `packed`."""
        return msgspec.json.decode(text, type=cls)

    def parts(self) -> tuple[str, ...]:
        """Return the parts of a webhook's URL that its service has issued; BadWhere."""
        found = {"discord": _DISCORD, "slack": _SLACK}[self.kind].fullmatch(self.url)
        if found is None:
            raise BadWhere("url", f"It is not the address of a {self.kind.capitalize()} webhook.")
        return found.groups()

    def target(self, insecure: bool = False) -> Target:
        """Return the target of the URL, as `service.messages.calls.target`; BadWhere."""
        try:
            return target(self.url, insecure)
        except NotCallable as bad:
            raise BadWhere("url", str(bad)) from bad

    def label(self) -> str:
        """Return a public label that tells channels of a kind apart: the host, or ""."""
        return self.target(insecure=True).host if self.kind in ("matrix", "ntfy", "web-push") else ""

    def check(self, insecure: bool = False) -> None:
        """Raise BadWhere unless the address is valid for its kind; nothing is called."""
        if self.kind in ("discord", "slack"):
            self.parts()
        elif self.kind == "telegram":
            _require("token", self.token, _TELEGRAM, "It is not the token of a Telegram bot.")
            _require("room", self.room, _CHAT, "It is not the id of a chat.")
        else:
            path = self.target(insecure).path
            _BY_URL[self.kind](self, path)


def _matrix(where: Where, path: str) -> None:
    if path != "/":
        raise BadWhere("url", "It has to be the address of the homeserver alone.")
    _require("token", where.token, _TOKEN, "It is not an access token.")
    _require("room", where.room, _ROOM, "It has to be the id (!) or the alias (#) of a room.")


def _ntfy(where: Where, path: str) -> None:
    _require("url", path, _TOPIC, "It has to be the address of a topic, such as https://ntfy.sh/topic.")
    if where.token:
        _require("token", where.token, _TOKEN, "It is not an access token.")


def _push(where: Where, _: str) -> None:
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _bytes(where.p256dh))
    except ValueError as error:
        raise BadWhere("p256dh", "It is not the public key of a subscription.") from error
    if len(_bytes(where.auth)) != 16:
        raise BadWhere("auth", "It is not the secret of a subscription.")


_BY_URL: Final = {"matrix": _matrix, "ntfy": _ntfy, "web-push": _push}


def _require(field: str, text: str, pattern: re.Pattern[str], why: str) -> None:
    if pattern.fullmatch(text) is None:
        raise BadWhere(field, why)


def _bytes(text: str) -> bytes:
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (NoBase64, ValueError):
        return b""


def fields_of(given: Mapping[str, str]) -> Mapping[str, str]:
    """Return the fields of a Where among those given."""
    return {name: given[name] for name in ("url", "token", "room", "p256dh", "auth") if name in given}
