"""A mail from a player that is to be carried out and answered, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from service.handlers.idempotency import Receipt
from service.handlers.links import Link
from service.inbound.absences import CHANGED
from service.mail.context import MailContext
from service.mail.play import ReplyOutcome
from service.store.games import Position
from service.store.idempotency import IdempotencyKey, IdempotentRequest
from service.store.mail import InboundMail
from service.texts.catalog import say
from service.views.table import spoken

LASTING: Final = ("played", "undone", "said")
"""Outcomes without a limit of answers: no machine plays for ever, and remarks have a limit of their own."""
EFFECTIVE: Final = (*LASTING, *CHANGED, "muted", "resigned", "ordered", "orders-cancelled")
"""Outcomes that have changed something, and so are always confirmed."""
UNREAD: Final = ("nothing", "not-believed", "unchecked", "dead-link", "unreadable", "not-read", "form")
"""Outcomes of mails from which nothing was read: machines write such mails."""
ANSWERED: Final = (
    *EFFECTIVE,
    "muted-before",
    "resigned-before",
    "help",
    "shown",
    "resign-asked",
    "orders-shown",
    "no-orders",
)
"""Outcomes that are no problem."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The outcome of a mail, as a kebab-case word, and what its sender is told."""

    outcome: str
    answer: ReplyOutcome


@dataclass(frozen=True, slots=True)
class Reply:
    """A mail to be carried out and answered: its link, the game as it was when read, and the stored mail."""

    context: MailContext
    link: Link
    position: Position
    mail: InboundMail

    @property
    def language(self) -> str:
        """The player's language."""
        return self.position.seats[self.link.seat].language

    @property
    def rules_language(self) -> str:
        """The player's language if the ruleset has it, else the ruleset's first."""
        return spoken(self.position, self.language)

    @property
    def now(self) -> datetime:
        """When the mail arrived."""
        return self.mail.received_at

    def key(self, operation: str) -> IdempotencyKey:
        """Return the idempotency key of an operation that the mail asks for."""
        return IdempotencyKey(self.link.player_id, f"mail:{self.mail.id}", operation)

    def receipt(self, operation: str, words: str = "") -> Receipt[Any]:
        """Return the receipt that has an operation carried out once; it keeps whether that has changed anything."""
        asked = IdempotentRequest(self.key(operation), sha256(words.encode()).digest())
        return Receipt(asked, lambda done: "false" if done is False else "true")

    def result(self, outcome: str, *sentences: str, **values: object) -> CommandResult:
        """Return the result for an outcome: its headline, its own sentence, and any others."""
        first = say(self.language, f"answer-{outcome}-text", **values)
        headline = say(self.language, f"answer-{outcome}", **values)
        told = tuple(each for each in (first, *sentences) if each)
        return CommandResult(outcome, ReplyOutcome(headline, told, refused=outcome not in ANSWERED))

    def described(self, thing: object) -> str:
        """Return the ruleset's sentence for an action or a refusal."""
        language = self.rules_language
        return self.position.ruleset.describe(thing, self.link.seat, language, self.position.names_in(language))
