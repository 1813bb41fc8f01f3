"""The kinds of channel and of message, by the names that are stored and part of the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

ChannelKind = Literal["web-push", "discord", "slack", "matrix", "telegram", "ntfy"]
MessageKind = Literal["turn", "reminder", "lapsed", "started", "over", "message", "problem", "invitation"]

CHANNELS: Final[tuple[ChannelKind, ...]] = get_args(ChannelKind)
MESSAGES: Final[tuple[MessageKind, ...]] = get_args(MessageKind)
OF_MAIL: Final[Mapping[str, MessageKind]] = {
    "turn-mail": "turn",
    "reminder": "reminder",
    "lapsed": "lapsed",
    "started": "started",
    "game-over": "over",
    "message": "message",
    "problem": "problem",
    "invitation": "invitation",
}
"""The kind of message that stands beside the mail of an outbox row, by the row's kind."""
