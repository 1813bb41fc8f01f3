"""The page that previews an action: what it would cause, the table after it, and the button that plays it."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.handlers import links
from service.rules.foresight import afterwards
from service.views.dry_run import dry_run
from service.web.opened_link import OpenedLink
from service.web.page import current_runtime, render


def preview_page(opened: OpenedLink, action: Any, confirming: bool = False) -> Response:
    """Return the page. It shows nothing that the player could not know before acting.

    `confirming` if the player has chosen the action already: if it cannot be taken back, this button is the second.
    """
    position, seat = opened.position, opened.link.seat
    forecast = dry_run(position, seat, action, opened.rules_language)
    after = afterwards(position.ruleset, position.state, position.game.seats, seat, action)
    notation = position.ruleset.notate(action)
    texts = [item["text"] for item in forecast["items"]]
    return render(
        "preview.html",
        opened.language,
        title=opened.title,
        meta=opened.position.ruleset.meta,
        action=opened.described(action),
        notation=notation,
        happens=[text for text in texts if text],
        unknown=None in texts or not forecast["complete"],
        table=None if after is None else opened.table_in(after),
        final=after is None,
        confirming=confirming and after is None,
        minutes=current_runtime().settings.take_back_seconds // 60,
        decision=opened.link.decision,
        base=opened.address,
        address=f"{opened.address}/{links.code(notation)}",
    )
