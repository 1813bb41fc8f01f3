"""Pages of operators, below /operate, for accounts with that role and a recent sign-in.

The pages do what `boardroom admin` does, except for keys, which stay on the machines of the service.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial, wraps
from typing import Any, Final
from uuid import UUID

from flask import Response, make_response, request, url_for

from service.handlers import operators
from service.handlers.refusals import (
    BadAnnouncement,
    BadPasskey,
    CannotHandOver,
    PasskeyCopied,
    UnknownGame,
    UnknownSubject,
)
from service.handlers.results import doubted
from service.handlers.sessions import FRESH
from service.handlers.transaction import transaction
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.store.lock_waits import blockers, driver_of
from service.store.operation import Operator, Validity, latest_operator_acts, read_mode
from service.texts.catalog import count, languages
from service.views.account import account_row, passkeys_of
from service.views.export import export
from service.views.operation import find_games, find_players, troubled_effects
from service.views.people import open_reports
from service.web.access.passkeys import entered, options_for
from service.web.access.sign_in import current_party, declared, with_passkey
from service.web.blueprint import web
from service.web.page import admitted, current_runtime
from service.web.session import Visitor, language, missing_page, page, see_other, signed_in

MAX_REASON_LENGTH: Final = 500
LAST_ACTS: Final = 50


def operators_only(view: Callable[..., Response]) -> Callable[..., Response]:
    """Pass the Visitor to the view if they are an operator with a recent sign-in by a mailed link or a passkey.

    Others get 404; an operator whose sign-in is too old is asked to sign in anew.
    """

    def fresh(visitor: Visitor, *args: Any, **kwargs: Any) -> Response:
        if not visitor.browser.is_fresh(clock.now()):
            return _ask_anew(visitor, 403)
        # PostgreSQL stores no NUL in text, and no page of ours sends NUL.
        if any("\0" in each for each in request.form.values()):
            return _page(422, refusal="operate-refused")
        return view(visitor, *args, **kwargs)

    return declared(with_role(wraps(view)(fresh)))


def with_role(view: Callable[..., Response]) -> Callable[..., Response]:
    """Pass the Visitor to the view if they are an operator; others get 404."""

    @wraps(view)
    @signed_in
    def guarded(visitor: Visitor, *args: Any, **kwargs: Any) -> Response:
        with transaction(current_runtime().games.engine) as db:
            known = operators.is_operator(db, visitor.id)
        return view(visitor, *args, **kwargs) if known else missing_page()

    return guarded


@web.post("/operate/passkey/challenge")
@with_role
def begin_sign_in_anew(visitor: Visitor) -> Response:
    """Return the options for `navigator.credentials.get`, for the operator's passkeys."""
    party = current_party()
    return missing_page() if party is None else options_for(party, visitor.id)


@web.post("/operate/passkey")
@with_role
def sign_in_anew(visitor: Visitor) -> Response:
    """Sign the operator in anew by the `credential` of the form; accept only passkeys of the operator's account."""
    party = current_party()
    if party is None:
        return missing_page()
    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        return entered(party, visitor.id, url_for("web.operate"))
    except BadPasskey:
        return _ask_anew(visitor, 422, "passkey-refused")
    except PasskeyCopied:
        return _ask_anew(visitor, 422, "passkey-copied")


@web.get("/operate")
@operators_only
def operate(visitor: Visitor) -> Response:
    """Show open work, the current mode and the latest acts; with `words` in the query, also players and games found."""
    return _page(200, done="done" in request.args)


@web.post("/operate/export")
@operators_only
def export_person(visitor: Visitor) -> Response:
    """Return everything stored about the person of the form, as a JSON file."""
    by = _operator(visitor)
    if by is None:
        return _page(422, refusal="operate-needs-reason")
    if not request.form.get("sure"):
        return _page(422, refusal="operate-not-sure")
    try:
        kept = exported(current_runtime(), request.form, by)
    except (UnknownSubject, ValueError):
        return _page(422, refusal="operate-refused")
    response = make_response(json.dumps(kept, ensure_ascii=False, indent=1))
    response.headers["Content-Type"] = "application/json"
    response.headers["Content-Disposition"] = 'attachment; filename="person.json"'
    return response


