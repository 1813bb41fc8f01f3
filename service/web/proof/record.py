"""Files of a game (record, a seat's view, listing), its proof, and the page that verifies a record."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

import structlog
from flask import Response, request
from sqlalchemy import Connection

from service.audit.log import Altered, NoChain, last_of_lobby
from service.handlers.transaction import transaction
from service.rules.bidi import isolated
from service.shared import clock
from service.store.games import Position
from service.texts.catalog import keys, text
from service.texts.games import full_title
from service.texts.locales import number
from service.texts.po_files import VERIFIER
from service.views.listing import listing
from service.views.proof import proof
from service.views.record import record_text, records_of, view_text
from service.views.replay import allowed_viewers
from service.views.table import shown_seats
from service.web.blueprint import web
from service.web.game_page import game_page
from service.web.page import admitted, current_runtime
from service.web.session import SCRIPT_POLICY, Visitor, current_visitor, language, missing_page, page, signed_in

RECORD = "application/jsonl"
ALL = 100_000
"""Limit above any player's number of games."""
log = structlog.get_logger()


@web.get("/games/<uuid:game_id>/record.jsonl")
def download_record(game_id: UUID) -> Response:
    """Return the record; 404 for a game that is not over, or that has no hash chain."""
    return game_page(game_id, _record, lambda db, position: _record(db, position, current_visitor()))


@web.get("/games/<uuid:game_id>/view.jsonl")
def download_view(game_id: UUID) -> Response:
    """Return the view of the `seat`, by default the visitor's; before the game is over, only the visitor's own."""
    return game_page(game_id, _view)


@web.get("/games/<uuid:game_id>/listing.txt")
def download_listing(game_id: UUID) -> Response:
    """Return the listing of all turns as text, in the visitor's language."""
    return game_page(game_id, _listing)


@web.get("/settings/records")
@signed_in
def download_records(visitor: Visitor) -> Response:
    """Return the records of all finished and cancelled games of the visitor, as a gzip file."""
    games = current_runtime().games

    def write() -> bytes:
        with transaction(games.engine) as db:
            return gzip.compress(b"".join(records_of(db, games, visitor.id, None, ALL, clock.now())))

    return _file(write, "boardroom-records.jsonl.gz", "application/gzip", visitor)


def _record(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    game = position.game
    if game.status not in ("finished", "cancelled") or game.sealed_up(clock.now()):
        return missing_page()

    def write() -> bytes | None:
        try:
            return record_text(db, current_runtime().games, game.id)
        except NoChain:
            return None
        except Altered as altered:
            log.error("a game was altered and has no record", game=str(game.id), seq=altered.seq)
            return None

    return _file(write, f"{game.id}.jsonl", RECORD, visitor)


def _view(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    own = None if visitor is None else position.seat_of(visitor.id)
    seat = request.args.get("seat", own, type=int)
    if seat not in allowed_viewers(position, own):
        return missing_page()
    named = f"{position.game.id}-{'spectator' if seat is None else f'seat-{seat + 1}'}.jsonl"
    return _file(lambda: view_text(db, position, seat), named, RECORD, visitor)


def _listing(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    own, spoken = None if visitor is None else position.seat_of(visitor.id), language()
    titled = full_title(position.ruleset.meta, position.game.options, spoken)
    title, over = position.game.terms.name or titled, position.game.status == "finished"

    def write() -> bytes:
        timeline = current_runtime().games.timeline(db, position)
        return listing(timeline, title, position.names_in(spoken), own, spoken, everything=over).encode()

    return _file(write, f"{position.game.id}.txt", "text/plain; charset=utf-8", visitor)


def _file(write: Callable[[], bytes | None], name: str, kind: str, visitor: Visitor | None) -> Response:
    if not admitted("records", None if visitor is None else visitor.id):
        return page("notice.html", 429, notice="too-often")
    data = write()
    if data is None:
        return missing_page()
    named = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(data, headers=named, content_type=kind)


# Proof of a game, with the files to check it.


@web.get("/games/<uuid:game_id>/proof")
def show_proof(game_id: UUID) -> Response:
    """Show the commitment to the seed, the origin of the nonces, the head of the log, the seal, and the files."""
    return game_page(game_id, _page, lambda db, position: _page(db, position, current_visitor()))


def _page(db: Connection, position: Position, visitor: Visitor | None) -> Response:
    game, shown = position.game, proof(db, position, clock.now())
    own = None if visitor is None else position.seat_of(visitor.id)
    begun, seal = position.state is not None, shown["seal"]
    return page(
        "proof/proof.html",
        title=isolated(game.terms.name or full_title(position.ruleset.meta, game.options, language())),
        game=game,
        shown=shown,
        drawn=_drawn(position, shown["seats"]),
        sealed=None if seal is None else datetime.fromisoformat(seal["at"]),
        whole=_is_whole(db, position) and not game.sealed_up(clock.now()),
        own=own,
        viewers=[(seat, _name(position, seat)) for seat in allowed_viewers(position, own)] if begun else [],
        begun=begun,
        number=partial(number, language=language()),
    )


def _drawn(position: Position, seats: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the names of the players whose nonce was drawn by the `client`, and by the `server`."""
    drawn: dict[str, list[str]] = {}
    for each in seats:
        drawn.setdefault(each["drawn_by"], []).append(_name(position, each["seat"]) or "?")
    return drawn


def _name(position: Position, seat: int | None) -> str | None:
    return None if seat is None else shown_seats(position, language())[seat]["name"]


def _is_whole(db: Connection, position: Position) -> bool:
    if position.game.status == "finished":
        return position.game.head is not None
    return position.game.status == "cancelled" and last_of_lobby(db, position.game.id) is not None


# Verifier of a game record in the browser: the file is not uploaded, and the server is not asked.

_WORDS: Final = ("holds", "wrong", "unchecked", "unread", "line", "keys", "several", "true", "false", "null")
"""Keys of the texts with which the page's script frames its findings."""


@web.get("/verify")
def show_verify() -> Response:
    """Show the field for a record; the page's script verifies it (static/verify.mjs)."""
    spoken = language()
    words = {each: text(spoken, f"ve-{each}") for each in _WORDS}
    findings = {each: text(spoken, each) for each in keys(VERIFIER)}
    response = page("proof/verify.html", language=spoken, words=words, findings=findings)
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response
