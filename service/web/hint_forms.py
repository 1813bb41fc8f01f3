"""The form that takes a hint, on the page of a table."""

from __future__ import annotations

from uuid import UUID

from flask import Response

from service.handlers.hints import take_hint
from service.handlers.refusals import HintsNotAllowed
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.session import Visitor, signed_in
from service.web.table_forms import carry_out


@web.post("/games/<uuid:game_id>/hints")
@signed_in
def take_a_hint(visitor: Visitor, game_id: UUID) -> Response:
    """Count a hint, and show it at the table."""

    def perform() -> str:
        try:
            take_hint(current_runtime().games, game_id, visitor.id, "web")
        except HintsNotAllowed:
            # No page of the game has the form.
            return ""
        return "?hint=yes#hints"

    return carry_out(visitor, game_id, perform)
