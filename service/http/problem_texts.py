"""The texts of problems, for players, and the language in which a request gets them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from service.http.accept_language import accept_language
from service.http.request import current_request
from service.shared.refusal import Refusal
from service.texts.catalog import DEFAULT, languages, text

SHARED: Final = {
    "not-seated": "lobby-not-seated",
    "not-host": "lobby-not-host",
    "unknown-sign-in": "sign-in-past",
    "not-open-started": "lobby-started",
    "not-open-cancelled": "lobby-cancelled",
    "not-open-full": "lobby-full",
    "not-open-taken": "lobby-taken",
    "not-open-seats-free": "lobby-seats-free",
    "not-open-empty": "lobby-empty",
    "not-open-own-seat": "lobby-own-seat",
    "not-open-many-invitations": "lobby-many-invitations",
    "already-resigned": "past-resigned",
    "game-not-running-finished": "at-over",
    "game-not-running-cancelled": "lobby-cancelled",
    "game-not-over": "lobby-not-over",
    "no-mail": "lobby-no-mail",
    "not-confirmed": "mails-not-asked",
    "rate-limited-mails": "mail-budget",
    "not-your-turn": "at-not-turn",
    "nothing-to-take-back": "answer-nothing-to-undo-text",
    "webhooks-off": "hooks-off",
    "unreadable-notation": "unreadable",
}
"""Problems whose text is one of the pages or mails: its key, by code, or code and case."""


def told_in() -> str:
    """Return the language of a refusal: that of Accept-Language, or else of the account, or else English."""
    asking = current_request().identity
    known = DEFAULT if asking is None else asking.player.language
    return accept_language() or (known if known in languages() else DEFAULT)


def detail(language: str, code: str, case: str | None, values: Mapping[str, Any]) -> str:
    """Return the text of a problem, or of one case of it, with the values put in."""
    name = code if case is None else f"{code}-{case}"
    return text(language, SHARED.get(name, f"detail-{name}")).format_map(values)


def reason(refusal: Refusal | None, language: str) -> str | None:
    """Return the text of a refusal, None for none."""
    return None if refusal is None else detail(language, refusal.code, refusal.case, refusal.members)
