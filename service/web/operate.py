"""The pages of operators, below /operate: for accounts with that role, shortly after a sign-in by a mailed link.

They show and do what `boardroom admin` does, but for keys, which are on the machines of the service.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, Final

from flask import Response, make_response, request, url_for

from service.handlers.operators import roles
from service.handlers.refusals import BadAnnouncement, CannotHandOver, UnknownGame, UnknownSubject
from service.handlers.sign_in import MINUTES
from service.handlers.transaction import transaction
from service.shared import clock
from service.store.mode import read
from service.store.operator_log import Operator, latest
from service.texts.catalog import languages
from service.views.found import find_games, find_players, troubled_effects
from service.views.reports import open_reports
from service.web.blueprint import web
from service.web.operator_forms import ACTS, exported
from service.web.page import admitted, current_runtime
from service.web.session import Visitor, missing_page, page, see_other, signed_in

FRESH: Final = timedelta(minutes=MINUTES)
"""How long after signing in by a mailed link the pages open."""
LONGEST_REASON: Final = 500
LAST_ACTS: Final = 50


def operators_only(view: Callable[..., Response]) -> Callable[..., Response]:
    """Pass the Visitor to the view if they are an operator who has just signed in by a mailed link.

    To everybody else there is no such page; an operator is asked to sign in anew.
    """

    @wraps(view)
    @signed_in
    def guarded(visitor: Visitor, *args: Any, **kwargs: Any) -> Response:
        with transaction(current_runtime().games.engine) as db:
            known = roles.is_operator(db, visitor.id)
        if not known:
            return missing_page()
        browser = visitor.browser
        if not browser.by_mail or clock.now() - browser.signed_in_at > FRESH:
            return page("operate_fresh.html", 403, minutes=MINUTES, email=browser.player.email)
        return view(visitor, *args, **kwargs)

    return guarded


@web.get("/operate")
@operators_only
def operate(visitor: Visitor) -> Response:
    """Show what waits, what is in force and what was done; with `words` in the query the players and games found."""
    return _page(200, done="done" in request.args)


@web.post("/operate/export")
@operators_only
def export_person(visitor: Visitor) -> Response:
    """Return all that is kept about the person of the form, as a JSON file."""
    by = _operator(visitor)
    if by is None:
        return _page(422, refusal="operate-needs-reason")
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
    """Carry out the act of the form, for its `reason`, and show the page again."""
    if act not in ACTS:
        return missing_page()
    by = _operator(visitor)
    if by is None:
        return _page(422, refusal="operate-needs-reason")
    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        ACTS[act](current_runtime().games, request.form, by)
    except (UnknownSubject, UnknownGame, CannotHandOver, BadAnnouncement, ValueError):
        return _page(422, refusal="operate-refused")
    current_runtime().mode.look()
    return see_other(url_for("web.operate", done="", words=request.form.get("words") or None))


def _operator(visitor: Visitor) -> Operator | None:
    """Return who acts, None if the form has no usable reason."""
    reason = request.form.get("reason", "").strip()
    return Operator(f"player:{visitor.id}", reason) if 0 < len(reason) <= LONGEST_REASON else None


def _page(status: int, refusal: str | None = None, done: bool = False) -> Response:
    words = request.values.get("words", "").strip()[:254]
    with transaction(current_runtime().games.engine) as db:
        return page(
            "operate.html",
            status,
            refusal=refusal,
            done=done,
            words=words,
            players=find_players(db, words) if words else [],
            tables=find_games(db, words) if words else [],
            effects=troubled_effects(db),
            reports=open_reports(db),
            in_force=read(db),
            acts=latest(db, LAST_ACTS),
            spoken=languages(),
        )
