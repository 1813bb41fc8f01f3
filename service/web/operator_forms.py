"""What the forms on the pages of operators do: each is one of the handlers that `boardroom admin` uses, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from service.handlers.operators import accounts, effects, reports, service, tables
from service.handlers.refusals import UnknownSubject
from service.handlers.transaction import transaction
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.store.mode import Validity
from service.store.operator_log import Operator
from service.texts.catalog import languages
from service.views.account import account_row
from service.views.export import export

Form = Mapping[str, str]
LONGEST: Final = 500


def exported(runtime: Runtime, form: Form, by: Operator) -> Any:
    """Return all that is kept about the person of the form, and note that; UnknownSubject, ValueError."""
    games, player, now = runtime.games, UUID(form.get("subject", "")), clock.now()
    with transaction(games.engine) as db:
        accounts.exported(db, player, by, now)
        return export(db, games, account_row(db, player), runtime.settings.mail_delay, now)


def _hand_over(games: Games, form: Form, by: Operator) -> None:
    tables.hand_over(games, UUID(form.get("subject", "")), UUID(form.get("player", "")), by, clock.now())


def _answer(games: Games, form: Form, by: Operator) -> None:
    words = form.get("answer", "").strip()
    if not 0 < len(words) <= LONGEST:
        raise UnknownSubject
    reports.answer(games, UUID(form.get("subject", "")), words, by, clock.now())


def _announce(games: Games, form: Form, by: Operator) -> None:
    begins, ends = (_moment(form.get(name, "")) for name in ("begins", "ends"))
    texts = {each: form.get(f"text-{each}", "").strip()[:LONGEST] for each in languages()}
    service.announce(games, Validity(begins, ends, texts), by, clock.now())


def _moment(written: str) -> datetime:
    return datetime.fromisoformat(written).replace(tzinfo=UTC)


def _account(act: Callable[[Games, UUID, Operator, datetime], object]) -> Callable[[Games, Form, Operator], None]:
    def perform(games: Games, form: Form, by: Operator) -> None:
        act(games, UUID(form.get("subject", "")), by, clock.now())

    return perform


def _address(act: Callable[[Games, str, Operator, datetime], object]) -> Callable[[Games, Form, Operator], None]:
    def perform(games: Games, form: Form, by: Operator) -> None:
        address = form.get("subject", "").strip()
        if "@" not in address:
            raise UnknownSubject
        act(games, address, by, clock.now())

    return perform


def _effect(act: Callable[[Games, int, Operator, datetime], object]) -> Callable[[Games, Form, Operator], None]:
    def perform(games: Games, form: Form, by: Operator) -> None:
        act(games, int(form.get("subject", "")), by, clock.now())

    return perform


ACTS: Final[Mapping[str, Callable[[Games, Form, Operator], None]]] = {
    "block": _account(accounts.block),
    "unblock": _account(accounts.unblock),
    "close": _account(accounts.close),
    "erase": _account(accounts.erase),
    "block-address": _address(accounts.block_address),
    "unblock-address": _address(accounts.unblock_address),
    "run": _effect(effects.run),
    "drop": _effect(effects.drop),
    "hand-over": _hand_over,
    "answer": _answer,
    "announce": _announce,
    "withdraw": lambda games, _, by: service.withdraw(games, by, clock.now()),
    "stop": lambda games, _, by: service.stop_writing(games, None, by, clock.now()),
    "allow": lambda games, _, by: service.allow_writing(games, by, clock.now()),
}
"""Each act by its name: it reads the form; UnknownSubject, CannotHandOver, BadAnnouncement, UnknownGame, ValueError."""
ON_ACCOUNTS: Final = ("block", "unblock", "close", "erase")
"""The acts on an account, for which the operator has to say that it is the one that they mean."""
