"""The record of a game that is over or was called off, to be kept as a file by whoever may know of the game."""

from __future__ import annotations

from uuid import UUID

import structlog
from flask import Response
from sqlalchemy import Connection

from service.audit.log import Altered, NoChain
from service.store.games import Position
from service.views.record import record_text
from service.web.answers import admitted, runtime
from service.web.game import when_begun
from service.web.session import Visitor, missing_page, page, visitor

log = structlog.get_logger()


def download_record(game_id: UUID) -> Response:
    """Hand out the record; a game that is not over, or began before there were chains, has none."""
    return when_begun(game_id, _record, lambda db, position: _record(db, position, visitor()))


def _record(db: Connection, position: Position, there: Visitor | None) -> Response:
    game = position.game
    if game.status not in ("finished", "cancelled"):
        return missing_page()
    if not admitted("records", None if there is None else there.id):
        return page("notice.html", 429, notice="too-often")
    try:
        text = record_text(db, runtime().games, game.id)
    except NoChain:
        return missing_page()
    except Altered as altered:
        log.error("a game was altered and has no record", game=str(game.id), seq=altered.seq)
        return missing_page()
    named = {"Content-Disposition": f'attachment; filename="{game.id}.jsonl"', "Cache-Control": "no-store"}
    return Response(text, headers=named, content_type="application/jsonl")
