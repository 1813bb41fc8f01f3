"""Says at the terminal when the inbox cannot listen, and when it can at last."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from service.inbound.listening import AGAIN_SECONDS, place_of, reason_of
from service.local.ports import refusal_of
from service.settings import Settings

ANSWER_SECONDS: Final = 1.0
"""Seconds for an answer of the inbox, since processes that end are not started again meanwhile."""
LOOK_SECONDS: Final = 5.0


class InboxNotice:
    """What somebody who starts `boardroom up` hears of its inbox; make it before the inbox is started."""

    def __init__(self, settings: Settings, say: Callable[[str], None]) -> None:
        """Look whether the inbox will be able to listen, and say why not."""
        self._settings, self._say = settings, say
        self._waited_for = self._told()
        self._next = 0.0

    def look(self) -> None:
        """Look whether an inbox that could not listen does so by now, every few seconds."""
        if self._waited_for is None or time.monotonic() < self._next:
            return
        # Imported late: what makes mails is large, and nothing else in this process needs it.
        from service.inbound.asking import is_our_inbox

        self._next = time.monotonic() + LOOK_SECONDS
        try:
            listens = is_our_inbox(self._settings, self._waited_for, ANSWER_SECONDS)
        except OSError:
            listens = False
        if listens:
            self._say(f"The inbox listens on {place_of(self._waited_for)} now")
            self._waited_for = None

    def _told(self) -> str | None:
        listen = self._settings.inbound_listen
        if listen is None:
            return None
        where = urlsplit(listen)
        refusal = refusal_of(where.hostname or "", where.port or 0)
        if refusal is None:
            return None
        self._say(f"Warning         The inbox cannot listen on {place_of(listen)}: {reason_of(listen, refusal)}")
        self._say(
            f"                Until then no answers to mails are taken in; it tries again every {AGAIN_SECONDS:.0f} s."
        )
        return listen
