"""The service with the channels of its players, and the courier that sends messages to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import text

from service.handlers import channels as handlers
from service.handlers.channels import ChannelRules, ChannelTerms
from service.messages.calls import Caller
from service.messages.channels import MESSAGES, MessageKind, Where
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox
from service.store.games import Position
from service.views.messages import channel_of
from tests.letters import letters
from tests.messages.services import WHERES
from workers.effects import EFFECTS
from workers.messages import attempt_message
from workers.relay import Relay

NEARER = text("""
update outbox set not_before = not_before - cast(:passed as interval), due_at = due_at - cast(:passed as interval),
       added_at = added_at - cast(:passed as interval) where state = 'pending'
""")
SINCE = text("update channel_message set created_at = created_at - cast(:passed as interval)")


@dataclass(frozen=True, slots=True)
class House:
    """The service, whose courier calls the services of the tests."""

    runtime: Runtime
    caller: Caller
    mailbox: Path

    def relay(self) -> None:
        """Carry out what is due but for the calls."""
        relay = Relay(replace(self.runtime, redis=None))
        while relay.drain():
            pass

    def courier(self) -> None:
        """Send the messages that are due."""
        with self.runtime.engine.begin() as db:
            due = outbox.claim(db, "channel", 100)
        for each in due:
            with self.runtime.engine.begin() as db:
                outbox.attempt(db, each.id, tuple(EFFECTS))
            attempt_message(self.runtime, each.id, self.caller, clock.now())

    def later(self, passed: timedelta) -> None:
        """Let time pass by bringing nearer what is due."""
        with self.runtime.engine.begin() as db:
            db.execute(NEARER, {"passed": passed})
            db.execute(SINCE, {"passed": passed})

    def channel(
        self,
        player: UUID,
        where: Where = WHERES["ntfy"],
        messages: Sequence[MessageKind] = MESSAGES,
        instead: Sequence[MessageKind] = (),
    ) -> UUID:
        """Set up a channel that has taken its trial."""
        rules = ChannelRules(self.runtime.vault, push=True, insecure=False)
        made = handlers.create(self.runtime.games, rules, player, ChannelTerms(where, messages, instead), clock.now())
        self.courier()
        return made

    def shown(self, player: UUID, channel: UUID) -> dict[str, Any]:
        """Return a channel as its player sees it."""
        with self.runtime.engine.connect() as db:
            found = channel_of(db, player, channel)
        assert found
        return found

    def mails(self, position: Position, player: int) -> list[str]:
        """Return the kinds of the mails to a seat about a game, the oldest first."""
        self.relay()
        address = position.seats[player].email
        return [each.kind for each in letters(self.mailbox, position.game.id) if each.recipient == address]