@web.post("/operate/<act>")
@operators_only
def carry_out_act(visitor: Visitor, act: str) -> Response:
    """Carry out the act of the form, with its `reason`, and show the page again."""
    if act not in ACTS:
        return missing_page()
    by = _operator(visitor)
    if by is None:
        return _page(422, refusal="operate-needs-reason")
    if act in ON_ACCOUNTS and not request.form.get("sure"):
        return _page(422, refusal="operate-not-sure")
    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        ACTS[act](current_runtime().games, request.form, by)
    except (UnknownSubject, UnknownGame, CannotHandOver, BadAnnouncement, ValueError):
        return _page(422, refusal="operate-refused")
    current_runtime().mode.look()
    return see_other(url_for("web.operate", done="", words=request.form.get("words") or None))


def _operator(visitor: Visitor) -> Operator | None:
    """Return the acting operator; None if the form has no usable reason."""
    reason = request.form.get("reason", "").strip()
    return Operator(f"player:{visitor.id}", reason) if 0 < len(reason) <= MAX_REASON_LENGTH else None


def _ask_anew(visitor: Visitor, status: int, refusal: str | None = None) -> Response:
    with transaction(current_runtime().games.engine) as db:
        known = passkeys_of(db, visitor.id)
    told = {"minutes": int(FRESH.total_seconds() // 60), "email": visitor.browser.player.email, "refusal": refusal}
    return with_passkey("operation/sign_in.html", status, "web.sign_in_anew" if known else None, **told)


def _page(status: int, refusal: str | None = None, done: bool = False) -> Response:
    words = request.values.get("words", "").replace("\0", "").strip()[:254]
    with transaction(current_runtime().games.engine) as db:
        return page(
            "operation/admin.html",
            status,
            refusal=refusal,
            done=done,
            words=words,
            players=find_players(db, words) if words else [],
            tables=find_games(db, words) if words else [],
            effects=troubled_effects(db),
            reports=open_reports(db),
            doubted=doubted(db, clock.now()),
            in_force=read_mode(db),
            acts=latest_operator_acts(db, LAST_ACTS),
            blockers=blockers(driver_of(db)),
            spoken=languages(),
            count=partial(count, language()),
        )


# Acts: each form calls the handler that a command of `boardroom admin` calls.

Form = Mapping[str, str]
LONGEST: Final = 500


def exported(runtime: Runtime, form: Form, by: Operator) -> Any:
    """Return everything stored about the person of the form, and log the export; UnknownSubject, ValueError."""
    games, player, now = runtime.games, UUID(form.get("subject", "")), clock.now()
    with transaction(games.engine) as db:
        operators.export_account(db, player, by, now)
        return export(db, games, account_row(db, player), runtime.settings.mail_delay, now)


def _hand_over(games: Games, form: Form, by: Operator) -> None:
    operators.hand_over_table(games, UUID(form.get("subject", "")), UUID(form.get("player", "")), by, clock.now())


def _answer(games: Games, form: Form, by: Operator) -> None:
    words = form.get("answer", "").strip()
    if not 0 < len(words) <= LONGEST:
        raise UnknownSubject
    operators.answer_report(games, UUID(form.get("subject", "")), words, by, clock.now())


def _announce(games: Games, form: Form, by: Operator) -> None:
    begins, ends = (_moment(form.get(name, "")) for name in ("begins", "ends"))
    texts = {each: form.get(f"text-{each}", "").strip()[:LONGEST] for each in languages()}
    operators.announce_maintenance(games, Validity(begins, ends, texts), by, clock.now())


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
    "block": _account(operators.block_account),
    "unblock": _account(operators.unblock_account),
    "close": _account(operators.close_account),
    "erase": _account(operators.erase_account),
    "block-address": _address(operators.block_address),
    "unblock-address": _address(operators.unblock_address),
    "run": _effect(operators.run_effect),
    "drop": _effect(operators.drop_effect),
    "hand-over": _hand_over,
    "answer": _answer,
    "announce": _announce,
    "withdraw": lambda games, _, by: operators.withdraw_announcement(games, by, clock.now()),
    "stop": lambda games, _, by: operators.stop_writing(games, None, by, clock.now()),
    "allow": lambda games, _, by: operators.allow_writing(games, by, clock.now()),
}
"""Acts by name, each reading the form; UnknownSubject, CannotHandOver, BadAnnouncement, UnknownGame, ValueError."""
ON_ACCOUNTS: Final = ("block", "unblock", "close", "erase")
"""Acts on an account; the operator has to confirm that the account is the right one."""
