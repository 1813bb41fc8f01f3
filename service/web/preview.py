"""The page that shows an action before it is played: what comes of it, the table after it, and a button."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.handlers import links
from service.rules.foresight import afterwards
from service.views.foretell import foretell
from service.web.page import answer, runtime
from service.web.visit import Visit


def preview_page(visit: Visit, action: Any, asked: bool = False) -> Response:
    """Return the page, which tells nothing that the player could not know before acting.

    `asked` if the action was pressed, or picked, already: if it cannot be taken back, here is the second button.
    """
    position, seat = visit.position, visit.link.seat
    foretold = foretell(position, seat, action, visit.rules_language)
    after = afterwards(position.ruleset, position.state, position.game.seats, seat, action)
    notation = position.ruleset.notate(action)
    told = [item["text"] for item in foretold["items"]]
    return answer(
        "preview.html",
        visit.language,
        title=visit.title,
        action=visit.described(action),
        notation=notation,
        happens=[text for text in told if text],
        unknown=None in told or not foretold["complete"],
        table=None if after is None else visit.table_in(after),
        final=after is None,
        asked=asked and after is None,
        minutes=runtime().settings.take_back_seconds // 60,
        decision=visit.link.decision,
        base=visit.address,
        address=f"{visit.address}/{links.code(notation)}",
    )
