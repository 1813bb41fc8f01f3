"""The part of the runtime that mails need."""

from __future__ import annotations

from typing import Protocol

from service.mail.smtp import Mailer
from service.settings import Settings
from service.store.games import Games


class MailContext(Protocol):
    """Dependencies of sending mails, receiving mails and reading bounces."""

    @property
    def settings(self) -> Settings:
        """The settings, such as the address of the pages."""

    @property
    def games(self) -> Games:
        """The games."""

    @property
    def mailer(self) -> Mailer | None:
        """The outgoing mail server, if there is one."""
