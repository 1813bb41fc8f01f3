"""What mails need of the rest of the service."""

from __future__ import annotations

from typing import Protocol

from service.mail.server import Mailer
from service.settings import Settings
from service.store.games import Games


class MailContext(Protocol):
    """What it takes to send mails, to take them in, and to understand those that come back."""

    @property
    def settings(self) -> Settings:
        """Where our pages are."""

    @property
    def games(self) -> Games:
        """The shelf of games."""

    @property
    def mailer(self) -> Mailer | None:
        """The way out, if there is one."""
