"""The page behind a mailed link on which a player chooses an action: step by step, from a list, or in notation."""

from __future__ import annotations

from typing import Final

from flask import Response, request, url_for
from sqlalchemy import Connection

from service.mail.menu import by_kind
from service.mail.sentences import greeting
from service.store.visibility import is_public
from service.views.history import recap
from service.views.steps import PickStep, step
from service.views.table import choices
from service.web.clocks import seat_due
from service.web.opened_link import OpenedLink
from service.web.page import render

LONGEST_NOTATION: Final = 500


def kind_page(opened: OpenedLink, number: int) -> Response | None:
    """Return the page with all actions of one kind, or None. Kinds are numbered from 1, as the mail numbers them."""
    groups = by_kind(choices(opened.position, opened.link.seat, opened.rules_language))
    if not 1 <= number <= len(groups):
        return None
    kind, actions = list(groups.items())[number - 1]
    return render(
        "kind.html",
        opened.language,
        title=opened.title,
        meta=opened.position.ruleset.meta,
        groups={kind: actions},
        decision=opened.link.decision,
        base=opened.address,
        table=opened.table,
    )


def choosing_page(
    db: Connection, opened: OpenedLink, status: int, reached: PickStep | None = None, refusal: str | None = None
) -> Response:
    """Return the page: the table, the recap, and the legal actions, offered from the step `reached` on."""
    position, link = opened.position, opened.link
    legal = choices(position, link.seat, opened.rules_language)
    return render(
        "turn.html",
        opened.language,
        status,
        title=opened.title,
        meta=opened.position.ruleset.meta,
        greeting=greeting(position, link.seat),
        refusal=refusal,
        due=seat_due(position, link.seat, opened.language),
        recap=recap(db, position, link.seat, opened.rules_language),
        table=opened.table,
        step=reached or step(position, link.seat, (), opened.rules_language),
        groups=by_kind(legal),
        count=len(legal),
        decision=link.decision,
        base=opened.address,
        shared=url_for("web.show_game", game_id=link.game_id) if is_public(position) else None,
        written=request.values.get("notation", "")[:LONGEST_NOTATION],
    )
